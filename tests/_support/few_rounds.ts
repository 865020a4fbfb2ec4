/**
 * How many rounds tests of many rounds take: all in `deno task test:torture`, a quarter in the usual
 * run, or an eighth of very many, and less where they run once more, on another runtime.
 */
import { ALL_TORTURE } from "./torture.ts";

/** True where a part of the rounds is enough. */
export const FEW_ROUNDS: boolean = Deno.env.get("REPRISE_FEW_ROUNDS") !== undefined;

/** Beyond so many, an eighth is enough. A few points to be killed at would miss the last ones. */
const VERY_MANY = 200;

/** How many rounds a test takes of those that it has; `usual` where fewer meet every state. */
export function roundsOf(all: number, usual = Math.ceil(all / (all > VERY_MANY ? 8 : 4))): number {
  if (FEW_ROUNDS) return Math.min(usual, Math.ceil(all / 16));
  return ALL_TORTURE ? all : usual;
}

/** The places from 0 to `end` that a test cuts at: all of them, or about every fourth, and both ends. */
export function placesOf(end: number): number[] {
  const step = Math.max(1, end / Math.max(1, roundsOf(end)));
  const places = Array.from({ length: Math.ceil(end / step) }, (_, at) => Math.floor(at * step));
  return [...places, end];
}
