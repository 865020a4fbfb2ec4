/** Lists the messages that have each word. Words are stored as numbers, not as text. Pure. */
import { forEachPair, NumberWriter } from "../../catalogue/cache/number_lists.ts";
import { baseOf, WORD_BITS, wordNumber } from "../wording/words.ts";
import { WordForms } from "./word_forms.ts";

const MOST_BLOCKS = 2048;
/** Approximate number of pairs of a word and a message in a block. */
const BLOCK_PAIRS = 1024;
/** Number of word forms at which a finished part clears all of them, to limit memory. */
const MOST_FORMS = 300_000;

export const MESSAGE = { PROMPT: 1, BEGINS_THREAD: 2 } as const;
/** Factor by which a length is multiplied for storage. {@linkcode MESSAGE} flags are added. */
const LENGTH_STEP = 4;

export function wordBlockOf(word: number, blocks: number): number {
  return Math.floor(word / (2 ** WORD_BITS / blocks));
}

export class WordLists {
  /** The index in `#words` for each word form. `#slots` maps a word's number to this index. */
  readonly #forms = new WordForms();
  readonly #slots = new Map<number, number>();
  #words: number[] = [];
  /** For each of `#words`, the last message with the word, as the value of `#mark`; 0 if none. */
  #marks: number[] = [];
  #pairs = { slots: new Uint32Array(1024), messages: new Uint32Array(1024) };
  #count = 0;
  #mark = 0;
  #facts: number[] = [];

  get messages(): number {
    return this.#facts.length;
  }

  /** @param properties A sum of {@linkcode MESSAGE} bits. */
  addMessage(pieces: readonly string[], properties: number): void {
    this.#mark++;
    let length = 0;
    const newForm = (form: string): number => this.#slotOf(wordNumber(baseOf(form)));
    const onWord = (slot: number): void => {
      length++;
      if (this.#marks[slot] === this.#mark) return;
      this.#marks[slot] = this.#mark;
      this.#addPair(slot, this.messages);
    };
    for (const piece of pieces) this.#forms.forEach(piece, newForm, onWord);
    this.#facts.push(length * LENGTH_STEP + properties);
  }

  #slotOf(word: number): number {
    let slot = this.#slots.get(word);
    if (slot === undefined) {
      slot = this.#words.push(word) - 1;
      this.#marks.push(0);
      this.#slots.set(word, slot);
    }
    return slot;
  }

  #addPair(slot: number, message: number): void {
    const { slots, messages } = this.#pairs;
    if (this.#count === slots.length) {
      this.#pairs = { slots: doubled(slots), messages: doubled(messages) };
    }
    this.#pairs.slots[this.#count] = slot;
    this.#pairs.messages[this.#count++] = message;
  }

  /** Adds the lists of another part. Numbers its messages after the messages added so far. */
  addPart(blocks: readonly Uint8Array[]): void {
    const first = this.messages;
    for (const block of blocks.slice(0, -1)) {
      forEachPair(block, (word, message) => this.#addPair(this.#slotOf(word), first + message));
    }
    forEachMessage(blocks.at(-1), (length, properties) => {
      this.#facts.push(length * LENGTH_STEP + properties);
    });
  }

  /** Returns word lists as blocks, then a block of message lengths. Clears lists and lengths. */
  take(): Uint8Array[] {
    const [ends, messages] = this.#sorted();
    const used = [...ends.keys()].filter((slot) => ends[slot] !== (ends[slot - 1] ?? 0))
      .sort((one, other) => (this.#words[one] ?? 0) - (this.#words[other] ?? 0));
    let count = 1;
    while (count < MOST_BLOCKS && this.#count > count * BLOCK_PAIRS) count *= 2;
    const writers = Array.from({ length: count }, () => new NumberWriter(0));
    const before = new Float64Array(count);
    for (const slot of used) {
      const word = this.#words[slot] ?? 0;
      const block = wordBlockOf(word, count);
      const [start, end] = [ends[slot - 1] ?? 0, ends[slot] ?? 0];
      writers[block]?.writeList(word - (before[block] ?? 0), messages.subarray(start, end));
      before[block] = word;
    }
    const facts = new NumberWriter(this.messages);
    for (const fact of this.#facts) facts.write(fact);
    this.#clear();
    return [...writers, facts].map((writer) => writer.take());
  }

  /** Returns the messages of all pairs, grouped by word, and where each word's messages end. */
  #sorted(): [ends: Uint32Array, messages: Uint32Array] {
    const { slots, messages } = this.#pairs;
    const ends = new Uint32Array(this.#words.length);
    for (let at = 0; at < this.#count; at++) ends[slots[at] as number]!++;
    let sum = 0;
    for (let slot = 0; slot < ends.length; slot++) {
      const count = ends[slot] as number;
      ends[slot] = sum;
      sum += count;
    }
    const sorted = new Uint32Array(this.#count);
    for (let at = 0; at < this.#count; at++) {
      sorted[ends[slots[at] as number]!++] = messages[at] as number;
    }
    return [ends, sorted];
  }

  #clear(): void {
    this.#count = 0;
    this.#facts = [];
    if (this.#forms.size < MOST_FORMS) return;
    this.#forms.clear();
    this.#slots.clear();
    this.#words = [];
    this.#marks = [];
  }
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}

/** Calls `onMessage` for each message. `block` is the last block that `WordLists.take` returns. */
export function forEachMessage(
  block: Uint8Array = new Uint8Array(0),
  onMessage: (length: number, properties: number) => void,
): void {
  let [value, shift] = [0, 0];
  for (const byte of block) {
    value |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    onMessage(Math.floor(value / LENGTH_STEP), value % LENGTH_STEP);
    [value, shift] = [0, 0];
  }
}
