/** Tells what the open sessions of a list wait for. */
import type { AgentName } from "../event/agent_name.ts";
import type { Library } from "../library/library.ts";
import { RunningSessions } from "../library/running/running_sessions.ts";
import type { Summary } from "../projection/summary_row.ts";
import { doingText } from "../render/running_table.ts";

/** Returns the texts of the sessions that wait for their user, by reference. */
export async function waitTexts(
  library: Library,
  rows: readonly Summary[],
): Promise<ReadonlyMap<string, string>> {
  const open = rows.filter(({ status }) => status === "running");
  if (open.length === 0) return new Map();
  const agents = [...new Set(open.map(({ agent }) => agent as AgentName))];
  const refs = new Set(open.map(({ ref }) => ref));
  const waiting = await new RunningSessions(library, { agents, waiting: true }).look();
  return new Map(
    waiting.filter(({ row }) => refs.has(row.ref)).map((one) => [one.row.ref, doingText(one)]),
  );
}
