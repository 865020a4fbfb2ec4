/** The sessions that are watched, by their ids and by the paths of their files. */
import { basename, dirname } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { digest } from "../../library/catalogue/session_state.ts";
import type { Library } from "../../library/library.ts";
import { loadLocator } from "../../library/machine/locators.ts";
import { loadAgent } from "../../library/machine/registry.ts";
import { sourceFiles } from "../../agents/engine/files/session_files.ts";
import { isSqliteFile } from "../../agents/engine/sqlite/sqlite_file.ts";
import type { LocalStore } from "../../core/store/local_store.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { lookAtSource } from "./source_file.ts";

export interface WatchPlan {
  library: Library;
  store: LocalStore;
  agents: readonly AgentName[];
  now: () => Date;
  default_cwd: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface WatchedSession {
  session: AgentSession;
  /** Name of the session's backup folder, inside the folder of its agent. */
  folder: string;
  /** Paths of the files, the main file first; undefined if they must be looked up again. */
  files: readonly string[] | undefined;
  /** Number for the state of the session's files at the last backup, from `stampOf`. */
  stamp: number;
  /** True once the session's copies were checked against the manifest. */
  mended: boolean;
  /** True once the session's main file was found missing. */
  gone: boolean;
  /** The message of the last failure, so that the failure is reported only once. */
  trouble?: string;
  /** Number of consecutive failed backups. */
  failures: number;
  /** Milliseconds that the last comparison of all the session's bytes took. */
  compared_ms: number;
}

interface LocatedSource {
  session: AgentSession;
  in_database: boolean;
}

/**
 * Finds the sessions of an agent, also those of its subagents.
 *
 * @throws {SessionError} `permission`, `io`
 */
export async function* locateSources(
  name: AgentName,
  environment: AgentEnvironment,
): AsyncGenerator<LocatedSource> {
  const { locate } = await loadLocator(name);
  const databases = new Map<string, boolean>();
  for await (const session of locate(environment, { subagents: true })) {
    const { path } = session;
    let in_database = false;
    if (/\.(?:db|sqlite\d?)$/.test(path)) {
      in_database = databases.get(path) ?? isSqliteFile(path);
      databases.set(path, in_database);
    }
    yield { session, in_database };
  }
}

/** Returns the paths of a session's files, its main file first. */
export async function filesOf(session: AgentSession): Promise<readonly string[]> {
  const files = await sourceFiles(await loadAgent(session.agent), session);
  // A list that grew has room for more, which 10,000 would hold: a slice has none.
  return files.length === 0 ? [session.path] : files.slice();
}

/** Returns a number that changes when the state of one of the files changes. */
export function stampOf(files: readonly string[]): number {
  let text = "";
  for (const path of files) {
    const state = lookAtSource(path);
    text += state === undefined
      ? "-\n"
      : `${state.size} ${state.mtime} ${state.ctime} ${state.ino}\n`;
  }
  return digest(text);
}

/** Number of folders above a file that are searched for the session the file belongs to. */
const LEVELS = 3;

export class WatchedSessions implements Iterable<WatchedSession> {
  readonly #by_path = new Map<string, WatchedSession>();
  readonly #by_id = new Map<string, WatchedSession>();
  readonly #by_folder = new Map<string, Set<WatchedSession>>();
  readonly #all = new Set<WatchedSession>();
  /** Sessions outside the watched folders, which are polled. */
  readonly uncovered = new Set<WatchedSession>();

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<WatchedSession> {
    return this.#all[Symbol.iterator]();
  }

  add(one: WatchedSession, covered: boolean): void {
    this.#all.add(one);
    if (!covered) this.uncovered.add(one);
    this.#place(one);
  }

  #place(one: WatchedSession): void {
    const { path, id } = one.session;
    this.#by_path.set(path, one);
    this.#by_id.set(id, one);
    const folder = dirname(path);
    const there = this.#by_folder.get(folder);
    if (there === undefined) this.#by_folder.set(folder, new Set([one]));
    else there.add(one);
  }

  of(path: string): WatchedSession | undefined {
    return this.#by_path.get(path);
  }

  /**
   * Sets the files of a session. If they include another session's main file, that session is
   * merged into this one.
   */
  give(one: WatchedSession, files: readonly string[]): readonly string[] {
    for (const path of files) {
      const other = this.#by_path.get(path);
      if (other !== undefined && other !== one && path !== one.session.path) this.#drop(other);
      this.#by_path.set(path, one);
    }
    return one.files = files;
  }

  /** Stops watching a session separately, because it is backed up as a part of another session. */
  #drop(other: WatchedSession): void {
    this.#all.delete(other);
    this.uncovered.delete(other);
    this.#by_folder.get(dirname(other.session.path))?.delete(other);
  }

  has(one: WatchedSession): boolean {
    return this.#all.has(one);
  }

  /** Returns the watched session with this id and agent if its file moved; else undefined. */
  movedFrom({ id, agent }: AgentSession): WatchedSession | undefined {
    const known = this.#by_id.get(id);
    if (known === undefined || known.session.agent !== agent) return undefined;
    return lookAtSource(known.session.path) === undefined ? known : undefined;
  }

  move(one: WatchedSession, session: AgentSession): void {
    this.#by_folder.get(dirname(one.session.path))?.delete(one);
    for (const path of one.files ?? []) this.#by_path.delete(path);
    this.#by_path.delete(one.session.path);
    one.session = session;
    one.files = undefined;
    one.gone = false;
    this.#place(one);
  }

  /** Returns sessions that a file may belong to, by the ids or the folders in its path. */
  around(path: string): Iterable<WatchedSession> {
    const parts = path.split(/[/\\]/).slice(-LEVELS - 1);
    for (const part of parts) {
      const one = this.#by_id.get(part) ?? this.#by_id.get(part.replace(/\..*$/, ""));
      if (one !== undefined) return [one];
    }
    let folder = dirname(path);
    for (let level = 0; level < LEVELS; level++, folder = dirname(folder)) {
      const there = this.#by_folder.get(folder);
      if (there !== undefined) return there;
      if (basename(folder) === "") break;
    }
    return [];
  }
}
