/**
 * Rows at the end of the terminal that are drawn anew as they change, and go without a trace.
 */
import type { Output } from "../_context.ts";

// A terminal that knows these shows what is between them at once.
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/** The rows. None is wider than the terminal is when it is drawn. */
export class LiveRegion {
  readonly #output: Output;
  readonly #columns: (row: string) => number;
  #rows: readonly string[] = [];

  /** @param columns How many columns a row takes. */
  constructor(output: Output, columns: (row: string) => number) {
    this.#output = output;
    this.#columns = columns;
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
    // A terminal that has become narrower since has broken the rows.
    const { width } = this.#output;
    const height = (row: string): number => Math.max(1, Math.ceil(this.#columns(row) / width));
    const up = this.#rows.reduce((sum, row) => sum + height(row), -1);
    return `\r${up > 0 ? `\x1b[${up}A` : ""}\x1b[J`;
  }
}
