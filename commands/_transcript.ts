/**
 * Printing transcript items for people.
 */
import { present } from "../lib/event/present.ts";
import type { Block } from "../lib/render/block/block.ts";
import { type Context, type Output, wantsColor } from "./_context.ts";
import { timeFormat } from "./_time.ts";

/** How blocks are printed. */
export interface PrintOptions {
  full?: boolean;
  /** Colour code: to load the grammars takes longer than a short session. @default {false} */
  colored_code?: boolean;
}

/** Gives a function that prints a block for `output`. */
export async function blockPrinter(
  context: Context,
  output: Output,
  { full = false, colored_code = false }: PrintOptions = {},
): Promise<(block: Block) => string> {
  const { printBlocks, WIDEST } = await import("../lib/render/terminal.ts");
  const { createStyle } = await import("../lib/render/style.ts");
  const style = createStyle(wantsColor(context, output));
  const width = Math.min(output.width, WIDEST);
  const highlight = style.color && colored_code
    ? (await import("../lib/render/highlight.ts")).createHighlight()
    : undefined;
  const view = present({ width, style, full, format_time: timeFormat(context), highlight });
  return (block) => printBlocks([block], view);
}

/** Keeps the last `count` of what it is given; all without a count. */
export class LastItems<Item> {
  readonly #count: number;
  #items: Item[] = [];

  constructor(count = Infinity) {
    this.#count = count;
  }

  push(item: Item): void {
    this.#items.push(item);
    // Cut now and then only, so that a push costs the same however many are kept.
    if (this.#items.length >= 2 * this.#count) this.#items = this.#items.slice(-this.#count);
  }

  get items(): Item[] {
    return this.#count === Infinity ? this.#items : this.#items.slice(-this.#count);
  }
}
