/**
 * A storage of logs in a database or in memory, instead of a folder.
 *
 * @module
 */

export type Awaitable<Value> = Value | Promise<Value>;

/**
 * The operations on logs for {@linkcode openStorage}. An id is a session's id, or `.marks` for
 * titles and flags. The first append creates a log. Errors reach the caller as `io`.
 */
export interface SessionStorage {
  /** Lists all logs, in any order: the size of each in bytes, and whether somebody has its lock. */
  list():
    | readonly { id: string; bytes: number; locked: boolean }[]
    | Promise<readonly { id: string; bytes: number; locked: boolean }[]>;
  /** Reads a log from its start, in pieces of any size. A missing log has no pieces. */
  read(id: string): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Appends all of the bytes or none. Must resolve only after the bytes are stored. */
  append(id: string, bytes: Uint8Array): void | Promise<void>;
  /**
   * Locks a log, so that only the caller may append to it. The log need not exist.
   *
   * @returns A function that releases the lock; undefined if the lock is taken.
   */
  lock(
    id: string,
  ): (() => void | Promise<void>) | undefined | Promise<(() => void | Promise<void>) | undefined>;
  /** Deletes a log for good, because a storage has no trash. */
  remove(id: string): void | Promise<void>;
}

export type StoredLog = Awaited<ReturnType<SessionStorage["list"]>>[number];

export function then<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
