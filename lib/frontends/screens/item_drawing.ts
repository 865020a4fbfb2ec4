/** Draws transcript items for screens. */
import type { DiffItem, TranscriptItem } from "../../core/projection/transcript/item.ts";
import type { Block } from "../../text/render/block/block.ts";
import { BlockMaker, blockOfItem } from "../../text/render/block/block_maker.ts";
import { blockCode, blockText } from "../../text/render/block/block_text.ts";
import { createStyle } from "../../text/render/style.ts";
import { printBlock, printBlocks, WIDEST } from "../../text/render/terminal.ts";
import type { RenderRows } from "./reader/window_rows.ts";
import type { Folding } from "./reader/session_state.ts";
import type { ScreenSettings } from "./screen.ts";

export interface Matching {
  /** Returns the text of an item, word for word, for searches and for copying. */
  itemText(item: TranscriptItem): string;
}

export interface ReaderDrawing extends Matching {
  rowsFor(width: number, folding: Folding): RenderRows;
  itemCode(item: TranscriptItem): string;
  /** Loads syntax colours, after the first screen is drawn. Returns false if colours are off. */
  loadColors(): Promise<boolean>;
}

/** The types of blocks that take one line when calls and thinking are folded. */
const FOLDED: ReadonlySet<Block["type"]> = new Set([
  "call",
  "command",
  "diff",
  "thinking",
  "reminder",
]);

/** Makes the functions that render items. `cwd` is the base of relative paths. */
export function readerDrawing(
  { color, format_time }: ScreenSettings,
  cwd: string | undefined,
): ReaderDrawing {
  const style = createStyle(color);
  let createHighlight: typeof import("../../text/render/highlight.ts").createHighlight | undefined;
  const blockOf = (item: TranscriptItem): Block | undefined => blockOfItem(item, { cwd });
  return {
    itemText: (item) => {
      const block = blockOf(item);
      return block === undefined ? "" : blockText(block);
    },
    itemCode: (item) => {
      const block = blockOf(item);
      return block === undefined ? "" : blockCode(block);
    },
    rowsFor: (columns, folding) => {
      const width = Math.min(columns, WIDEST);
      const view = { width, style, format_time, more_hint: "press Enter to show all" };
      return (item, open, change) => {
        const block = blockOf(change === undefined ? item : withoutChange(item, change));
        if (block === undefined) return [];
        const full = open || folding === "full";
        const folded = folding === "closed" && !open ? FOLDED : undefined;
        // What one item may take of it must not depend on the others.
        const highlight = createHighlight?.();
        const rows = printBlock(block, { ...view, full, folded, highlight });
        return rows.length === 0 ? [] : [...rows, ""];
      };
    },
    loadColors: async () => {
      if (!color) return false;
      ({ createHighlight } = await import("../../text/render/highlight.ts"));
      return true;
    },
  };
}

/** Returns a successful call without arguments and output, as a diff of its change follows. */
function withoutChange(item: TranscriptItem, { path }: DiffItem): TranscriptItem {
  if (item.type !== "tool" || item.status !== "ok") return item;
  const { output: _output, ...call } = item;
  return { ...call, input: path === undefined ? {} : { path } };
}

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
