/** Plain text that someone wrote: broken between words, its lines and its indentation kept. */
import { type FoldLimits, foldText } from "../fold.ts";
import { sanitizeText } from "../sanitize.ts";
import type { Format } from "../style.ts";
import { expandTabs, wrapWords } from "../wrap.ts";
import { printHidden } from "./code.ts";
import type { BlockView } from "./view.ts";

const TAB = 4;

/** How prose is drawn. */
export interface ProseOptions {
  format?: Format | readonly Format[];
  /** Where it is folded, unless all is shown. */
  fold?: FoldLimits;
}

/** Rows of a text. */
export function printProse(text: string, view: BlockView, options: ProseOptions = {}): string[] {
  const { format, fold } = options;
  const trimmed = text.trimEnd();
  if (trimmed === "") return [];
  if (view.full || fold === undefined) return proseRows(trimmed, view, format);
  const folded = foldText(trimmed, fold);
  const rows = proseRows(folded.head, view, format);
  if (folded.hidden_lines === 0) return rows;
  rows.push(printHidden(folded.hidden_lines, folded.hidden_bytes, view));
  return fold.tail === 0 ? rows : [...rows, ...proseRows(folded.tail, view, format)];
}

function proseRows(
  text: string,
  { width, style }: BlockView,
  format: ProseOptions["format"],
): string[] {
  const rows: string[] = [];
  for (const line of sanitizeText(text).split("\n")) {
    for (const row of wrapWords(expandTabs(line, TAB), width)) {
      rows.push(style.paint(format ?? [], row));
    }
  }
  return rows;
}
