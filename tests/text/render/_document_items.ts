/** Gives documents the items of a transcript. */
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import type { ToolDetail } from "../../../lib/text/render/block/block.ts";
import { BlockMaker } from "../../../lib/text/render/block/block_maker.ts";
import type { SessionDocument } from "../../../lib/text/render/session_document.ts";

/** Makes what gives a document one item after another, as blocks. */
export function itemsInto(
  document: Pick<SessionDocument, "block">,
  tools: ToolDetail = "full",
): (item: TranscriptItem) => string {
  const maker = new BlockMaker({ tools });
  return (item) => {
    const block = maker.blockOf(item);
    return block === undefined ? "" : document.block(block);
  };
}
