/** Finds and marks a text in a session, or a hit chosen in the list of sessions. */
import type { Matching } from "../item_drawing.ts";
import { lettersPattern } from "../letters_pattern.ts";
import type { HitPlace } from "../screen.ts";
import { before, next, type RowPlace, type WindowRows } from "./window_rows.ts";
import type { ReaderView } from "./reader_view.ts";

interface FindOptions {
  /** The row after or before which the search begins. */
  from: RowPlace;
  step: 1 | -1;
  query: string;
  signal: AbortSignal;
  onItem?: (item: number) => void;
  /** Returns the next item with the text, "none" if no item has it, or undefined if unknown yet. */
  known?: (item: number, step: 1 | -1) => number | "none" | undefined;
}

/**
 * Returns the next row that contains the text, and unfolds its item if needed. Returns undefined if
 * there is none, or if the search was stopped.
 */
export async function findHit(
  rows: WindowRows,
  { itemText }: Matching,
  { from, step, query, signal, onItem = () => {}, known = () => undefined }: FindOptions,
): Promise<RowPlace | undefined> {
  const wanted = query.toLowerCase();
  const rowIn = (texts: readonly string[], start: number): number => {
    for (let at = start; at >= 0 && at < texts.length; at += step) {
      if (hasMatch(texts[at] ?? "", query)) return at;
    }
    return -1;
  };
  const first = await rows.rowsOf(from.item) ?? [];
  const here = rowIn(first, Math.min(from.row + step, step > 0 ? Infinity : first.length - 1));
  if (here >= 0) return { item: from.item, row: here };
  const neighbour = step > 0 ? next : before;
  const follow = (at: number): number | undefined => {
    const found = known(at, step) ?? neighbour(at);
    return found === "none" ? undefined : found;
  };
  for (let at = follow(from.item); at !== undefined; at = follow(at)) {
    if (signal.aborted) return undefined;
    const item = await rows.item(at);
    if (item === undefined) return undefined;
    onItem(at);
    if (!itemText(item).toLowerCase().includes(wanted)) continue;
    const start = (texts: readonly string[]): number => step > 0 ? 0 : texts.length - 1;
    const shown = await rows.rowsOf(at) ?? [];
    const row = rowIn(shown, start(shown));
    if (row >= 0) return { item: at, row };
    // It stands in what is folded away, or is broken between two rows.
    rows.open(at);
    const all = await rows.rowsOf(at) ?? [];
    return { item: at, row: Math.max(0, rowIn(all, start(all))) };
  }
  return undefined;
}

/** An item and the text to mark in it. The text is absent if the item does not show the text. */
interface HitItem {
  item: number;
  text?: string;
}

/** Finds the item of a hit. Waits until the session is read up to the hit. */
export async function itemOfHit(
  { rows, window }: ReaderView,
  { itemText }: Matching,
  { seq, query }: HitPlace,
): Promise<HitItem | undefined> {
  const first = await window.itemOf(seq);
  if (first === undefined) return undefined;
  // A query of several words may match them apart: then its first word is marked.
  const [word = query] = query.match(/[^\s"]+/) ?? [];
  // What is attached to a prompt comes of the same event.
  for (let item = first;; item++) {
    const found = await rows.item(item);
    if (found === undefined || item > first && found.seq !== seq) break;
    const shown = itemText(found).toLowerCase();
    const text = [query, word].find((one) => shown.includes(one.toLowerCase()));
    if (text !== undefined) return { item, text };
  }
  return await rows.item(first) === undefined ? undefined : { item: first };
}

// deno-lint-ignore no-control-regex -- our own escapes are what is looked for
const ESCAPES = /\x1b\[[0-9;]*m/g;

export function plainRow(row: string): string {
  return row.replace(ESCAPES, "");
}

export function hasMatch(row: string, query: string): boolean {
  return plainRow(row).toLowerCase().includes(query.toLowerCase());
}

const MARK = "\x1b[7m";
const END = "\x1b[27m";

/** Marks each match of a text in a row, ignoring case and the row's escape sequences. */
export function markMatches(row: string, query: string): string {
  if (query === "") return row;
  const pattern = new RegExp(lettersPattern(query, () => `(?:${ESCAPES.source})*`), "giu");
  return row.replace(pattern, `${MARK}$&${END}`);
}
