/**
 * Finds the parts that two copies of a session share. Cuts both copies into chunks whose ends
 * depend on the content. So it also finds shared parts at other offsets.
 */
import { createHash } from "node:crypto";

/** Minimum bytes of a chunk. Chunks have 2 to 3 KiB on average. */
const LEAST_BYTES = 512;
const MOST_BYTES = 16_384;
const MASK = 0xffe00000 | 0;

/** Random numbers, one per byte value. Their rolling sum over 32 bytes decides a chunk's end. */
const GEAR = gear();

function gear(): Int32Array {
  const table = new Int32Array(256);
  let state = 0x9e3779b9;
  for (let index = 0; index < table.length; index++) {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5 | 0;
    table[index] = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  }
  return table;
}

async function* chunksOf(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ length: number; key: string }> {
  let hash = createHash("sha256");
  let [length, rolling] = [0, 0];
  for await (const piece of pieces) {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      rolling = (rolling << 1) + (GEAR[piece[at] as number] as number) | 0;
      length++;
      if (length < LEAST_BYTES || ((rolling & MASK) !== 0 && length < MOST_BYTES)) continue;
      yield { length, key: hash.update(piece.subarray(start, at + 1)).digest("base64") };
      hash = createHash("sha256");
      [start, length, rolling] = [at + 1, 0, 0];
    }
    hash.update(piece.subarray(start));
  }
  if (length > 0) yield { length, key: hash.digest("base64") };
}

/** One step to rebuild a copy: bytes that are only in the copy, then a range of the base copy. */
export type DifferenceStep = readonly [own_bytes: number, from: number, length: number];

export interface CopyDifference {
  steps: DifferenceStep[];
  shared_bytes: number;
}

export async function differenceOf(
  copy: AsyncIterable<Uint8Array>,
  base: AsyncIterable<Uint8Array>,
): Promise<CopyDifference> {
  const places = new Map<string, number>();
  let at = 0;
  for await (const { length, key } of chunksOf(base)) {
    if (!places.has(key)) places.set(key, at);
    at += length;
  }
  const steps: [number, number, number][] = [];
  let [own_bytes, shared_bytes] = [0, 0];
  for await (const { length, key } of chunksOf(copy)) {
    const from = places.get(key);
    if (from === undefined) {
      own_bytes += length;
      continue;
    }
    shared_bytes += length;
    const last = steps.at(-1);
    // A stretch that goes on in the base is one step.
    if (own_bytes === 0 && last !== undefined && last[1] + last[2] === from) last[2] += length;
    else steps.push([own_bytes, from, length]);
    own_bytes = 0;
  }
  if (own_bytes > 0) steps.push([own_bytes, 0, 0]);
  return { steps, shared_bytes };
}
