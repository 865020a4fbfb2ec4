/** Words on a line, apart by dots. */
import type { Word } from "../block/block.ts";
import { sanitizeLine } from "../sanitize.ts";
import { joinHtml, safe, type SafeHtml } from "./safe_html.ts";

/** HTML of words. What colour one has, it says by itself too. */
export function wordsHtml(words: readonly Word[]): SafeHtml {
  const shown = words.map(({ text, ink }) => {
    const clean = sanitizeLine(text);
    return ink === undefined || ink === "quiet"
      ? safe`${clean}`
      : safe`<b class="${ink}">${clean}</b>`;
  });
  return joinHtml(shown, " · ");
}
