/** Finds the numbers of word forms by hash. Looking up each word as text would be slow. */
import { forEachSpan } from "../wording/words.ts";

const FIRST_SIZE = 2 ** 14;

export class WordForms {
  #hashes = new Int32Array(2 * FIRST_SIZE);
  /** The number of each word form plus one; 0 for a free slot. */
  #numbers = new Int32Array(FIRST_SIZE);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  clear(): void {
    this.#numbers.fill(0);
    this.#count = 0;
  }

  /**
   * Calls `onWord` for each word of a text, with the number of the word's form.
   *
   * @param newForm Returns the number for a form that was not seen before.
   */
  forEach(
    text: string,
    newForm: (form: string) => number,
    onWord: (number: number) => void,
  ): void {
    forEachSpan(text, (start, end) => {
      let [one, other] = [0x811c9dc5 | 0, end - start];
      for (let at = start; at < end; at++) {
        const unit = text.charCodeAt(at);
        one = Math.imul(one ^ unit, 0x01000193);
        other = Math.imul(other + unit, 0x85ebca6b) ^ (other >>> 13);
      }
      const place = this.#placeOf(one, other);
      const known = this.#numbers[place] as number;
      if (known !== 0) return onWord(known - 1);
      const number = newForm(text.slice(start, end));
      this.#put(place, one, other, number + 1);
      onWord(number);
    });
  }

  #placeOf(one: number, other: number): number {
    const [hashes, numbers] = [this.#hashes, this.#numbers];
    const last = numbers.length - 1;
    let place = (one ^ (other >>> 7)) & last;
    while (numbers[place] !== 0 && (hashes[2 * place] !== one || hashes[2 * place + 1] !== other)) {
      place = (place + 1) & last;
    }
    return place;
  }

  #put(place: number, one: number, other: number, number: number): void {
    this.#hashes[2 * place] = one;
    this.#hashes[2 * place + 1] = other;
    this.#numbers[place] = number;
    if (2 * ++this.#count > this.#numbers.length) this.#grow();
  }

  #grow(): void {
    const [hashes, numbers] = [this.#hashes, this.#numbers];
    this.#hashes = new Int32Array(2 * hashes.length);
    this.#numbers = new Int32Array(2 * numbers.length);
    this.#count = 0;
    for (const [at, number] of numbers.entries()) {
      if (number === 0) continue;
      const [one, other] = [hashes[2 * at] as number, hashes[2 * at + 1] as number];
      this.#put(this.#placeOf(one, other), one, other, number);
    }
  }
}
