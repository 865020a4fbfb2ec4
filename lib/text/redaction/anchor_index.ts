/**
 * Finds where any of many short texts, called anchors, occur, in one pass over a text.
 *
 * Three characters in a row are hashed to the number of a cell. So a text without anchors costs one
 * table look-up a character. If a cell has anchors, the fourth character excludes most words that
 * only begin like an anchor. All other candidates are compared in full.
 */

interface AnchorOptions {
  /** True to ignore case. The text of the anchor must then be in lower case. */
  fold?: boolean;
  /** Index in the anchor of the three characters that are hashed. @default {0} */
  at?: number;
}

interface Anchor<Value> extends Required<AnchorOptions> {
  text: string;
  value: Value;
}

/** Number of bits by which the hash is shifted for each of the three characters. */
const STEP = 6;
const CELLS = 1 << (3 * STEP);
/** Minimum length of an anchor. The hash covers an anchor's first three characters. */
export const SHORTEST_ANCHOR = 3;
/** Cell states: no anchor, anchors with a certain fourth character, anchors with any character. */
const FREE = 0;
const WITH_FOURTH = 1;
const WITH_ANY = 2;

function cellOf(text: string): number {
  let cell = 0;
  for (let index = 0; index < SHORTEST_ANCHOR; index++) {
    cell = ((cell << STEP) ^ text.charCodeAt(index)) & (CELLS - 1);
  }
  return cell;
}

function casesOf(text: string): string[] {
  const [first = "", ...rest] = text;
  if (text === "") return [""];
  const ends = casesOf(rest.join(""));
  return [...new Set([first.toLowerCase(), first.toUpperCase()])].flatMap((letter) =>
    ends.map((end) => letter + end)
  );
}

/** Returns a 16-bit hash of a cell's number and a fourth character. Case makes no difference. */
function placeOf(cell: number, fourth: number): number {
  return Math.imul((cell << 5) | (fourth & 31), 0x9e3779b1) >>> 16;
}

export class AnchorIndex<Value> {
  readonly #taken = new Uint8Array(CELLS);
  readonly #fourths = new Uint8Array(1 << 16);
  readonly #cells = new Map<number, Anchor<Value>[]>();

  /** Adds an anchor of at least {@linkcode SHORTEST_ANCHOR} characters. */
  add(text: string, value: Value, { fold = false, at = 0 }: AnchorOptions = {}): void {
    const piece = text.slice(at, at + SHORTEST_ANCHOR);
    const next = at + SHORTEST_ANCHOR;
    const cells = new Set((fold ? casesOf(piece) : [piece]).map(cellOf));
    for (const cell of cells) {
      const anchors = this.#cells.get(cell) ?? [];
      anchors.push({ text, value, fold, at });
      this.#cells.set(cell, anchors);
      if (next >= text.length) this.#taken[cell] = WITH_ANY;
      else if (this.#taken[cell] === FREE) this.#taken[cell] = WITH_FOURTH;
      this.#fourths[placeOf(cell, text.charCodeAt(next))] = 1;
    }
  }

  /** Calls `visit` for each anchor found, in order of the characters at `AnchorOptions.at`. */
  scan(text: string, visit: (offset: number, value: Value, anchor: string) => void): void {
    const { length } = text;
    const taken = this.#taken;
    let cell = 0;
    for (let index = 0; index < length; index++) {
      cell = ((cell << STEP) ^ text.charCodeAt(index)) & (CELLS - 1);
      if (taken[cell] !== FREE && index >= SHORTEST_ANCHOR - 1) {
        this.#visitCell(cell, text, index - SHORTEST_ANCHOR + 1, visit);
      }
    }
  }

  #visitCell(
    cell: number,
    text: string,
    start: number,
    visit: (offset: number, value: Value, anchor: string) => void,
  ): void {
    if (this.#taken[cell] === WITH_FOURTH) {
      const fourth = text.charCodeAt(start + SHORTEST_ANCHOR);
      if (this.#fourths[placeOf(cell, fourth)] === 0) return;
    }
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
