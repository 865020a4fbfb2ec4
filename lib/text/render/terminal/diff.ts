/** Draws a file change: line numbers, removed and added lines. */
import { Buffer } from "node:buffer";
import type { DiffLine } from "../../../core/event/payload.ts";
import type { DiffBlock } from "../block/block.ts";
import { sanitizeLine, sanitizeText } from "../sanitize.ts";
import type { Format } from "../style.ts";
import { cutMiddle } from "../text_width.ts";
import { expandTabs } from "../wrap.ts";
import { breakLine, printHidden } from "./text.ts";
import { type BlockView, narrowView } from "./view.ts";

const TAB = 4;
const SIGNS = { context: " ", added: "+", removed: "-", hunk: " " };
const FORMATS: Partial<Record<DiffLine["kind"], Format>> = {
  added: "green",
  removed: "red",
  hunk: "cyan",
};

export function printDiff(block: DiffBlock, view: BlockView): string[] {
  const { lines, fold, is_asked } = block;
  const head = is_asked ? [] : [printHeader(block, view)];
  if (view.folded?.has("diff")) return head;
  const digits = numberDigits(lines);
  const hidden = view.full ? 0 : lines.length - fold.head - fold.tail;
  if (hidden <= 1) return [...head, ...printLines(lines, digits, view)];
  const bytes = lines.slice(fold.head, -fold.tail).reduce(addBytes, 0);
  return [
    ...head,
    ...printLines(lines.slice(0, fold.head), digits, view),
    `  ${printHidden(hidden, bytes, narrowView(view, 2))}`,
    ...printLines(lines.slice(-fold.tail), digits, view),
  ];
}

function addBytes(sum: number, line: DiffLine): number {
  return sum + Buffer.byteLength(line.content) + 1;
}

function printHeader(block: DiffBlock, view: BlockView): string {
  const { paint } = view.style;
  const [added, removed] = [`+${block.added}`, `-${block.removed}`];
  const room = view.width - added.length - removed.length - 5;
  const path = cutMiddle(sanitizeLine(block.path ?? "file change"), room);
  const name = `${paint("magenta", "±")} ${paint("bold", path)}`;
  // How much it was is not known where an agent recorded no lines.
  if (block.added + block.removed === 0) return name;
  return `${name}  ${paint("green", added)} ${paint("red", removed)}`;
}

function printLines(lines: readonly DiffLine[], digits: number, view: BlockView): string[] {
  return lines.flatMap((line) => printLine(line, digits, view));
}

function printLine(line: DiffLine, digits: number, view: BlockView): string[] {
  const number = line.kind === "hunk" ? "" : String(lineNumber(line) ?? "");
  const gutter = "  " + number.padStart(digits) + (digits > 0 ? " " : "");
  const inner = narrowView(view, gutter.length + 1);
  const format = FORMATS[line.kind] ?? [];
  return breakLine(expandTabs(lineContent(line), TAB), inner).map((row, index) => {
    const margin = index === 0 ? gutter : " ".repeat(gutter.length);
    const sign = index === 0 ? SIGNS[line.kind] : " ";
    const shown = row === "" ? sign.trimEnd() : sign + row;
    if (shown === "") return view.style.paint("dim", margin.trimEnd());
    return view.style.paint("dim", margin) + view.style.paint(format, shown);
  });
}

function lineContent(line: DiffLine): string {
  if (line.kind === "hunk" && line.content === "") return "⋯";
  const content = line.content.replace(/\r?\n?$/, "");
  return sanitizeText(content).replaceAll("\n", "␊");
}

function lineNumber(line: DiffLine): number | undefined {
  return line.kind === "removed" ? line.old ?? line.new : line.new ?? line.old;
}

function numberDigits(lines: readonly DiffLine[]): number {
  return lines.reduce((most, line) => Math.max(most, String(lineNumber(line) ?? "").length), 0);
}
