/** Runs a watch: records each event in its agenda, and carries out the steps that come due. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { isThere } from "../../core/file/presence.ts";
import { backupsDirectory, keptFolder } from "../../library/machine/kept/kept_index.ts";
import { readKeptManifest } from "../../library/machine/kept/manifest.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import { DatabaseBackups } from "./database_backups.ts";
import { GenerationPacker } from "./generation_packer.ts";
import { keepSession } from "./keep_session.ts";
import { KeptList } from "./kept_folder.ts";
import { RootWatches, WatchProbe } from "./root_watches.ts";
import {
  type HowKept,
  isCaughtUp,
  isWorthALook,
  newAgenda,
  nextStep,
  nextTime,
  noteEvent,
  type WatchEvent,
  type WatchFacts,
  type WatchStep,
} from "./watch_agenda.ts";
import { newsOf, type WatchNews, WatchTroubles } from "./watch_news.ts";
import {
  filesOf,
  locateSources,
  stampOf,
  type WatchedSession,
  WatchedSessions,
  type WatchPlan,
} from "./watched_sessions.ts";

export class SessionWatcher implements AsyncDisposable {
  readonly #plan: WatchPlan;
  readonly #agenda = newAgenda();
  readonly #watched = new WatchedSessions();
  readonly #list: KeptList;
  readonly #roots: RootWatches;
  readonly #probe: WatchProbe;
  readonly #databases: DatabaseBackups;
  readonly #troubles = new WatchTroubles();
  #waker = new AbortController();
  readonly #packer: GenerationPacker;
  #located = 0;
  #caught_up = false;
  /** Bytes that were added to backups since the watch began. */
  added = 0;

  constructor(plan: WatchPlan) {
    this.#plan = plan;
    this.#packer = new GenerationPacker(plan.signal);
    const { library: { place: { environment } }, store: { root }, agents } = plan;
    this.#list = new KeptList(root, agents);
    this.#databases = new DatabaseBackups(plan);
    this.#probe = new WatchProbe(backupsDirectory(root));
    this.#roots = new RootWatches(agents, environment, {
      onChange: (agent, path) => this.#noteChange(agent, path),
      onLost: (agent) => this.#wake({ kind: "lost", agent }),
    });
  }

  get sessions(): number {
    return this.#watched.size + this.#databases.sessions;
  }

  /** True once a backup of every session that existed at the start was at least tried. */
  get caught_up(): boolean {
    return this.#caught_up ||= this.#located >= this.#plan.agents.length &&
      isCaughtUp(this.#agenda) && this.#databases.caught_up;
  }

  /** The time of the next step, by `performance.now()`. */
  get next_step(): number {
    return Math.min(nextTime(this.#agenda, this.#facts), this.#probe.next);
  }

  /** Compresses the backups of sessions that were deleted while no watch was running. */
  packDeleted(): void {
    for (const folder of this.#list.deleted()) this.#packer.pack(folder, readKeptManifest(folder));
  }

  get #facts(): WatchFacts {
    const is_polled = this.#roots.incomplete || this.#watched.uncovered.size > 0 ||
      this.#probe.silent;
    return { is_polled, databases_at: this.#databases.next };
  }

  /** Returns a signal that aborts when an event may require a step before its planned time. */
  sleep(): AbortSignal {
    this.#waker = new AbortController();
    return this.#waker.signal;
  }

  async *step(): AsyncGenerator<WatchNews> {
    this.#probe.ask();
    yield* this.#troubles.news(this.#probe.silent);
    for (const [folder, error] of this.#packer.failures()) {
      yield* this.#troubles.tell(folder, error);
    }
    const step = nextStep(this.#agenda, this.#facts, performance.now());
    if (step !== undefined) yield* this.#carryOut(step);
    // The list can wait while sessions change.
    const is_busy = step?.kind === "keep" && this.next_step <= performance.now();
    if (!is_busy) await this.#list.settle(this.caught_up);
  }

  async *#carryOut(step: WatchStep): AsyncGenerator<WatchNews> {
    switch (step.kind) {
      case "check":
        return this.#check();
      case "poll":
        return this.#poll();
      case "look":
        return this.#lookAtAll(step.agents);
      case "locate":
        for (const agent of step.agents) yield* this.#locateAll(agent);
        return;
      case "keep":
        // What changed cannot wait for the disk: a moment later, it may say something else.
        for (const one of step.sessions) {
          yield* await this.#keep(one, { thorough: false, sync: false });
        }
        return;
      case "databases":
        return yield* this.#databases.step();
      default:
        return yield* this.#keepAll(step.sessions, {
          thorough: step.kind === "compare",
          sync: true,
        });
    }
  }

  #note(event: WatchEvent): void {
    noteEvent(this.#agenda, event, performance.now());
  }

  #wake(event: WatchEvent): void {
    this.#note(event);
    this.#waker.abort();
  }

  #noteChange(agent: AgentName, path: string): void {
    this.#note({ kind: "notice", agent });
    const session = this.#watched.of(path);
    if (session !== undefined) return this.#wake({ kind: "changing", session });
    // Many files are there for a moment only.
    if (!isThere(path) || !isWorthALook(this.#agenda, path, performance.now())) return;
    this.#troubles.note(path);
    const around = [...this.#watched.around(path)];
    for (const one of around) one.files = undefined;
    this.#wake({ kind: "stranger", agent, around });
  }

  #lookAtAll(agents: readonly AgentName[]): void {
    const began = performance.now();
    for (const one of this.#watched) if (agents.includes(one.session.agent)) this.#lookAt(one);
    this.#note({ kind: "looked", agents, began });
  }

  /** Checks all sessions and folders, to find changes that the system did not report. */
  #check(): void {
    const began = performance.now();
    this.#roots.look();
    this.#lookAtAll(this.#plan.agents);
    this.#note({ kind: "checked", began });
  }

  /** Checks the sessions for which the system sends no change notices. */
  #poll(): void {
    const began = performance.now();
    if (this.#roots.incomplete) this.#roots.look();
    if (this.#probe.silent) this.#lookAtAll(this.#plan.agents);
    else for (const one of this.#watched.uncovered) this.#lookAt(one);
    this.#note({ kind: "polled", began });
  }

  #lookAt(session: WatchedSession): void {
    if (session.files !== undefined && stampOf(session.files) === session.stamp) return;
    this.#note({ kind: "changed", session });
  }

  async *#locateAll(agent: AgentName): AsyncGenerator<WatchNews> {
    const { environment } = this.#plan.library.place;
    this.#located++;
    try {
      const databases: AgentSession[] = [];
      for await (const { session, in_database } of locateSources(agent, environment)) {
        if (in_database) databases.push(session);
        else this.#found(session);
      }
      this.#databases.found(agent, databases);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      // It is tried at the next check.
      yield* this.#troubles.tell(agent, error.message);
    }
    for (const { path, reason } of this.#roots.refused) {
      const error = `Cannot watch ${path}: ${reason}; Reprise polls the path instead`;
      yield* this.#troubles.tell(path, error);
    }
  }

  #found({ agent, id, path, cwd, archived }: AgentSession): void {
    // Of several in one file, the first stands for the file.
    if (this.#watched.of(path) !== undefined) return;
    // What else an agent tells would only be held: there may be 10,000.
    const session: AgentSession = present({
      ...{ agent, id, path, cwd, archived: archived || undefined },
    });
    const moved = this.#watched.movedFrom(session);
    if (moved !== undefined) {
      this.#watched.move(moved, session);
      this.#note({ kind: "changed", session: moved });
      return;
    }
    const folder = this.#list.folderOf(session, (path) => this.#watched.of(path) !== undefined);
    const covered = this.#roots.covers(path);
    const one: WatchedSession = {
      ...{ session, folder, files: undefined, stamp: 0, mended: false, gone: false },
      ...{ failures: 0, compared_ms: 0 },
    };
    this.#watched.add(one, covered);
    // One that came while others are watched may be gone in a moment.
    this.#note({ kind: this.#caught_up ? "changed" : "found", session: one });
  }

  /** Backs up several sessions at once, because most of the time is spent waiting for the disk. */
  async *#keepAll(sessions: readonly WatchedSession[], how: HowKept): AsyncGenerator<WatchNews> {
    const news = await Promise.all(sessions.map((one) => this.#keep(one, how)));
    yield* news.flat();
  }

  #keep(one: WatchedSession, how: HowKept): Promise<WatchNews[]> {
    const { session: { agent }, folder: name } = one;
    const folder = keptFolder(this.#plan.store.root, { agent, folder: name });
    return this.#packer.alone(folder, () => this.#keepAlone(one, folder, how));
  }

  async #keepAlone(one: WatchedSession, folder: string, how: HowKept): Promise<WatchNews[]> {
    if (!this.#watched.has(one)) return [];
    const { session } = one;
    const began = performance.now();
    try {
      const files = one.files ?? this.#watched.give(one, await filesOf(session));
      // Before they are read: what comes meanwhile is another state.
      const stamp = stampOf(files);
      const now = this.#plan.now();
      const keeping = await keepSession({
        ...{ session, folder, files, now, ...how, mend: !one.mended },
      });
      Object.assign(one, { mended: true, failures: 0, stamp });
      delete one.trouble;
      if (how.thorough) one.compared_ms = performance.now() - began;
      this.added += keeping.added;
      this.#note({ kind: "kept", session: one, keeping, how });
      if (keeping.manifest !== undefined && keeping.changed) this.#list.put(one, keeping.manifest);
      if (how.sync) this.#packer.pack(folder, keeping.manifest);
      return newsOf(one, folder, keeping);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      return this.#failed(one, error);
    }
  }

  #failed(one: WatchedSession, { code, message: error }: SessionError): WatchNews[] {
    // Deleted while its files were looked up: what is kept of it stays.
    if (code === "not-found") {
      one.files = [one.session.path];
      this.#note({ kind: "changing", session: one });
      return [];
    }
    one.files = undefined;
    this.#note({ kind: "failed", session: one, before: one.failures++ });
    if (one.trouble === error) return [];
    one.trouble = error;
    return [{ status: "trouble", ref: sessionRef(one.session), error }];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#roots[Symbol.dispose]();
    this.#probe[Symbol.dispose]();
    await this.#packer.ended;
    await this.#list.settle(true);
  }
}
