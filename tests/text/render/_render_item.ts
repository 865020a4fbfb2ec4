/** Draws an item of a transcript, as `show` does. */
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { blockOfItem } from "../../../lib/text/render/block/block_maker.ts";
import { createStyle } from "../../../lib/text/render/style.ts";
import { printBlocks } from "../../../lib/text/render/terminal.ts";
import type { BlockView } from "../../../lib/text/render/terminal/view.ts";

/** The reader's terminal. */
export type RenderOptions = Omit<BlockView, "style"> & { color: boolean };

/** The text of an item. */
export function renderItem(item: TranscriptItem, { color, ...view }: RenderOptions): string {
  const block = blockOfItem(item);
  return block === undefined ? "" : printBlocks([block], { ...view, style: createStyle(color) });
}
