/** Renders sessions as a table. */
import { present } from "../../core/event/present.ts";
import type { SessionStatus, Summary } from "../../core/projection/summary_row.ts";
import { directoryText } from "./path_text.ts";
import { formatCost } from "./usage_text.ts";
import { sanitizeLine } from "./sanitize.ts";
import { shortIds } from "./short_id.ts";
import { createStyle, type Format } from "./style.ts";
import { columnWidth, GAP, type TableColumn, tableLines } from "./table.ts";
import { cutStart, cutText } from "./text_width.ts";
import { formatDuration, type TimeFormat, timeLabel } from "./time_label.ts";
import { machineTitle, originTitle } from "./origin_title.ts";

export interface SessionTableOptions {
  /** Width in columns. `Infinity` for a pipe, which gets every default column uncut. */
  width: number;
  color: boolean;
  with_directory: boolean;
  home?: string;
  /**
   * Writes a time in the reader's language and zone.
   *
   * @default {(iso) => iso}
   */
  format_time?: TimeFormat;
  /** Notes on sessions, by `ref`: "deleted in 3 days". @default {none} */
  notes?: ReadonlyMap<string, string>;
  /** Short ids, unique also among hidden sessions. @default {ids unique among the rows} */
  ids?: ReadonlyMap<Summary, string>;
  /** Number of search hits of each row. @default {no column of hits} */
  hits?: readonly number[];
  /** Columns kept at any width, because rows are sorted or filtered by them. @default {none} */
  staying?: readonly string[];
  /** The columns to show, in this order. @default {those that fit and tell rows apart} */
  columns?: readonly ListColumn[];
}

export const LIST_COLUMNS = [
  ...["id", "ref", "agent", "created", "updated", "messages", "cost", "duration"] as const,
  ...["status", "directory", "branch", "model", "error", "title"] as const,
] as const;

export type ListColumn = typeof LIST_COLUMNS[number];

/** Columns that are hidden by default. Name them in `columns` or `staying` to show them. */
const ASKED: readonly string[] = ["duration", "error"];
/** Columns that a pipe gets by default. They do not change, because scripts read them. */
const OF_PIPES: readonly string[] = ["hits", ...LIST_COLUMNS].filter((name) =>
  ![...ASKED, "ref", "branch", "model"].includes(name)
);

const LEAST_DIRECTORY = 16;
const OWN_AGENT = "reprise";
/** The text for a value that is unknown until the session is read in full. */
const UNKNOWN = "…";
const NONE = "-";

/** Words for states. The other states mean a normal end, so they have no word. */
const STATES: Partial<Record<SessionStatus, string>> = {
  running: "running",
  failed: "failed",
  interrupted: "interrupted",
};
const STATUS_FORMATS: Record<SessionStatus, Format | []> = {
  running: "green",
  completed: [],
  failed: "red",
  interrupted: "dim",
  idle: [],
};

/**
 * Renders sessions as a table, one per line below the column names. Empty without sessions.
 *
 * On a terminal, the title takes the width that is left. A column with one value for all sessions
 * is left out. An agent or directory that all sessions share is above the table. If the title would
 * get too narrow, the less important columns are left out. A pipe gets all default columns, in a
 * fixed order.
 */
export function renderSessionTable(rows: readonly Summary[], options: SessionTableOptions): string {
  return [...sessionTableLines(rows, options)].map((line) => line + "\n").join("");
}

/**
 * Yields the lines of {@linkcode renderSessionTable}. Each line is made only when it is needed,
 * because there may be 100,000 sessions.
 */
