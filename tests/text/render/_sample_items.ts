import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { readJson } from "./_data.ts";

/** One item of every type, with every field that it can have. */
export const SAMPLE_ITEMS = readJson<readonly TranscriptItem[]>("items.json");

/** Items that show what a page can show. */
export const RICH_ITEMS = readJson<readonly TranscriptItem[]>("rich_items.json");
