/**
 * Finds the end of a JSON value in bytes. Where a torn event stops being JSON, the next event may
 * begin. Very long lines are scanned before they are parsed.
 */

export interface JsonScan {
  /** First byte that cannot belong to the value, or the end of the bytes. */
  end: number;
  complete: boolean;
  /** True if the byte at `end` would exceed the nesting limit. */
  too_deep?: true;
}

type Expect = "value" | "first-key" | "key" | "colon" | "first-item" | "after";

const OBJECT = 1;
const ARRAY = 2;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERALS = ["true", "false", "null"];

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) ||
    (byte >= 0x61 && byte <= 0x66);
}

function isWordByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) || byte === 0x2b || byte === 0x2d || byte === 0x2e;
}

/** Returns the index after the closing quote. For a fault at index `i`, returns `-i - 1`. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length) {
    const byte = bytes[index] as number;
    if (byte === 0x22) return index + 1;
    if (byte < 0x20) return -index - 1;
    if (byte !== 0x5c) {
      index++;
      continue;
    }
    const escape = bytes[index + 1] ?? 0;
    if (escape === 0x75) {
      for (let digit = 2; digit < 6; digit++) {
        if (!isHex(bytes[index + digit] ?? 0)) return -(index + digit) - 1;
      }
      index += 6;
    } else if ('"\\/bfnrt'.includes(String.fromCharCode(escape)) && escape !== 0) {
      index += 2;
    } else {
      return -(index + 1) - 1;
    }
  }
  return -bytes.length - 1;
}

/** Returns the index after a number or literal. For a fault at index `i`, returns `-i - 1`. */
function wordEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while (end < bytes.length && isWordByte(bytes[end] as number)) end++;
  const word = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 400)));
  return LITERALS.includes(word) || NUMBER.test(word) ? end : -end - 1;
}

export function scanJson(bytes: Uint8Array, start: number, levels: number): JsonScan {
  const stack: number[] = [];
  let expect: Expect = "value";
  let index = start;
  while (index < bytes.length) {
    const byte = bytes[index] as number;
    if (isSpace(byte)) {
      index++;
      continue;
    }
    const inside = stack[stack.length - 1];
    if (expect === "after") {
      if (byte === 0x2c) expect = inside === OBJECT ? "key" : "value";
      else if (byte === (inside === OBJECT ? 0x7d : 0x5d)) stack.pop();
      else return { end: index, complete: false };
      index++;
    } else if (expect === "colon") {
      if (byte !== 0x3a) return { end: index, complete: false };
      expect = "value";
      index++;
    } else if (
      (expect === "first-key" && byte === 0x7d) || (expect === "first-item" && byte === 0x5d)
    ) {
      stack.pop();
      expect = "after";
      index++;
    } else if (expect === "key" || expect === "first-key") {
      if (byte !== 0x22) return { end: index, complete: false };
      const end = stringEnd(bytes, index);
      if (end < 0) return { end: -end - 1, complete: false };
      index = end;
      expect = "colon";
    } else if (byte === 0x7b || byte === 0x5b) {
      if (stack.length === levels) return { end: index, complete: false, too_deep: true };
      stack.push(byte === 0x7b ? OBJECT : ARRAY);
      expect = byte === 0x7b ? "first-key" : "first-item";
      index++;
    } else {
      const end: number = byte === 0x22 ? stringEnd(bytes, index) : wordEnd(bytes, index);
      if (end < 0) return { end: -end - 1, complete: false };
      index = end;
      expect = "after";
    }
    if (stack.length === 0 && expect === "after") return { end: index, complete: true };
  }
  return { end: bytes.length, complete: false };
}
