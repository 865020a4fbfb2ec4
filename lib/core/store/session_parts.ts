/**
 * The parts of an open session, and the options of its methods.
 *
 * @module
 */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import type { Message } from "../event/message.ts";
import type { PayloadByKind, SessionStartedPayload } from "../event/payload.ts";
import type { SessionLock } from "../log/session_lock.ts";
import type { LogSummary, SummaryState } from "../projection/summary.ts";

/** Options of `Session.compact`: give `summary` or `messages`. */
export interface CompactOptions {
  /** A text that replaces the earlier conversation, as one user message. */
  summary?: string;
  /**
   * The `seq` of the first message to keep after the summary, which is no summary itself.
   *
   * @default {nothing is kept}
   */
  keep_from?: number;
  /**
   * Number of last messages to keep, in place of `keep_from`. Summaries do not count, and results
   * are kept with their calls.
   */
  keep_last?: number;
  /** Messages that replace the conversation. An empty list empties it. */
  messages?: Message[];
  /** The status line that the user sees. @default {""} */
  status?: string;
  /** Tokens of the conversation before the compaction. */
  tokens_before?: number;
  /** Tokens of what takes its place. */
  tokens_after?: number;
  /** The user's wish what to keep. */
  guidance?: string;
  /** The initiator: the user, or the agent by itself. */
  trigger?: "manual" | "auto";
  /** The cost of the model's response with the summary. */
  spent?: Omit<
    PayloadByKind["assistant_message"],
    "content" | "message_id" | "finish_reason" | "provider_data"
  >;
}

/** The sums of a row to which subagents add. */
export type Sums = Pick<LogSummary, "usage" | "cost_usd" | "main">;

export interface SessionParts {
  /** The session's id: a UUID v4, or the id that its program gave. */
  id: string;
  /** Path of the log, which may not exist yet. */
  path: string;
  durability: Durability;
  /** Returns the time for events that have none. */
  now: () => Date;
  /** Makes the log and takes its lock; only for a session that is not on disk. */
  create?: () => OpenLog | Promise<OpenLog>;
  /** The log of a session that is on disk. */
  open?: OpenLog;
  /** Reads the events of a log that is no file. @default {the log is read from its path} */
  read?: () => ReadableStream<readonly LogEvent[]>;
  /** Sums of the subagents' sessions that were there before. @default {none} */
  subagents?: readonly (Sums & { session_id: string })[];
  /** Payload of the head; only for a new session. */
  header?: SessionStartedPayload;
  state: SummaryState;
  /** Number of bytes in the log after its last checkpoint. @default {0} */
  since_checkpoint?: number;
}

/**
 * The moment when `append` resolves: `boundary`, the kinds that end something are synced first;
 * `event`, each event is; `none`, none is.
 */
export type Durability = "boundary" | "event" | "none";

/** The result of an append. */
export type Appended =
  /**
   * Written: the event survives the end of any process; `synced`: also a power cut. `memory`: the
   * session was detached, and the event ends with the process.
   */
  | { seq: number; state: "written" | "synced" | "memory" }
  /** Kept in memory until another event creates the session. The event is not acknowledged. */
  | { state: "held" };

export interface LineWriter {
  /** Appends lines in one write. */
  write(lines: readonly Uint8Array[]): void;
  /** Resolves when all lines written so far are synced. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenLog {
  /** The session's id. It differs from the planned one if that was taken. */
  id: string;
  /** Absolute path of the log. */
  path: string;
  writer: LineWriter;
  /** The lock. It is taken before the log's end is read, and released after the last write. */
  lock: Pick<SessionLock, "release">;
  /** Resolves when the name of the new log is synced. */
  named: Promise<void>;
  /** Removes a log that was made here, after its release. Absent for a log that was there before. */
  discard?(): void;
  /** Closes the log and lets the lock go. Absent where that would free nothing. */
  rest?(): Promise<void>;
  /**
   * Takes the lock again after a rest; undefined if it is held.
   *
   * @returns What others appended meanwhile.
   * @throws {SessionError} `locked`; `changed` if the conversation went on.
   */
  wake?(): Promise<readonly KnownEvent[]> | undefined;
}
