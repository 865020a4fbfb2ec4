/**
 * Printing transcript items for people.
 */
import { present } from "../lib/event/present.ts";
import type { TranscriptItem } from "../lib/projection/transcript/transcript_item.ts";
import type { Block } from "../lib/render/block/block.ts";
import { type Context, type Output, wantsColor } from "./_context.ts";
import { timeFormat } from "./_time.ts";

/** The widest that prose is set, on however wide a terminal. */
export const WIDEST = 120;

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
  const { printBlocks } = await import("../lib/render/terminal.ts");
  const { createStyle } = await import("../lib/render/style.ts");
  const style = createStyle(wantsColor(context, output));
  const width = Math.min(output.width, WIDEST);
  const highlight = style.color && colored_code
    ? (await import("../lib/render/highlight.ts")).createHighlight()
    : undefined;
  const view = present({ width, style, full, format_time: timeFormat(context), highlight });
  return (block) => printBlocks([block], view);
}

/** Gives a function that prints an item for `output`. */
export async function itemRenderer(
  context: Context,
  output: Output,
): Promise<(item: TranscriptItem) => string> {
  const { BlockMaker } = await import("../lib/render/block/block_maker.ts");
  const print = await blockPrinter(context, output);
  const maker = new BlockMaker();
  return (item) => {
    const block = maker.blockOf(item);
    return block === undefined ? "" : print(block);
  };
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
