/**
 * A place of logs that is no folder: a database, or memory.
 *
 * @module
 */

/** A value, or a promise of it. A storage that answers at once may return the value. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * Five operations on logs, for {@linkcode openStorage}. A log comes into being with the first append
 * to its id, which is a session's, or `.marks`. What they throw reaches the caller as `io`.
 */
export interface SessionStorage {
  /** Lists all logs, in any order: the size of each in bytes, and whether somebody has its lock. */
  list():
    | readonly { id: string; bytes: number; locked: boolean }[]
    | Promise<readonly { id: string; bytes: number; locked: boolean }[]>;
  /** Reads a log from its start, in pieces of any size; nothing if there is none. */
  read(id: string): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Appends bytes, all of them or none. Once it resolves, they are as safe as the storage keeps them. */
  append(id: string, bytes: Uint8Array): void | Promise<void>;
  /**
   * Takes the only right to append to a log, which need not exist.
   *
   * @returns A function that lets the lock go; undefined if somebody has it.
   */
  lock(
    id: string,
  ): (() => void | Promise<void>) | undefined | Promise<(() => void | Promise<void>) | undefined>;
  /** Deletes a log. */
  remove(id: string): void | Promise<void>;
}

/** A log in a storage. */
export type StoredLog = Awaited<ReturnType<SessionStorage["list"]>>[number];

/** Goes on with a value at once if it is there, else when it comes. */
export function then<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
