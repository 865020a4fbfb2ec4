/**
 * Renders the differences of two sessions on a terminal. The rows of one session stand below those
 * of the other, marked `A` or `B`.
 */
import type { ChangedFile } from "../../core/projection/changed_file.ts";
import {
  type CommonPart,
  type DiffPart,
  type FilesPart,
  shortItem,
  type TurnPart,
} from "../../core/projection/session_diff.ts";
import type { TranscriptItem } from "../../core/projection/transcript/item.ts";
import { sanitizeLine } from "./sanitize.ts";
import { blockOfItem } from "./block/block_maker.ts";
import { createStyle, type Format, type Style } from "./style.ts";
import { printBlocks } from "./terminal.ts";
import { cutStart, cutText, padText, textWidth } from "./text_width.ts";
import type { TimeFormat } from "./time_label.ts";
import { ruleText } from "./wrap.ts";
import { counted } from "../../core/event/counted.ts";

interface DiffView {
  /** Width in columns. `Infinity` for lines of any length. */
  width: number;
  color: boolean;
  full: boolean;
  /** Writes a time in the reader's language and zone. @default {(iso) => iso} */
  format_time?: TimeFormat;
}

type Side = "a" | "b";

const SIDES: readonly Side[] = ["a", "b"];
const MARKS: Readonly<Record<Side, { text: string; format: Format }>> = {
  a: { text: "A", format: "blue" },
  b: { text: "B", format: "yellow" },
};
/** Width in columns of a mark and the blank after it. */
const MARGIN = 2;

function marked(side: Side, row: string, style: Style): string {
  const { text, format } = MARKS[side];
  const mark = style.paint(["bold", format], text);
  return row === "" ? mark : `${mark} ${row}`;
}

export function renderDiffHead(
  names: Readonly<Record<Side, string>>,
  { width, color }: DiffView,
): string {
  const style = createStyle(color);
  const rows = SIDES.map((side) => {
    const name = cutText(sanitizeLine(names[side]), Math.max(1, width - MARGIN));
    return marked(side, style.paint("bold", name), style);
  });
  return `${rows.join("\n")}\n\n`;
}

/**
 * Renders one part of a difference. Without `full`, outputs are left out, and changes show only
 * their size. A blank line follows the part, unless it lists files or reports identical sessions.
 */
export function renderDiffPart(part: DiffPart, options: DiffView): string {
  switch (part.type) {
    case "common":
      return renderCommon(part);
    case "turn":
      return renderTurn(part, options);
    case "files":
      return renderFiles(part, options);
  }
}

function renderCommon({ turns, items, same }: CommonPart): string {
  const count = `${counted(turns, "turn")}, ${counted(items, "item")}`;
  if (same) return `The sessions are identical: ${count}\n`;
  return items === 0
    ? "The sessions differ from the first event on\n\n"
    : `Identical: ${count}\n\n`;
}

function renderTurn(part: TurnPart, options: DiffView): string {
  const style = createStyle(options.color);
  const title = ` turn ${part.turn} `;
  const rule = ruleText(Math.max(0, options.width - title.length - MARGIN));
  const rows = [style.paint("dim", `──${title}${rule}`.slice(0, Math.max(1, options.width)))];
  if (part.same_items > 0) {
    rows.push(style.paint("dim", `  identical: ${counted(part.same_items, "item")}`));
  }
  for (const side of SIDES) {
    for (const one of renderSide(side, part, options, style)) rows.push(one);
  }
  return `${rows.join("\n")}\n\n`;
}

function renderSide(side: Side, part: TurnPart, options: DiffView, style: Style): string[] {
  const items = part[side];
  const rows = items === undefined
    ? [style.paint("dim", "no such turn")]
    : items.length === 0
    ? [style.paint("dim", "nothing more")]
    : items.flatMap((item) => renderOne(item, options, style));
  return rows.map((row) => marked(side, row, style));
}

function renderOne(item: TranscriptItem, options: DiffView, style: Style): string[] {
  const width = Math.max(1, options.width - MARGIN);
  const shown = options.full ? item : shortItem(item);
  if (shown.type === "change") return [changeRow(shown, width, style)];
  const block = blockOfItem(shown);
  const text = block === undefined ? "" : printBlocks([block], { ...options, width, style });
  return text === "" ? [] : text.trimEnd().split("\n");
}

function amounts({ added, removed }: ChangedFile, style: Style): string {
  return `${style.paint("green", `+${added}`)} ${style.paint("red", `-${removed}`)}`;
}

function pathOf({ path }: ChangedFile, room: number): string {
  return cutStart(sanitizeLine(path === "" ? "file change" : path), Math.max(1, room));
}

function changeRow(change: ChangedFile, width: number, style: Style): string {
  const taken = `±   +${change.added} -${change.removed}`.length;
  const path = pathOf(change, width - taken);
  const mark = style.paint("magenta", "±");
  return `${mark} ${style.paint("bold", path)}  ${amounts(change, style)}`;
}

function renderFiles(part: FilesPart, { width, color }: DiffView): string {
  const style = createStyle(color);
  if (part.a.length + part.b.length === 0) return "";
  const room = Math.max(1, width - MARGIN - "  +00000 -00000".length);
  const widest = [...part.a, ...part.b]
    .reduce((most, file) => Math.max(most, textWidth(pathOf(file, room))), 0);
  const rows = SIDES.flatMap((side) =>
    part[side].length === 0
      ? [marked(side, style.paint("dim", "none"), style)]
      : part[side].map((file) =>
        marked(side, `${padText(pathOf(file, room), widest)}  ${amounts(file, style)}`, style)
      )
  );
  return `${style.paint("bold", "Files changed since")}\n${rows.join("\n")}\n`;
}
