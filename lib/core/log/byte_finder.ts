/**
 * Finds bytes in a block, at 5 to 20 GB/s. WebAssembly with SIMD compares 64 bytes at a time;
 * without SIMD, JavaScript compares one. A block is read into the finder's own memory, because
 * WebAssembly can access no other memory.
 */
import { BYTE_FINDER_CODE } from "./byte_finder_code.ts";
import { type BytePattern, MAX_PATTERN_BYTES } from "./byte_pattern.ts";

/** A block of bytes that can be searched. One reader uses it at a time. */
export interface ByteFinder {
  /** The block to search. The reader fills it before a search. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Returns the offset of the first match from `start` that ends by `end`, or −1 if none. */
  find(pattern: BytePattern, start: number, end: number): number;
  /** Returns the offsets of `byte` from `start` to `end`. They are valid until the next call. */
  places(byte: number, start: number, end: number): Int32Array;
  /** True if the last `places` call found a NUL in its range, or perhaps in the next 63 bytes. */
  readonly saw_nul: boolean;
}

interface FinderCode {
  memory: WebAssembly.Memory;
  find(
    start: number,
    end: number,
    pattern: number,
    length: number,
    at1: number,
    at2: number,
  ): number;
  places(start: number, end: number, byte: number, out: number): number;
  /** A global that is 0 if the last call of `places` read a NUL byte. */
  full: WebAssembly.Global;
}

const PAGE_BYTES = 64 * 1024;
/** Number of bytes after the end of a block that are read and ignored. */
const SLACK_BYTES = 64 + MAX_PATTERN_BYTES;
const SLOT_BYTES = 2 * MAX_PATTERN_BYTES;
/** Maximum number of patterns in a finder's memory. A further pattern replaces all of them. */
const SLOTS = 32;

/** Unused finders by capacity, for the next reader. The memory of a finder is never freed. */
const idle = new Map<number, ByteFinder[]>();

/** Returns a finder whose bytes are arbitrary. */
export function takeByteFinder(capacity: number): ByteFinder {
  return idle.get(capacity)?.pop() ?? makeByteFinder(capacity);
}

export function giveBackByteFinder(finder: ByteFinder): void {
  const { length } = finder.bytes;
  const kept = idle.get(length);
  if (kept === undefined) idle.set(length, [finder]);
  else kept.push(finder);
}

export function makeByteFinder(capacity: number): ByteFinder {
  return makeSimdFinder(capacity) ?? makePlainFinder(capacity);
}

/** The compiled module. `null` if the runtime lacks WebAssembly SIMD, undefined before a try. */
let compiled: WebAssembly.Module | null | undefined;

function compile(): WebAssembly.Module | null {
  const code = Uint8Array.from(atob(BYTE_FINDER_CODE), (character) => character.charCodeAt(0));
  const runs = typeof WebAssembly === "object" && WebAssembly.validate(code);
  return runs ? new WebAssembly.Module(code) : null;
}

function instantiate(bytes: number): FinderCode | undefined {
  compiled ??= compile();
  if (compiled === null) return undefined;
  try {
    const code = new WebAssembly.Instance(compiled).exports as unknown as FinderCode;
    const pages = Math.ceil(bytes / PAGE_BYTES);
    code.memory.grow(pages - code.memory.buffer.byteLength / PAGE_BYTES);
    return code;
  } catch (error) {
    // Each memory reserves gigabytes of addresses, which `ulimit -v` may not leave.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns undefined if the runtime lacks WebAssembly SIMD or the memory for it. */
export function makeSimdFinder(capacity: number): ByteFinder | undefined {
  // The block comes first, so an index in it is an address. Unwritten pages take no memory, and
  // most of the room for offsets is never used.
  const patterns = Math.ceil((capacity + SLACK_BYTES) / 4) * 4;
  const out = patterns + SLOTS * SLOT_BYTES;
  const code = instantiate(out + 4 * capacity);
  if (code === undefined) return undefined;
  const buffer = code.memory.buffer as ArrayBuffer;
  const all = new Uint8Array(buffer);
  const slots = new Map<BytePattern, number>();
  const addressOf = (pattern: BytePattern): number => {
    const known = slots.get(pattern);
    if (known !== undefined) return known;
    if (slots.size === SLOTS) slots.clear();
    const address = patterns + slots.size * SLOT_BYTES;
    all.set(pattern.values, address);
    all.set(pattern.masks, address + pattern.values.length);
    slots.set(pattern, address);
    return address;
  };
  return {
    bytes: new Uint8Array(buffer, 0, capacity),
    find(pattern, start, end): number {
      const { values: { length }, rarest } = pattern;
      return code.find(start, end, addressOf(pattern), length, rarest[0], rarest[1]);
    },
    places: (byte, start, end) => new Int32Array(buffer, out, code.places(start, end, byte, out)),
    get saw_nul(): boolean {
      return code.full.value === 0;
    },
  };
}

export function makePlainFinder(capacity: number): ByteFinder {
  const bytes = new Uint8Array(capacity);
  const found = new Int32Array(capacity);
  let saw_nul = false;
  return {
    bytes,
    get saw_nul(): boolean {
      return saw_nul;
    },
    find: (pattern, start, end) => findPattern(bytes, pattern, start, end),
    places(byte, start, end): Int32Array {
      let count = 0;
      saw_nul = bytes.subarray(start, end).includes(0);
      for (let at = start; at < end; at++) if (bytes[at] === byte) found[count++] = at;
      return found.subarray(0, count);
    },
  };
}

/** Searches any bytes in JavaScript. Behaves like {@linkcode ByteFinder.find}. */
export function findPattern(
  bytes: Uint8Array,
  pattern: BytePattern,
  start: number,
  end: number,
): number {
  const { values, masks, rarest: [rare] } = pattern;
  const value = values[rare] as number;
  const mask = masks[rare] as number;
  const stop = end - values.length + 1;
  for (let at = start; at < stop; at++) {
    if (((bytes[at + rare] as number) | mask) === value && fits(bytes, pattern, at)) return at;
  }
  return -1;
}

function fits(bytes: Uint8Array, { values, masks }: BytePattern, at: number): boolean {
  for (let index = 0; index < values.length; index++) {
    const byte = (bytes[at + index] as number) | (masks[index] as number);
    if (byte !== values[index]) return false;
  }
  return true;
}
