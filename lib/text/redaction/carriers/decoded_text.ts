/** Decodes the escapes of a text and maps each decoded character to its source. */
import { BACKSLASH_ESCAPES, type Carrier, characterOf, HTML_ENTITIES } from "./escapes.ts";

const TERMINAL_CODES: Carrier = {
  starts: "\x1b\x9b",
  piece: new RegExp(
    [
      "(?:\\x1b\\[|\\x9b)[0-?]{0,32}[ -/]{0,4}[@-~]",
      "\\x1b\\][^\\x07\\x1b]{0,512}(?:\\x07|\\x1b\\\\)",
      "\\x1b(?:[()][0-9A-B]|[=>78])",
    ].join("|"),
    "y",
  ),
  decode: () => "",
  trigger: "[\\x1b\\x9b]",
};

const PERCENT_CODES: Carrier = {
  starts: "%",
  piece: /%(?:25){0,4}([0-9A-Fa-f]{2})/y,
  decode: ([whole, hex = ""]) => characterOf(parseInt(hex, 16)) ?? whole,
  trigger: "%(?:[2-7][0-9A-Fa-f]|1[bB])",
};

export interface Layer {
  text: string;
  /** Maps a range of the decoded text to its range in the encoded text. */
  range: (start: number, end: number) => [start: number, end: number];
}

const CARRIERS: readonly Carrier[] = [
  BACKSLASH_ESCAPES,
  PERCENT_CODES,
  HTML_ENTITIES,
  TERMINAL_CODES,
];

const BY_START = new Map(
  CARRIERS.flatMap((carrier) => [...carrier.starts].map((start) => [start, carrier] as const)),
);
const STARTS = [...BY_START.keys()];
const START = new RegExp(`[${STARTS.join("").replaceAll("\\", "\\\\")}]`, "g");
/** Caches joined `trigger` patterns of carriers. Bit n of a key stands for `STARTS[n]`. */
const TRIGGERS = new Map<number, RegExp>();

/** Characters decoded before an encoded character, because they may name a secret. */
const BEFORE = 160;
/** Number of characters to decode after an encoded character, plus the rest of the last word. */
const AFTER = 160;
/** Maximum characters of a part. Longer parts are decoded in overlapping pieces. */
const LONGEST_PART = 65_536;
const OVERLAP = 4096;
const WORD_REST = /[^\s"']{0,4096}/y;

export function decodedParts(text: string): Layer[] {
  const layers: Layer[] = [];
  const trigger = triggerIn(text);
  if (trigger === undefined) return layers;
  for (const [start, end] of encodedParts(text, trigger)) {
    for (let from = start; from < end; from += LONGEST_PART) {
      const layer = decodePart(text, from, Math.min(end, from + LONGEST_PART + OVERLAP));
      if (layer !== undefined) layers.push(layer);
    }
  }
  return layers;
}

/** Returns the triggers of the carriers that may start in a text. Undefined if there are none. */
function triggerIn(text: string): RegExp | undefined {
  let present = 0;
  for (let index = 0; index < STARTS.length; index++) {
    if (text.includes(STARTS[index] ?? "")) present |= 1 << index;
  }
  if (present === 0) return undefined;
  let trigger = TRIGGERS.get(present);
  if (trigger === undefined) {
    const carriers = STARTS.filter((_, index) => (present & (1 << index)) !== 0)
      .map((start) => BY_START.get(start)?.trigger);
    trigger = new RegExp([...new Set(carriers)].join("|"), "g");
    TRIGGERS.set(present, trigger);
  }
  return trigger;
}

/** Yields the ranges around encoded characters; touching ranges are merged. */
function* encodedParts(text: string, trigger: RegExp): Generator<[start: number, end: number]> {
  let start = -1;
  let end = -1;
  trigger.lastIndex = 0;
  for (let found = trigger.exec(text); found !== null; found = trigger.exec(text)) {
    const { index } = found;
    if (start < 0 || index - BEFORE > end) {
      if (start >= 0) yield [start, end];
      start = Math.max(0, index - BEFORE);
    }
    end = Math.max(end, partEnd(text, index + found[0].length));
    // The part so far is decoded anyway.
    trigger.lastIndex = Math.max(trigger.lastIndex, end - AFTER);
  }
  if (start >= 0) yield [start, end];
}

function partEnd(text: string, from: number): number {
  WORD_REST.lastIndex = Math.min(text.length, from + AFTER);
  return WORD_REST.lastIndex + (WORD_REST.exec(text)?.[0].length ?? 0);
}

/** Returns undefined if decoding changes nothing. */
function decodePart(text: string, from: number, to: number): Layer | undefined {
  const pieces = new PieceMap();
  let decoded = "";
  let done = from;
  START.lastIndex = from;
  for (let found = START.exec(text); found !== null && found.index < to; found = START.exec(text)) {
    const carrier = BY_START.get(found[0]);
    if (carrier === undefined) continue;
    carrier.piece.lastIndex = found.index;
    const piece = carrier.piece.exec(text);
    const plain = piece === null ? undefined : carrier.decode(piece);
    if (piece === null || plain === undefined || plain === piece[0]) continue;
    decoded += text.slice(done, found.index);
    pieces.add(decoded.length, plain.length, found.index, piece[0].length);
    decoded += plain;
    done = START.lastIndex = found.index + piece[0].length;
  }
  if (done === from) return undefined;
  decoded += text.slice(done, to);
  return { text: decoded, range: (start, end) => pieces.range(from, start, end) };
}

class PieceMap {
  readonly #at: number[] = [];
  readonly #length: number[] = [];
  readonly #from: number[] = [];
  readonly #encoded: number[] = [];

  add(at: number, length: number, from: number, encoded: number): void {
    this.#at.push(at);
    this.#length.push(length);
    this.#from.push(from);
    this.#encoded.push(encoded);
  }

  range(from: number, start: number, end: number): [number, number] {
    const last = this.#origin(from, Math.max(start, end - 1));
    return [this.#origin(from, start)[0], end > start ? last[1] : last[0]];
  }

  #origin(from: number, index: number): [number, number] {
    const before = this.#before(index);
    if (before < 0) return [from + index, from + index + 1];
    const after = index - ((this.#at[before] ?? 0) + (this.#length[before] ?? 0));
    const start = this.#from[before] ?? 0;
    const end = start + (this.#encoded[before] ?? 0);
    return after < 0 ? [start, end] : [end + after, end + after + 1];
  }

  /** Returns the index of the last piece at or before a decoded offset. −1 if there is no piece. */
  #before(index: number): number {
    let low = 0;
    let high = this.#at.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#at[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
