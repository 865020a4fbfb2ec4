/** Renders sessions of a team's store as a table. */
import { formatBytes } from "./byte_size.ts";
import { sanitizeLine } from "./sanitize.ts";
import { shortIds } from "./short_id.ts";
import { createStyle } from "./style.ts";
import { renderTable, type TableColumn } from "./table.ts";
import { type TimeFormat, timeLabel } from "./time_label.ts";

interface SharedTableRow {
  ref: string;
  agent: string;
  session_id: string;
  owner: string;
  project: string;
  form: string;
  visible: string;
  device: string;
  changed_at: string;
  bytes: number;
  title?: string;
  updated_at?: string;
  is_sealed?: true;
}

interface SharedTableOptions {
  /** Width in columns; `Infinity` for a pipe, which gets every column with nothing cut. */
  width: number;
  color: boolean;
  with_project: boolean;
  /** Returns a time as it is shown. @default {(iso) => iso} */
  format_time?: TimeFormat;
}

/** Renders sessions as a table with a first line of names; empty without sessions. */
export function renderSharedTable(
  rows: readonly SharedTableRow[],
  { width, color, with_project, format_time }: SharedTableOptions,
): string {
  if (rows.length === 0) return "";
  const every = width === Infinity;
  const ids = every ? rows.map(({ ref }) => sanitizeLine(ref)) : shortIds(rows);
  const cells = (text: (row: SharedTableRow) => string): string[] =>
    rows.map((row) => sanitizeLine(text(row)));
  const columns: TableColumn[] = [
    { name: "session", cells: ids, format: () => "cyan" },
    { name: "agent", cells: cells(({ agent }) => agent), weight: 3 },
    {
      name: "updated",
      cells: rows.map((row) => timeLabel(row.updated_at ?? row.changed_at, format_time)),
      weight: 6,
    },
    { name: "machine", cells: cells(({ device }) => device), weight: 4 },
    { name: "form", cells: cells(formText), weight: 5 },
    { name: "size", cells: rows.map(({ bytes }) => formatBytes(bytes)), align: "right", weight: 1 },
  ];
  if (every || with_project) {
    columns.push({ name: "project", cells: cells(({ project }) => project), weight: 2 });
  }
  const title = { name: "title", cells: cells(titleText) };
  return renderTable([...columns, title], { width, style: createStyle(color) }).join("\n") + "\n";
}

/** Returns the form of a session. Only private ones are marked, because the team can read most. */
function formText({ form, visible }: SharedTableRow): string {
  return visible === "private" ? `${form}, private` : form;
}

function titleText({ title, is_sealed }: SharedTableRow): string {
  return title ?? (is_sealed ? "(sealed)" : "");
}
