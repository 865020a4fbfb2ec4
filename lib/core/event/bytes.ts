/** Joins and compares bytes, and checks for UTF-8. */

/** Joins byte arrays. A single array is returned without copying. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function hasBytesAt(bytes: Uint8Array, part: Uint8Array, start: number): boolean {
  for (let index = 0; index < part.length; index++) {
    if (bytes[start + index] !== part[index]) return false;
  }
  return true;
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && hasBytesAt(one, other, 0);
}

const fatalDecoder = new TextDecoder("utf-8", { fatal: true });

/**
 * True for valid UTF-8. Tolerant decoding is faster. Call this function only to tell if a U+FFFD
 * came from invalid bytes.
 */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    fatalDecoder.decode(bytes);
    return true;
  } catch {
    // TypeError: the answer is no.
    return false;
  }
}
