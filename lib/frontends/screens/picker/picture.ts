/** Draws a screen on which a person chooses a session. Pure. */
import type { RunningSession } from "../../../library/running/running_sessions.ts";
import type { Attention } from "../../../core/projection/attention.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { originTitle } from "../../../text/render/origin_title.ts";
import { type Frame, keysText } from "../../ui/frame.ts";
import { localDay } from "../../../text/render/local_time.ts";
import { directoryText } from "../../../text/render/path_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { activeText, branchText, costText, modelText } from "../../../text/render/session_table.ts";
import { doingText, stateColor, stateText } from "../../../text/render/running_table.ts";
import type { SessionOrder } from "../../../core/store/session_order.ts";
import { createStyle, type Format, type Style } from "../../../text/render/style.ts";
import { renderTable, type TableColumn } from "../../../text/render/table.ts";
import { cutStart, cutText, takeStart, textWidth } from "../../../text/render/text_width.ts";
import { type TimeFormat, timeLabel } from "../../../text/render/time_label.ts";
import { wrapWords } from "../../../text/render/wrap.ts";
import { markWords } from "./word_match.ts";

export interface SessionChoice {
  heading: string;
  /** The filter, or the tags that are typed. */
  query: string;
  /** The text before the query. @default {"> "} */
  prompt?: string | undefined;
  /** Words whose letters are marked in titles. */
  words: readonly string[];
  /** True if only several messages of a session together contain all words. @default {never} */
  isAcross?(row: Summary): boolean;
  rows: readonly Summary[];
  /**
   * Returns what a running session needs from its user.
   *
   * @default {the column with the need is left out}
   */
  attentionOf?: ((row: Summary) => Attention | undefined) | undefined;
  /** The order of the rows. The column with the values of this order is shown. */
  order?: SessionOrder | undefined;
  /** Index of the first row on the screen. */
  top: number;
  /** Index of the highlighted row. */
  cursor: number;
  /** The lines that are shown if the list is empty. */
  notice: readonly string[];
  /** The rendered end of the highlighted session, in rows as wide as the screen. */
  preview: readonly string[];
  /** The help for keys, the most important first. */
  keys: readonly string[];
  with_agent: boolean;
  with_directory: boolean;
}

interface SessionChoiceOptions {
  width: number;
  height: number;
  color: boolean;
  /** The home directory, written as `~`. */
  home?: string | undefined;
  format_time?: TimeFormat;
}

interface ChoiceLayout {
  heading: boolean;
  columns: boolean;
  footer: boolean;
  /** Number of rows for sessions. */
  page: number;
  /** Rows of the preview, without the rule above it. */
  preview: number;
}

const LEAST_PREVIEW_HEIGHT = 14;
const MOST_PREVIEW = 14;
const MARKER = "❯ ";
const NO_MARKER = "  ";
/** The prefix of titles of sessions in which only several messages together contain all words. */
const ACROSS = "≈ ";
const PROMPT = "> ";
const LEAST_DIRECTORY = 10;
const MOST_SNIPPET = 4;
/** Minimum width of a screen that also shows costs, branches and models. */
const WIDE = 110;

/** Divides the rows of a screen among its parts. A small screen keeps the query and one session. */
export function choiceLayout(height: number, with_preview = true): ChoiceLayout {
  const heading = height >= 4;
  const footer = height >= 3;
  const columns = height >= 10;
  const preview = !with_preview || height < LEAST_PREVIEW_HEIGHT
    ? 0
    : Math.min(MOST_PREVIEW, Math.floor(height * 0.4));
  const taken = Number(heading) + Number(footer) + Number(columns) + 1;
  const page = Math.max(1, height - taken - (preview === 0 ? 0 : preview + 1));
  return { heading, columns, footer, page, preview };
}

/** Renders the screen within its size. Sanitizes all texts except the preview. */
export function renderChoice(
  choice: SessionChoice,
  options: SessionChoiceOptions,
): Frame {
  const { width, height, color } = options;
  // A notice takes the rows of the preview, too.
  const layout = choiceLayout(height, choice.rows.length > 0);
  const style = createStyle(color);
  const lines: string[] = [];
  if (layout.heading) {
    lines.push(style.paint("bold", cutText(sanitizeLine(choice.heading), width)));
  }
  const query = queryText(choice, width);
  const cursor = { row: lines.length, column: Math.min(width - 1, textWidth(query)) };
  lines.push(query);
  for (const one of bodyLines(choice, layout, options, style)) lines.push(one);
  if (layout.preview > 0) {
    for (const one of previewLines(choice, layout.preview, width, style)) lines.push(one);
  }
  if (layout.footer) lines.push(style.paint("dim", keysText(choice.keys, width)));
  // On a screen of one row, what is chosen matters more than what was typed.
  return height < 2
    ? { rows: lines.slice(1, 2), cursor: { row: 0, column: 0 } }
    : { rows: lines.slice(0, height), cursor };
}

