/** The reader's settings for all parts of a block. */
import type { CodeRun } from "../highlight.ts";
import type { Block } from "../block/block.ts";
import type { Style } from "../style.ts";
import type { TimeFormat } from "../time_label.ts";

/** How blocks are drawn. */
export interface BlockView {
  /** Columns; may be `Infinity`. */
  width: number;
  style: Style;
  /** Nothing is left out. @default {false} */
  full?: boolean;
  /** Writes a time in the reader's language and zone. @default {(iso) => iso} */
  format_time?: TimeFormat;
  /** Kinds of blocks of which one line is shown. @default {none} */
  folded?: ReadonlySet<Block["type"]>;
  /** How to see the lines that are left out. @default {"show --full has them"} */
  more_hint?: string;
  /** Finds the colours of code. @default {none} */
  highlight?: (code: string, language: string | undefined) => readonly CodeRun[] | undefined;
}

/** The same view, with room taken away on the left. */
export function narrowView(view: BlockView, columns: number): BlockView {
  return { ...view, width: Math.max(1, view.width - columns) };
}
