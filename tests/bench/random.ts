/**
 * Random numbers from a seed: the same log on every machine.
 */
import { mulberry32 } from "../_support/mulberry32.ts";

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

/** The numbers of a seed. */
export function seededRandom(seed: number): Random {
  const unit = mulberry32(seed);
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
