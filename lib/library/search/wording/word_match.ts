/** Finds the words of a question in a message, and the place to quote. Pure. */
import type { Match, TextRange } from "../query_match.ts";
import { bitsOf } from "./score.ts";
import { baseOf, forEachWord, wordNumber } from "./words.ts";

/** Words of a question. The constructor's word at index `n` has the bit `1 << n`. */
export class QuestionWords {
  /** Maps the hash of each question word's base form to the word's bit. */
  readonly #bits: ReadonlyMap<number, number>;
  /** The bit of each word that was looked up. 0 if the question does not contain the word. */
  readonly #seen = new Map<string, number>();

  constructor(bases: readonly string[]) {
    this.#bits = new Map(bases.map((base, at) => [wordNumber(base), 1 << at]));
  }

  /** Returns the question word's bit for any form of the word. 0 if the question lacks the word. */
  bitOf(word: string): number {
    let bit = this.#seen.get(word);
    if (bit !== undefined) return bit;
    bit = this.#bits.get(wordNumber(baseOf(word))) ?? 0;
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
    this.#seen.set(word, bit);
    return bit;
  }

  /** Returns the question's words in a message, one bit per word, and the message's word count. */
  wordsIn(pieces: readonly string[]): { words: number; length: number } {
    let [words, length] = [0, 0];
    for (const piece of pieces) {
      forEachWord(piece, (word) => {
        words |= this.bitOf(word);
        length++;
      });
    }
    return { words, length };
  }
}

const MOST_SEEN = 100_000;

/** Maximum distance in characters between the first and the last word of a quotation. */
const WINDOW = 120;

export function wordRanges(asked: QuestionWords, text: string): TextRange[] {
  return wordsOf(asked, text).map(({ at, end }) => [at, end]);
}

function wordsOf(asked: QuestionWords, text: string): { at: number; end: number; bit: number }[] {
  const found: { at: number; end: number; bit: number }[] = [];
  forEachWord(text, (word, at) => {
    const bit = asked.bitOf(word);
    if (bit !== 0) found.push({ at, end: at + word.length, bit });
  });
  return found;
}

/** Returns the range in a message where most of the question's words are close together. */
export function placeToQuote(
  asked: QuestionWords,
  pieces: readonly string[],
): Pick<Match, "piece" | "range"> {
  let place: Pick<Match, "piece" | "range"> = { piece: pieces[0] ?? "", range: [0, 0] };
  let most = 0;
  for (const piece of pieces) {
    const found = wordsOf(asked, piece);
    for (const [first, { at, end }] of found.entries()) {
      let bits = 0;
      for (let next = first; (found[next]?.at ?? Infinity) < at + WINDOW; next++) {
        bits |= found[next]?.bit ?? 0;
      }
      const count = bitsOf(bits);
      if (count > most) [most, place] = [count, { piece, range: [at, end] }];
    }
  }
  return place;
}
