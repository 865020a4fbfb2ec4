/**
 * Compares two sessions turn by turn, without numbers, ids, times and models. Pure. Holds at most
 * one turn of each session in memory.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import { present } from "../event/present.ts";
import {
  type ChangedFile,
  type ChangedFiles,
  changeOf,
  noteChange,
  sortedFiles,
} from "./changed_file.ts";
import { isCompared, itemKey } from "./item_key.ts";
import { transcript } from "./transcript/transcript.ts";
import type { DiffItem, TranscriptItem } from "./transcript/item.ts";

export interface CommonPart {
  /** The common part comes before all other parts. */
  type: "common";
  turns: number;
  /** Number of items before the first difference between the two sessions. */
  items: number;
  same: boolean;
}

/** A turn that differs between the two sessions, after the common part. */
export interface TurnPart {
  type: "turn";
  /** The turn's number in both sessions, from 1. */
  turn: number;
  /** Number of equal items at the start of both turns; `a` and `b` leave them out. */
  same_items: number;
  /** The first session's items after the equal ones; absent if it has fewer turns. */
  a?: TranscriptItem[];
  /** The second session's items after the equal ones; absent if it has fewer turns. */
  b?: TranscriptItem[];
}

export interface FilesPart {
  /** The files come last, and only if the sessions differ. */
  type: "files";
  a: ChangedFile[];
  b: ChangedFile[];
}

export type DiffPart = CommonPart | TurnPart | FilesPart;

/** The change of one file as a transcript item, without the changed lines. */
interface ChangeItem extends ChangedFile {
  /** A type that distinguishes this item from all transcript items. */
  type: "change";
  seq: number;
}

/** An item without long parts, such as the output of a call or the lines of a change. */
type ShortItem = Exclude<TranscriptItem, DiffItem> | ChangeItem;

type ShortPart = Exclude<DiffPart, TurnPart> | ShortTurn;

type ShortTurn = Omit<TurnPart, "a" | "b"> & { a?: ShortItem[]; b?: ShortItem[] };

export function shortItem(item: TranscriptItem): ShortItem {
  if (item.type === "diff") return { type: "change", seq: item.seq, ...changeOf(item) };
  if (item.type !== "tool" && item.type !== "bash") return item;
  const { output: _, ...rest } = item;
  return rest;
}

/** Removes the outputs of calls and the changed lines of files from a part. */
export function shortPart(part: DiffPart): ShortPart {
  if (part.type !== "turn") return part;
  const { a, b, ...rest } = part;
  return present({ ...rest, a: a?.map(shortItem), b: b?.map(shortItem) });
}

function startsTurn(item: TranscriptItem, turn_id: string | undefined): boolean {
  const prompt = item.type === "message" && item.role === "user";
  return item.turn_id === undefined ? prompt : item.turn_id !== turn_id;
}

/** Yields a session's items, turn by turn. The items before the first prompt are a turn, too. */
async function* turnsOf(
  batches: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<TranscriptItem[]> {
  let turn: TranscriptItem[] = [];
  let turn_id: string | undefined;
  for await (const items of itemsOf(batches)) {
    for (const item of items) {
      if (startsTurn(item, turn_id)) {
        if (turn.length > 0) yield turn;
        turn = [];
        turn_id = item.turn_id;
      }
      if (isCompared(item)) turn.push(item);
    }
  }
  if (turn.length > 0) yield turn;
}

async function* itemsOf(
  batches: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<TranscriptItem[]> {
  const projection = transcript();
  let state = projection.initial();
  for await (const events of batches) {
    for (const event of events) state = projection.apply(state, event);
    yield projection.take(state);
  }
  yield projection.result(state);
}

function sameItems(a: readonly TranscriptItem[], b: readonly TranscriptItem[]): number {
  const least = Math.min(a.length, b.length);
  let count = 0;
  while (count < least && sameItem(a[count], b[count])) count++;
  return count;
}

function sameItem(a: TranscriptItem | undefined, b: TranscriptItem | undefined): boolean {
  return a !== undefined && b !== undefined && itemKey(a) === itemKey(b);
}

/**
 * Compares two sessions. Turns are compared by their number, without the model's reasoning.
 *
 * @param a Events of the first session, in the order of its log.
 * @param b Events of the second session.
 * @returns The common part, then each later turn that differs, then the files changed since.
 */
export async function* diffSessions(
  a: AsyncIterable<readonly LogEvent[]>,
  b: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<DiffPart> {
  const sides = [turnsOf(a), turnsOf(b)] as const;
  try {
    yield* compareTurns(...sides);
  } finally {
    for (const side of sides) await side.return(undefined);
  }
}

async function* compareTurns(
  a: AsyncGenerator<TranscriptItem[]>,
  b: AsyncGenerator<TranscriptItem[]>,
): AsyncGenerator<DiffPart> {
  const common: CommonPart = { type: "common", turns: 0, items: 0, same: true };
  const files: { a: ChangedFiles; b: ChangedFiles } = { a: new Map(), b: new Map() };
  for (let turn = 1;; turn++) {
    const [one, other] = await Promise.all([a.next(), b.next()]);
    if (one.done && other.done) break;
    const [left, right] = [one.value ?? [], other.value ?? []];
    const same = sameItems(left, right);
    const whole = same === left.length && same === right.length;
    if (common.same) {
      common.items += same;
      common.turns += Number(whole);
      if (whole) continue;
      common.same = false;
      yield common;
    }
    for (const item of left.slice(same)) noteChange(files.a, item);
    for (const item of right.slice(same)) noteChange(files.b, item);
    if (whole) continue;
    yield present({
      type: "turn" as const,
      turn,
      same_items: same,
      a: one.done ? undefined : left.slice(same),
      b: other.done ? undefined : right.slice(same),
    });
  }
  if (common.same) yield common;
  else yield { type: "files", a: sortedFiles(files.a), b: sortedFiles(files.b) };
}
