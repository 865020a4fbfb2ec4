/**
 * The words of a session's first event, the same on a terminal and on a page.
 */
import type { SessionStartedPayload } from "../event/payload.ts";

/** Returns the session's settings on one line; empty if it names none. */
export function settingsText(session: SessionStartedPayload): string {
  const entries = Object.entries(session.environment ?? {});
  return entries.map(([key, value]) =>
    `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`
  ).join(" · ");
}

/** Joins the words that are there with spaces. */
export function joinWords(...words: (string | number | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== "").join(" ");
}
