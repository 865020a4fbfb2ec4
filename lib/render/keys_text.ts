/** Says what keys do, at the bottom of a screen. */
import { sanitizeLine } from "./sanitize.ts";
import { textWidth } from "./text_width.ts";

/** As many keys as fit on a row: the most important come first, so the last are left out. */
export function keysText(keys: readonly string[], width: number): string {
  let text = "";
  for (const key of keys.map(sanitizeLine)) {
    const longer = text === "" ? key : `${text} · ${key}`;
    if (textWidth(longer) > width) break;
    text = longer;
  }
  return text;
}