export function* sessionTableLines(
  rows: readonly Summary[],
  options: SessionTableOptions,
): Generator<string> {
  if (rows.length === 0) return;
  const { width } = options;
  const style = createStyle(options.color);
  const all = sessionColumns(rows, options);
  if (options.columns !== undefined) {
    const asked = options.columns.flatMap((wanted) =>
      all.find(({ name }) => name === wanted) ?? []
    );
    return yield* tableLines(asked.map((one) => askedColumn(one, asked, width)), { width, style });
  }
  const { staying = [] } = options;
  const columns = all.flatMap((one) => {
    if (staying.includes(one.name)) return one.cells.some(isSome) ? [stay(one)] : [];
    return (width === Infinity ? isOfPipe : isUsual)(one) ? [one] : [];
  });
  const heading = width === Infinity ? "" : headingText(rows, options);
  if (heading !== "") yield style.paint("dim", cutText(heading, width));
  yield* tableLines(columns, { width, style, least_last: leastTitle(width) });
}

/** Returns a column that the user requested. Cuts a title to leave room for the other columns. */
function askedColumn(
  { weight: _, ...column }: TableColumn,
  asked: readonly TableColumn[],
  width: number,
): TableColumn {
  if (column.name !== "title" || width === Infinity) return column;
  const others = asked.filter(({ name }) => name !== "title")
    .reduce((sum, other) => sum + columnWidth(other) + GAP, 0);
  const room = Math.max(leastTitle(width), width - others);
  return { ...column, cells: column.cells.map((cell) => cutText(cell, room)) };
}

/** Gives a column the highest weight, so that it is dropped last. The title is never dropped. */
function stay(column: TableColumn): TableColumn {
  return column.name === "title" ? column : { ...column, weight: 10 };
}

function isOfPipe({ name }: TableColumn): boolean {
  return OF_PIPES.includes(name);
}

function isSome(cell: string): boolean {
  return cell !== NONE;
}

function isUsual(column: TableColumn): boolean {
  return !ASKED.includes(column.name) && isTelling(column);
}

/** True for a column that does not say the same for every session. */
function isTelling({ cells: [first, ...others], weight, name }: TableColumn): boolean {
  if (weight === undefined) return name !== "ref";
  const known = [first ?? "", ...others].some((cell) => !["", UNKNOWN, NONE].includes(cell));
  // All sessions may say "3d ago", but without that column one would have to guess.
  if (!known || name === "updated") return known;
  if (others.length > 0) return others.some((cell) => cell !== first);
  return !["agent", "directory"].includes(name);
}

function headingText(rows: readonly Summary[], options: SessionTableOptions): string {
  const [first] = rows;
  if (first === undefined) return "";
  const agent = first.agent !== OWN_AGENT && rows.every((row) => row.agent === first.agent)
    ? [`agent: ${sanitizeLine(first.agent)}`]
    : [];
  const directory = options.with_directory && first.cwd !== undefined &&
      rows.every(({ cwd }) => cwd === first.cwd)
    ? [`directory: ${directoryText(first.cwd, options.home)}`]
    : [];
  return [...agent, ...directory].join("  ");
}

/** Returns a short id for each row, without the agent, because an id alone finds its session. */
export function tableIds(rows: readonly Summary[]): ReadonlyMap<Summary, string> {
  const ids = shortIds(
    rows.map(({ session_id, machine }) => present({ agent: OWN_AGENT, session_id, machine })),
  );
  return new Map(rows.map((row, index) => [row, ids[index] ?? ""]));
}

function sessionColumns(rows: readonly Summary[], options: SessionTableOptions): TableColumn[] {
  const { width, notes } = options;
  const time = (iso?: string): string =>
    iso === undefined ? NONE : timeLabel(iso, options.format_time);
  const known = options.ids ?? tableIds(rows);
  const ids = rows.map((row) => known.get(row) ?? sanitizeLine(row.session_id));
  const columns: TableColumn[] = [
    { name: "id", cells: ids, format: () => "cyan" },
    { name: "ref", cells: rows.map(({ ref }) => sanitizeLine(ref)) },
    ...(options.hits === undefined
      ? []
      : [{ name: "hits", cells: options.hits.map(String), align: "right" } as const]),
    { name: "agent", cells: rows.map(({ agent }) => sanitizeLine(agent)), weight: 6 },
    { name: "created", cells: rows.map((row) => time(row.created_at)), weight: 0 },
    { name: "updated", cells: rows.map((row) => time(row.updated_at)), weight: 7 },
    { name: "messages", cells: rows.map(messagesText), align: "right", weight: 3 },
    { name: "cost", cells: rows.map(costText), align: "right", weight: 2 },
    { name: "duration", cells: rows.map(activeText), align: "right", weight: 2 },
    {
      name: "status",
      cells: rows.map((row) => statusText(row, notes?.get(row.ref), width)),
      weight: 5,
      format: (at) => statusFormat(rows[at], notes),
    },
  ];
  if (options.with_directory || width === Infinity || options.columns !== undefined) {
    columns.push(directoryColumn(rows, options));
  }
  return [
    ...columns,
    { name: "branch", cells: rows.map((row) => branchText(row, width)), weight: 1.5 },
    { name: "model", cells: rows.map(modelText), weight: 1 },
    { name: "error", cells: rows.map((row) => errorText(row, width)), weight: 1 },
    { name: "title", cells: rows.map((row) => listedTitle(row, width)) },
  ];
}

