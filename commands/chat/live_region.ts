/**
 * Rows at the end of the terminal that are drawn anew as they change, and go without a trace.
 */
import type { Output } from "../_context.ts";

// A terminal that knows these shows what is between them at once.
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/** The rows. None is wider than the terminal: a broken one could not be taken back. */
export class LiveRegion {
  readonly #output: Output;
  #rows: readonly string[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  /** Shows rows in place of those before. */
  draw(rows: readonly string[]): void {
    this.#output.write(`${BEGIN}${this.#erase()}${rows.join("\r\n")}${END}`);
    this.#rows = rows;
  }

  /** Takes the rows away. */
  clear(): void {
    if (this.#rows.length === 0) return;
    this.#output.write(this.#erase());
    this.#rows = [];
  }

  #erase(): string {
    if (this.#rows.length === 0) return "";
    const up = this.#rows.length - 1;
    return `\r${up > 0 ? `\x1b[${up}A` : ""}\x1b[J`;
  }
}
