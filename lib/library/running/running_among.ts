/** Finds the sessions of a list that run now. */
import type { Summary } from "../../core/projection/summary_row.ts";
import type { Library } from "../library.ts";
import { sessionOf } from "../query/query.ts";
import { type RunningSession, RunningSessions } from "./running_sessions.ts";

/**
 * Returns the running sessions by reference. Sessions that wait for their user come first. Only
 * rows with the status `running` are checked.
 *
 * @param waiting True to return only sessions that wait for their user.
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
