/**
 * Printing transcript items for people.
 */
import type { TranscriptItem } from "../lib/projection/transcript/transcript_item.ts";
import { type Context, type Output, wantsColor } from "./_context.ts";
import { timeFormat } from "./_time.ts";

/** The widest that prose is set, on however wide a terminal. */
export const WIDEST = 120;

/** Gives a function that renders an item for `output`. */
export async function itemRenderer(
  context: Context,
  output: Output,
  options: { full?: boolean } = {},
): Promise<(item: TranscriptItem) => string> {
  const { BlockMaker } = await import("../lib/render/block/block_maker.ts");
  const { printBlocks } = await import("../lib/render/terminal.ts");
  const { createStyle } = await import("../lib/render/style.ts");
  const format_time = timeFormat(context);
  const color = wantsColor(context, output);
  const width = Math.min(output.width, WIDEST);
  const view = { width, style: createStyle(color), full: options.full ?? false, format_time };
  const maker = new BlockMaker();
  return (item) => {
    const block = maker.blockOf(item);
    return block === undefined ? "" : printBlocks([block], view);
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
