/**
 * Sessions as a table.
 *
 * @module
 */
import type { SessionStatus, Summary } from "../projection/summary_row.ts";
import { directoryText } from "./directory_text.ts";
import { sanitizeLine } from "./sanitize.ts";
import { shortIds } from "./short_id.ts";
import { createStyle, type Format, type Style } from "./style.ts";
import { type Alignment, cutStart, cutText, padText, textWidth } from "./text_width.ts";
import { type TimeFormat, timeLabel } from "./time_label.ts";

/** What {@linkcode renderSessionTable} needs to know about the reader. */
export interface SessionTableOptions {
  /** Columns; `Infinity` where nothing limits a line: then nothing is cut. */
  width: number;
  color: boolean;
  /** Show which directory each session belongs to. */
  with_directory: boolean;
  /** The home directory, written as `~`. */
  home?: string;
  /**
   * Writes a time in the reader's language and zone.
   *
   * @default {(iso) => iso}
   */
  format_time?: TimeFormat;
}

interface Column {
  name: string;
  cells: string[];
  align?: Alignment;
  /** What stays where there is not room for all; `Infinity` always stays. */
  weight: number;
  format?: (row: Summary) => Format | [];
}

const GAP = 2;
const LEAST_TITLE = 20;
const LEAST_DIRECTORY = 16;
const STATUS_FORMATS: Record<SessionStatus, Format | []> = {
  active: "green",
  completed: [],
  failed: "red",
  interrupted: "yellow",
};

/**
 * Renders sessions as a table, one a line below a line of names.
 *
 * The title takes what is left of the width. Where that is too little, the less telling columns
 * are left out.
 *
 * @param rows The sessions, in the order to show.
 * @param options The reader's terminal.
 * @returns Lines, or an empty string where there is no session.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { renderSessionTable } from "./session_table.ts";
 *
 * assert.equal(renderSessionTable([], { width: 80, color: false, with_directory: false }), "");
 * ```
 */
export function renderSessionTable(rows: readonly Summary[], options: SessionTableOptions): string {
  if (rows.length === 0) return "";
  const style = createStyle(options.color);
  const columns = fitColumns(sessionColumns(rows, options), options.width);
  const widths = columns.map(columnWidth);
  const room = options.width - widths.reduce((sum, width) => sum + width + GAP, 0);
  const head = columns.map(({ name, align }, index) => padText(name, widths[index] ?? 0, align));
  const lines = [style.paint("dim", [...head, cutText("title", room)].join("  ").trimEnd())];
  for (const [index, row] of rows.entries()) {
    const cells = columns.map((column, at) =>
      renderCell(column, index, row, widths[at] ?? 0, style)
    );
    lines.push([...cells, cutText(titleText(row), room)].join("  ").trimEnd());
  }
  return lines.join("\n") + "\n";
}

function sessionColumns(rows: readonly Summary[], options: SessionTableOptions): Column[] {
  const time = (iso?: string): string =>
    iso === undefined ? "-" : timeLabel(iso, options.format_time);
  const columns: Column[] = [
    { name: "id", cells: shortIds(rows), weight: Infinity, format: () => "cyan" },
    {
      name: "created",
      cells: rows.map((row) => time(row.created_at)),
      weight: 1,
      format: () => "dim",
    },
    { name: "updated", cells: rows.map((row) => time(row.updated_at)), weight: 4 },
    {
      name: "messages",
      cells: rows.map((row) => String(row.message_count ?? "-")),
      align: "right",
      weight: 2,
    },
    {
      name: "status",
      cells: rows.map((row) => sanitizeLine(row.status)),
      weight: 3,
      format: (row) => STATUS_FORMATS[row.status],
    },
  ];
  if (options.with_directory) columns.push(directoryColumn(rows, options));
  return columns;
}

function directoryColumn(rows: readonly Summary[], { width, home }: SessionTableOptions): Column {
  const room = Math.max(LEAST_DIRECTORY, Math.floor(width / 5));
  const cells = rows.map((row) => cutStart(directoryText(row.cwd, home), room));
  return { name: "directory", cells, weight: 5 };
}

/** Takes the weightiest columns that leave the title enough room. */
function fitColumns(columns: readonly Column[], width: number): Column[] {
  const fitting = new Set<Column>();
  let room = width - LEAST_TITLE;
  for (const column of columns.toSorted((left, right) => right.weight - left.weight)) {
    const taken = columnWidth(column) + GAP;
    if (taken > room && column.weight !== Infinity) continue;
    fitting.add(column);
    room -= taken;
  }
  return columns.filter((column) => fitting.has(column));
}

function columnWidth({ name, cells }: Column): number {
  return cells.reduce((most, cell) => Math.max(most, textWidth(cell)), name.length);
}

function renderCell(
  column: Column,
  index: number,
  row: Summary,
  width: number,
  style: Style,
): string {
  const text = padText(column.cells[index] ?? "", width, column.align);
  return style.paint(column.format?.(row) ?? [], text);
}

function titleText(row: Summary): string {
  const title = sanitizeLine(row.title.replace(/\s+/g, " ").trim()) || "-";
  return row.archived ? `[archived] ${title}` : title;
}
