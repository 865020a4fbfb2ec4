/**
 * The sessions that an agent keeps: on disk by `openStore`, in memory by `memoryStore`.
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

/** A session read whole. */
export interface LoadedSession extends Omit<Conversation, "findings"> {
  /** Faults in the order of events, each with a `seq`, and damage, each with an `offset`. */
  findings: (Finding | Diagnostic)[];
  /** The summary that a list shows at this moment. */
  summary: Summary;
  /** All items that a person saw, in order. */
  transcript: TranscriptItem[];
  /** The last snapshot of the work tree; absent if there is none. */
  workspace?: PayloadByKind["workspace_snapshot"];
}

/**
 * The sessions that an agent keeps. References are ids or their first characters.
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
   * Begins a session. Its description stays in memory until a real event creates the log.
   *
   * @throws {SessionError} `invalid-argument`; `exists` where another session has the id of `options`:
   * resume that one.
   */
  create(options: CreateOptions): Session;
  /**
   * Opens a session to append.
   *
   * @throws {SessionError} `not-found`, `ambiguous`, `locked`, `damaged` for a log without a
   * readable event, and errors of the disk.
   */
  resume(ref: string): Promise<Session>;
  /**
   * Opens the newest session of a directory that no process writes. If there is none, begins a new
   * session. If the newest session cannot be read, begins a new one, too: its `skipped` is the
   * reason. With `app`, opens only a session that a program of this name began. Never opens a
   * subagent's session.
   */
  continueLast(options: CreateOptions): Promise<Session>;
  /** Copies a session's events, up to a given one, to a new session and opens that session. */
  fork(ref: string, options?: ForkOptions): Promise<Session>;
  /** Lists sessions, the newest update first; sessions of subagents only on request. */
  list(options?: ListOptions): Promise<Summary[]>;
  /** Returns the session that was updated last, of one directory or of all. */
  last(options?: Pick<ListOptions, "cwd" | "subagents" | "signal">): Promise<Summary | undefined>;
  /** Reads a session: summary, transcript and conversation, and the damage of its log. */
  load(ref: string, options?: ReadConversationOptions): Promise<LoadedSession>;
  /**
   * Gives a session a title. An empty title restores the first title.
   *
   * @returns The place of the title: the log, or a mark while another process has the session open.
   */
  rename(ref: string, title: string): Promise<"log" | "mark">;
  /** Archives a session, so that lists omit it, or shows it again. Returns as `rename` does. */
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
  /** Reads a session's events in batches, in their order. */
  events(ref: string, options?: EventsOptions): AsyncIterable<readonly LogEvent[]>;
}
