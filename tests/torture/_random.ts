/** Numbers that look random and are the same in every run. */

/** Gives a whole number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** Mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296 * below);
  };
}

export function randomBytes(random: Random, length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, () => random(256));
}
