/**
 * The record that stands in for a lost parent.
 */
import { hasFlag, isInTree, type RecordIndex } from "../../../reading/tree/record_index.ts";
import { SIDECHAIN } from "../index/claude_record.ts";

/** How far before a record the one that stands in for its lost parent may lie. */
const NEAR_MS = 5000;

/**
 * Of the records that were written before a row the one of the latest time, if just before its own;
 * -1 where there is none.
 */
export function nearestBefore(index: RecordIndex, row: number, seen: Uint8Array): number {
  const { time } = index;
  const own = time[row] as number;
  const side = hasFlag(index, row, SIDECHAIN);
  const order = rowsByTime(index);
  for (let at = behind(order, time, own) - 1; at >= 0; at--) {
    const other = order[at] as number;
    if (own - (time[other] as number) > NEAR_MS) break;
    if (other >= row || seen[other] === 1 || !isInTree(index, other)) continue;
    if (hasFlag(index, other, SIDECHAIN) === side) return other;
  }
  return -1;
}

const orders = new WeakMap<RecordIndex, Int32Array>();

/** The rows that have a time, in its order; of equal times the first row comes last. */
function rowsByTime(index: RecordIndex): Int32Array {
  const known = orders.get(index);
  if (known !== undefined) return known;
  const { count, time } = index;
  const order = Int32Array.from({ length: count }, (_, row) => row)
    .filter((row) => !Number.isNaN(time[row]))
    .sort((one, two) => (time[one] as number) - (time[two] as number) || two - one);
  orders.set(index, order);
  return order;
}

/** The place in the order behind the last row of a time. */
function behind(order: Int32Array, time: Float64Array, wanted: number): number {
  let from = 0;
  let to = order.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((time[order[middle] as number] as number) <= wanted) from = middle + 1;
    else to = middle;
  }
  return Number.isNaN(wanted) ? 0 : from;
}
