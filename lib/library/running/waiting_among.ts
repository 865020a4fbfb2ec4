/** Finds the sessions of a list that wait for their user. */
import type { AgentName } from "../../event/agent_name.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { Library } from "../library.ts";
import { type RunningSession, RunningSessions } from "./running_sessions.ts";

/** Returns the sessions that wait for their user, by reference. Only rows that run are looked at. */
export async function waitingAmong(
  library: Library,
  rows: Iterable<Pick<Summary, "ref" | "agent" | "status">>,
): Promise<ReadonlyMap<string, RunningSession>> {
  const open = [...rows].filter(({ status }) => status === "running");
  if (open.length === 0) return new Map();
  const agents = [...new Set(open.map(({ agent }) => agent as AgentName))];
  const refs = new Set(open.map(({ ref }) => ref));
  const waiting = await new RunningSessions(library, { agents, waiting: true }).look();
  return new Map(
    waiting.filter(({ row }) => refs.has(row.ref)).map((one) => [one.row.ref, one]),
  );
}
