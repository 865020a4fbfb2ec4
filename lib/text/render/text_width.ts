/** Measures a text's width in terminal columns, and cuts or pads a text to a width. */
import stringWidth from "npm:fast-string-width@3.0.2";
import { sanitizeLine } from "./sanitize.ts";

/**
 * Matches texts whose characters are all one column wide: Latin letters and common punctuation.
 * Other texts need regular expressions that take 3 ms to compile.
 */
const NARROW = /^[\x20-\x7e\xa0-\u02ff\u2010-\u2027]*$/;
const ELLIPSIS = "…";

/** Returns the width of a sanitized text in columns. Escapes for colours have no width. */
export function textWidth(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** Returns a code point's width in columns. A joined emoji is narrower than its parts together. */
export function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  const is_narrow = code < 0x300 || (code >= 0x2010 && code <= 0x2027);
  return is_narrow ? 1 : stringWidth(character);
}

export function takeStart(text: string, width: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width) break;
    end += character.length;
  }
  return text.slice(0, end);
}

export function cutText(text: string, width: number): string {
  if (fits(text, width)) return text;
  return width < 1 ? "" : takeStart(text, width - 1).trimEnd() + ELLIPSIS;
}

export function cutStart(text: string, width: number): string {
  if (fits(text, width)) return text;
  if (width < 1) return "";
  let used = 0;
  let start = text.length;
  for (const character of [...text].reverse()) {
    used += characterWidth(character);
    if (used > width - 1) break;
    start -= character.length;
  }
  return ELLIPSIS + text.slice(start);
}

export function cutMiddle(text: string, width: number): string {
  if (fits(text, width)) return text;
  const start = takeStart(text, Math.floor((width - 1) / 3));
  return start + cutStart(text.slice(start.length), width - textWidth(start));
}

export function padText(text: string, width: number, align: Alignment = "left"): string {
  // A pipe needs no width. Measuring an emoji for it would take longer than the rest of a list.
  if (width <= 0) return text;
  const missing = Math.max(0, width - textWidth(text));
  if (align === "right") return " ".repeat(missing) + text;
  if (align === "left") return text + " ".repeat(missing);
  const before = Math.floor(missing / 2);
  return " ".repeat(before) + text + " ".repeat(missing - before);
}

export type Alignment = "left" | "right" | "center";

// A text of more than eight code units a column is not measured: it is long whatever it holds.
function fits(text: string, width: number): boolean {
  if (width === Infinity) return true;
  return text.length <= width * 8 && textWidth(text) <= width;
}

// To get the beginning of a text of megabytes, its rest need not be sanitized.
const LOOKED_AT = 2000;

/** Returns the first line that is not blank, cut to `columns`. Blanks become single spaces. */
export function firstLine(text: string, columns: number): string {
  const start = text.trimStart().slice(0, LOOKED_AT).toWellFormed();
  const [line = ""] = start.split(/[\r\n]/, 1);
  return cutText(sanitizeLine(line.replaceAll(/\s+/g, " ").trim()), columns);
}
