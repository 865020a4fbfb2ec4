/** Looks at events that are to be appended: what they are, whether they fit, and when they were. */
import type { NewEvent } from "../event/envelope.ts";
import { isEventKind, isHeld } from "../event/policy.ts";
import { SessionError } from "../event/session_error.ts";

/** True for an event that says something of a session which need not be on disk for it. */
export function isDescription({ kind }: NewEvent): boolean {
  return isEventKind(kind) && isHeld(kind);
}

/** The head of a session that is to be appended. */
export type HeadDraft = NewEvent & { kind: "session_started" };

/**
 * Returns a session's head with the program's own words over what the store knew.
 *
 * @param header The head that waits to be written.
 * @throws {SessionError} `invalid-event` where none waits: the session has begun.
 */
export function describedHead(header: NewEvent | undefined, event: HeadDraft): HeadDraft {
  if (header?.kind !== "session_started") throw hasBegun();
  const { session_id, cwd } = header.payload;
  return { ...event, payload: { ...header.payload, ...event.payload, session_id, cwd } };
}

/** The error for a second head. */
export function hasBegun(): SessionError {
  const why = "Cannot append session_started: the session has begun";
  return new SessionError("invalid-event", why, {});
}

/** Runs what checks an event; one that does not fit is refused in a typed error. */
export function refusing<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SessionError("invalid-event", error.message, {}, error);
  }
}

/** A time as lists sort it: UTC with milliseconds. What is no time stays, for encoding to refuse. */
export function utcTime(time: string | undefined): string | undefined {
  const milliseconds = typeof time === "string" && /^\d{4}-/.test(time) ? Date.parse(time) : NaN;
  return Number.isNaN(milliseconds) ? time : new Date(milliseconds).toISOString();
}
