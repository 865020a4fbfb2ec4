/**
 * A log that is open to append.
 */
import type { SessionLock } from "../log/session_lock.ts";

/** Appends lines to a log. */
export interface LineWriter {
  /** Appends lines in one write. */
  write(lines: readonly Uint8Array[]): void;
  /** Resolves when all that was written before is on the disk. */
  sync(): Promise<void>;
  /** Lets the file go. */
  close(): Promise<void>;
}

/** An open log with its lock. */
export interface OpenLog {
  /** The session's id: another one than was planned, where that was taken. */
  id: string;
  /** Absolute path of the log. */
  path: string;
  /** Appends to the log. */
  writer: LineWriter;
  /** Held from before the log's end was read until after the last write. */
  lock: SessionLock;
  /** Resolves when the log's name is on the disk. */
  named: Promise<void>;
}
