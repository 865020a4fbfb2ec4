/** Tells what the branches of a session are: dialogues of sub-agents, or what a rewind replaced. */
import { put } from "../../../reading/tree/answer_pieces.ts";
import type { Branch } from "../../../reading/tree/branches.ts";
import { followParent } from "../../../reading/tree/parent_link.ts";
import { hasFlag, isInTree, type RecordIndex } from "../../../reading/tree/record_index.ts";
import { rowOfStep } from "../../../reading/tree/steps.ts";
import type { SessionThread } from "../../../source/session_thread.ts";
import { isSpoken, RESULTS, SIDECHAIN, USER } from "../index/claude_record.ts";

/** Returns what tells the kind of each branch. */
export function branchKinds(
  index: RecordIndex,
  branches: readonly Branch[],
): (branch: Branch) => SessionThread["kind"] {
  const owner = new Int32Array(index.count).fill(-1);
  for (const [at, { steps }] of branches.entries()) {
    for (const step of steps) owner[rowOfStep(step)] = at;
  }
  const followers = spokenFollowers(index);
  return (branch) => kindOf(index, branch, owner, followers);
}

/** A prompt in the place of which another was given, by a rewind, begins what was replaced. */
function kindOf(
  index: RecordIndex,
  { rows, parent }: Branch,
  owner: Int32Array,
  followers: ReadonlyMap<number, readonly number[]>,
): SessionThread["kind"] {
  const [first = -1] = rows;
  if (first >= 0 && hasFlag(index, first, SIDECHAIN)) return "subagent";
  const prompt = rows.find((row) => isSpoken(index, row)) ?? -1;
  if (parent === undefined || !isPrompt(index, prompt)) return "branch";
  const others = followers.get(spokenParent(index, prompt)) ?? [];
  const beside = others.filter((row) => row !== prompt && owner[row] === parent.branch);
  // What was said last before it is the end of the other branch: it was rewound to there.
  return beside.length === 0 || beside.some((row) => isPrompt(index, row)) ? "replaced" : "branch";
}

/** What is said, by the record that was said before it. */
function spokenFollowers(index: RecordIndex): Map<number, number[]> {
  const followers = new Map<number, number[]>();
  for (let row = 0; row < index.count; row++) {
    if (isSpoken(index, row) && isInTree(index, row)) {
      put(followers, spokenParent(index, row), row);
    }
  }
  return followers;
}

/** True for a record in the user's name that holds no results. */
export function isPrompt(index: RecordIndex, row: number): boolean {
  return row >= 0 && index.type[row] === USER && !hasFlag(index, row, RESULTS);
}

/** The nearest record before a row that is said by someone. */
function spokenParent(index: RecordIndex, row: number): number {
  let at = followParent(index, index.parent[row] as number);
  for (let steps = 0; at >= 0 && !isSpoken(index, at) && steps < index.count; steps++) {
    at = followParent(index, index.parent[at] as number);
  }
  return at;
}
