/**
 * Plain text that someone wrote: broken between words, its lines and its indentation kept.
 *
 * @module
 */
import { type FoldLimits, foldText } from "../fold.ts";
import { sanitizeText } from "../sanitize.ts";
import type { Format } from "../style.ts";
import { expandTabs, wrapWords } from "../wrap.ts";
import { renderHidden } from "./output.ts";
import type { View } from "./view.ts";

const TAB = 4;

/** How prose is shown. */
export interface ProseOptions {
  format?: Format;
  /** Where it is folded, unless all is shown. */
  limits: FoldLimits;
}

/** Rows of a text. */
export function renderProse(text: string, view: View, options: ProseOptions): string[] {
  const trimmed = text.trimEnd();
  if (trimmed === "") return [];
  if (view.full) return proseRows(trimmed, view, options.format);
  const folded = foldText(trimmed, options.limits);
  const rows = proseRows(folded.head, view, options.format);
  if (folded.hidden_lines === 0) return rows;
  rows.push(renderHidden(folded.hidden_lines, folded.hidden_bytes, view));
  return [...rows, ...proseRows(folded.tail, view, options.format)];
}

function proseRows(text: string, view: View, format: Format | undefined): string[] {
  const rows: string[] = [];
  for (const line of sanitizeText(text).split("\n")) {
    for (const row of wrapWords(expandTabs(line, TAB), view.width)) {
      rows.push(view.style.paint(format ?? [], row));
    }
  }
  return rows;
}
