/**
 * Blocks on a terminal.
 *
 * @module
 */
import { attachmentText } from "./attachment.ts";
import { attachedLine } from "./block/attached_block.ts";
import type {
  AttachedBlock,
  Block,
  ProseBlock,
  ReminderBlock,
  ThinkingBlock,
} from "./block/block.ts";
import { firstLine } from "./first_line.ts";
import { integrityLabel } from "./integrity_mark.ts";
import { renderMarkdown } from "./markdown.ts";
import { sanitizeLine } from "./sanitize.ts";
import { printCall, printCommand } from "./terminal/call.ts";
import { printCode } from "./terminal/code.ts";
import { printDiff } from "./terminal/diff.ts";
import { printHead } from "./terminal/head.ts";
import { printMessage } from "./terminal/message.ts";
import { printNotice } from "./terminal/notice.ts";
import { printProse } from "./terminal/prose.ts";
import { setIn } from "./terminal/rows.ts";
import type { BlockView } from "./terminal/view.ts";
import { printWords } from "./terminal/words.ts";
import { cutText } from "./text_width.ts";
import { wrapWords } from "./wrap.ts";

export type { BlockView } from "./terminal/view.ts";

/** The widest that prose is set, on however wide a terminal. */
export const WIDEST = 120;

/**
 * Draws a block as a person reads it. Control characters of the session never reach the terminal.
 *
 * @param block The block.
 * @param view The reader's terminal.
 * @returns Rows, none wider than the view; none for what says nothing.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createStyle } from "./style.ts";
 * import { printBlock } from "./terminal.ts";
 *
 * const view = { width: 80, style: createStyle(false) };
 * const text = { type: "prose", seq: 2, text: "hi", markup: "plain" } as const;
 * const block = { type: "message", seq: 2, role: "user", content: [text] } as const;
 * assert.deepEqual(printBlock({ ...block, content: [text] }, view), ["▌ user #2", "▌ hi"]);
 * ```
 */
export function printBlock(block: Block, view: BlockView): string[] {
  const drawn = blockRows(block, { ...view, width: Math.max(1, Math.floor(view.width)) });
  if (block.doubt === undefined) return drawn;
  const label = cutText(integrityLabel(block.doubt) ?? "", view.width);
  return [view.style.paint(["bold", "red"], label), ...drawn];
}

/** Draws blocks one below the other: each that shows something ends with an empty line. */
export function printBlocks(blocks: Iterable<Block>, view: BlockView): string {
  let text = "";
  for (const block of blocks) {
    const rows = printBlock(block, view);
    if (rows.length > 0) text += rows.join("\n") + "\n\n";
  }
  return text;
}

function blockRows(block: Block, view: BlockView): string[] {
  switch (block.type) {
    case "head":
      return printHead(block, view);
    case "message":
      return printMessage(block, view, printBlock);
    case "prose":
      return proseRows(block, view);
    case "thinking":
    case "reminder":
      return asideRows(block, view);
    case "call":
      return printCall(block, view, printBlock);
    case "command":
      return printCommand(block, view, printBlock);
    case "code":
      return printCode(block, view);
    case "diff":
      return printDiff(block, view);
    case "attachment":
      return wrapWords(attachmentText(block.part), view.width)
        .map((row) => view.style.paint("cyan", row));
    case "attached":
      return attachedRows(block, view);
    case "notice":
      return printNotice(block, view, printBlock);
    case "turn":
      return [printWords(block.words.map(({ text }) => ({ text, ink: "quiet" })), view)];
  }
}

function proseRows({ text, markup, fold, is_quiet }: ProseBlock, view: BlockView): string[] {
  if (markup === "markdown") return renderMarkdown(text, view);
  return printProse(text, view, {
    ...(is_quiet ? { format: "dim" } : {}),
    ...(fold === undefined ? {} : { fold }),
  });
}

/** A line; what is attached stands below it where nothing is left out. */
function attachedRows(block: AttachedBlock, view: BlockView): string[] {
  const text = sanitizeLine(`attached ${attachedLine(block)}`);
  const line = view.style.paint("dim", cutText(text, view.width));
  if (!view.full) return [line];
  return [
    line,
    ...block.content.flatMap((one) => setIn(view, 2, (inner) => printBlock(one, inner))),
  ];
}

/** What is not said to anyone: its label, and below it the text, dim and set in. */
function asideRows(block: ThinkingBlock | ReminderBlock, view: BlockView): string[] {
  const { paint } = view.style;
  const name = block.type === "thinking" ? "thinking" : "system reminder";
  if (block.type === "reminder" && block.first_seq !== undefined) {
    const is_counted = block.first_seq !== 0 && block.id === undefined;
    const place = is_counted ? `at #${block.first_seq}` : "before";
    return [paint("dim", cutText(`${name}, the same as ${place}`, view.width))];
  }
  if (view.folded?.has(block.type)) {
    const line = firstLine(block.text, view.width);
    return [paint("dim", cutText(`${name} · ${line}`, view.width))];
  }
  const options = { format: ["dim", "italic"], fold: block.fold } as const;
  const rows = setIn(view, 2, (inner) => printProse(block.text.trimStart(), inner, options));
  return [paint("dim", name), ...rows];
}
