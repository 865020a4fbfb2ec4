/** Draws a screen on which a person reads a session. Pure. */
import { type Frame, keysText } from "../../ui/frame.ts";
import { listTop } from "../../ui/pager.ts";
import { markMatches } from "./find_hit.ts";
import { titleText } from "../../../text/render/integrity_mark.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { createStyle, type Style } from "../../../text/render/style.ts";
import {
  cutStart,
  cutText,
  padText,
  takeStart,
  textWidth,
} from "../../../text/render/text_width.ts";
import { wrapWords } from "../../../text/render/wrap.ts";
import type { SessionReaderOptions } from "./actions.ts";
import type { ReaderState } from "./session_state.ts";
import type { PlacedRow } from "./window_rows.ts";
import type { ReaderView } from "./reader_view.ts";
import type { ReaderList } from "./lists.ts";
import { keysOf, placeText } from "./words.ts";

export interface ReaderScreen {
  title: string;
  /** The user's note, agent, thread and directory, the most important first. */
  facts: readonly string[];
  rows: readonly string[];
  query: string;
  list?: ReaderList | undefined;
  prompt?: { label: string; input: string } | undefined;
  message: string;
  place: string;
  /** The help for keys, the most important first. */
  keys: readonly string[];
}

interface ReaderSize {
  width: number;
  height: number;
}

interface ReaderScreenOptions extends ReaderSize {
  color: boolean;
}

const MARKER = "❯ ";
const NO_MARKER = "  ";

export function readerRows(title: string, { width, height }: ReaderSize): number {
  const above = titleRows(title, { width, height }).length;
  return Math.max(1, height - above - Number(height >= 2) - Number(height >= 12));
}

/** Wraps a title to at most a sixth of the screen's rows. A screen below 4 rows shows no title. */
function titleRows(title: string, { width, height }: ReaderSize): string[] {
  if (height < 4) return [];
  // A wide character may not fit at all.
  const rows = wrapWords(sanitizeLine(title), width).map((row) => cutText(row, width));
  const most = Math.max(1, Math.floor(height / 6));
  if (rows.length <= most) return rows.length === 0 ? [""] : rows;
  return [...rows.slice(0, most - 1), cutText(rows.slice(most - 1).join(" "), width)];
}

export function renderReader(
  screen: ReaderScreen,
  { width, height, color }: ReaderScreenOptions,
): Frame {
  const style = createStyle(color);
  const count = readerRows(screen.title, { width, height });
  const body = screen.list === undefined
    ? screen.rows.slice(0, count).map((row) => color ? markMatches(row, screen.query) : row)
    : listRows(screen.list, { width, count, style });
  const rows = [
    ...headRows(screen, { width, height }, style),
    ...Array.from({ length: count }, (_, at) => body[at] ?? ""),
  ];
  if (height < 2) return { rows };
  const { prompt } = screen;
  const bottom = rows.length;
  rows.push(prompt === undefined ? statusRow(screen, width, style) : promptRow(prompt, width));
  if (height >= 12) rows.push(style.paint("dim", keysText(screen.keys, width)));
  if (prompt === undefined) return { rows };
  const column = Math.min(width - 1, textWidth(promptRow(prompt, width)));
  return { rows, cursor: { row: bottom, column } };
}

function headRows({ title, facts }: ReaderScreen, size: ReaderSize, style: Style): string[] {
  const rows = titleRows(title, size);
  const last = rows.pop();
  if (last === undefined) return [];
  let rest = "";
  for (const fact of facts.map(sanitizeLine)) {
    const longer = `${rest} · ${fact}`;
    if (textWidth(last) + textWidth(longer) > size.width) break;
    rest = longer;
  }
  const end = style.paint("bold", last) + style.paint("dim", rest);
  return [...rows.map((row) => style.paint("bold", row)), end];
}

function statusRow({ message, place }: ReaderScreen, width: number, style: Style): string {
  const right = takeStart(sanitizeLine(place), width);
  const room = width - textWidth(right) - 1;
  if (room < 1) return style.paint("dim", right);
  const left = padText(cutText(sanitizeLine(message), room), room);
  return `${left} ${style.paint("dim", right)}`;
}

function promptRow({ label, input }: { label: string; input: string }, width: number): string {
  const shown = cutText(label, Math.max(0, width - 8));
  return shown + cutStart(sanitizeLine(input), Math.max(1, width - textWidth(shown) - 1));
}

function listRows(
  { heading, entries, cursor }: ReaderList,
  { width, count, style }: { width: number; count: number; style: Style },
): string[] {
  const room = Math.max(1, count - 2);
  const list = { cursor: cursor ?? 0, count: entries.length };
  const top = listTop(list, room, list.cursor - Math.floor(room / 2));
  const shown = entries.slice(top, top + room).map((entry, at) => {
    const chosen = top + at === cursor;
    const text = cutText(sanitizeLine(entry), Math.max(0, width - MARKER.length));
    const marker = takeStart(chosen ? MARKER : NO_MARKER, width);
    return style.paint("cyan", marker) + style.paint(chosen ? "bold" : [], text);
  });
  return [style.paint("bold", cutText(sanitizeLine(heading), width)), "", ...shown];
}

interface Beside {
  state: ReaderState;
  list: ReaderList | undefined;
  /** The search's status, such as the number of matching blocks. Empty without a search. */
  found: string;
}

/** The margin before each row of the selected block. */
const SELECTED = "┃ ";
const LEAST_WIDTH = 20;

export function readerSize(options: SessionReaderOptions): { width: number; page: number } {
  const { screen } = options;
  return { width: rowWidth(screen.width), page: readerRows(readerTitle(options), screen) };
}

function rowWidth(width: number): number {
  return width < LEAST_WIDTH ? width : width - SELECTED.length;
}

/** Puts a marker before each row of the selected block, except its trailing empty row. */
function selectedRows(
  shown: readonly PlacedRow[],
  current: number,
  { screen: { width }, settings: { color } }: SessionReaderOptions,
): string[] {
  const margin = " ".repeat(width - rowWidth(width));
  const mark = createStyle(color).paint("cyan", margin === "" ? "" : SELECTED);
  return shown.map(({ item, text }, at) => {
    const is_inside = item === current && (text !== "" || shown[at + 1]?.item === item);
    return is_inside ? mark + text : text === "" ? "" : margin + text;
  });
}

function readerTitle({ row, session }: SessionReaderOptions): string {
  return titleText({ ...row, title: row.title || session.ref });
}

export function readerPicture(
  options: SessionReaderOptions,
  { thread, shown, place, window, current }: ReaderView,
  { state, list, found }: Beside,
): ReaderScreen {
  const { row: { note = "" }, directory, session } = options;
  const { mode, message, input, query, follow } = state;
  const labels: Readonly<Record<string, string>> = {
    find: "/",
    export: "Export to: ",
    tags: "Tags: ",
  };
  const label = labels[mode];
  const where = placeText(shown.at(-1)?.item ?? place.item, window.progress);
  return {
    title: readerTitle(options),
    facts: [note, session.agent_title, thread === undefined ? "" : `thread ${thread}`, directory]
      .filter((fact) => fact !== ""),
    rows: selectedRows(shown, current, options),
    query,
    list,
    prompt: label === undefined ? undefined : { label, input },
    message: message === "" ? found : message,
    place: follow ? `following · ${where}` : where,
    keys: keysOf(state),
  };
}
