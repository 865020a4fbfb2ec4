/** Encodes lists of numbers under keys in few bytes. Pure. */

/** Maximum bytes of a 32-bit number if each byte has 7 of its bits. */
const NUMBER_BYTES = 5;

export class NumberWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(bytes: number) {
    this.#bytes = new Uint8Array(bytes);
  }

  write(value: number): void {
    this.#reserve(1);
    this.#write(value);
  }

  /** Writes a list: its key minus the last key, the count of groups, and their differences. */
  writeList(distance: number, groups: Uint32Array): void {
    this.#reserve(2 + groups.length);
    this.#write(distance);
    this.#write(groups.length);
    let last = 0;
    for (let at = 0; at < groups.length; at++) {
      const group = groups[at] as number;
      this.#write(group - last);
      last = group;
    }
  }

  #write(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = rest & 0x7f | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  #reserve(numbers: number): void {
    const least = this.#length + NUMBER_BYTES * numbers;
    if (least <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * least);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

export function forEachPair(
  block: Uint8Array,
  onPair: (gram: number, group: number) => void,
): void {
  let at = 0;
  const read = (): number => {
    let [value, shift] = [0, 0];
    for (;; shift += 7) {
      const byte = block[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  let gram = 0;
  while (at < block.length) {
    gram += read();
    let group = 0;
    for (let left = read(); left > 0; left--) {
      group += read();
      onPair(gram, group);
    }
  }
}

/** Returns a block without the numbers that `isKept` rejects. Undefined if it rejects none. */
export function withoutNumbers(
  block: Uint8Array,
  isKept: (number: number) => boolean,
): Uint8Array | undefined {
  const lists = new Map<number, number[]>();
  let is_changed = false;
  forEachPair(block, (key, number) => {
    if (!isKept(number)) is_changed = true;
    else if (!lists.get(key)?.push(number)) lists.set(key, [number]);
  });
  if (!is_changed) return undefined;
  const writer = new NumberWriter(block.length);
  let before = 0;
  for (const [key, numbers] of lists) {
    writer.writeList(key - before, Uint32Array.from(numbers));
    before = key;
  }
  return writer.take();
}
