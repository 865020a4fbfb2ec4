/**
 * Finds records beside a branch that address nobody, as a format tells. They are shown with the branch,
 * and are no branches themselves.
 */
import { put } from "./answer_pieces.ts";
import { followParent } from "./parent_link.ts";
import { isInTree, type RecordIndex } from "./record_index.ts";
import { ASIDE, rowOfStep, type Steps, toStep } from "./steps.ts";

/** Tells a record that addresses nobody, of those that stand in the tree. */
export type AsideRule = ((index: RecordIndex, row: number) => boolean) | undefined;

/** Puts to the steps what hangs on them; marks it in `known`, where the steps are marked. */
export function withAsides(
  rule: AsideRule,
  index: RecordIndex,
  steps: Steps,
  known: Uint8Array,
): Steps {
  const hanging = rule === undefined ? undefined : asidesOf(rule, index);
  if (hanging === undefined || hanging.size === 0) return steps;
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

const asides = new WeakMap<RecordIndex, Map<number, number[]>>();

/** The records that address nobody, and lead to none that does, by the row that they follow. */
function asidesOf(
  rule: NonNullable<AsideRule>,
  index: RecordIndex,
): ReadonlyMap<number, readonly number[]> {
  const known = asides.get(index);
  if (known !== undefined) return known;
  const hanging = new Map<number, number[]>();
  const leading = leadingAsides(rule, index);
  for (let row = 0; row < index.count; row++) {
    if (!isInTree(index, row) || !rule(index, row) || leading.has(row)) continue;
    put(hanging, followParent(index, index.parent[row] as number), row);
  }
  asides.set(index, hanging);
  return hanging;
}

/** The rows that a record which addresses someone follows at any distance. */
function leadingAsides(rule: NonNullable<AsideRule>, index: RecordIndex): Set<number> {
  const isAside = (row: number): boolean => isInTree(index, row) && rule(index, row);
  const leading = new Set<number>();
  for (let row = 0; row < index.count; row++) {
    if (!isInTree(index, row) || rule(index, row)) continue;
    let next = followParent(index, index.parent[row] as number);
    while (next >= 0 && isAside(next) && !leading.has(next)) {
      leading.add(next);
      next = followParent(index, index.parent[next] as number);
    }
  }
  return leading;
}
