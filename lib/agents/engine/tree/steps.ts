/** The steps of a branch: rows of an index, each with its role on the branch. */
import type { RecordPlace } from "../records/records_at.ts";
import {
  DAMAGED,
  hasFlag,
  recordId,
  type RecordIndex,
  recordName,
  rowPlace,
} from "./record_index.ts";

/** Steps of a path. Each number encodes a row and the row's role on the path. */
export type Steps = Int32Array<ArrayBuffer>;

/** The role of a record on the path from the root to the leaf. */
const ON_WAY = 0;
/** The role of a reply that is not on the path itself, but answers a call on the path. */
export const SIBLING = 1;
/** The role of a note next to the path: a childless record that neither user nor model gets. */
export const ASIDE = 2;
/** The role of a row that continues the record of the previous step. */
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

export function stepsOf(rows: readonly number[]): Steps {
  const steps = new Int32Array(rows.length);
  for (let at = 0; at < rows.length; at++) steps[at] = toStep(rows[at] as number);
  return steps;
}

export function allSteps({ count }: { count: number }, most = count): Steps {
  return Int32Array.from({ length: Math.min(count, most) }, (_, row) => toStep(row));
}

export function lastOnWay(steps: Steps): number {
  for (let at = steps.length - 1; at >= 0; at--) {
    if (isOnWay(steps[at] as number)) return rowOfStep(steps[at] as number);
  }
  return -1;
}

/** A record on a path. Nodes are made for each use, so compare their rows, not the objects. */
export class TreeNode {
  readonly row: number;
  /** The record's role on the path, such as {@linkcode SIBLING}. */
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

  /** The record's type, or `type/subtype` if it has a subtype. */
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
