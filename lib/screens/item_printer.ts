/** Prints transcript items as `show` does. */
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import { BlockMaker } from "../render/block/block_maker.ts";
import { createStyle } from "../render/style.ts";
import { printBlocks, WIDEST } from "../render/terminal.ts";
import type { ScreenSettings } from "./screen.ts";

/** Returns a function that prints an item for a width. */
export function itemPrinter(
  { color, format_time }: Pick<ScreenSettings, "color" | "format_time">,
  width: number,
): (item: TranscriptItem) => string {
  const maker = new BlockMaker();
  const view = { width: Math.min(width, WIDEST), style: createStyle(color), format_time };
  return (item) => {
    const block = maker.blockOf(item);
    return block === undefined ? "" : printBlocks([block], view);
  };
}
