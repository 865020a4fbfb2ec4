/** Finds words of a filter in a title: as they are, else their letters within one word. Pure. */

/** The match of one word. */
export interface WordMatch {
  /** From 1 to 3 for the word itself, at most 1 for scattered letters. */
  score: number;
  /** Offsets of the matched letters. */
  places: readonly number[];
}

/** Minimum letters of a word that may be scattered: fewer are in nearly every word. */
const LEAST_SCATTERED = 3;
const ACCENTS = /(\p{Script=Latin})[\u0300-\u036f]+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;

/** Returns a text in small letters and without the accents of Latin letters. */
export function comparable(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase();
  return /^[ -~\s]*$/.test(folded)
    ? folded
    : folded.normalize("NFD").replace(ACCENTS, "$1").normalize("NFC");
}

/** Finds a comparable word in a comparable title; undefined if the title does not have it. */
export function matchWord(title: string, word: string): WordMatch | undefined {
  return findWhole(title, word) ?? findScattered(title, word);
}

/** Finds the word as it is: best as a word of its own, then at the beginning of one. */
function findWhole(title: string, word: string): WordMatch | undefined {
  let [start, score] = [-1, 0];
  for (let at = title.indexOf(word); at >= 0; at = title.indexOf(word, at + 1)) {
    const begins = !isLetter(title[at - 1]);
    const own = begins && !isLetter(title[at + word.length]) ? 3 : begins ? 2 : 1;
    if (own > score) [start, score] = [at, own];
  }
  if (score === 0) return undefined;
  return { score, places: Array.from({ length: word.length }, (_, index) => start + index) };
}

function isLetter(character = " "): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** Finds the letters in their order within one word: best where they are close together. */
function findScattered(title: string, word: string): WordMatch | undefined {
  if (word.length < LEAST_SCATTERED || placesOf(title, word) === undefined) return undefined;
  let best: WordMatch | undefined;
  for (const { 0: one, index } of title.matchAll(WORDS)) {
    const places = placesOf(one, word);
    if (places === undefined) continue;
    const score = word.length / ((places.at(-1) ?? 0) + 1 - (places[0] ?? 0));
    if (score > (best?.score ?? 0)) best = { score, places: places.map((at) => index + at) };
  }
  return best;
}

/** Returns the first place of each letter behind the one before; undefined if one is missing. */
function placesOf(text: string, word: string): number[] | undefined {
  const places: number[] = [];
  for (let index = 0, from = 0; index < word.length; index++) {
    const at = text.indexOf(word[index] ?? "", from);
    if (at < 0) return undefined;
    places.push(at);
    from = at + 1;
  }
  return places;
}

/** Marks the letters of a text that match one of the words. */
export function markWords(
  text: string,
  words: readonly string[],
  mark: (letters: string) => string,
): string {
  const characters = Array.from(text);
  const folded = characters.map(comparable);
  /** The character of each folded code unit. */
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
