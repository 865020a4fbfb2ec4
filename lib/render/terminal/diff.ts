/**
 * A file change: line numbers, what went and what came.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { DiffLine } from "../../event/payload.ts";
import type { DiffItem } from "../../projection/transcript/transcript_item.ts";
import { sanitizeLine, sanitizeText } from "../sanitize.ts";
import type { Format } from "../style.ts";
import { cutStart } from "../text_width.ts";
import { breakLine, renderHidden } from "./output.ts";
import { narrowView, type View } from "./view.ts";

const HEAD = 40;
const TAIL = 10;
const TAB = 4;
const SIGNS = { context: " ", added: "+", removed: "-", hunk: " " };
const FORMATS: Partial<Record<DiffLine["kind"], Format>> = {
  added: "green",
  removed: "red",
  hunk: "cyan",
};

/** Rows of a file change. */
export function renderDiff(item: DiffItem, view: View): string[] {
  const lines = item.lines;
  const digits = numberDigits(lines);
  const hidden = view.full ? 0 : lines.length - HEAD - TAIL;
  if (hidden <= 1) return [renderHeader(item, view), ...renderLines(lines, digits, view)];
  const bytes = lines.slice(HEAD, -TAIL).reduce(addBytes, 0);
  return [
    renderHeader(item, view),
    ...renderLines(lines.slice(0, HEAD), digits, view),
    `  ${renderHidden(hidden, bytes, narrowView(view, 2))}`,
    ...renderLines(lines.slice(-TAIL), digits, view),
  ];
}

function addBytes(sum: number, line: DiffLine): number {
  return sum + Buffer.byteLength(line.content) + 1;
}

function renderHeader(item: DiffItem, view: View): string {
  const { paint } = view.style;
  const added = `+${item.lines.filter((line) => line.kind === "added").length}`;
  const removed = `-${item.lines.filter((line) => line.kind === "removed").length}`;
  const room = view.width - added.length - removed.length - 5;
  const path = cutStart(sanitizeLine(item.path ?? "file change"), room);
  const name = `${paint("magenta", "±")} ${paint("bold", path)}`;
  // How much it was is not known where its lines were left out.
  if (item.lines.length === 0) return name;
  return `${name}  ${paint("green", added)} ${paint("red", removed)}`;
}

function renderLines(lines: readonly DiffLine[], digits: number, view: View): string[] {
  return lines.flatMap((line) => renderLine(line, digits, view));
}

/** Number, sign, content; what is broken goes on under the content. */
function renderLine(line: DiffLine, digits: number, view: View): string[] {
  const number = line.kind === "hunk" ? "" : String(lineNumber(line) ?? "");
  const gutter = "  " + number.padStart(digits) + (digits > 0 ? " " : "");
  const inner = narrowView(view, gutter.length + 1);
  const format = FORMATS[line.kind] ?? [];
  return breakLine(lineContent(line), inner, TAB).map((row, index) => {
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
