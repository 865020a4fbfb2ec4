/**
 * Walks the records of a branch from its leaf to its root. Parents may be missing, ids may repeat,
 * and a record can be its own ancestor. A walk always ends.
 */
import { followParent, lostParentId } from "./parent_link.ts";
import { recordId, type RecordIndex } from "./record_index.ts";

export interface BrokenWalk {
  code: "missing-parent" | "parent-cycle";
  /** The id of the record whose parent is missing, or already on the walk. */
  at: string;
  parent_id: string;
}

export function describeBroken({ code, at, parent_id }: BrokenWalk): string {
  return code === "missing-parent"
    ? `the parent ${parent_id} of record ${at} is not in the file`
    : `the parent links form a loop: record ${at} is an ancestor of its own parent ${parent_id}`;
}

/** The rule by which a walk goes from a record to the previous one. `seen` marks visited rows. */
export interface WayRule {
  /** Returns the row to visit instead of `row`, because messages were moved. @default {`row`} */
  stand?(row: number, leaf: number, side: boolean, seen: Uint8Array): number;
  /** Returns a row's parent row, or below 0 at the root. Adds a missing parent to `broken`. */
  before(row: number, seen: Uint8Array, broken: BrokenWalk[]): number;
}

export function parentRule(index: RecordIndex): WayRule {
  return {
    before(row, _seen, broken): number {
      const next = followParent(index, index.parent[row] as number);
      const parent_id = next >= 0 ? undefined : lostParentId(index, row);
      if (parent_id !== undefined) {
        broken.push({ code: "missing-parent", at: recordId(index, row), parent_id });
      }
      return next;
    },
  };
}

interface WalkOptions {
  /** True for the last record of the walk. The walk includes this record. */
  stop?: ((row: number) => boolean) | undefined;
  /** Marks the rows at which the walk ends. The walk does not include these rows. */
  known?: Uint8Array;
  /** True if the leaf is not on the live branch. A compaction that moved it is then ignored. */
  side?: boolean;
}

/** The rows of a branch from the root on, and its missing parents and cycles. */
interface BranchWalk {
  rows: number[];
  broken: BrokenWalk[];
  /** The row in `known` at which the walk ended, or -1. It is the parent of the first of `rows`. */
  before: number;
}

export function branchWalker(
  index: RecordIndex,
  rule: WayRule,
): (leaf: number, options?: WalkOptions) => BranchWalk {
  const seen = new Uint8Array(index.count);
  return (leaf, { stop, known, side = false } = {}) => {
    const rows: number[] = [];
    const broken: BrokenWalk[] = [];
    let before = -1;
    let row = leaf;
    while (row >= 0) {
      if (rule.stand !== undefined) row = rule.stand(row, leaf, side, seen);
      if (known?.[row] === 1) {
        before = row;
        break;
      }
      rows.push(row);
      seen[row] = 1;
      if (stop?.(row) === true) break;
      const next = rule.before(row, seen, broken);
      if (next >= 0 && seen[next] === 1) {
        const parent_id = recordId(index, next);
        broken.push({ code: "parent-cycle", at: recordId(index, row), parent_id });
        break;
      }
      row = next;
    }
    for (const one of rows) seen[one] = 0;
    return { rows: rows.reverse(), broken, before };
  };
}
