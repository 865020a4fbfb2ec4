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

/** The fields of a response other than its content and message id. */
export type ResponseMeta = {
  [Name in keyof Omit<PayloadByKind["assistant_message"], "content" | "message_id">]?:
    | PayloadByKind["assistant_message"][Name]
    | undefined;
};

/** Options of `Session.compact`: give `summary` or `messages`. */
export interface CompactOptions {
  /** A text that replaces the earlier conversation, as one user message. */
  summary?: string | undefined;
  /**
   * The `seq` of the first message to keep after the summary. It cannot be an earlier summary.
   *
   * @default {nothing is kept}
   */
  keep_from?: number | undefined;
  /**
   * Number of last messages of `conversation()` to keep, in place of `keep_from`. All results of
   * one answer are one message, and stay with their calls. Summaries do not count.
   */
  keep_last?: number | undefined;
  /** Messages that replace the conversation. An empty list empties it. */
  messages?: Message[] | undefined;
  /** The status line that the user sees. @default {""} */
  status?: string | undefined;
  /** Tokens of the conversation before the compaction. */
  tokens_before?: number | undefined;
  /** Tokens of the conversation after the compaction. */
  tokens_after?: number | undefined;
  /** The user's instructions for the summary. */
  guidance?: string | undefined;
  /** The initiator of the compaction: the user, or the agent by itself. */
  trigger?: "manual" | "auto" | undefined;
  /** The cost of the response that made the summary. Appended in one write with the compaction. */
  spent?: Omit<ResponseMeta, "finish_reason" | "provider_data"> | undefined;
}

/** Usage and cost of a session, to which the sums of its subagents are added. */
export type Sums = Pick<LogSummary, "usage" | "cost_usd" | "main">;

export interface SessionParts {
  id: string;
  /** Path of the log, which may not exist yet. */
  path: string;
  durability: Durability;
  /** Returns the time for events without a time. */
  now: () => Date;
  /** Makes the log and takes its lock; only for a session that is not on disk. */
  create?: () => OpenLog | Promise<OpenLog>;
  open?: OpenLog;
  /** Reads the events of a log that is no file. @default {the log is read from its path} */
  read?: () => ReadableStream<readonly LogEvent[]>;
  /** Usage and cost of the subagents that the session already had. @default {none} */
  subagents?: readonly (Sums & { session_id: string })[];
  /** Payload of the first event; only for a new session. */
  header?: SessionStartedPayload;
  state: SummaryState;
  /** Number of bytes in the log after its last checkpoint. @default {0} */
  since_checkpoint?: number;
}

/**
 * The events that `append` syncs to the disk before it resolves. `boundary`: events that end a
 * step, such as a prompt or an answer. `event`: all events. `none`: no event.
 */
export type Durability = "boundary" | "event" | "none";

/** The number and storage state of an appended event. A `held` event has no number yet. */
export type Appended =
  /**
   * `written`: the event survives the end of any process. `synced`: it also survives a power cut.
   * `memory`: the session is detached, and the event is lost when the process ends.
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
  /** The session's id. It differs from the planned id if that was taken. */
  id: string;
  path: string;
  writer: LineWriter;
  /** The lock. It is taken before the log's end is read, and released after the last write. */
  lock: Pick<SessionLock, "release">;
  /** Resolves when the new log's directory entry is synced. */
  named: Promise<void>;
  /** Removes the released log. Absent for a log that existed before the session was opened. */
  discard?(): void;
  /** Closes the log and unlocks it until `wake` is called. Absent if nothing can be released. */
  rest?(): Promise<void>;
  /**
   * Takes the lock again after `rest`. Returns undefined if this log still holds the lock.
   *
   * @returns The events that other processes appended meanwhile.
   * @throws {SessionError} `locked`; `changed` if another process continued the conversation.
   */
  wake?(): Promise<readonly KnownEvent[]> | undefined;
}
