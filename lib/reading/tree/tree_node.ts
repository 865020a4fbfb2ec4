/** A record of a tree as an object: a view on its row. */
import type { RecordPlace } from "../records/records_at.ts";
import {
  DAMAGED,
  hasFlag,
  recordId,
  type RecordIndex,
  recordName,
  rowPlace,
} from "./record_index.ts";
import { partOfStep, rowOfStep, type Steps } from "./steps.ts";

/** A record of a path. Two nodes of one row are alike, and not the same. */
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

  /** Where it lies. */
  get place(): RecordPlace {
    return rowPlace(this.#index, this.row);
  }

  /** True where it has a flag. */
  has(flag: number): boolean {
    return hasFlag(this.#index, this.row, flag);
  }
}

/** The nodes of steps. */
export function nodesOf(index: RecordIndex, steps: Steps): TreeNode[] {
  return Array.from(steps, (step) => new TreeNode(index, step));
}
