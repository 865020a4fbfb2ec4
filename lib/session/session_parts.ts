/**
 * The parts of an open session, and the options of its methods.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import type { Message } from "../event/message.ts";
import type { SessionStartedPayload } from "../event/payload.ts";
import type { SummaryState } from "../projection/summary.ts";
import type { Durability } from "./appended.ts";
import type { OpenLog } from "./open_log.ts";

/** Options of `Session.compact`: give `summary` or `messages`. */
export interface CompactOptions {
  /** Stands for what came before, as one user message. */
  summary?: string;
  /** From this event on, the conversation is kept after the summary. @default {nothing is kept} */
  keep_from?: number;
  /** Replaces the conversation; `[]` empties it. */
  messages?: Message[];
  /** The status line that the user sees. @default {""} */
  status?: string;
}

/** What a session is made of. */
export interface SessionParts {
  /** UUID v4. */
  id: string;
  /** Path of the log, which may not exist yet. */
  path: string;
  /** Says which appends wait for the disk. */
  durability: Durability;
  /** Gives the time of events that carry none. */
  now: () => Date;
  /** Makes the log and takes its lock; only for a session that is not on disk. */
  create?: () => OpenLog;
  /** The log, of a session that is. */
  open?: OpenLog;
  /** Reads the events of a log that is no file. @default {the log is read from its path} */
  read?: () => ReadableStream<readonly LogEvent[]>;
  /** First event of a new session. */
  header?: SessionStartedPayload;
  /** What the log says so far. */
  state: SummaryState;
  /** Bytes of the log behind its last checkpoint. @default {0} */
  since_checkpoint?: number;
}
