/** Remembers what was made of a text: a session repeats its names, and much of what stands by them. */

/** So many texts are remembered; then all are forgotten. */
const MOST = 4096;

/** Values by their texts, each made once as long as it is remembered. */
export class BoundedMemo<Value> {
  readonly #values = new Map<string, Value>();
  readonly #make: (text: string) => Value;

  constructor(make: (text: string) => Value) {
    this.#make = make;
  }

  /** Returns the value of a text. */
  of(text: string): Value {
    const known = this.#values.get(text);
    if (known !== undefined || this.#values.has(text)) return known as Value;
    const made = this.#make(text);
    if (this.#values.size >= MOST) this.#values.clear();
    this.#values.set(text, made);
    return made;
  }
}
