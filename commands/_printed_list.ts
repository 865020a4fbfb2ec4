/**
 * Prints a JSON list in pieces, because the whole list may exceed the maximum length of a string.
 */
import type { Context } from "./_context.ts";

interface ListLayout {
  first?: string;
  between?: string;
  last?: string;
}

/** Number of bytes that are written at once. Larger pieces are not faster. */
const PIECE_BYTES = 256 * 1024;
/** Maximum number of UTF-8 bytes for one UTF-16 unit. */
const MOST_BYTES_A_UNIT = 3;
const encoder = new TextEncoder();

/** Printer of a JSON list. Encodes each value separately, because joining would copy the values. */
export class PrintedList {
  readonly #context: Context;
  readonly #toJsonText: (value: unknown) => string;
  readonly #layout: Required<ListLayout>;
  readonly #piece = new Uint8Array(PIECE_BYTES);
  #filled = 0;
  /** Texts that `begin` will print. Undefined after `begin` was called. */
  #held: string[] | undefined = [];
  #count = 0;
  held_characters = 0;

  constructor(context: Context, toJsonText: (value: unknown) => string, layout: ListLayout = {}) {
    this.#context = context;
    this.#toJsonText = toJsonText;
    this.#layout = { first: "\n", between: ",\n", last: "\n", ...layout };
  }

  /** Prints the text before the list, then all waiting values. Later calls do nothing. */
  begin(start: string): void {
    if (this.#held === undefined) return;
    const texts = [start, ...this.#held];
    this.#held = undefined;
    this.held_characters = 0;
    for (const text of texts) this.#write(text);
  }

  add(value: unknown): void {
    this.#write(this.#count++ === 0 ? this.#layout.first : this.#layout.between);
    this.#write(this.#toJsonText(value));
  }

  end(end: string): void {
    this.#write(`${this.#count === 0 ? "" : this.#layout.last}${end}\n`);
    this.#flush();
  }

  #write(text: string): void {
    if (this.#held !== undefined) {
      this.#held.push(text);
      this.held_characters += text.length;
      return;
    }
    const most = text.length * MOST_BYTES_A_UNIT;
    if (most > PIECE_BYTES - this.#filled) this.#flush();
    if (most > PIECE_BYTES) return this.#context.stdout.writeBytes(encoder.encode(text));
    this.#filled += encoder.encodeInto(text, this.#piece.subarray(this.#filled)).written;
  }

  #flush(): void {
    if (this.#filled > 0) this.#context.stdout.writeBytes(this.#piece.subarray(0, this.#filled));
    this.#filled = 0;
  }
}
