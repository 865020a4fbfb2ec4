/** Plans which stretches of a thread are read, and which were rolled back. */
import type { AgentReadOptions } from "../../source/agent.ts";
import { resumeStretches } from "./resume_point.ts";
import { type DeadRanges, findRollbacks } from "./rollback.ts";
import type { RolloutStretch } from "./rollout_lines.ts";

/** What to read of a thread. */
export interface ReadPlan {
  stretches: readonly RolloutStretch[];
  dead: DeadRanges;
  /** Nothing that comes replaces what was read before it, but for the very first line. */
  settled: boolean;
}

/** What is read of a thread, by what is asked for; `dead` is known where another is asked for. */
export async function planRead(
  lineage: readonly RolloutStretch[],
  { in_force = false, account, signal }: AgentReadOptions,
  dead?: DeadRanges,
): Promise<ReadPlan> {
  if (dead !== undefined) return { stretches: lineage, dead, settled: false };
  if (in_force && account === undefined) {
    const found = await resumeStretches(lineage, signal);
    if (found !== undefined) return { ...found, dead: [] };
  }
  return { stretches: lineage, dead: (await findRollbacks(lineage)).ranges, settled: false };
}
