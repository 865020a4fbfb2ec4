/**
 * Lists the groups of texts that have a gram: three characters in a row of a folded text, hashed.
 * Two grams may have one hash, so a list may name too many groups. Pure.
 */
import { forEachPair, NumberWriter } from "../../catalogue/cache/number_lists.ts";

const MOST_BLOCKS = 4096;
const GRAM_BITS = 18;
const GRAMS = 1 << GRAM_BITS;
const GROUP_BITS = 32 - GRAM_BITS;
/** Maximum groups in a part of the index. A group is neighbouring texts indexed together. */
const MOST_GROUPS = 1 << GROUP_BITS;
/** Maximum number of pairs of a gram and a group in one part: 16 MB. */
const MOST_PAIRS = 1 << 22;
/** Approximate number of pairs of a gram and a group in a block, which a search reads as one. */
const BLOCK_PAIRS = 1024;

export function gramsOf(folded: string): number[] {
  return Array.from(
    { length: Math.max(0, folded.length - 2) },
    (_, at) => hashOf(folded.charCodeAt(at), folded.charCodeAt(at + 1), folded.charCodeAt(at + 2)),
  );
}

function hashOf(first: number, second: number, third: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca77) +
    Math.imul(third, 0xc2b2ae3d);
  return mixed >>> GROUP_BITS;
}

export function blockOf(gram: number, blocks: number): number {
  return Math.floor(gram / (GRAMS / blocks));
}

/** Collects the grams that occur in each group of texts, for one part of the index. */
export class GramPairs {
  /** Numbers with a gram in the high bits and a group in the low bits, to be sorted by gram. */
  #pairs = new Uint32Array(0);
  #count = 0;
  #groups = 0;
  /** The mark (1 to 255) of the last group in which a gram occurred. So no pair is added twice. */
  readonly #marks = new Uint8Array(GRAMS);
  #mark = 0;

  get count(): number {
    return this.#count;
  }

  get groups(): number {
    return this.#groups;
  }

  /** True if another group of texts may not fit into this part of the index. */
  get is_full(): boolean {
    return this.#groups === MOST_GROUPS || this.#count > MOST_PAIRS - GRAMS;
  }

  /** Adds a group of neighbouring texts. All texts of a group share one number. */
  addGroup(texts: readonly string[]): void {
    if (this.#mark === LAST_MARK) this.#marks.fill(0);
    this.#mark = this.#mark === LAST_MARK ? 1 : this.#mark + 1;
    this.#reserve(Math.min(GRAMS, texts.reduce((sum, { length }) => sum + length, 0)));
    for (const text of texts) this.#addText(text);
    this.#groups++;
  }

  #addText(text: string): void {
    const [pairs, marks, mark, group] = [this.#pairs, this.#marks, this.#mark, this.#groups];
    let count = this.#count;
    let first = text.charCodeAt(0);
    let second = text.charCodeAt(1);
    for (let at = 2; at < text.length; at++) {
      const third = text.charCodeAt(at);
      const gram = hashOf(first, second, third);
      if (marks[gram] !== mark) {
        marks[gram] = mark;
        pairs[count++] = gram << GROUP_BITS | group;
      }
      first = second;
      second = third;
    }
    this.#count = count;
  }

  /** Adds another part's lists. The groups in that part are numbered after the existing groups. */
  addPart(blocks: readonly Uint8Array[], groups: number): void {
    this.#reserve(blocks.reduce((sum, { length }) => sum + length, 0));
    for (const block of blocks) {
      forEachPair(block, (gram, group) => {
        this.#pairs[this.#count++] = gram << GROUP_BITS | (this.#groups + group);
      });
    }
    this.#groups += groups;
  }

  /** Grows the array of gram and text group pairs on demand, because few sessions have many. */
  #reserve(pairs: number): void {
    if (this.#count + pairs <= this.#pairs.length) return;
    const grown = new Uint32Array(Math.min(MOST_PAIRS, 2 * (this.#count + pairs)));
    grown.set(this.#pairs.subarray(0, this.#count));
    this.#pairs = grown;
  }

  /** Returns the text groups of each gram as encoded blocks, and empties this collection. */
  take(): Uint8Array[] {
    const pairs = this.#pairs.subarray(0, this.#count).sort();
    let blocks = 1;
    while (blocks < MOST_BLOCKS && pairs.length > blocks * BLOCK_PAIRS) blocks *= 2;
    this.#count = this.#groups = 0;
    let end = 0;
    return Array.from({ length: blocks }, (_, block) => {
      const start = end;
      while (end < pairs.length && blockOf(gramIn(pairs, end), blocks) === block) end++;
      return encode(pairs.subarray(start, end));
    });
  }
}

function gramIn(pairs: Uint32Array, index: number): number {
  return (pairs[index] as number) >>> GROUP_BITS;
}

const LAST_MARK = 0xff;

/** Encodes sorted pairs as one list of group numbers for each gram. Overwrites `pairs`. */
function encode(pairs: Uint32Array): Uint8Array {
  const writer = new NumberWriter(3 * pairs.length);
  let before = 0;
  for (let start = 0, end = 0; start < pairs.length; start = end) {
    const gram = gramIn(pairs, start);
    while (end < pairs.length && gramIn(pairs, end) === gram) end++;
    const groups = pairs.subarray(start, end);
    for (let at = 0; at < groups.length; at++) groups[at]! &= MOST_GROUPS - 1;
    writer.writeList(gram - before, groups);
    before = gram;
  }
  return writer.take();
}
