/**
 * Renders one item of a transcript, without what the page puts around it.
 *
 * @module
 */
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import { blockHtml } from "./block.ts";
import { NOTHING, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

/** HTML of an item; nothing where the document shows nothing of it. */
export function itemHtml(item: TranscriptItem, view: HtmlView): SafeHtml {
  const block = view.maker.blockOf(item);
  return block === undefined ? NOTHING : blockHtml(block, view);
}
