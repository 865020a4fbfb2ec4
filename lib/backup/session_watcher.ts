/**
 * Decides when a session is kept: at once when the system tells of a change. Where it tells nothing,
 * sessions are looked at now and then.
 */
import type { AgentName } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import { isThere } from "../file/presence.ts";
import { backupsDirectory, keptFolder } from "../library/kept/kept_index.ts";
import type { AgentSession } from "../source/agent.ts";
import { sessionRef } from "../source/session_name.ts";
import { Bursts } from "./bursts.ts";
import { DatabaseBackups } from "./database_backups.ts";
import { DueTimes } from "./due_times.ts";
import { type Keeping, keepSession } from "./keep_session.ts";
import { KeptList } from "./kept_list.ts";
import { newsOf } from "./news_of_keeping.ts";
import { UnknownPaths } from "./unknown_paths.ts";
import { RootWatches } from "./root_watches.ts";
import { filesOf, locateSources, stampOf, type WatchedSession } from "./watched_session.ts";
import { WatchedSessions } from "./watched_sessions.ts";
import type { WatchNews } from "./watch_news.ts";
import type { WatchPlan } from "./watch_plan.ts";
import { WatchProbe } from "./watch_probe.ts";
import { WatchTroubles } from "./watch_troubles.ts";

/** Sessions that are kept at the same time. */
const AT_ONCE = 8;
/** Changes of this time are kept in one go. */
const GATHER_MS = 250;
/** After a burst of notices, sessions are looked at so soon: some may have been dropped. */
const LOOK_MS = 500;
/** To look takes at most this part of the time while bursts come. */
const LOOK_SHARE = 4;
/** Without a change for so long, all bytes of a session that grew are compared. */
const QUIET_MS = 1000;
/** Comparing all bytes takes at most this part of the time. */
const SHARE = 20;
/** Without notices, sessions are looked at so often. */
const POLL_MS = 1000;
/** With them, all are looked at so often: notices can be lost. */
const CHECK_MS = 60_000;
/** After a failure it is tried again, at first so soon. */
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;

/** The state of a watch, and its next steps. */
export class SessionWatcher implements AsyncDisposable {
  readonly #plan: WatchPlan;
  readonly #watched = new WatchedSessions();
  readonly #list: KeptList;
  readonly #roots: RootWatches;
  readonly #probe: WatchProbe;
  readonly #databases: DatabaseBackups;
  readonly #unknown = new UnknownPaths();
  readonly #troubles = new WatchTroubles();
  /** Sessions that changed. */
  readonly #due = new DueTimes<WatchedSession>();
  /** Sessions whose bytes are all to be compared. */
  readonly #compare = new DueTimes<WatchedSession>();
  /** Agents whose sessions are to be located. */
  readonly #locate = new DueTimes<AgentName>();
  /** Agents whose sessions are all to be looked at. */
  readonly #look = new DueTimes<AgentName>();
  readonly #bursts = new Bursts<AgentName>();
  #look_ms = 0;
  /** Sessions that were there when the watch began, or that a check found. */
  readonly #backlog: WatchedSession[] = [];
  #next_check = 0;
  #next_poll = 0;
  #waker = new AbortController();
  #located = 0;
  #caught_up = false;
  /** Bytes that were added. */
  added = 0;

