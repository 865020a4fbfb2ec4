/** Messages: the user's behind a bar, the model's as Markdown. */
import type { Block, MessageBlock, Word } from "../block/block.ts";
import { blockName } from "../block/block_name.ts";
import { textWidth } from "../text_width.ts";
import { timeLabel } from "../time_label.ts";
import { markRows } from "./rows.ts";
import { type BlockView, narrowView } from "./view.ts";
import { printWords, SEPARATOR } from "./words.ts";

const BAR = "▌ ";

/** Draws a block of a message's content. */
export type PrintBlock = (block: Block, view: BlockView) => string[];

/** Rows of a message. */
export function printMessage(block: MessageBlock, view: BlockView, print: PrintBlock): string[] {
  const { paint } = view.style;
  if (block.role === "assistant") {
    // Nothing was said, and yet its bytes are in doubt.
    if (block.content.length === 0) return [];
    const name = paint(["bold", "green"], "assistant");
    return [printSpeaker(name, block, view), ...contentRows(block, view, print)];
  }
  const inner = narrowView(view, BAR.length);
  const name = paint(["bold", "cyan"], "user");
  const rows = [printSpeaker(name, block, inner), ...contentRows(block, inner, print)];
  return markRows(rows, paint("cyan", BAR.trimEnd()) + " ").map((row) => row.trimEnd());
}

/** The head of a message: speaker, event, model and time. */
function printSpeaker(name: string, block: MessageBlock, view: BlockView): string {
  const { time, model } = block;
  const head = name + view.style.paint("dim", blockName(block));
  const known: Word[] = [model ?? "", time === undefined ? "" : timeLabel(time, view.format_time)]
    .map((text) => ({ text, ink: "quiet" }));
  const rest = printWords(known, narrowView(view, textWidth(head) + SEPARATOR.length));
  return rest === "" ? head : head + view.style.paint("dim", SEPARATOR) + rest;
}

/** Parts apart by an empty row; a notice stands where the text breaks off. */
function contentRows({ content }: MessageBlock, view: BlockView, print: PrintBlock): string[] {
  const rows: string[] = [];
  for (const block of content) {
    const part = print(block, view);
    if (part.length > 0 && rows.length > 0 && block.type !== "notice") rows.push("");
    for (const row of part) rows.push(row);
  }
  return rows;
}
