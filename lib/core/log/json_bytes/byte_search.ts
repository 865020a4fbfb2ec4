/**
 * Searches a line for ASCII text by Horspool's algorithm, which skips most bytes. `Buffer.indexOf`
 * is JavaScript in Deno, and takes four times as long.
 */

/** A function that returns the first offset of a text between `from` and `to`, or -1. */
export type ByteSearch = (bytes: Uint8Array, from?: number, to?: number) => number;

/** Prepares the search for an ASCII text of at most 255 characters. */
export function byteSearch(text: string): ByteSearch {
  const pattern = new TextEncoder().encode(text);
  const last = pattern.length - 1;
  const end = pattern[last];
  // How far to go on from a byte that does not end the text.
  const shifts = new Uint8Array(256).fill(pattern.length);
  for (let at = 0; at < last; at++) shifts[pattern[at] as number] = last - at;
  const ends = (bytes: Uint8Array, at: number): boolean => {
    for (let index = last - 1; index >= 0; index--) {
      if (bytes[at - last + index] !== pattern[index]) return false;
    }
    return true;
  };
  return (bytes, from = 0, to = bytes.length) => {
    for (let at = from + last; at < to;) {
      const byte = bytes[at] as number;
      if (byte === end && ends(bytes, at)) return at - last;
      at += shifts[byte] as number;
    }
    return -1;
  };
}
