/**
 * Groups the records of one response and the results of its calls. Of parallel calls, only one
 * leads on.
 */
import {
  ASSISTANT,
  hasFlag,
  isInTree,
  type RecordIndex,
  RESULTS,
  SIDECHAIN,
  USER,
} from "../index/record_index.ts";
import { SIBLING, type Steps, stepsOf, toStep } from "./steps.ts";

/** Puts to each response of a chain all its records and the results of its calls. */
export function withSiblings(
  index: RecordIndex,
  chain: readonly number[],
  beside = recordsBeside(index, chain),
): Steps {
  if (beside === undefined) return stepsOf(chain);
  const { members, replies } = beside;
  const { type, response } = index;
  const taken = new Set<number>(chain.filter((row) => type[row] !== ASSISTANT));
  const steps: number[] = [];
  let waiting: number[] = [];
  for (const row of chain) {
    if (type[row] === ASSISTANT && taken.has(row)) continue;
    if (waiting.length > 0) {
      const before = (reply: number): boolean => type[row] !== USER || reply < row;
      for (const reply of waiting) if (before(reply)) steps.push(toStep(reply, SIBLING));
      waiting = waiting.filter((reply) => !before(reply));
    }
    if (type[row] !== ASSISTANT) {
      steps.push(toStep(row));
      continue;
    }
    const side = hasFlag(index, row, SIDECHAIN);
    const all = members.get(response[row] as number) ?? [row];
    const own = all.filter((member) => hasFlag(index, member, SIDECHAIN) === side);
    for (const member of own) steps.push(toStep(member));
    waiting = own.flatMap((member) => replies.get(member) ?? [])
      .filter((reply) => !taken.has(reply)).sort((one, other) => one - other);
    for (const member of [...own, ...waiting]) taken.add(member);
  }
  for (const reply of waiting) steps.push(toStep(reply, SIBLING));
  return Int32Array.from(steps);
}

/** What belongs together, wherever it stands. */
export interface Beside {
  /** The records of each response, by its number. */
  members: Map<number, number[]>;
  /** Results of calls, by the record that made them. */
  replies: Map<number, number[]>;
}

/** Finds what belongs to responses of the chain; undefined where nothing beside it does. */
function recordsBeside(index: RecordIndex, chain: readonly number[]): Beside | undefined {
  const { count, type } = index;
  const onChain = new Uint8Array(count);
  for (const row of chain) onChain[row] = 1;
  const others: number[] = [];
  for (let row = 0; row < count; row++) {
    const spoken = type[row] === ASSISTANT || (type[row] === USER && hasFlag(index, row, RESULTS));
    if (onChain[row] === 0 && spoken && isInTree(index, row)) others.push(row);
  }
  if (others.length === 0 && !isSplit(index, chain)) return undefined;
  return allBeside(index);
}

/** Groups the records of all responses, and the results of their calls. */
export function allBeside(index: RecordIndex): Beside {
  const { count, type, response, parent } = index;
  const members = new Map<number, number[]>();
  const replies = new Map<number, number[]>();
  for (let row = 0; row < count; row++) {
    if (!isInTree(index, row)) continue;
    const call = parent[row] as number;
    if (type[row] === ASSISTANT && response[row] !== 0) put(members, response[row] as number, row);
    else if (hasFlag(index, row, RESULTS) && call >= 0 && response[call] !== 0) {
      put(replies, call, row);
    }
  }
  return { members, replies };
}

function put(lists: Map<number, number[]>, key: number, row: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [row]);
  else list.push(row);
}

/** True where something stands between the records of one response, or one of them comes too late. */
function isSplit({ type, response }: RecordIndex, chain: readonly number[]): boolean {
  const begun = new Float64Array(chain.length);
  let count = 0;
  let last = 0;
  let row_before = -1;
  for (const row of chain) {
    const name = type[row] === ASSISTANT ? response[row] as number : 0;
    if (name !== 0 && name === last && row < row_before) return true;
    if (name !== 0 && name !== last) begun[count++] = name;
    last = name;
    row_before = row;
  }
  const names = begun.subarray(0, count).sort();
  return names.some((name, at) => at > 0 && name === names[at - 1]);
}
