/** Finds words of a filter in a title: as they are, else their letters within one word. Pure. */
import { lettersPattern } from "../letters_pattern.ts";

export interface PickedWords {
  /** The score of the match: from 1 to 3 for the word itself, below 1 for scattered letters. */
  score: number;
  /** Offsets of the matched letters in the title. */
  places: readonly number[];
}

/** Minimum length of a word for a scattered match. A shorter word matches almost any title. */
const LEAST_SCATTERED = 3;
const ACCENTS = /(\p{Script=Latin})[\u0300-\u036f]+/gu;
const LETTER = "[\\p{L}\\p{N}]";
const ONE_LETTER = new RegExp(LETTER, "u");

/** Returns a text in lower case, without the accents of Latin letters. */
export function comparable(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase();
  return /^[ -~\s]*$/.test(folded)
    ? folded
    : folded.normalize("NFD").replace(ACCENTS, "$1").normalize("NFC");
}

/** Finds the best match of a word in a title, both in `comparable` form. Prefers whole words. */
export function matchWord(title: string, word: string): PickedWords | undefined {
  const is_held = title.includes(word);
  if (!is_held && word.length < LEAST_SCATTERED) return undefined;
  // No two ways lead to a match, so that no title takes long.
  const pattern = lettersPattern(word, (next) => is_held ? "" : `(?:(?!${next})${LETTER})*`);
  let best: PickedWords | undefined;
  for (const { 0: found, index } of title.matchAll(new RegExp(pattern, "gu"))) {
    const [begins, ends] = [!isLetter(title[index - 1]), !isLetter(title[index + found.length])];
    const score = is_held
      ? 1 + Number(begins) + Number(begins && ends)
      : word.length / found.length;
    if (score <= (best?.score ?? 0)) continue;
    let at = -1;
    const places = Array.from(word, (letter) => index + (at = found.indexOf(letter, at + 1)));
    best = { score, places };
  }
  return best;
}

function isLetter(character = " "): boolean {
  return ONE_LETTER.test(character);
}

export function markWords(
  text: string,
  words: readonly string[],
  mark: (letters: string) => string,
): string {
  const characters = Array.from(text);
  const folded = characters.map(comparable);
  /** The index of the original character, for each code unit of the folded text. */
  const owners = folded.flatMap((one, at) => Array<number>(one.length).fill(at));
  const places = words.flatMap((word) => matchWord(folded.join(""), word)?.places ?? []);
  const matched = new Set(places.map((place) => owners[place]));
  let [marked, run] = ["", ""];
  for (const [at, character] of characters.entries()) {
    if (matched.has(at)) run += character;
    else [marked, run] = [marked + (run && mark(run)) + character, ""];
  }
  return marked + (run && mark(run));
}
