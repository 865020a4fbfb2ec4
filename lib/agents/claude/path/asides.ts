/**
 * Finds records beside a branch that address nobody: hooks, durations, attachments of repeated
 * requests. They are shown with the branch, and are no branches themselves.
 */
import { isInTree, isSpoken, type RecordIndex } from "../index/record_index.ts";
import { followParent } from "./parent_link.ts";
import { ASIDE, rowOfStep, type Steps, toStep } from "./steps.ts";

/** Puts to the steps what hangs on them; marks it in `known`, where the steps are marked. */
export function withAsides(index: RecordIndex, steps: Steps, known: Uint8Array): Steps {
  const hanging = asidesOf(index);
  if (hanging.size === 0) return steps;
  const all: number[] = [];
  for (const step of steps) {
    all.push(step);
    const found = [rowOfStep(step)];
    // What hangs on what hangs stands behind the same step.
    for (const host of found) {
      for (const row of hanging.get(host) ?? []) {
        if (known[row] === 1) continue;
        known[row] = 1;
        found.push(row);
      }
    }
    const rows = found.slice(1).sort((one, other) => one - other);
    for (const row of rows) all.push(toStep(row, ASIDE));
  }
  return all.length === steps.length ? steps : Int32Array.from(all);
}

/** True for a record that could be left out of any conversation. */
function isAside(index: RecordIndex, row: number): boolean {
  return isInTree(index, row) && !isSpoken(index, row) && !index.boundaries.has(row);
}

const asides = new WeakMap<RecordIndex, Map<number, number[]>>();

/** The records that address nobody, and lead to none that does, by the row that they follow. */
function asidesOf(index: RecordIndex): ReadonlyMap<number, readonly number[]> {
  const known = asides.get(index);
  if (known !== undefined) return known;
  const hanging = new Map<number, number[]>();
  const leading = leadingAsides(index);
  for (let row = 0; row < index.count; row++) {
    if (!isAside(index, row) || leading.has(row)) continue;
    const parent = followParent(index, index.parent[row] as number);
    const list = hanging.get(parent);
    if (list === undefined) hanging.set(parent, [row]);
    else list.push(row);
  }
  asides.set(index, hanging);
  return hanging;
}

/** The rows that something that is said, or a compaction, follows at any distance. */
function leadingAsides(index: RecordIndex): Set<number> {
  const leading = new Set<number>();
  for (let row = 0; row < index.count; row++) {
    if (!isInTree(index, row) || isAside(index, row)) continue;
    let next = followParent(index, index.parent[row] as number);
    while (next >= 0 && isAside(index, next) && !leading.has(next)) {
      leading.add(next);
      next = followParent(index, index.parent[next] as number);
    }
  }
  return leading;
}