/** Returns the git branch, cut to an eighth of `width`, but at least 16 columns. `-` if unknown. */
export function branchText({ git_branch = NONE }: Summary, width: number): string {
  return cutText(sanitizeLine(git_branch), Math.max(LEAST_DIRECTORY, Math.floor(width / 8)));
}

/** Returns the model that answered last, and the number of other models: `opus +2`. */
export function modelText({ models, message_count }: Summary): string {
  const last = models?.at(-1);
  if (models === undefined || last === undefined) {
    return message_count === undefined ? UNKNOWN : NONE;
  }
  return sanitizeLine(last) + (models.length === 1 ? "" : ` +${models.length - 1}`);
}

function messagesText({ message_count }: Summary): string {
  return message_count === undefined ? UNKNOWN : String(message_count);
}

/** Returns the cost, `…` if it is still unknown, or `-` if the session used no tokens. */
export function costText(row: Summary): string {
  return formatCost(row) || (lacksCost(row) ? UNKNOWN : NONE);
}

/** True if a session's tokens are not counted yet, or have no price yet. */
export function lacksCost({ usage, message_count, models = [] }: Summary): boolean {
  if (message_count === undefined) return true;
  if (usage === undefined) return models.length > 0;
  return Object.values(usage).some((count) => count > 0);
}

export function activeText({ active_ms }: Summary): string {
  if (active_ms === undefined) return UNKNOWN;
  return active_ms === 0 ? NONE : formatDuration(active_ms * 1e6);
}

function errorText({ last_error = NONE }: Summary, width: number): string {
  return cutText(sanitizeLine(last_error), Math.max(LEAST_DIRECTORY, Math.floor(width / 3)));
}

function statusText({ status }: Summary, note: string | undefined, width: number): string {
  // Programs need the state itself.
  const word = status === "idle" ? NONE : sanitizeLine(status);
  const state = width === Infinity ? word : STATES[status];
  return [state, note === undefined ? undefined : sanitizeLine(note)]
    .filter((text) => text !== undefined).join(", ");
}

function statusFormat(
  row: Summary | undefined,
  notes: SessionTableOptions["notes"],
): Format | [] {
  if (row === undefined) return [];
  return notes?.has(row.ref) ? "yellow" : STATUS_FORMATS[row.status];
}

function directoryColumn(
  rows: readonly Summary[],
  { width, home }: SessionTableOptions,
): TableColumn {
  const room = Math.max(LEAST_DIRECTORY, Math.floor(width / 6));
  const cells = rows.map((row) => cutStart(directoryText(row.cwd, home), room));
  return { name: "directory", cells, weight: 5 };
}

function leastTitle(width: number): number {
  if (width === Infinity) return 0;
  return Math.min(48, Math.max(16, Math.floor(width / 3)));
}

/** Returns the title. Only a terminal shows the session's origin. Scripts get it from JSON. */
function listedTitle(row: Summary, width: number): string {
  const title = width === Infinity ? machineTitle(row) : originTitle(row);
  return row.archived ? `[archived] ${title}` : title;
}
