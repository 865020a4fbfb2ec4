/** Finds the word that a mistyped one probably meant. */

/** Letters of a word per allowed mistake. */
const LETTERS_A_MISTAKE = 3;
/** Distance of a known word that is one of several typed words. Any mistake gives a larger one. */
const A_PART = 0.01;

/**
 * Returns the nearest of some words; undefined if no word is near. Ignores case, spaces and
 * punctuation. One word may contain the other: "Claude Code" is near `claude`.
 */
export function nearestWord(typed: string, words: Iterable<string>): string | undefined {
  const given = lettersOf(typed);
  const parts = typed.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  let nearest: string | undefined;
  let least = Infinity;
  for (const word of words) {
    const whole = distanceOf(given, lettersOf(word));
    const distance = parts.includes(word) ? Math.min(whole, A_PART) : whole;
    if (distance < least) [nearest, least] = [word, distance];
  }
  return nearest;
}

function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Returns the share of wrong letters, below 1; Infinity if the words are not near. */
function distanceOf(given: string, word: string): number {
  const [short, long] = given.length < word.length ? [given, word] : [word, given];
  const most = Math.max(1, Math.floor(long.length / LETTERS_A_MISTAKE));
  // Each letter that is too many is a mistake: nothing has to be compared.
  const is_far = short.length < 2 || long.length - short.length > most;
  const mistakes = is_far ? Infinity : editDistance(given, word);
  if (mistakes <= most) return mistakes / long.length;
  const contained = short.length * LETTERS_A_MISTAKE >= long.length && long.includes(short);
  return contained ? 1 - short.length / long.length : Infinity;
}

function editDistance(from: string, to: string): number {
  const rows = Array.from({ length: from.length + 1 }, (_, i) => [i]);
  const at = (i: number, j: number): number => i < 0 || j < 0 ? Infinity : rows[i]?.[j] ?? j;
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      const swaps = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = swaps ? at(i - 2, j - 2) + 1 : Infinity;
      const best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost, swapped);
      rows[i]?.push(best);
    }
  }
  return at(from.length, to.length);
}
