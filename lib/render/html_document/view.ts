/**
 * Shared facts for all parts of the page.
 *
 * @module
 */
import type { ToolDetail } from "../session_document.ts";
import type { TimeFormat } from "../time_label.ts";
import type { FindChangedWords } from "./changed_words.ts";
import type { Highlight } from "./highlight.ts";

/** How items are written. */
export interface HtmlView {
  tools: ToolDetail;
  format_time: TimeFormat | undefined;
  highlight: Highlight;
  changed_words: FindChangedWords;
}