  constructor(plan: WatchPlan) {
    this.#plan = plan;
    const { library: { place: { environment } }, store: { root }, agents } = plan;
    this.#list = new KeptList(root, agents);
    this.#databases = new DatabaseBackups(plan);
    this.#probe = new WatchProbe(backupsDirectory(root));
    this.#roots = new RootWatches(agents, environment, {
      onChange: (agent, path) => this.#noteChange(agent, path),
      onLost: (agent) => this.#lookAgain(agent),
    });
  }

  /** Number of sessions that are watched. */
  get sessions(): number {
    return this.#watched.size + this.#databases.sessions;
  }

  /** True once all that was there is kept, or was tried. */
  get caught_up(): boolean {
    return this.#caught_up ||= this.#located >= this.#plan.agents.length &&
      this.#backlog.length === 0 &&
      this.#due.empty && this.#databases.caught_up;
  }

  /** When the next step is due, by `performance.now()`. */
  get next_step(): number {
    if (this.#backlog.length > 0) return 0;
    const is_polled = this.#roots.incomplete || this.#watched.uncovered.size > 0 ||
      this.#probe.silent;
    const polled = is_polled ? this.#next_poll : Infinity;
    const { next } = this.#databases;
    const due = [this.#due.next, this.#compare.next, this.#locate.next, this.#look.next];
    return Math.min(...due, polled, next, this.#probe.next, this.#next_check);
  }

  /** A signal that ends the sleep before the next step. */
  sleep(): AbortSignal {
    this.#waker = new AbortController();
    return this.#waker.signal;
  }

  /** Does what is due: what changed goes before what was there. */
  async *step(): AsyncGenerator<WatchNews> {
    const now = performance.now();
    if (now >= this.#next_check) this.#check();
    if (now >= this.#next_poll) this.#poll();
    this.#probe.ask();
    yield* this.#troubles.news(this.#probe.silent);
    const again = this.#look.take(now);
    if (again.length > 0) this.#lookAtAll(again);
    for (const agent of this.#locate.take(performance.now())) yield* this.#locateAll(agent);
    // What changed cannot wait for the disk: a moment later, it may say something else.
    for (const one of this.#due.take(performance.now())) {
      yield* await this.#keep(one, { sync: false });
    }
    if (this.#due.next <= performance.now()) return;
    const compared = this.#compare.take(performance.now(), AT_ONCE);
    const some = compared.length > 0 ? compared : this.#backlog.splice(-AT_ONCE);
    if (some.length > 0) yield* this.#keepAll(some, compared.length > 0);
    else yield* this.#databases.step();
    await this.#list.settle(this.caught_up);
  }

  #noteChange(agent: AgentName, path: string): void {
    if (this.#bursts.isDue(agent)) this.#lookAgain(agent);
    const known = this.#watched.of(path);
    const time = performance.now() + GATHER_MS;
    if (known !== undefined) this.#due.add(known, time);
    // Many files are there for a moment only.
    else if (isThere(path) && this.#unknown.isWorthALook(path)) {
      this.#troubles.note(path);
      this.#relocate(agent, GATHER_MS);
      for (const one of this.#watched.around(path)) {
        one.files = undefined;
        this.#due.add(one, time);
      }
    } else return;
    this.#waker.abort();
  }

  #relocate(agent: AgentName, wait: number): void {
    this.#locate.add(agent, performance.now() + wait);
    this.#waker.abort();
  }

  /** Notices of an agent may be lost: its sessions are looked at, once the burst is over. */
  #lookAgain(agent: AgentName): void {
    this.#look.add(agent, performance.now() + Math.max(LOOK_MS, LOOK_SHARE * this.#look_ms));
    this.#waker.abort();
  }

  #lookAtAll(agents: readonly AgentName[]): void {
    const begun = performance.now();
    for (const agent of agents) this.#locate.add(agent, begun);
    for (const one of this.#watched) if (agents.includes(one.session.agent)) this.#lookAt(one);
    this.#look_ms = performance.now() - begun;
  }

  /** Looks at everything, for what was not noticed. */
  #check(): void {
    const begun = performance.now();
    this.#roots.look();
    this.#lookAtAll(this.#plan.agents);
    const took = performance.now() - begun;
    this.#next_check = performance.now() + Math.max(CHECK_MS, SHARE * took);
  }

  /** Looks at what no notice tells of. */
  #poll(): void {
    const begun = performance.now();
    if (this.#roots.incomplete) this.#roots.look();
    if (this.#probe.silent) this.#lookAtAll(this.#plan.agents);
    else for (const one of this.#watched.uncovered) this.#lookAt(one);
    const took = performance.now() - begun;
    this.#next_poll = performance.now() + Math.max(POLL_MS, SHARE * took);
  }

  #lookAt(one: WatchedSession): void {
    if (one.files !== undefined && stampOf(one.files) === one.stamp) return;
    this.#due.add(one, performance.now());
  }

  async *#locateAll(agent: AgentName): AsyncGenerator<WatchNews> {
    const { library: { place: { environment } } } = this.#plan;
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
      yield* this.#troubles.tell(
        path,
        `Cannot watch ${path}: ${reason}; it is looked at again and again`,
      );
    }
  }

  #found({ agent, id, path, cwd, archived }: AgentSession): void {
    // Of several in one file, the first stands for the file.
    if (this.#watched.of(path) !== undefined) return;
    // What else an agent tells would only be held: there may be 10,000.
    const session: AgentSession = {
      ...{ agent, id, path },
      ...(cwd === undefined ? {} : { cwd }),
      ...(archived ? { archived } : {}),
    };
    const moved = this.#watched.movedFrom(session);
    if (moved !== undefined) {
      this.#watched.move(moved, session);
      this.#due.add(moved, performance.now());
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
    if (this.#caught_up) this.#due.add(one, performance.now());
    else this.#backlog.push(one);
  }

  /** Keeps some at once: most of the time goes by while the disk takes what was written. */
  async *#keepAll(
    sessions: readonly WatchedSession[],
    thorough: boolean,
  ): AsyncGenerator<WatchNews> {
    const news = await Promise.all(sessions.map((one) => this.#keep(one, { thorough })));
    yield* news.flat();
  }

  async #keep(
    one: WatchedSession,
    { thorough = false, sync = true }: { thorough?: boolean; sync?: boolean },
  ): Promise<WatchNews[]> {
    if (!this.#watched.has(one)) return [];
    const { session } = one;
    const folder = keptFolder(this.#plan.store.root, { agent: session.agent, folder: one.folder });
    const ref = sessionRef(session);
    const begun = performance.now();
    try {
      const files = one.files ?? this.#watched.give(one, await filesOf(session));
      // Before they are read: what comes meanwhile is another state.
      const stamp = stampOf(files);
      const now = this.#plan.now();
      const keeping = await keepSession({
        ...{ session, folder, files, now, thorough, sync, mend: !one.mended },
      });
      one.mended = true;
      one.failures = 0;
      delete one.trouble;
      one.stamp = stamp;
      const took = performance.now() - begun;
      if (thorough) one.compared_ms = took;
      this.#after(one, keeping, { thorough, sync });
      return newsOf(one, folder, keeping);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      // Deleted while its files were looked up: what is kept of it stays.
      if (error.code === "not-found") {
        one.files = [session.path];
        this.#due.add(one, performance.now() + GATHER_MS);
        return [];
      }
      one.files = undefined;
      const wait = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** one.failures++);
      this.#due.add(one, performance.now() + wait);
      if (one.trouble === error.message) return [];
      one.trouble = error.message;
      return [{ status: "trouble", ref, error: error.message }];
    }
  }

  #after(
    one: WatchedSession,
    keeping: Keeping,
    { thorough, sync }: { thorough: boolean; sync: boolean },
  ): void {
    const now = performance.now();
    this.added += keeping.added;
    if (keeping.more) this.#due.add(one, now + (keeping.added > 0 ? 0 : GATHER_MS));
    else if (keeping.added > 0 && !(thorough || (sync && keeping.began === "first"))) {
      this.#compare.postpone(one, now + Math.max(QUIET_MS, SHARE * one.compared_ms));
    }
    if (keeping.manifest !== undefined && keeping.changed) this.#list.put(one, keeping.manifest);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#roots[Symbol.dispose]();
    this.#probe[Symbol.dispose]();
    await this.#list.settle(true);
  }
}
