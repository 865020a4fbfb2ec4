/**
 * The branches of a file beside the one that is live: other leaves, other roots, and the dialogues of
 * sub-agents. Each record of the file is on one of them, or on the live one.
 */
import {
  DAMAGED,
  hasFlag,
  isInTree,
  isSpoken,
  type RecordIndex,
  RESULTS,
  SIDECHAIN,
  USER,
} from "../index/record_index.ts";
import { withSiblings } from "./answer_siblings.ts";
import { withAsides } from "./asides.ts";
import { followParent } from "./parent_link.ts";
import { rowOfStep, type Steps } from "./steps.ts";
import { walkBranch } from "./walk_branch.ts";

/** A branch, with the rows that only it has. */
export interface Branch {
  kind: "branch" | "subagent" | "replaced";
  /** Its own rows, in the order of the branch. */
  rows: number[];
  leaf: number;
  /** Where it leaves: a row of another branch, and which one (-1 is the live one); none at a root. */
  parent?: { row: number; branch: number };
}

/** Finds the other branches, those that were written to last first. `live` is the branch that is read. */
export function otherBranches(index: RecordIndex, live: Steps): Branch[] {
  const known = new Uint8Array(index.count);
  const owner = new Int32Array(index.count).fill(-1);
  for (const step of live) known[rowOfStep(step)] = 1;
  const branches: Branch[] = [];
  for (let leaf = index.count - 1; leaf >= 0; leaf--) {
    if (known[leaf] === 1 || !isInTree(index, leaf)) continue;
    const { rows: way, before } = walkBranch(index, leaf, { known });
    const rows = ownRows(index, way, known);
    for (const row of rows) owner[row] = branches.length;
    const branch: Branch = { kind: "branch", rows, leaf };
    if (before >= 0) branch.parent = { row: before, branch: owner[before] as number };
    branches.push(branch);
  }
  for (const branch of branches) branch.kind = kindOf(index, branch, owner);
  return branches.filter(({ rows }) => rows.length > 0);
}

/** Marks the rows of a branch that no other has, and gives them. */
function ownRows(index: RecordIndex, way: readonly number[], known: Uint8Array): number[] {
  const steps = withSiblings(index, way).filter((step) => known[rowOfStep(step)] === 0);
  for (const step of steps) known[rowOfStep(step)] = 1;
  return [...withAsides(index, steps, known)].map(rowOfStep)
    .filter((row) => !hasFlag(index, row, DAMAGED));
}

/** A prompt in the place of which another was given, by a rewind, begins what was replaced. */
function kindOf(
  index: RecordIndex,
  { rows, parent }: Branch,
  owner: Int32Array,
): Branch["kind"] {
  const [first = -1] = rows;
  if (first >= 0 && hasFlag(index, first, SIDECHAIN)) return "subagent";
  const prompt = rows.find((row) => isSpoken(index, row)) ?? -1;
  if (parent === undefined || !isPrompt(index, prompt)) return "branch";
  const before = spokenParent(index, prompt);
  let goesOn = false;
  for (let row = 0; row < index.count; row++) {
    if (row === prompt || !isSpoken(index, row) || !isInTree(index, row)) continue;
    if (owner[row] !== parent.branch || spokenParent(index, row) !== before) continue;
    if (isPrompt(index, row)) return "replaced";
    goesOn = true;
  }
  // What was said last before it is the end of the other branch: it was rewound to there.
  return goesOn ? "branch" : "replaced";
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
