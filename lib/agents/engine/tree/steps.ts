/**
 * The steps of a branch: rows of an index, each with the part that it has on the branch.
 */
import type { RecordPlace } from "../records/records_at.ts";
import {
  DAMAGED,
  hasFlag,
  recordId,
  type RecordIndex,
  recordName,
  rowPlace,
} from "./record_index.ts";

/** Rows with their part, one number for each. */
export type Steps = Int32Array<ArrayBuffer>;

/** On the way from the root to the leaf. */
const ON_WAY = 0;
/** Beside the way: only the result of a call on the way. */
export const SIBLING = 1;
/** Beside the way, for no audience; nothing hangs on it. */
export const ASIDE = 2;
/** Another piece of the record of the step before. */
export const PIECE = 3;

const PART_BITS = 2;

export function toStep(row: number, part: number = ON_WAY): number {
  return (row << PART_BITS) | part;
}

export function rowOfStep(step: number): number {
  return step >> PART_BITS;
}

function partOfStep(step: number): number {
  return step & 3;
}

export function isOnWay(step: number): boolean {
  return partOfStep(step) === ON_WAY;
}

export function isPiece(step: number): boolean {
  return partOfStep(step) === PIECE;
}

export function hasRow(steps: Steps, row: number): boolean {
  return steps.some((step) => rowOfStep(step) === row);
}

/** Steps of rows that are on the way. */
export function stepsOf(rows: readonly number[]): Steps {
  const steps = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) steps[at] = toStep(rows[at] as number);
  return steps;
}

/** Returns the steps of the first rows of a file, by default of all rows. */
export function allSteps({ count }: { count: number }, most = count): Steps {
  return Int32Array.from({ length: Math.min(count, most) }, (_, row) => toStep(row));
}

/** Returns the row of the last step on the way; -1 without one. */
export function lastOnWay(steps: Steps): number {
  for (let at = steps.length - 1; at >= 0; at--) {
    if (isOnWay(steps[at] as number)) return rowOfStep(steps[at] as number);
  }
  return -1;
}

/** A record of a path. Two nodes of one row are equal, but not the same object. */
export class TreeNode {
  readonly row: number;
  /** Its part on the path: see `steps.ts`. */
  readonly part: number;
  readonly #index: RecordIndex;

  constructor(index: RecordIndex, step: number) {
    this.#index = index;
    this.row = rowOfStep(step);
    this.part = partOfStep(step);
  }

  get id(): string {
    return recordId(this.#index, this.row);
  }

  /** Its type, and its subtype behind a slash. */
  get type(): string {
    return recordName(this.#index, this.row);
  }

  get damaged(): boolean {
    return hasFlag(this.#index, this.row, DAMAGED);
  }

  get place(): RecordPlace {
    return rowPlace(this.#index, this.row);
  }

  has(flag: number): boolean {
    return hasFlag(this.#index, this.row, flag);
  }
}

export function nodesOf(index: RecordIndex, steps: Steps): TreeNode[] {
  return Array.from(steps, (step) => new TreeNode(index, step));
}
