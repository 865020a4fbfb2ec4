/**
 * A store of sessions: on disk from `openStore`, in memory from `memoryStore`.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import type { PayloadByKind } from "../event/payload.ts";
import type { Diagnostic } from "../log/diagnostic.ts";
import type { Conversation } from "../projection/conversation/conversation.ts";
import type { Finding } from "../projection/projection.ts";
import type { Summary } from "../projection/summary_row.ts";
import type { TranscriptItem } from "../projection/transcript/item.ts";
import type {
  CreateOptions,
  EventsOptions,
  ForkOptions,
  ReadConversationOptions,
} from "./store_options.ts";
import type { EmptyTrashOptions } from "./trash/empty_trash.ts";
import type { PruneOptions, PruneReport } from "./trash/prune_sessions.ts";
import type { ListOptions } from "./list_sessions.ts";
import type { Session } from "./session.ts";

/** A whole session, as `store.load` returns it. */
export interface LoadedSession extends Omit<Conversation, "findings"> {
  /** Faults in the order of events (with `seq`) and damage of the log (with `offset`). */
  findings: (Finding | Diagnostic)[];
  /** The session's summary, as `list` returns it at this moment. */
  summary: Summary;
  /** All items that a person saw, in order. */
  transcript: TranscriptItem[];
  /** The last snapshot of the work tree; absent if there is none. */
  workspace?: PayloadByKind["workspace_snapshot"];
}

/**
 * The sessions that an agent keeps. A reference is a whole id, or the first characters of a UUID,
 * at least four. A whole id wins over ids that begin with it. An id that the program chose, such as
 * `2026-11-19_abc`, must be whole.
 *
 * A store listens to no signals, and its open sessions do not keep the process alive.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { memoryStore, type Store } from "@reprise/reprise";
 *
 * // An agent that takes a store can be tested without files.
 * async function agent(store: Store): Promise<string> {
 *   const session = await store.continueLast({ cwd: "/home/ada/src" });
 *   await session.turn().user("Hello");
 *   await session.release();
 *   return session.id;
 * }
 *
 * const store = memoryStore();
 * assert.equal(await agent(store), await agent(store));
 * ```
 */
export interface Store {
  /**
   * Begins a session. Its description stays in memory until a real event creates the log. `cwd`
   * need not exist. A store on disk keeps its real path, without links.
   *
   * @throws {SessionError} `invalid-argument`, `invalid-event`, `unsafe-store`; `exists` where
   * another session has the id of `options`: resume that one.
   */
  create(options: CreateOptions): Session;
  /**
   * Opens a session to append, however it ended.
   *
   * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, `unsupported-version`,
   * `unsafe-store`, and errors of the disk. `locked`: another process writes the session, or this
   * program has it open. `damaged`: the log has no readable event.
   */
  resume(ref: string): Promise<Session>;
  /**
   * Opens the session of a directory that was updated last and that no process writes, however it
   * ended. The order is that of `list`. If there is none, begins a new session. If the found
   * session cannot be read, begins a new one, too: its `skipped` is the reason. With `app`, opens
   * only a session that a program of this name began. A log without a readable event may be of this
   * program, so it is found, too. Never opens an archived session, a subagent's session, or a copy
   * of another agent's session.
   *
   * @throws {SessionError} `invalid-argument`, `unsafe-store`, and errors of the disk that concern
   * the whole store.
   */
  continueLast(options: CreateOptions): Promise<Session>;
  /**
   * Copies a session's events, up to a given one, to a new session and opens that session. The
   * original may have a writer. Marks such as pins and tags are not copied, and a fork is not
   * archived. A fork is complete or absent, even after a kill or on a full disk.
   *
   * @throws {SessionError} `not-found` also where `seq` names no event; `ambiguous`, `invalid-ref`,
   * `invalid-argument`, `unsafe-store`, `sync-failed`, and errors of the disk. `exists`: a session
   * has the given id. `damaged`: the log does not record a directory.
   */
  fork(ref: string, options?: ForkOptions): Promise<Session>;
  /**
   * Lists sessions, the newest update first; sessions of subagents only on request. `updated_at` of
   * a row says what counts as an update.
   */
  list(options?: ListOptions): Promise<Summary[]>;
  /** Returns the session that was updated last, of one directory or of all. */
  last(options?: Pick<ListOptions, "cwd" | "subagents" | "signal">): Promise<Summary | undefined>;
  /** Reads a session: summary, transcript and conversation, and the damage of its log. */
  load(ref: string, options?: ReadConversationOptions): Promise<LoadedSession>;
  /**
   * Gives a session a title. An empty title restores the first title. If this store has the session
   * open, even after `session.rest()`, that session stays usable.
   *
   * @returns `log` if the log has the title, `mark` if another process has the session open.
   * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, and errors of the disk.
   */
  rename(ref: string, title: string): Promise<"log" | "mark">;
  /** Archives a session, so that lists omit it, or undoes this. The result is as for `rename`. */
  archive(ref: string, archived?: boolean): Promise<"log" | "mark">;
  /**
   * Removes a session with the sessions of its subagents: a store on disk moves them to its trash.
   *
   * @throws {SessionError} `not-found`, `ambiguous`, `locked` (also for an open session of this
   * store after `rest`), and errors of the disk.
   */
  remove(ref: string): Promise<{ session_id: string }>;
  /**
   * Moves a session from the trash back, with the subagents that were removed with it.
   *
   * @throws {SessionError} `not-found`, also in a store that has no trash; `ambiguous`, `locked`
   */
  restore(ref: string): Promise<{ session_id: string }>;
  /**
   * Deletes sessions in the trash for good: all, or the sessions that were removed before a time.
   * Only this frees the disk. A store that is not on disk has no trash.
   *
   * @returns What was deleted.
   */
  emptyTrash(options?: EmptyTrashOptions): Promise<{ session_id: string; bytes: number }[]>;
  /**
   * Removes the sessions that are over a limit, the least recently updated first, each with its
   * subagents. A store on disk moves them to its trash. Pinned and open sessions stay. A session
   * that this store has open counts as open even after `rest`.
   *
   * @returns The removed sessions, and the size of the remaining ones.
   * @throws {SessionError} `invalid-argument`, and errors of the disk that concern the whole store.
   */
  prune(options: PruneOptions): Promise<PruneReport>;
  /**
   * Reads a session's events in batches, in their order. A session without a log, as before its first
   * append, is `not-found`.
   */
  events(ref: string, options?: EventsOptions): AsyncIterable<readonly LogEvent[]>;
}
