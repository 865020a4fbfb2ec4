/** Checks what a caller gives: a program without types may give anything. */
import { type Guard, within } from "./guard.ts";
import { SessionError, type SessionErrorCode } from "./session_error.ts";

/**
 * Makes sure that an argument fits.
 *
 * @throws {SessionError} `invalid-argument`, or the given code, with the name of what does not fit.
 */
export function checkArgument(
  action: string,
  name: string,
  guard: Guard,
  value: unknown,
  code: SessionErrorCode = "invalid-argument",
): void {
  const reason = guard(value);
  if (reason === undefined) return;
  throw new SessionError(code, `Cannot ${action}: ${within(name, reason)}`, {});
}
