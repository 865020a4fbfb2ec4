/**
 * A byte sequence to search for. Each position allows one byte, or all bytes that become equal once
 * some bits are set. For example, `(byte | 0x20) === letter` allows a letter in both cases. Pure.
 */

/** A pattern of bytes. A byte matches a position if `(byte | mask) === value`. */
export interface BytePattern {
  readonly values: Uint8Array;
  /** The bits to ignore at each position. */
  readonly masks: Uint8Array;
  /** The two positions with the rarest bytes. Both are 0 in a pattern of one byte. */
  readonly rarest: readonly [number, number];
}

/** Maximum bytes of a pattern. A finder reserves memory for patterns of this size. */
export const MAX_PATTERN_BYTES = 256;

const encoder = new TextEncoder();

/**
 * Makes the pattern of a text as UTF-8.
 *
 * @throws {RangeError} The text is empty or too long.
 */
export function textPattern(text: string): BytePattern {
  return bytePattern([...encoder.encode(text)].map((byte) => [byte]));
}

/**
 * Makes a pattern from the bytes that are allowed at each position. The pattern finds every match.
 * It may also find other bytes, because a mask can be too coarse.
 *
 * @throws {RangeError} There are no positions, too many, or a position without a byte.
 */
export function bytePattern(places: readonly Iterable<number>[]): BytePattern {
  const { length } = places;
  if (length === 0 || length > MAX_PATTERN_BYTES) {
    const why = length === 0
      ? "the text is empty"
      : `the text is longer than ${MAX_PATTERN_BYTES} bytes`;
    throw new RangeError(`Cannot search for this text: ${why}`);
  }
  const values = new Uint8Array(length);
  const masks = new Uint8Array(length);
  const weights = places.map((place, index) => {
    const bytes = [...place];
    const [first] = bytes;
    if (first === undefined) {
      throw new RangeError(
        "Cannot search for this pattern: the pattern has an empty set of characters, so " +
          "nothing can match",
      );
    }
    masks[index] = bytes.reduce((mask, byte) => mask | (byte ^ first), 0);
    values[index] = bytes.reduce((value, byte) => value | byte, 0);
    return Math.max(...bytes.map(frequency));
  });
  const order = [...weights.keys()].sort((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0));
  const [first = 0, second = first] = order;
  return { values, masks, rarest: [first, second] };
}

/** The commonest bytes of logs, most frequent first. Logs are JSON of English and code. */
const FREQUENT = encoder.encode(' etaoinsr"l:,cd0um1pf2hg/\\yb-.w34_958{}67vkxE=TASCI(R)jNqzOLDP');

/** Returns a rank: the more frequent the byte is in logs, the higher. 0 if not in `FREQUENT`. */
function frequency(byte: number): number {
  const rank = FREQUENT.indexOf(byte);
  return rank < 0 ? 0 : FREQUENT.length - rank;
}

/**
 * The pattern of an escaped ASCII letter, such as `\u0061`. Such escapes are rare. In text that has
 * them, searching for a word's bytes can miss it.
 */
export const ESCAPED_LETTER: BytePattern = bytePattern(
  [[0x5c], [0x75], [0x30], [0x30], [0x34, 0x35, 0x36, 0x37]],
);
