/** Finds runs of letters, digits and signs of base64, in either alphabet. */

/** 1 for the code of each character that a run may have: letters, digits and signs of base64. */
const RUN_CHARACTERS = new Uint8Array(65_536);
for (
  const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
) RUN_CHARACTERS[character.charCodeAt(0)] = 1;

/** Minimum length of a run that may be an issued key or encoded text. */
export const SHORTEST_RUN = 20;

/**
 * Returns the start and the end of each run of at least {@linkcode SHORTEST_RUN} characters, one
 * after the other.
 */
export function tokenRuns(text: string): readonly number[] {
  const runs: number[] = [];
  const { length } = text;
  const taken = RUN_CHARACTERS;
  for (let start = 0; start + SHORTEST_RUN <= length;) {
    // Backwards: no run crosses the last foreign character, so all before it is skipped.
    let other = start + SHORTEST_RUN - 1;
    while (other >= start && taken[text.charCodeAt(other)] === 1) other--;
    if (other >= start) {
      start = other + 1;
      continue;
    }
    let end = start + SHORTEST_RUN;
    while (end < length && taken[text.charCodeAt(end)] === 1) end++;
    runs.push(start, end);
    start = end + 1;
  }
  return runs;
}
