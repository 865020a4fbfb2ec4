/** Loads what a session is rendered with, when it is read and not before. */
import type { TranscriptItem } from "../../lib/projection/transcript/transcript_item.ts";
import type { Block } from "../../lib/render/block/block.ts";
import { type Context, wantsColor } from "../_context.ts";
import { timeFormat } from "../_time.ts";
import { WIDEST } from "../_transcript.ts";
import type { Matching } from "./find_hit.ts";
import type { RenderRows } from "./session_rows.ts";
import type { Folding } from "./session_state.ts";

type Screen = typeof import("../../lib/render/reader_screen.ts");

/** The functions of the renderer that a reader needs. */
export interface ReaderDrawing extends Matching {
  color: boolean;
  renderReader: Screen["renderReader"];
  readerRows: Screen["readerRows"];
  /** Renders items for a width. */
  rowsFor(width: number, folding: Folding): RenderRows;
  /** Loads the colours of code, which the first screen does not wait for; false if there are none. */
  loadColors(): Promise<boolean>;
}

/** Blocks of which one line is shown where calls and thinking are folded. */
const FOLDED: ReadonlySet<Block["type"]> = new Set([
  "call",
  "command",
  "diff",
  "thinking",
  "reminder",
]);

/** Loads the renderer. `cwd` is what paths are relative to. */
export async function readerDrawing(
  context: Context,
  cwd: string | undefined,
): Promise<ReaderDrawing> {
  const [screen, { blockOfItem }, { blockText }, { printBlock }, { hasMatch }, { createStyle }] =
    await Promise.all([
      import("../../lib/render/reader_screen.ts"),
      import("../../lib/render/block/block_maker.ts"),
      import("../../lib/render/block/block_text.ts"),
      import("../../lib/render/terminal.ts"),
      import("../../lib/render/mark_matches.ts"),
      import("../../lib/render/style.ts"),
    ]);
  const color = wantsColor(context, context.stdout);
  const style = createStyle(color);
  const format_time = timeFormat(context);
  const options = cwd === undefined ? {} : { cwd };
  let createHighlight: typeof import("../../lib/render/highlight.ts").createHighlight | undefined;
  const blockOf = (item: TranscriptItem): Block | undefined => blockOfItem(item, options);
  return {
    ...{ color, hasMatch, renderReader: screen.renderReader, readerRows: screen.readerRows },
    itemText: (item) => {
      const block = blockOf(item);
      return block === undefined ? "" : blockText(block);
    },
    rowsFor: (columns, folding) => {
      const view = {
        width: Math.min(columns, WIDEST),
        style,
        format_time,
        more_hint: "o shows them",
      };
      return (item, open) => {
        const block = blockOf(item);
        if (block === undefined) return [];
        const full = open || folding === "full";
        const folded = folding === "closed" && !open ? { folded: FOLDED } : {};
        // What one item may take of it must not depend on the others.
        const highlight = createHighlight === undefined ? {} : { highlight: createHighlight() };
        const rows = printBlock(block, { ...view, full, ...folded, ...highlight });
        return rows.length === 0 ? [] : [...rows, ""];
      };
    },
    loadColors: async () => {
      if (!color) return false;
      ({ createHighlight } = await import("../../lib/render/highlight.ts"));
      return true;
    },
  };
}
