/** Words on a line. */
import type { Ink, Word } from "../block/block.ts";
import { sanitizeLine } from "../sanitize.ts";
import type { Format } from "../style.ts";
import { cutText, textWidth } from "../text_width.ts";
import type { BlockView } from "./view.ts";

/** Stands between words. */
export const SEPARATOR = " · ";

/** The colours of words. */
export const INKS: Readonly<Record<Ink, Format>> = {
  ok: "green",
  fail: "red",
  warn: "yellow",
  quiet: "dim",
};

/** Words between dots. What does not fit is cut from the end. */
export function printWords(words: readonly Word[], { width, style }: BlockView): string {
  let room = width;
  const shown: string[] = [];
  for (const { text, ink } of words) {
    const separator = shown.length === 0 ? "" : SEPARATOR;
    if (text === "" || room <= separator.length) continue;
    const cut = cutText(sanitizeLine(text), room - separator.length);
    room -= separator.length + textWidth(cut);
    shown.push(
      style.paint("dim", separator) + style.paint(ink === undefined ? [] : INKS[ink], cut),
    );
  }
  return shown.join("");
}

/** Columns of words, each with the separator before it. */
export function wordsWidth(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + SEPARATOR.length + textWidth(text), 0);
}
