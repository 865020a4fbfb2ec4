/**
 * The branches of a file beside the one that is live: other leaves, other roots, and the dialogues of
 * sub-agents. Each record of the file is on one of them, or on the live one.
 */
import type { BrokenWalk } from "../../../reading/tree/record_tree.ts";
import {
  ASSISTANT,
  DAMAGED,
  hasFlag,
  isInTree,
  isSpoken,
  type RecordIndex,
  RESULTS,
  SIDECHAIN,
  USER,
} from "../index/record_index.ts";
import { allBeside, type Beside, withSiblings } from "./answer_siblings.ts";
import { withAsides } from "./asides.ts";
import { followParent } from "./parent_link.ts";
import { isOnWay, rowOfStep, type Steps } from "./steps.ts";
import { branchWalker } from "./walk_branch.ts";

/** A branch, with the rows that only it has. */
export interface Branch {
  kind: "branch" | "subagent" | "replaced";
  /** Its own rows, in the order of the branch; none where all of them are damaged. */
  rows: number[];
  /** Its own steps, damaged ones too. */
  steps: Steps;
  /** Where it lost its way. */
  broken: BrokenWalk[];
  /** Where it leaves: a row of another branch, and which one (-1 is the live one); none at a root. */
  parent?: { row: number; branch: number };
}

/** Finds the other branches, those that were written to last first. `live` is the branch that is read. */
export function otherBranches(index: RecordIndex, live: Steps): Branch[] {
  const known = new Uint8Array(index.count);
  const owner = new Int32Array(index.count).fill(-1);
  for (const step of live) known[rowOfStep(step)] = 1;
  const branches: Branch[] = [];
  const walk = branchWalker(index);
  let beside: Beside | undefined;
  for (let leaf = index.count - 1; leaf >= 0; leaf--) {
    if (known[leaf] === 1 || !isInTree(index, leaf)) continue;
    const { rows: way, before, broken } = walk(leaf, { known, side: true });
    beside ??= allBeside(index);
    const steps = ownSteps(index, way, known, beside);
    for (const step of steps) owner[rowOfStep(step)] = branches.length;
    const rows = Array.from(steps, rowOfStep).filter((row) => !hasFlag(index, row, DAMAGED));
    const branch: Branch = { kind: "branch", rows, steps, broken };
    if (before >= 0) branch.parent = { row: before, branch: owner[before] as number };
    branches.push(branch);
  }
  if (branches.length === 0) return branches;
  const followers = spokenFollowers(index);
  for (const branch of branches) branch.kind = kindOf(index, branch, owner, followers);
  return branches;
}

/** Marks the rows of a branch that no other has, and gives their steps. */
function ownSteps(
  index: RecordIndex,
  way: readonly number[],
  known: Uint8Array,
  beside: Beside,
): Steps {
  const steps = withSiblings(index, way, beside).filter((step) => known[rowOfStep(step)] === 0);
  for (const step of steps) known[rowOfStep(step)] = 1;
  return withAsides(index, steps, known);
}

/** The steps of a branch from its root on: those of the branches that it leaves, then its own. */
export function stepsFromRoot(
  index: RecordIndex,
  live: Steps,
  branches: readonly Branch[],
  branch: Branch,
): Steps {
  const pieces: Steps[] = [branch.steps];
  for (let { parent } = branch; parent !== undefined;) {
    const left = branches[parent.branch];
    const steps = left?.steps ?? live;
    pieces.unshift(steps.subarray(0, endBehind(index, steps, parent.row)));
    parent = left?.parent;
  }
  return Int32Array.from(pieces.flatMap((piece) => [...piece]));
}

/** The place in the steps behind a row, its response, and what belongs to it beside the way. */
function endBehind({ type, response }: RecordIndex, steps: Steps, row: number): number {
  let at = steps.findIndex((step) => rowOfStep(step) === row);
  let host = at;
  while (host > 0 && !isOnWay(steps[host] as number)) host--;
  const said = rowOfStep(steps[host] as number);
  const name = type[said] === ASSISTANT ? response[said] : 0;
  for (at++; at < steps.length; at++) {
    const step = steps[at] as number;
    const same = name !== 0 && response[rowOfStep(step)] === name;
    if (isOnWay(step) && !same) break;
  }
  return at;
}

/** A prompt in the place of which another was given, by a rewind, begins what was replaced. */
function kindOf(
  index: RecordIndex,
  { rows, parent }: Branch,
  owner: Int32Array,
  followers: ReadonlyMap<number, readonly number[]>,
): Branch["kind"] {
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
    if (!isSpoken(index, row) || !isInTree(index, row)) continue;
    const before = spokenParent(index, row);
    const list = followers.get(before);
    if (list === undefined) followers.set(before, [row]);
    else list.push(row);
  }
  return followers;
}

function isPrompt(index: RecordIndex, row: number): boolean {
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
