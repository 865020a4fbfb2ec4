/** Draws blocks on a terminal. */
import type {
  AttachedBlock,
  Block,
  Fact,
  HeadBlock,
  Ink,
  MessageBlock,
  NoticeBlock,
  ProseBlock,
  ReminderBlock,
  ThinkingBlock,
  Word,
} from "./block/block.ts";
import { attachedLine, attachmentText, blockName } from "./block/block_text.ts";
import { FOLDS } from "./fold.ts";
import { integrityLabel } from "./integrity_mark.ts";
import { renderMarkdown } from "./markdown.ts";
import { sanitizeLine, sanitizeText } from "./sanitize.ts";
import { printCall, printCommand } from "./terminal/call.ts";
import { printDiff } from "./terminal/diff.ts";
import { printCode, printProse } from "./terminal/text.ts";
import {
  type BlockView,
  hangRows,
  INKS,
  markRows,
  narrowView,
  printWords,
  SEPARATOR,
  setIn,
  wordsWidth,
} from "./terminal/view.ts";
import { cutText, firstLine, textWidth } from "./text_width.ts";
import { timeLabel } from "./time_label.ts";
import { ruleText, wrapCells, wrapWords } from "./wrap.ts";

/** Maximum width of prose in columns, also on a wider terminal. */
export const WIDEST = 120;

/**
 * Draws a block in rows that are not wider than the view. Returns no rows for an empty block.
 * Control characters of the session never reach the terminal.
 */
export function printBlock(block: Block, view: BlockView): string[] {
  const drawn = blockRows(block, { ...view, width: Math.max(1, Math.floor(view.width)) });
  if (block.doubt === undefined) return drawn;
  const label = cutText(integrityLabel(block.doubt) ?? "", view.width);
  return [view.style.paint(["bold", "red"], label), ...drawn];
}

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
      return printMessage(block, view);
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
      return printNotice(block, view);
    case "turn":
      return [printWords(block.words.map(({ text }) => ({ text, ink: "quiet" })), view)];
  }
}

function proseRows({ text, markup, fold, is_quiet }: ProseBlock, view: BlockView): string[] {
  if (markup === "markdown") return renderMarkdown(text, view);
  return printProse(text, view, { format: is_quiet ? "dim" : undefined, fold });
}

function attachedRows(block: AttachedBlock, view: BlockView): string[] {
  const text = sanitizeLine(`attached ${attachedLine(block)}`);
  const line = view.style.paint("dim", cutText(text, view.width));
  if (!view.full) return [line];
  return [
    line,
    ...block.content.flatMap((one) => setIn(view, 2, (inner) => printBlock(one, inner))),
  ];
}

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

const LABEL_WIDTH = 11;

function printHead({ title, facts }: HeadBlock, view: BlockView): string[] {
  const { width, style } = view;
  const rows = title === ""
    ? []
    : wrapWords(sanitizeLine(title), width).map((row) => style.paint("bold", row));
  for (const fact of facts) for (const row of printFact(fact, view)) rows.push(row);
  return [...rows, style.paint("dim", ruleText(width))];
}

function printFact(
  { name, value, form }: Fact,
  { width, style, format_time }: BlockView,
): string[] {
  const text = form === "time" ? timeLabel(value, format_time) : value;
  const rows = wrapCells(sanitizeLine(text), Math.max(1, width - LABEL_WIDTH));
  return rows.map((row, index) => {
    const margin = (index === 0 ? name.toLowerCase() : "").padEnd(LABEL_WIDTH);
    return style.paint("dim", margin) + row;
  });
}

const BAR = "▌ ";

function printMessage(block: MessageBlock, view: BlockView): string[] {
  const { paint } = view.style;
  if (block.role === "assistant") {
    // Nothing was said, and yet its bytes are in doubt.
    if (block.content.length === 0) return [];
    const name = paint(["bold", "green"], "assistant");
    return [printSpeaker(name, block, view), ...messageRows(block, view)];
  }
  const inner = narrowView(view, BAR.length);
  const name = paint(["bold", "cyan"], "user");
  const rows = [printSpeaker(name, block, inner), ...messageRows(block, inner)];
  return markRows(rows, paint("cyan", BAR.trimEnd()) + " ").map((row) => row.trimEnd());
}

function printSpeaker(name: string, block: MessageBlock, view: BlockView): string {
  const { time, model } = block;
  const head = name + view.style.paint("dim", blockName(block));
  const known: Word[] = [model ?? "", time === undefined ? "" : timeLabel(time, view.format_time)]
    .map((text) => ({ text, ink: "quiet" }));
  const rest = printWords(known, narrowView(view, textWidth(head) + SEPARATOR.length));
  return rest === "" ? head : head + view.style.paint("dim", SEPARATOR) + rest;
}

function messageRows({ content }: MessageBlock, view: BlockView): string[] {
  const rows: string[] = [];
  for (const block of content) {
    const part = printBlock(block, view);
    if (part.length > 0 && rows.length > 0 && block.type !== "notice") rows.push("");
    for (const row of part) rows.push(row);
  }
  return rows;
}

const RULE = 80;
const FOLD = FOLDS.summary;
const MARKS: Readonly<Record<Ink, string>> = { ok: "■", fail: "✗", warn: "!", quiet: "" };

function printNotice(block: NoticeBlock, view: BlockView): string[] {
  const rows = block.form === "rule" ? ruleRows(block, view) : lineRows(block, view);
  const inside = block.content.flatMap((one) =>
    one.type === "notice"
      ? printBlock(one, view)
      : setIn(view, one.type === "code" ? 4 : 2, (inner) => printBlock(one, inner))
  );
  return [...rows, ...inside];
}

function ruleRows(block: NoticeBlock, view: BlockView): string[] {
  const { title, short_title = title, ink = "warn", words } = block;
  const { style } = view;
  const width = Math.min(view.width, RULE);
  const fits = !title.includes("\n") &&
    textWidth(sanitizeText(title)) + wordsWidth(words) <= width - 6;
  const line: Word[] = [{ text: fits ? title : short_title, ink }, ...words];
  const shown = printWords(line, { ...view, width: Math.max(1, width - 6) });
  const rest = "─".repeat(Math.max(0, width - 4 - textWidth(shown)));
  const rule = `${style.paint(INKS[ink], "──")} ${shown} ${style.paint(INKS[ink], rest)}`;
  const below = fits ? [] : setIn(view, 2, (inner) => printProse(title, inner, { fold: FOLD }));
  return [rule.trimEnd(), ...below];
}

function lineRows({ title, detail, ink, words }: NoticeBlock, view: BlockView): string[] {
  const mark = ink === undefined ? "" : MARKS[ink];
  const format = ink === undefined ? [] : INKS[ink];
  const said = [title, ...words.map(({ text }) => text)].join(" · ");
  const text = detail === undefined ? said : `${said}: ${detail}`;
  if (mark === "") return printProse(text, view, { format, fold: FOLD });
  const rows = printProse(text, narrowView(view, 2), { format, fold: FOLD });
  return hangRows(rows, `${view.style.paint(format, mark)} `, 2);
}
