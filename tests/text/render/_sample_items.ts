import assert from "node:assert/strict";
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

/** The item of a case: the role or the type of a sample, or an item that has what `base` has not. */
export function givenItem(input: string, base: Partial<TranscriptItem>): TranscriptItem {
  const given = JSON.parse(input);
  if (typeof given !== "string") return { ...base, ...given };
  const item = SAMPLE_ITEMS.find((one) => ("role" in one ? one.role : one.type) === given);
  assert.ok(item !== undefined, given);
  return item;
}
