/**
 * Random numbers from a seed: the same log on every machine.
 */

/** Draws numbers, texts and choices. */
export interface Random {
  /** From 0 to below 1. */
  unit(): number;
  /** Whole, from 0 to below `limit`. */
  below(limit: number): number;
  /** Whole and log-normal: half of them are below `median`, the tail grows with `sigma`. */
  size(median: number, sigma: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** The numbers of a seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  function unit(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  function gauss(): number {
    return Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
  }
  const below = (limit: number): number => Math.floor(unit() * limit);
  return {
    unit,
    below,
    size: (median, sigma, most) => Math.min(most, Math.floor(median * Math.exp(sigma * gauss()))),
    pick: (items) => items[below(items.length)] as typeof items[number],
  };
}
