/** Finds the words of a question in a message, and the place to quote. Pure. */
import type { Match } from "../query_match.ts";
import { bitsOf } from "./score.ts";
import { baseOf, forEachWord, isSpaceless, wordNumber } from "./words.ts";

/** The words of a question, as bits in the order of their bases. */
export class QuestionWords {
  /** By number, as an index has words, so that a scan finds the same. */
  readonly #bits: ReadonlyMap<number, number>;
  /** The bit of each word that was seen; 0 for those that the question lacks. */
  readonly #seen = new Map<string, number>();

  constructor(bases: readonly string[]) {
    this.#bits = new Map(bases.map((base, at) => [wordNumber(base), 1 << at]));
  }

  /** Returns the bit of a word in any form; 0 if the question lacks it. */
  bitOf(word: string): number {
    let bit = this.#seen.get(word);
    if (bit !== undefined) return bit;
    bit = this.#bits.get(wordNumber(baseOf(word))) ?? 0;
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
    this.#seen.set(word, bit);
    return bit;
  }

  /** Counts the words of a message, and returns the question's among them. */
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

/** Most characters between the first and the last word of a quotation. */
const WINDOW = 120;

/** A place to quote, and what to mark there. */
export interface WordMatch {
  match: Match;
  /** Matches the words of the question in the forms that the message has. */
  pattern: RegExp;
}

/** Returns the place of a message with the most words of a question. */
export function matchWords(asked: QuestionWords, pieces: readonly string[]): WordMatch {
  const forms = new Set<string>();
  let match: Match = { coverage: 1, whole: 1, piece: pieces[0] ?? "", range: [0, 0] };
  let most = 0;
  for (const piece of pieces) {
    const found: { at: number; end: number; bit: number }[] = [];
    forEachWord(piece, (word, at) => {
      const bit = asked.bitOf(word);
      if (bit !== 0) found.push({ at, end: at + word.length, bit });
    });
    for (const [first, { at }] of found.entries()) {
      // Pairs of characters overlap.
      if (at < (found[first - 1]?.end ?? 0)) continue;
      let last = first;
      while ((found[last + 1]?.at ?? Infinity) < (found[last]?.end ?? 0)) last++;
      forms.add(piece.slice(at, found[last]?.end));
    }
    for (const [first, { at, end }] of found.entries()) {
      let bits = 0;
      for (let next = first; (found[next]?.at ?? Infinity) < at + WINDOW; next++) {
        bits |= found[next]?.bit ?? 0;
      }
      const count = bitsOf(bits);
      if (count > most) [most, match] = [count, { ...match, piece, range: [at, end] }];
    }
  }
  return { match, pattern: patternOf([...forms].sort((one, other) => other.length - one.length)) };
}

function patternOf(forms: readonly string[]): RegExp {
  const { true: pairs = [], false: words = [] } = Object.groupBy(
    forms,
    (form) => `${isSpaceless(form)}`,
  );
  const border = ["(?<![\\p{L}\\p{N}\\p{M}])", "(?![\\p{L}\\p{N}\\p{M}])"];
  const whole = words.length === 0 ? [] : [`${border[0]}(?:${words.join("|")})${border[1]}`];
  return new RegExp([...whole, ...pairs].join("|") || "(?!)", "gu");
}
