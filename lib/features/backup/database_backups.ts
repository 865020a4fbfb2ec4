/**
 * Backs up sessions that lie in databases. Their rows cannot be copied as bytes, so each is imported,
 * once its database is quiet.
 */
import type { AgentName } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { SQLITE_ENDINGS } from "../../agents/engine/sqlite/sqlite_file.ts";
import type { SessionEntry } from "../../library/query/query.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { findImports, type FoundImports } from "../../core/store/import/find_imports.ts";
import { backUp } from "./back_up.ts";
import type { WatchNews } from "./watch_news.ts";
import { stampOf, type WatchPlan } from "./watched_sessions.ts";

const LOOK_MS = 5000;
/** Milliseconds without a write before an import, because an import reads a whole session. */
const QUIET_MS = 60_000;

interface Database {
  agent: AgentName;
  path: string;
  stamp: number;
  changed_at: number;
  dirty: boolean;
  /** Time of the last update of each session that was backed up, by reference. */
  updated: Map<string, string | undefined>;
  sessions: number;
}

export class DatabaseBackups {
  readonly #plan: WatchPlan;
  readonly #databases = new Map<string, Database>();
  readonly #told = new Map<string, string>();
  #next_look = 0;

  constructor(plan: WatchPlan) {
    this.#plan = plan;
  }

  get sessions(): number {
    return this.#databases.values().reduce((sum, { sessions }) => sum + sessions, 0);
  }

  /** True when a first backup of each database was tried. */
  get caught_up(): boolean {
    return this.#databases.values().every(({ stamp }) => stamp !== 0);
  }

  /** The time of the next check of the databases, by `performance.now()`. */
  get next(): number {
    return this.#databases.size === 0 ? Infinity : this.#next_look;
  }

  found(agent: AgentName, sessions: readonly AgentSession[]): void {
    for (const [path, { length }] of Map.groupBy(sessions, (one) => one.path)) {
      const known = this.#databases.get(path);
      if (known !== undefined) known.sessions = length;
      else {
        const updated = new Map<string, string | undefined>();
        const database = { agent, path, stamp: 0, changed_at: -Infinity, dirty: true, updated };
        this.#databases.set(path, { ...database, sessions: length });
        this.#next_look = 0;
      }
    }
  }

  /** Backs up the sessions of changed databases that were not written for `QUIET_MS`. */
  async *step(): AsyncGenerator<WatchNews> {
    const now = performance.now();
    if (now < this.#next_look) return;
    this.#next_look = now + LOOK_MS;
    for (const database of this.#databases.values()) {
      const stamp = stampOf(SQLITE_ENDINGS.map((ending) => database.path + ending));
      if (stamp !== database.stamp) {
        if (database.stamp !== 0) database.changed_at = now;
        database.stamp = stamp;
        database.dirty = true;
      }
      if (!database.dirty || now - database.changed_at < QUIET_MS) continue;
      database.dirty = false;
      yield* this.#backUp(database);
    }
  }

  async *#backUp({ agent, path, updated }: Database): AsyncGenerator<WatchNews> {
    const { library, store } = this.#plan;
    const failures: SessionError[] = [];
    const onError = (error: SessionError): void => void failures.push(error);
    const asked = { agents: [agent], archived: "any", rows: true, onError } as const;
    const { entries } = await library.query(asked);
    yield* failures.flatMap((error) => this.#trouble(path, error));
    const found = findImports(store.root);
    for (const entry of entries) {
      if (entry.session.path !== path) continue;
      const { ref } = entry;
      const updated_at = (await entry.row())?.updated_at;
      if (updated.has(ref) && updated.get(ref) === updated_at) continue;
      const news = await this.#backUpOne(entry, found);
      if (news !== undefined) yield news;
      updated.set(ref, updated_at);
    }
  }

  async #backUpOne(entry: SessionEntry, found: FoundImports): Promise<WatchNews | undefined> {
    const { store, now, default_cwd } = this.#plan;
    const { ref } = entry;
    try {
      const handle = await entry.open();
      const cwd = default_cwd === undefined ? {} : { default_cwd };
      const backup = await backUp(store, handle, { found, now, ...cwd });
      const { status, path, session_id } = backup;
      if (status !== "backed-up" || path === undefined || session_id === undefined) {
        return undefined;
      }
      return { status: "kept", ref, added: 0, generation: 1, began: "first", path, session_id };
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      return this.#trouble(ref, error)[0];
    }
  }

  /** Returns the news of a failure; none if the same failure was reported last. */
  #trouble(about: string, { message }: SessionError): WatchNews[] {
    if (this.#told.get(about) === message) return [];
    this.#told.set(about, message);
    return [{ status: "trouble", ref: about, error: message }];
  }
}
