/**
 * A screen on which a person reads a session. Pure.
 *
 * @module
 */
import { keysText } from "./keys_text.ts";
import { markMatches } from "./mark_matches.ts";
import { sanitizeLine } from "./sanitize.ts";
import { createStyle, type Style } from "./style.ts";
import { cutStart, cutText, padText, takeStart, textWidth } from "./text_width.ts";

/** What is on the screen. */
export interface ReaderScreen {
  /** The session's title. */
  title: string;
  /** Agent, directory and thread, the most important first. */
  facts: readonly string[];
  /** Rows of the session, rendered. */
  rows: readonly string[];
  /** The text to mark in them. */
  query: string;
  /** A list that stands over the session. */
  list?: ReaderList;
  /** What is asked at the bottom, and what was typed. */
  prompt?: { label: string; input: string };
  /** What there is to say. */
  message: string;
  /** Where in the session it is. */
  place: string;
  /** What the keys do, the most important first. */
  keys: readonly string[];
}

/** A list over the session. */
export interface ReaderList {
  /** What it lists. */
  heading: string;
  /** The entries, a line each. */
  entries: readonly string[];
  /** The highlighted entry; absent where nothing is chosen. */
  cursor?: number;
}

/** The size of the screen, and its colours. */
export interface ReaderScreenOptions {
  width: number;
  height: number;
  color: boolean;
}

/** A screen full. */
export interface ReaderFrame {
  rows: string[];
  cursor?: { row: number; column: number };
}

const MARKER = "❯ ";
const NO_MARKER = "  ";

/** Tells how many rows of a screen show the session. */
export function readerRows(height: number): number {
  return Math.max(1, height - Number(height >= 4) - Number(height >= 2) - Number(height >= 12));
}

/** Renders the screen: rows that fit, and where the cursor belongs. */
export function renderReader(
  screen: ReaderScreen,
  { width, height, color }: ReaderScreenOptions,
): ReaderFrame {
  const style = createStyle(color);
  const count = readerRows(height);
  const body = screen.list === undefined
    ? screen.rows.slice(0, count).map((row) => color ? markMatches(row, screen.query) : row)
    : listRows(screen.list, { width, count, style });
  const rows = Array.from({ length: count }, (_, at) => body[at] ?? "");
  if (height >= 4) rows.unshift(headRow(screen, width, style));
  if (height < 2) return { rows };
  const { prompt } = screen;
  const bottom = rows.length;
  rows.push(prompt === undefined ? statusRow(screen, width, style) : promptRow(prompt, width));
  if (height >= 12) rows.push(style.paint("dim", keysText(screen.keys, width)));
  if (prompt === undefined) return { rows };
  const column = Math.min(width - 1, textWidth(promptRow(prompt, width)));
  return { rows, cursor: { row: bottom, column } };
}

function headRow({ title, facts }: ReaderScreen, width: number, style: Style): string {
  const name = cutText(sanitizeLine(title), width);
  let rest = "";
  for (const fact of facts.map(sanitizeLine)) {
    const longer = `${rest} · ${fact}`;
    if (textWidth(name) + textWidth(longer) > width) break;
    rest = longer;
  }
  return style.paint("bold", name) + style.paint("dim", rest);
}

function statusRow({ message, place }: ReaderScreen, width: number, style: Style): string {
  const right = takeStart(sanitizeLine(place), width);
  const room = width - textWidth(right) - 1;
  if (room < 1) return style.paint("dim", right);
  const left = padText(cutText(sanitizeLine(message), room), room);
  return `${left} ${style.paint("dim", right)}`;
}

/** The end of what was typed is what is being typed. */
function promptRow({ label, input }: { label: string; input: string }, width: number): string {
  const shown = cutText(label, Math.max(0, width - 8));
  return shown + cutStart(sanitizeLine(input), Math.max(1, width - textWidth(shown) - 1));
}

function listRows(
  { heading, entries, cursor }: ReaderList,
  { width, count, style }: { width: number; count: number; style: Style },
): string[] {
  const room = Math.max(1, count - 2);
  const top = Math.max(0, Math.min((cursor ?? 0) - Math.floor(room / 2), entries.length - room));
  const shown = entries.slice(top, top + room).map((entry, at) => {
    const chosen = top + at === cursor;
    const text = cutText(sanitizeLine(entry), Math.max(0, width - MARKER.length));
    const marker = takeStart(chosen ? MARKER : NO_MARKER, width);
    return style.paint("cyan", marker) + style.paint(chosen ? "bold" : [], text);
  });
  return [style.paint("bold", cutText(sanitizeLine(heading), width)), "", ...shown];
}
