/** Runs of letters, digits and the signs of base64, of either alphabet. */

/** What a run is made of, by character code. */
export const RUN_CHARACTERS = new Uint8Array(65_536);
for (
  const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
) RUN_CHARACTERS[character.charCodeAt(0)] = 1;

/** Fewer characters are neither issued nor hide a text. */
export const SHORTEST_RUN = 20;

/** Returns where runs of at least {@linkcode SHORTEST_RUN} characters begin and end, in turns. */
export function tokenRuns(text: string): readonly number[] {
  const runs: number[] = [];
  const { length } = text;
  const taken = RUN_CHARACTERS;
  for (let start = 0; start + SHORTEST_RUN <= length;) {
    // Backwards, because no run holds the last other character: all before it is passed over.
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
