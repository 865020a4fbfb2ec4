/**
 * Searches for a few known bytes in a line (Horspool): a long pattern is found at several GB/s.
 */

/** Finds a pattern as a whole between two places; -1 where there is none. */
export type ByteSearch = (bytes: Uint8Array, from: number, to: number) => number;

/** Makes the search for an ASCII text. */
export function byteSearch(text: string): ByteSearch {
  const pattern = new TextEncoder().encode(text);
  const last = pattern.length - 1;
  const final = pattern[last] as number;
  const shifts = new Uint8Array(256).fill(pattern.length);
  for (let at = 0; at < last; at++) shifts[pattern[at] as number] = last - at;
  return (bytes, from, to) => {
    for (let end = from + last; end < to;) {
      const byte = bytes[end] as number;
      if (byte === final) {
        let back = 1;
        while (back <= last && bytes[end - back] === pattern[last - back]) back++;
        if (back > last) return end - last;
      }
      end += shifts[byte] as number;
    }
    return -1;
  };
}

/** True where bytes stand at a place. */
export function standsAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  if (at < 0) return false;
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text[index]) return false;
  }
  return true;
}

const STRIDE = 5;

/**
 * True where bytes of the same form stand at a place: a sample of them is compared. For fields that
 * differ from line to line by their values alone, if at all.
 */
export function standsLike(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  const last = text.length - 1;
  if (at < 0 || bytes[at + last] !== text[last]) return false;
  for (let index = 0; index < last; index += STRIDE) {
    if (bytes[at + index] !== text[index]) return false;
  }
  return true;
}
