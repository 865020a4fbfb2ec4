/**
 * Shared facts for all parts of the page.
 *
 * @module
 */
import type { ToolDetail } from "../block/block.ts";
import type { TimeFormat } from "../time_label.ts";
import { createChangedWords, type FindChangedWords } from "./changed_words.ts";
import { createHighlight, type Highlight } from "./highlight.ts";

/** How blocks are written. */
export interface HtmlView {
  tools: ToolDetail;
  format_time: TimeFormat | undefined;
  highlight: Highlight;
  changed_words: FindChangedWords;
}

/** Makes what the parts of one document share. */
export function createView(
  { tools, format_time }: { tools: ToolDetail; format_time?: TimeFormat },
): HtmlView {
  return {
    tools,
    format_time,
    highlight: createHighlight(),
    changed_words: createChangedWords(),
  };
}
