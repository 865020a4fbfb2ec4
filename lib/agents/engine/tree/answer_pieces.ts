/**
 * Adds records beside a branch's path: further records of its answers, replies to its calls, and
 * notes. Only one of the replies to parallel calls is on the path. A note is a record for neither
 * user nor model. It begins no branch.
 */
import { followParent } from "./parent_link.ts";
import type { AnswerRule } from "./path_format.ts";
import { hasFlag, isInTree, type RecordIndex } from "./record_index.ts";
import { ASIDE, rowOfStep, SIBLING, type Steps, stepsOf, toStep } from "./steps.ts";

export function withPieces(
  rule: AnswerRule | undefined,
  index: RecordIndex,
  chain: readonly number[],
  known?: Pieces,
): Steps {
  const pieces = rule && (known ?? piecesBeside(rule, index, chain));
  if (rule === undefined || pieces === undefined) return stepsOf(chain);
  const { members, replies } = pieces;
  const { type, answer } = index;
  const taken = new Set<number>(chain.filter((row) => type[row] !== rule.type));
  const steps: number[] = [];
  let waiting: number[] = [];
  for (const row of chain) {
    if (type[row] === rule.type && taken.has(row)) continue;
    if (waiting.length > 0) {
      const before = (reply: number): boolean => type[row] !== rule.reply_type || reply < row;
      for (const reply of waiting) if (before(reply)) steps.push(toStep(reply, SIBLING));
      waiting = waiting.filter((reply) => !before(reply));
    }
    if (type[row] !== rule.type) {
      steps.push(toStep(row));
      continue;
    }
    const side = hasFlag(index, row, rule.apart_flag);
    const all = members.get(answer[row] as number) ?? [row];
    const own = all.filter((member) => hasFlag(index, member, rule.apart_flag) === side);
    for (const member of own) steps.push(toStep(member));
    waiting = own.flatMap((member) => replies.get(member) ?? [])
      .filter((reply) => !taken.has(reply)).sort((one, other) => one - other);
    for (const member of [...own, ...waiting]) taken.add(member);
  }
  for (const reply of waiting) steps.push(toStep(reply, SIBLING));
  return Int32Array.from(steps);
}

export interface Pieces {
  /** The rows of each answer's records, by the answer's number. */
  members: Map<number, number[]>;
  /** The rows of replies to calls, by the row of the record that made the call. */
  replies: Map<number, number[]>;
}

/** Returns all records and replies of answers. Undefined if `chain` already has all in order. */
function piecesBeside(
  rule: AnswerRule,
  index: RecordIndex,
  chain: readonly number[],
): Pieces | undefined {
  const { count } = index;
  const on_chain = new Uint8Array(count);
  for (const row of chain) on_chain[row] = 1;
  let beside = false;
  for (let row = 0; row < count && !beside; row++) {
    beside = on_chain[row] === 0 && isPiece(rule, index, row) && isInTree(index, row);
  }
  return beside || isSplit(rule, index, chain) ? allPieces(rule, index) : undefined;
}

function isPiece(
  { type, reply_type, reply_flag }: AnswerRule,
  index: RecordIndex,
  row: number,
): boolean {
  const own = index.type[row];
  return own === type || (own === reply_type && hasFlag(index, row, reply_flag));
}

export function allPieces(rule: AnswerRule, index: RecordIndex): Pieces {
  const { count, type, answer, parent } = index;
  const members = new Map<number, number[]>();
  const replies = new Map<number, number[]>();
  for (let row = 0; row < count; row++) {
    if (!isInTree(index, row)) continue;
    const call = parent[row] as number;
    if (type[row] === rule.type && answer[row] !== 0) put(members, answer[row] as number, row);
    else if (hasFlag(index, row, rule.reply_flag) && call >= 0 && answer[call] !== 0) {
      put(replies, call, row);
    }
  }
  return { members, replies };
}

export function put(lists: Map<number, number[]>, key: number, row: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [row]);
  else list.push(row);
}

/** True if an answer's records are separated by other records or are out of order. */
function isSplit(
  rule: AnswerRule,
  { type, answer }: RecordIndex,
  chain: readonly number[],
): boolean {
  const begun = new Float64Array(chain.length);
  let count = 0;
  let last = 0;
  let row_before = -1;
  for (const row of chain) {
    const name = type[row] === rule.type ? answer[row] as number : 0;
    if (name !== 0 && name === last && row < row_before) return true;
    if (name !== 0 && name !== last) begun[count++] = name;
    last = name;
    row_before = row;
  }
  const names = begun.subarray(0, count).sort();
  return names.some((name, at) => at > 0 && name === names[at - 1]);
}

/** The test for a note: a record of the tree that neither user nor model gets. */
type AsideRule = ((index: RecordIndex, row: number) => boolean) | undefined;

/**
 * Inserts each note after the step that it follows. A note is a record for neither user nor model.
 * Skips rows whose byte in `known` is set, and sets the byte of each inserted row.
 */
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
    // A note that follows a note comes after the same step.
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

/** Returns the notes, by the row that they follow. Leaves out notes that other records follow. */
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

/** Returns the rows of notes that other records follow, directly or through further notes. */
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
