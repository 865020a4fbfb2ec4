/**
 * Finds records beside a branch that address nobody: hooks, durations, attachments of repeated
 * requests. They are shown with the branch, and are no branches themselves.
 */
import { isInTree, isSpoken, type RecordIndex } from "../index/record_index.ts";
import { followParent } from "./parent_link.ts";
import { ASIDE, rowOfStep, type Steps, toStep } from "./steps.ts";

/** Puts to the steps what hangs on them; marks it in `known`, where the steps are marked. */
export function withAsides(index: RecordIndex, steps: Steps, known: Uint8Array): Steps {
  const hanging = new Map<number, number[]>();
  // Behind which step: of what hangs on what hangs, the one that all of it hangs on.
  const hosts = new Map<number, number>();
  let count = 0;
  for (let row = 0; row < index.count; row++) {
    if (known[row] === 1 || !isAside(index, row)) continue;
    const parent = followParent(index, index.parent[row] as number);
    const host = parent >= 0 && known[parent] === 1 ? hosts.get(parent) ?? parent : -1;
    if (host < 0 || isLeadingOn(index, row)) continue;
    hosts.set(row, host);
    known[row] = 1;
    const list = hanging.get(host);
    if (list === undefined) hanging.set(host, [row]);
    else list.push(row);
    count++;
  }
  if (count === 0) return steps;
  const all = new Int32Array(steps.length + count);
  let at = 0;
  for (const step of steps) {
    all[at++] = step;
    for (const row of hanging.get(rowOfStep(step)) ?? []) all[at++] = toStep(row, ASIDE);
  }
  return all.subarray(0, at) as Steps;
}

/** True for a record that could be left out of any conversation. */
function isAside(index: RecordIndex, row: number): boolean {
  return isInTree(index, row) && !isSpoken(index, row) && !index.boundaries.has(row);
}

/** True where something that is said hangs on a row: then it is part of another branch. */
function isLeadingOn(index: RecordIndex, row: number): boolean {
  return spokenChildren(index).has(row);
}

const children = new WeakMap<RecordIndex, Set<number>>();

/** The rows that something that is said, or a compaction, follows at any distance. */
function spokenChildren(index: RecordIndex): Set<number> {
  const known = children.get(index);
  if (known !== undefined) return known;
  const leading = new Set<number>();
  for (let row = 0; row < index.count; row++) {
    if (!isInTree(index, row) || isAside(index, row)) continue;
    let next = followParent(index, index.parent[row] as number);
    while (next >= 0 && isAside(index, next) && !leading.has(next)) {
      leading.add(next);
      next = followParent(index, index.parent[next] as number);
    }
  }
  children.set(index, leading);
  return leading;
}
