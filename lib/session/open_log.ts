/**
 * A log that is open to append.
 */
import type { LogWriter } from "../log/log_writer.ts";
import type { SessionLock } from "../log/session_lock.ts";

/** An open log with its lock. */
export interface OpenLog {
  /** The session's id: another one than was planned, where that was taken. */
  id: string;
  /** Absolute path of the log. */
  path: string;
  /** The one descriptor that appends to the log. */
  writer: LogWriter;
  /** Held from before the log's end was read until after the last write. */
  lock: SessionLock;
  /** Resolves when the log's name is on the disk. */
  named: Promise<void>;
}
