/**
 * Which stretches of a thread are read, and what of them was taken back.
 */
import type { AgentReadOptions } from "../../source/agent.ts";
import { resumeStretches } from "./resume_point.ts";
import { type DeadRanges, findDeadRanges } from "./rollback.ts";
import type { RolloutStretch } from "./rollout_lines.ts";

/** What to read of a thread. */
export interface ReadPlan {
  stretches: readonly RolloutStretch[];
  dead: DeadRanges;
}

/** What is read of a thread, by what is asked for. */
export async function planRead(
  lineage: readonly RolloutStretch[],
  { in_force = false, account, thread: branch, signal }: AgentReadOptions,
): Promise<ReadPlan> {
  if (in_force && account === undefined && branch === undefined) {
    const stretches = await resumeStretches(lineage, signal);
    if (stretches !== undefined) return { stretches, dead: [] };
  }
  return { stretches: lineage, dead: await findDeadRanges(lineage, branch) };
}
