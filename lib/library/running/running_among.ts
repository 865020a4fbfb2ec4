/** Finds the sessions of a list that run now. */
import type { AgentName } from "../../event/agent_name.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { Library } from "../library.ts";
import { type RunningSession, RunningSessions } from "./running_sessions.ts";

/**
 * Returns the sessions that run, by reference: those that wait come first. Only rows that run are
 * looked at.
 *
 * @param waiting True to return only those that wait for their user.
 */
export async function runningAmong(
  library: Library,
  rows: Iterable<Pick<Summary, "ref" | "agent" | "status">>,
  waiting: boolean,
): Promise<ReadonlyMap<string, RunningSession>> {
  const open = [...rows].filter(({ status }) => status === "running");
  if (open.length === 0) return new Map();
  const agents = [...new Set(open.map(({ agent }) => agent as AgentName))];
  const refs = new Set(open.map(({ ref }) => ref));
  const running = await new RunningSessions(library, { agents, waiting }).look();
  return new Map(
    running.filter(({ row }) => refs.has(row.ref)).map((one) => [one.row.ref, one]),
  );
}