export function snippetRows(
  snippet: string,
  words: readonly string[],
  { width, color }: Pick<SessionChoiceOptions, "width" | "color">,
): string[] {
  const style = createStyle(color);
  return wrapWords(`Match: ${sanitizeLine(snippet)}`, width).slice(0, MOST_SNIPPET)
    .map((row) => markWords(row, words, (run) => style.paint("yellow", run)));
}

export function nowRows(running: RunningSession | undefined, width: number): string[] {
  return running === undefined ? [] : [cutText(`Now: ${doingText(running)}`, width)];
}

function queryText({ query, prompt = PROMPT }: SessionChoice, width: number): string {
  return cutText(prompt + cutStart(sanitizeLine(query), width - prompt.length - 1), width);
}

function previewLines(
  { preview }: SessionChoice,
  count: number,
  width: number,
  style: Style,
): string[] {
  const shown = preview.slice(-count);
  const blank = Array.from({ length: count - shown.length }, () => "");
  return [style.paint("dim", "─".repeat(width)), ...shown, ...blank];
}

function bodyLines(
  choice: SessionChoice,
  { columns: with_names, page }: ChoiceLayout,
  options: SessionChoiceOptions,
  style: Style,
): string[] {
  const { width } = options;
  const { rows, top, cursor } = choice;
  const visible = rows.slice(top, top + page);
  const count = page + Number(with_names);
  if (visible.length === 0) {
    const notice = choice.notice.map((line) => cutText(`${NO_MARKER}${sanitizeLine(line)}`, width));
    return filled(notice, count);
  }
  const room = Math.max(0, width - MARKER.length);
  const columns = choiceColumns(visible, choice, options);
  const [head = "", ...lines] = renderTable(columns, {
    width: room,
    style,
    least_last: leastTitle(room),
  });
  const marked = lines.map((line, index) => {
    const marker = takeStart(top + index === cursor ? MARKER : NO_MARKER, width);
    return style.paint("cyan", marker) + line;
  });
  const names = takeStart(NO_MARKER, width) + head;
  return filled(with_names ? [names, ...marked] : marked, count);
}

function filled(lines: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => lines[index] ?? "");
}

function choiceColumns(
  rows: readonly Summary[],
  choice: SessionChoice,
  { width, color, home, format_time }: SessionChoiceOptions,
): TableColumn[] {
  const { rows: all, with_agent, with_directory, top, cursor, words, isAcross, order } = choice;
  const { attentionOf } = choice;
  const time = (iso?: string): string => iso === undefined ? "-" : timeLabel(iso, format_time);
  const inked = (ink: Format | [] = []) => (row: number): Format | [] =>
    top + row === cursor ? "bold" : ink;
  const column = (name: string, weight: number, cell: (row: Summary) => string): TableColumn => ({
    name,
    weight,
    cells: rows.map(cell),
    format: inked(INKS[name]),
  });
  const room = Math.max(LEAST_DIRECTORY, Math.floor(width / 5));
  const { paint } = createStyle(color);
  const mark = (text: string): string => markWords(text, words, (run) => paint("yellow", run));
  const title = (row: Summary): string => (isAcross?.(row) ? ACROSS : "") + originTitle(row);
  // All rows decide, so that columns stay while the list scrolls.
  const has = (name: keyof Summary): boolean =>
    width >= WIDE && all.some((row) => row[name] !== undefined);
  const states = rows.map((row) => attentionOf?.(row));
  return [
    ...(attentionOf === undefined || !all.some(attentionOf) ? [] : [{
      ...column("state", 8, (row) => stateText(attentionOf(row))),
      format: (row: number) => stateColor(states[row]),
    }]),
    column("updated", 6, (row) => time(row.updated_at)),
    ...(all.every(isOneDay)
      ? []
      : [column("created", 1, (row) => isOneDay(row) ? "" : time(row.created_at))]),
    { ...column("messages", 5, (row) => String(row.message_count ?? "…")), align: "right" },
    ...(with_agent ? [column("agent", 7, ({ agent }) => sanitizeLine(agent))] : []),
    ...(with_directory
      ? [column("directory", 5.5, ({ cwd }) => cutStart(directoryText(cwd, home), room))]
      : []),
    ...(order === "duration"
      ? [{ ...column("duration", 4.5, activeText), align: "right" as const }]
      : []),
    ...(has("cost_usd") || order === "cost"
      ? [{ ...column("cost", 4, costText), align: "right" as const }]
      : []),
    ...(has("git_branch") ? [column("branch", 3, (row) => branchText(row, width))] : []),
    ...(has("models") ? [column("model", 2, modelText)] : []),
    { name: "title", cells: rows.map(title), format: inked(), mark },
  ];
}

function isOneDay({ created_at = "", updated_at = "" }: Summary): boolean {
  return localDay(new Date(created_at)) === localDay(new Date(updated_at));
}

const INKS: Readonly<Record<string, Format>> = { created: "dim", agent: "cyan", directory: "dim" };

/** Returns the minimum width of titles: two fifths of `width`, but 20 to 48 columns. */
function leastTitle(width: number): number {
  return Math.min(48, Math.max(20, Math.floor(width * 2 / 5)));
}
