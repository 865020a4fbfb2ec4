/** Finds the word that a mistyped one probably meant. */

/** Letters of a word for each mistake that is forgiven. */
const LETTERS_A_MISTAKE = 3;
/** The distance of a word that is a part of what was typed: nearer than any mistake. */
const A_PART = 0.01;

/**
 * Returns the nearest of some words; undefined if none is near. Case and signs do not count, and one may
 * contain the other: "Claude Code" is near `claude`.
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

/** Returns the share of mistakes, below 1; Infinity for words that are not near. */
function distanceOf(given: string, word: string): number {
  const [short, long] = given.length < word.length ? [given, word] : [word, given];
  const most = Math.max(1, Math.floor(long.length / LETTERS_A_MISTAKE));
  const mistakes = short.length < 2 ? Infinity : editDistance(given, word);
  if (mistakes <= most) return mistakes / long.length;
  const contained = short.length * LETTERS_A_MISTAKE >= long.length && long.includes(short);
  return contained ? 1 - short.length / long.length : Infinity;
}

/** Counts the letters to insert, remove, replace or swap with their neighbour. */
function editDistance(from: string, to: string): number {
  let [before, row] = [[] as number[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const [insert, remove, replace] = [next[j - 1] ?? 0, row[j] ?? 0, row[j - 1] ?? 0];
      const same = from[i - 1] === to[j - 1];
      const swaps = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = swaps ? (before[j - 2] ?? 0) + 1 : Infinity;
      next[j] = Math.min(insert + 1, remove + 1, replace + (same ? 0 : 1), swapped);
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
}
