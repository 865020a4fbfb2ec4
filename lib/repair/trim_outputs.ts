/** Cuts what tools gave to a number of bytes, and says so in its place. It changes words. */
import type { LineRepair } from "../source/session_repair.ts";
import { cutChunk, startCutter, type StringCutter } from "./cut_strings.ts";

/** The note must fit, and the start of an output with it. */
export const LEAST_TRIM_BYTES = 1024;

/** Begins to cut the outputs of a record. */
export function startTrim({ isOutput }: LineRepair, most_bytes: number): StringCutter {
  return startCutter({
    limitOf: ({ path, seen }) => isOutput(path, seen) ? most_bytes : undefined,
    note: (bytes) => `\n[${bytes} bytes were cut off by reprise repair]`,
  });
}

/** A record with its outputs cut; the same bytes where there is nothing to cut. */
export function trimmedRecord(
  repair: LineRepair,
  bytes: Uint8Array,
  most_bytes: number,
): { bytes: Uint8Array; cut: number } {
  if (bytes.length <= most_bytes) return { bytes, cut: 0 };
  const cutter = startTrim(repair, most_bytes);
  const trimmed = cutChunk(cutter, bytes);
  return cutter.cut === 0 ? { bytes, cut: 0 } : { bytes: trimmed, cut: cutter.cut };
}
