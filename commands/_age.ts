/**
 * How old something must be for `prune` and `trash empty` to take it.
 */
import { InvalidArgumentError } from "npm:@commander-js/extra-typings@15.1.0";
import { parseSince } from "./_time.ts";

/** Reads `12h`, `30d`, `8w` before now, or a date; one to come would take all there is. */
export function parseAge(text: string, now: Date): Date {
  const time = parseSince(text, now);
  if (time <= now) return time;
  throw new InvalidArgumentError("It lies in the future: every session is older than that.");
}
