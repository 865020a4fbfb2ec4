/**
 * How many rounds tests of many rounds take: all in `deno task test:torture`, an eighth in the usual
 * run, and less where they run once more, on another runtime.
 */
import { ALL_TORTURE } from "./torture.ts";

/** True where a part of the rounds is enough. */
export const FEW_ROUNDS: boolean = Deno.env.get("REPRISE_FEW_ROUNDS") !== undefined;

/** How many rounds a test takes of those that it has. */
export function roundsOf(all: number): number {
  if (FEW_ROUNDS) return Math.ceil(all / 16);
  return ALL_TORTURE ? all : Math.ceil(all / 8);
}

/** The places from 0 to `end` that a test cuts at: all of them, or about every eighth and both ends. */
export function placesOf(end: number): number[] {
  const step = Math.max(1, end / Math.max(1, roundsOf(end)));
  const places = Array.from({ length: Math.ceil(end / step) }, (_, at) => Math.floor(at * step));
  return [...places, end];
}
