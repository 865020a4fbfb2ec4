/**
 * Finds the branches of a file besides the live branch: other leaves and other roots. Each record
 * of the file is on one of these branches, or on the live branch.
 */
import { allPieces, type Pieces, withAsides, withPieces } from "./answer_pieces.ts";
import type { PathFormat } from "./path_format.ts";
import { DAMAGED, hasFlag, isInTree, type TreeIndex } from "./record_index.ts";
import { isOnWay, rowOfStep, type Steps } from "./steps.ts";
import { branchWalker, type BrokenWalk, parentRule } from "./walk_branch.ts";

export interface Branch {
  /** The branch's own rows, in order, without those of damaged lines. */
  rows: number[];
  /** The branch's own rows as {@linkcode Steps}, including rows of damaged lines. */
  steps: Steps;
  broken: BrokenWalk[];
  /** The fork's row, and that row's branch, or -1 for the live branch. Absent without a fork. */
  parent?: { row: number; branch: number };
}

/**
 * Finds the branches besides `live`, the last written first. A row that two of these branches share
 * belongs to the branch that was written later.
 */
export function otherBranches(format: PathFormat, index: TreeIndex, live: Steps): Branch[] {
  const known = new Uint8Array(index.count);
  const owner = new Int32Array(index.count).fill(-1);
  for (const step of live) known[rowOfStep(step)] = 1;
  const branches: Branch[] = [];
  const walk = branchWalker(index, format.way?.(index) ?? parentRule(index));
  let pieces: Pieces | undefined;
  for (let leaf = index.count - 1; leaf >= 0; leaf--) {
    if (known[leaf] === 1 || !isInTree(index, leaf)) continue;
    const { rows: way, before, broken } = walk(leaf, { known, side: true });
    if (format.answers !== undefined) pieces ??= allPieces(format.answers, index);
    const steps = ownSteps(format, index, way, known, pieces);
    for (const step of steps) owner[rowOfStep(step)] = branches.length;
    const rows = Array.from(steps, rowOfStep).filter((row) => !hasFlag(index, row, DAMAGED));
    const branch: Branch = { rows, steps, broken };
    if (before >= 0) branch.parent = { row: before, branch: owner[before] as number };
    branches.push(branch);
  }
  return branches;
}

/** Returns the steps that only this branch has, and marks their rows in `known`. */
function ownSteps(
  format: PathFormat,
  index: TreeIndex,
  way: readonly number[],
  known: Uint8Array,
  pieces: Pieces | undefined,
): Steps {
  const steps = withPieces(format.answers, index, way, pieces)
    .filter((step) => known[rowOfStep(step)] === 0);
  for (const step of steps) known[rowOfStep(step)] = 1;
  return withAsides(format.isAside, index, steps, known);
}

export function stepsFromRoot(
  format: PathFormat,
  index: TreeIndex,
  live: Steps,
  branches: readonly Branch[],
  branch: Branch,
): Steps {
  const pieces: Steps[] = [branch.steps];
  for (let { parent } = branch; parent !== undefined;) {
    const left = branches[parent.branch];
    const steps = left?.steps ?? live;
    pieces.unshift(steps.subarray(0, endBehind(format, index, steps, parent.row)));
    parent = left?.parent;
  }
  return Int32Array.from(pieces.flatMap((piece) => [...piece]));
}

/** Returns the index in `steps` behind `row` and all steps of its answer, replies and notes. */
function endBehind(
  { answers }: PathFormat,
  { type, answer }: TreeIndex,
  steps: Steps,
  row: number,
): number {
  let at = steps.findIndex((step) => rowOfStep(step) === row);
  let host = at;
  while (host > 0 && !isOnWay(steps[host] as number)) host--;
  const said = rowOfStep(steps[host] as number);
  const name = type[said] === answers?.type ? answer[said] : 0;
  for (at++; at < steps.length; at++) {
    const step = steps[at] as number;
    const same = name !== 0 && answer[rowOfStep(step)] === name;
    if (isOnWay(step) && !same) break;
  }
  return at;
}
