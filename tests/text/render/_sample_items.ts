import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { dataUrl, readJson } from "./_data.ts";

/** One item of every type, with every field that it can have. */
export const SAMPLE_ITEMS = readJson<readonly TranscriptItem[]>("items.json");

/** Items that show what a page can show. */
export const RICH_ITEMS = readJson<readonly TranscriptItem[]>("rich_items.json");

const TEXT_ITEMS = Deno.readTextFileSync(dataUrl("text_items.json"));

/** Items with a text in their fields and in names of arguments. */
export function itemsWith(text: string): TranscriptItem[] {
  return JSON.parse(TEXT_ITEMS.replaceAll('"TEXT"', () => JSON.stringify(text)));
}
