/**
 * Output that is kept only as far as a model can use it: its beginning and its end.
 */

/** Collects text, and forgets the middle of it. */
export class LimitedOutput {
  readonly #head_limit: number;
  readonly #tail_limit: number;
  #head = "";
  #tail = "";
  #forgotten = 0;

  /** A third of the limit is for the beginning. */
  constructor(limit: number) {
    this.#head_limit = Math.floor(limit / 3);
    this.#tail_limit = limit - this.#head_limit;
  }

  add(text: string): void {
    const room = this.#head_limit - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (text.length <= room) return;
    this.#tail += text.slice(Math.max(0, room));
    // Twice the limit before it is cut: else every small piece would copy the whole tail.
    if (this.#tail.length > 2 * this.#tail_limit) this.#cut();
  }

  get truncated(): boolean {
    return this.#forgotten > 0 || this.#tail.length > this.#tail_limit;
  }

  text(): string {
    if (this.#tail.length > this.#tail_limit) this.#cut();
    if (this.#forgotten === 0) return this.#head + this.#tail;
    const gap = `\n[... ${this.#forgotten} characters left out ...]\n`;
    // A character may have been cut in two.
    return `${this.#head}${gap}${this.#tail}`.toWellFormed();
  }

  #cut(): void {
    const surplus = this.#tail.length - this.#tail_limit;
    this.#tail = this.#tail.slice(surplus);
    this.#forgotten += surplus;
  }
}
