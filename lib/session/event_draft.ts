/** Prepares events for their append: recognizes descriptions, heads and times. */
import type { NewEvent } from "../event/envelope.ts";
import { isEventKind, isHeld } from "../event/policy.ts";
import { SessionError } from "../event/session_error.ts";
import { asHeld } from "./session_line.ts";

/** True for an event that describes a session and does not create it. */
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

/** Runs a check, and turns its `TypeError` into `invalid-event`. */
export function refusing<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SessionError("invalid-event", error.message, {}, error);
  }
}

/**
 * Returns a copy of an event to be written later.
 *
 * @throws {SessionError} `invalid-event` where it does not fit its kind.
 */
export function checkedDraft(event: NewEvent): NewEvent {
  return refusing(() => asHeld(event));
}

/**
 * Returns a time in UTC with milliseconds: of now, unless one is given. Other texts stay, and
 * encoding refuses them.
 */
export function utcTime(time: string | undefined, now: () => Date): string {
  if (time === undefined) return now().toISOString();
  const milliseconds = typeof time === "string" && /^\d{4}-/.test(time) ? Date.parse(time) : NaN;
  return Number.isNaN(milliseconds) ? time : new Date(milliseconds).toISOString();
}
