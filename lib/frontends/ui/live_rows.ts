/** Redraws rows at the end of the terminal as they change, and erases them. */
import { characterWidth, textWidth } from "../../text/render/text_width.ts";

export interface RowsOutput {
  write(text: string): void;
  readonly width: number;
}

// A terminal that knows these sequences shows the text between them at once.
const BEGIN = "\x1b[?2026h";
const END = "\x1b[?2026l";

/** Counts a text's columns in a terminal that wraps rows. A wide character is never split. */
export function brokenWidth(text: string, width: number): number {
  if (textWidth(text) < width) return textWidth(text);
  let columns = 0;
  for (const character of text) {
    const own = characterWidth(character);
    columns += own + Number(own === 2 && (columns + 1) % width === 0);
  }
  return columns;
}

/**
 * Rows at the end of the terminal that are redrawn in place. The last row may be wider than the
 * terminal and have a cursor.
 */
export class LiveRows {
  readonly #output: RowsOutput;
  #rows: readonly string[] = [];
  /** The part of the last row before the cursor. Undefined without a cursor. */
  #cursor: string | undefined;

  constructor(output: RowsOutput) {
    this.#output = output;
  }

  /**
   * Replaces the rows. `cursor` is the part of the last row before the cursor. Without it, the
   * cursor stays at the row's end.
   */
  draw(rows: readonly string[], cursor?: string): void {
    const [row = ""] = rows;
    const added = cursor === row ? this.#addedTo(rows, cursor) : undefined;
    const text = added ?? this.#erased() + rows.join("\r\n");
    this.#output.write(
      `${BEGIN}${text}${cursor === undefined ? "" : this.#toCursor(rows, cursor)}${END}`,
    );
    this.#rows = rows;
    this.#cursor = cursor;
  }

  clear(): void {
    if (this.#rows.length === 0) return;
    this.#output.write(this.#erased());
    this.forget();
  }

  /** Leaves the rows on the terminal, and moves to the row below them. */
  leave(): void {
    const [row = ""] = this.#rows.slice(-1);
    const down = this.#height(row) - this.#above(row);
    this.#output.write("\r\n".repeat(down + 1));
    this.forget();
  }

  /** Forgets the drawn rows, because other output was written since. */
  forget(): void {
    this.#rows = [];
    this.#cursor = undefined;
  }

  /**
   * Returns the text that a single row gained at its end. Undefined after any other change, for
   * which the rows are drawn again.
   */
  #addedTo(rows: readonly string[], cursor: string): string | undefined {
    const [before] = this.#rows;
    const typed = rows.length === 1 && before !== undefined && this.#cursor === before;
    return typed && cursor.startsWith(before) ? cursor.slice(before.length) : undefined;
  }

  #toCursor(rows: readonly string[], cursor: string): string {
    const { width } = this.#output;
    const [row = ""] = rows.slice(-1);
    const columns = brokenWidth(row, width);
    // The cursor moves from a full row to the next row only when the next row has text.
    const filled = columns % width === 0 ? " " : "";
    if (filled === "" && cursor === row) return "";
    const before = brokenWidth(cursor, width);
    const up = Math.floor(columns / width) - Math.floor(before / width);
    return `${filled}${up > 0 ? `\x1b[${up}A` : ""}\x1b[${before % width + 1}G`;
  }

  #erased(): string {
    if (this.#rows.length === 0) return "";
    // A terminal that has become narrower since has broken the rows.
    const up = this.#rows.reduce(
      (sum, row, at) =>
        sum + (at < this.#rows.length - 1 ? this.#height(row) + 1 : this.#above(row)),
      0,
    );
    return `\r${up > 0 ? `\x1b[${up}A` : ""}\x1b[J`;
  }

  /** Counts the screen lines of the last row above its cursor. A wide row takes several lines. */
  #above(row: string): number {
    const { width } = this.#output;
    if (this.#cursor === undefined) return this.#height(row);
    return Math.floor(brokenWidth(this.#cursor, width) / width);
  }

  /** Counts the screen lines that a row takes after its first line. */
  #height(row: string): number {
    const { width } = this.#output;
    const columns = this.#cursor === undefined ? textWidth(row) - 1 : brokenWidth(row, width);
    return Math.max(0, Math.floor(columns / width));
  }
}
