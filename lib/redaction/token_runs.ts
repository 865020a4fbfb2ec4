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
  let done = 0;
  // A run that is long enough has a character at one of these places.
  for (let probe = SHORTEST_RUN - 1; probe < length; probe += SHORTEST_RUN) {
    if (taken[text.charCodeAt(probe)] === 0) continue;
    let start = probe;
    while (start > done && taken[text.charCodeAt(start - 1)] === 1) start--;
    let end = probe + 1;
    // Most runs are words, too short to go on from here.
    while (end < length && taken[text.charCodeAt(end)] === 1) end++;
    if (end >= start + SHORTEST_RUN) runs.push(start, end);
    done = end;
    probe = end;
  }
  return runs;
}
