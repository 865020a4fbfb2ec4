/** Finds the sessions of a list that run now. */
import type { Summary } from "../../core/projection/summary_row.ts";
import type { Library } from "../library.ts";
import { sessionOf } from "../query/query.ts";
import { type RunningSession, RunningSessions } from "./running_sessions.ts";

/**
 * Returns the sessions that run, by reference: those that wait come first. Only rows that run are
 * looked at.
 *
 * @param waiting True to return only those that wait for their user.
 */
export async function runningAmong(
  library: Library,
  rows: Iterable<Summary>,
  waiting: boolean,
): Promise<ReadonlyMap<string, RunningSession>> {
  const entries = [...rows].filter(({ status }) => status === "running")
    .map((row) => library.entry(sessionOf(row)));
  const running = await new RunningSessions(library, { entries, waiting }).look();
  return new Map(running.map((one) => [one.row.ref, one]));
}
