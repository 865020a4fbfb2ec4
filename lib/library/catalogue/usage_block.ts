/**
 * The responses of one session as bytes, behind those of other sessions in one file. Pure.
 *
 * ```text
 * block   mark, bytes, CRC-32, bytes of names, rows, costs      4 bytes each
 *         size, mtime, ctime, ino, others                       8 bytes each
 *         costs, rows, names (key, models, threads as JSON), zeros up to a multiple of 8
 * ```
 */
import { crc32 } from "node:zlib";
import { type SessionState, STATE_FIELDS } from "./session_state.ts";

/** The responses of one session, packed: rows of numbers that refer to names. */
export interface KeptUsage {
  models: readonly string[];
  threads: readonly string[];
  rows: Uint32Array;
  costs: Float64Array;
}

/** What a block holds. */
export interface UsageBlock {
  /** Names the session: see {@linkcode sessionKey}. */
  key: string;
  state: SessionState;
  usage: KeptUsage;
}

const MARK = 0x62_75_70_72;
const NUMBERS = 6;
/** Bytes before the contents. */
const HEAD_BYTES = NUMBERS * 4 + STATE_FIELDS.length * 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Gives the bytes of a block: a multiple of eight. */
export function encodeUsageBlock({ key, state, usage }: UsageBlock): Uint8Array {
  const { models, threads, rows, costs } = usage;
  const names = encoder.encode(JSON.stringify([key, models, threads]));
  const used = HEAD_BYTES + costs.byteLength + rows.byteLength + names.length;
  const bytes = new Uint8Array(Math.ceil(used / 8) * 8);
  const head = new Uint32Array(bytes.buffer, 0, NUMBERS);
  head.set([MARK, bytes.length, 0, names.length, rows.length, costs.length]);
  const states = new Float64Array(bytes.buffer, NUMBERS * 4, STATE_FIELDS.length);
  for (const [index, field] of STATE_FIELDS.entries()) states[index] = state[field];
  new Float64Array(bytes.buffer, HEAD_BYTES, costs.length).set(costs);
  new Uint32Array(bytes.buffer, HEAD_BYTES + costs.byteLength, rows.length).set(rows);
  bytes.set(names, HEAD_BYTES + costs.byteLength + rows.byteLength);
  head[2] = checksum(bytes);
  return bytes;
}

/** The checksum of all but itself. */
function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(12), crc32(bytes.subarray(0, 8)));
}

/**
 * Reads the block at an offset, a multiple of eight. Its numbers are views on the bytes.
 *
 * @returns The block and the offset behind it; undefined where there is no whole and right one.
 */
export function decodeUsageBlock(
  bytes: Uint8Array<ArrayBuffer>,
  offset: number,
): { block: UsageBlock; end: number } | undefined {
  if (bytes.byteOffset !== 0 || offset + HEAD_BYTES > bytes.length) return undefined;
  const { buffer } = bytes;
  const [mark, length = 0, crc, names = 0, rows = 0, costs = 0] = new Uint32Array(
    buffer,
    offset,
    NUMBERS,
  );
  const end = offset + length;
  const used = HEAD_BYTES + costs * 8 + rows * 4 + names;
  if (mark !== MARK || end > bytes.length || Math.ceil(used / 8) * 8 !== length) return undefined;
  if (checksum(bytes.subarray(offset, end)) !== crc) return undefined;
  const at = offset + HEAD_BYTES;
  const text = at + costs * 8 + rows * 4;
  const [key, models, threads] = JSON.parse(decoder.decode(bytes.subarray(text, text + names)));
  const states = new Float64Array(buffer, offset + NUMBERS * 4, STATE_FIELDS.length);
  const state = Object.fromEntries(
    STATE_FIELDS.map((field, index) => [field, states[index]]),
  ) as unknown as SessionState;
  const usage = {
    models,
    threads,
    rows: new Uint32Array(buffer, at + costs * 8, rows),
    costs: new Float64Array(buffer, at, costs),
  };
  return { block: { key, state, usage }, end };
}
