/**
 * The responses of one session as bytes, behind those of other sessions in one file. Pure.
 *
 * ```text
 * block   CRC-32 of all behind it, mark, bytes,                 4 bytes each
 *         bytes of names, bytes of key, rows, costs, zero
 *         size, mtime, ctime, ino, others, digest of key        8 bytes each
 *         costs, rows, names (models, threads as JSON), key, zeros up to a multiple of 8
 * ```
 */
import { crc32 } from "node:zlib";
import { digest, type SessionState, STATE_FIELDS } from "./session_state.ts";

/** The responses of one session, packed: rows of numbers that refer to names. */
export interface KeptUsage {
  models: readonly string[];
  threads: readonly string[];
  rows: Uint32Array;
  costs: Float64Array;
}

/** The contents of a block. */
export interface UsageBlock {
  /** Names the session: see {@linkcode sessionKey}. */
  key: string;
  state: SessionState;
  usage: KeptUsage;
}

const MARK = 0x62_75_70_72;
const NUMBERS = 8;
const STATES = STATE_FIELDS.length;
/** Bytes before the contents. */
const HEAD_BYTES = NUMBERS * 4 + (STATES + 1) * 8;
/** Places of the head's numbers. */
const HEAD = { CRC: 0, MARK: 1, BYTES: 2, NAMES: 3, KEY: 4, ROWS: 5, COSTS: 6 } as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Gives the bytes of a block: a multiple of eight. */
export function encodeUsageBlock({ key, state, usage }: UsageBlock): Uint8Array {
  const { models, threads, rows, costs } = usage;
  const names = encoder.encode(JSON.stringify([models, threads]));
  const key_text = encoder.encode(key);
  const text = HEAD_BYTES + costs.byteLength + rows.byteLength;
  const bytes = new Uint8Array(Math.ceil((text + names.length + key_text.length) / 8) * 8);
  const head = new Uint32Array(bytes.buffer, 0, NUMBERS);
  head.set([0, MARK, bytes.length, names.length, key_text.length, rows.length, costs.length]);
  const numbers = [...STATE_FIELDS.map((field) => state[field]), digest(key)];
  new Float64Array(bytes.buffer, NUMBERS * 4, STATES + 1).set(numbers);
  new Float64Array(bytes.buffer, HEAD_BYTES, costs.length).set(costs);
  new Uint32Array(bytes.buffer, HEAD_BYTES + costs.byteLength, rows.length).set(rows);
  bytes.set(names, text);
  bytes.set(key_text, text + names.length);
  head[HEAD.CRC] = crc32(bytes.subarray(4));
  return bytes;
}

const NO_COSTS = new Float64Array(0);

type Names = readonly [models: readonly string[], threads: readonly string[]];

/**
 * The blocks of a file. One is checked and decoded when it is asked for, for there may be 100,000.
 */
export class UsageBlocks {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #words: Uint32Array;
  readonly #floats: Float64Array;
  /** The lists of names that were decoded: most sessions have the same. */
  readonly #names = new Map<string, Names>();

  /** @param bytes A whole file; blocks begin at multiples of eight. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    this.#words = new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
    this.#floats = new Float64Array(bytes.buffer, 0, Math.floor(bytes.length / 8));
  }

  #word(offset: number, place: number): number {
    return this.#words[offset / 4 + place] ?? 0;
  }

  /** Bytes of the block at an offset, unchecked; undefined where there is none. */
  length(offset: number): number | undefined {
    const length = this.#word(offset, HEAD.BYTES);
    const fits = this.#word(offset, HEAD.MARK) === MARK && length % 8 === 0 &&
      length >= HEAD_BYTES && offset + length <= this.#bytes.length;
    return fits ? length : undefined;
  }

  /** Returns the digest of the session's name, unchecked. */
  digest(offset: number): number {
    return this.#floats[offset / 8 + NUMBERS / 2 + STATES] ?? NaN;
  }

  /** True where the block is of this state. */
  hasState(offset: number, state: SessionState): boolean {
    const at = offset / 8 + NUMBERS / 2;
    return STATE_FIELDS.every((field, place) => this.#floats[at + place] === state[field]);
  }

  /** Returns the responses of a block as views on the bytes; undefined if a bit is damaged. */
  usage(offset: number): KeptUsage | undefined {
    const length = this.length(offset);
    if (length === undefined) return undefined;
    const checked = this.#bytes.subarray(offset + 4, offset + length);
    if (crc32(checked) !== this.#word(offset, HEAD.CRC)) return undefined;
    const costs = this.#word(offset, HEAD.COSTS);
    const rows = offset + HEAD_BYTES + costs * 8;
    const row_count = this.#word(offset, HEAD.ROWS);
    const [models, threads] = this.#namesAt(rows + row_count * 4, this.#word(offset, HEAD.NAMES));
    const { buffer } = this.#bytes;
    return {
      models,
      threads,
      rows: new Uint32Array(buffer, rows, row_count),
      costs: costs === 0 ? NO_COSTS : new Float64Array(buffer, offset + HEAD_BYTES, costs),
    };
  }

  #namesAt(offset: number, length: number): Names {
    const text = decoder.decode(this.#bytes.subarray(offset, offset + length));
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const names = JSON.parse(text) as Names;
    this.#names.set(text, names);
    return names;
  }

  /** Returns the session's name; see {@linkcode sessionKey}. */
  key(offset: number): string {
    const start = offset + HEAD_BYTES + this.#word(offset, HEAD.COSTS) * 8 +
      this.#word(offset, HEAD.ROWS) * 4 + this.#word(offset, HEAD.NAMES);
    const bytes = this.#bytes.subarray(start, start + this.#word(offset, HEAD.KEY));
    return decoder.decode(bytes);
  }

  /** Returns the bytes of a block. */
  bytes(offset: number): Uint8Array {
    return this.#bytes.subarray(offset, offset + (this.length(offset) ?? 0));
  }
}
