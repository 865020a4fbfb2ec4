/**
 * Finds where any of many short texts occur, in one pass over a text.
 *
 * Three characters make a cell, so a text without anchors costs one table look-up a character. Where
 * a cell is taken, the fourth character rules out most words that only begin as an anchor does. What
 * is left is compared.
 */

/** How an anchor is looked for. */
export interface AnchorOptions {
  /** Whether upper and lower case are the same; the anchor is then given in lower case. */
  fold?: boolean;
  /** Which three of the anchor's characters stand for it. @default {0} */
  at?: number;
}

interface Anchor<Value> extends Required<AnchorOptions> {
  text: string;
  value: Value;
}

/** Bits that a character adds to a cell, which keeps those of the last three. */
const STEP = 6;
const CELLS = 1 << (3 * STEP);
/** Fewer characters make no cell. */
export const SHORTEST_ANCHOR = 3;
/** Taken cells are in so many groups. */
const GROUPS = 255;
const ANY_CHARACTER = -1;

function cellOf(text: string): number {
  let cell = 0;
  for (let index = 0; index < SHORTEST_ANCHOR; index++) {
    cell = ((cell << STEP) ^ text.charCodeAt(index)) & (CELLS - 1);
  }
  return cell;
}

/** A text in every mix of cases. */
function casesOf(text: string): string[] {
  const [first = "", ...rest] = text;
  if (text === "") return [""];
  const ends = casesOf(rest.join(""));
  return [...new Set([first.toLowerCase(), first.toUpperCase()])].flatMap((letter) =>
    ends.map((end) => letter + end)
  );
}

/** A bit for what may follow a cell: the same for both cases of a letter. */
function followingBit(code: number): number {
  return 1 << (code & 31);
}

/** Texts to look for, each with a value. */
export class AnchorIndex<Value> {
  /** The group of each cell; 0 where no anchor has it. */
  readonly #groups = new Uint8Array(CELLS);
  /** Which characters follow the cells of a group. */
  readonly #following = new Int32Array(GROUPS + 1);
  readonly #cells = new Map<number, Anchor<Value>[]>();

  /** Adds an anchor of at least {@linkcode SHORTEST_ANCHOR} characters. */
  add(text: string, value: Value, { fold = false, at = 0 }: AnchorOptions = {}): void {
    const piece = text.slice(at, at + SHORTEST_ANCHOR);
    const next = at + SHORTEST_ANCHOR;
    const following = next < text.length ? followingBit(text.charCodeAt(next)) : ANY_CHARACTER;
    const cells = new Set((fold ? casesOf(piece) : [piece]).map(cellOf));
    for (const cell of cells) {
      const anchors = this.#cells.get(cell) ?? [];
      if (anchors.length === 0) this.#groups[cell] = 1 + this.#cells.size % GROUPS;
      anchors.push({ text, value, fold, at });
      this.#cells.set(cell, anchors);
      const group = this.#groups[cell] ?? 0;
      this.#following[group] = (this.#following[group] ?? 0) | following;
    }
  }

  /** Calls `visit` for each occurrence, in the order of their ends. */
  scan(text: string, visit: (offset: number, value: Value, anchor: string) => void): void {
    const { length } = text;
    const groups = this.#groups;
    const following = this.#following;
    let cell = 0;
    for (let index = 0; index < length; index++) {
      cell = ((cell << STEP) ^ text.charCodeAt(index)) & (CELLS - 1);
      const group = groups[cell] ?? 0;
      if (group === 0 || index < SHORTEST_ANCHOR - 1) continue;
      const next = index + 1 < length ? text.charCodeAt(index + 1) : 0;
      if (((following[group] ?? 0) & followingBit(next)) === 0) continue;
      this.#visitCell(cell, text, index - SHORTEST_ANCHOR + 1, visit);
    }
  }

  #visitCell(
    cell: number,
    text: string,
    start: number,
    visit: (offset: number, value: Value, anchor: string) => void,
  ): void {
    for (const anchor of this.#cells.get(cell) ?? []) {
      const offset = start - anchor.at;
      if (offset >= 0 && startsWith(text, offset, anchor)) {
        visit(offset, anchor.value, anchor.text);
      }
    }
  }
}

function startsWith(
  text: string,
  offset: number,
  anchor: { text: string; fold: boolean },
): boolean {
  if (!anchor.fold) return text.startsWith(anchor.text, offset);
  const end = offset + anchor.text.length;
  return end <= text.length && text.slice(offset, end).toLowerCase() === anchor.text;
}
