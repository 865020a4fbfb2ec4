/** Numbers that look random and are the same in every run. */
import { mulberry32 } from "../_support/mulberry32.ts";

/** Gives a whole number from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

/** Draws from a seed. */
export function seededRandom(seed: number): Random {
  const unit = mulberry32(seed);
  return (below) => Math.floor(unit() * below);
}

export function randomBytes(random: Random, length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, () => random(256));
}
