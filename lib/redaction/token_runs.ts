/** Runs of letters, digits and the signs of base64, of either alphabet. */

/** What a run is made of, by character code. */
export const RUN_CHARACTERS = new Uint8Array(65_536);
for (
  const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
) RUN_CHARACTERS[character.charCodeAt(0)] = 1;

/**
 * Calls `visit` for each run of at least `shortest` characters, in order. It gives where to go on:
 * the run's end, or a place behind it.
 */
export function visitRuns(
  text: string,
  shortest: number,
  visit: (start: number, end: number) => number,
): void {
  const { length } = text;
  const taken = RUN_CHARACTERS;
  let done = 0;
  // A run that is long enough has a character at one of these places.
  for (let probe = shortest - 1; probe < length; probe += shortest) {
    if (taken[text.charCodeAt(probe)] === 0) continue;
    let start = probe;
    while (start > done && taken[text.charCodeAt(start - 1)] === 1) start--;
    let end = probe + 1;
    // Most runs are words, too short to go on from here.
    const least = start + shortest;
    while (end < length && taken[text.charCodeAt(end)] === 1) end++;
    if (end >= least) end = Math.max(end, visit(start, end));
    done = end;
    probe = end;
  }
}
