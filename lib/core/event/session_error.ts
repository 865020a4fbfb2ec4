/**
 * The one error class of the library.
 *
 * @module
 */

/** The cause of a {@linkcode SessionError}, for programs. */
export type SessionErrorCode =
  | "not-found"
  | "ambiguous"
  | "exists"
  | "locked"
  | "unsupported-version"
  | "too-large"
  | "disk-full"
  | "permission"
  | "sync-failed"
  | "io"
  | "damaged"
  | "unsafe-store"
  | "invalid-ref"
  | "invalid-config"
  | "unsupported-source"
  | "invalid-event"
  | "invalid-argument"
  | "unreachable"
  | "encrypted"
  | "invalid-key"
  | "closed"
  | "changed";

/** The process that holds a session's lock, as its `lock.json` says. */
export interface LockHolder {
  /** Process id of the writer. It is valid on `host` alone. */
  pid: number;
  /** Name of the writer's machine, as it calls itself. */
  host: string;
  /** Time when the lock was taken, in ISO 8601, in UTC. */
  since: string;
}

/**
 * The data by which a caller can act on a {@linkcode SessionError}. The code determines which
 * fields are set.
 */
export interface SessionErrorData {
  /** Path of the file or folder that caused the error. Absent if there is none. */
  path?: string;
  /** `not-found`, `ambiguous`, `invalid-ref`: the reference as given. `exists`: a session's id. */
  ref?: string;
  /** `ambiguous`: the sessions that match the reference. */
  candidates?: string[];
  /** `locked`: the writer of the session, if known. */
  holder?: LockHolder;
  /** `sync-failed`: the sequence number of the event that was written. */
  seq?: number;
  /** `sync-failed`: true if the event is in the file, though perhaps not on the disk. */
  written?: boolean;
  /** `too-large`: size that the event's line would have, in bytes. */
  bytes?: number;
  /** `too-large`: the largest size that a line may have, in bytes. */
  limit?: number;
  /** `damaged`: byte offset of the first fault. */
  offset?: number;
}

/** The key that marks errors of this library. A program may load several copies of the library. */
const BRAND = Symbol.for("reprise.SessionError");

/**
 * The error of an operation on a session that could not be done. `code` has the cause, and `data`
 * the details that a caller needs to act on the error. Damage *inside* a log is never thrown but
 * reported as a diagnostic.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { SessionError } from "@reprise/reprise";
 *
 * const error = new SessionError("not-found", "Cannot find session: 3f2a", { ref: "3f2a" });
 * assert.equal(error.code, "not-found");
 * assert.equal(error.data.ref, "3f2a");
 * ```
 */
export class SessionError extends Error {
  /**
   * Always `SessionError`. To recognize errors of another copy of the library, too, use
   * {@linkcode isSessionError}.
   */
  override name = "SessionError";
  /** The cause of the error, by which a program can decide what to do. */
  readonly code: SessionErrorCode;
  /** Details of the error, for programs. */
  readonly data: SessionErrorData;

  /**
   * Creates an error for programs (`code`, `data`) and for people (`message`).
   *
   * @param code The cause of the failure.
   * @param message The action that failed, then the reason. After a semicolon, the advice.
   * @param data The details that a caller needs to act on the error.
   * @param cause The error that led to this error.
   */
  constructor(
    code: SessionErrorCode,
    message: string,
    data: SessionErrorData = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** The part of the message that says what to do. Undefined if the message has no advice. */
  get hint(): string | undefined {
    const [, advice] = /(?:; |[.\n] ?(?=To ))(.*)$/s.exec(this.message) ?? [];
    const { path } = this.data;
    const end = `: ${path}`;
    return path !== undefined && advice?.endsWith(end) ? advice.slice(0, -end.length) : advice;
  }

  /** Returns the error's fields with the message, which `JSON.stringify` leaves out of errors. */
  toJSON(): Pick<SessionError, "name" | "code" | "message" | "data"> & { hint?: string } {
    const { name, code, message, hint, data } = this;
    return { name, code, message, ...(hint === undefined ? {} : { hint }), data };
  }
}

/**
 * True for an error of this library, or of another copy of the library. For another copy,
 * `instanceof` is false.
 *
 * @param error The thrown value.
 * @param code The only code to accept. @default {any}
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { isSessionError, memoryStore } from "@reprise/reprise";
 *
 * try {
 *   await memoryStore().resume("3f2a");
 * } catch (error) {
 *   assert.ok(isSessionError(error, "not-found"));
 *   assert.equal(error.hint, "store.list() has all sessions");
 * }
 * ```
 */
export function isSessionError(error: unknown, code?: SessionErrorCode): error is SessionError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || (error as unknown as SessionError).code === code;
}
