/** Finds a hit of the list of sessions among a session's items. */
import type { HitPlace } from "../_picker/session_list.ts";
import type { ReaderDrawing } from "./drawing.ts";
import type { SessionView } from "./session_view.ts";

/** An item, and the text to mark in it; no text where the item does not show it as it was said. */
export interface HitItem {
  item: number;
  text?: string;
}

/** Finds the item of a hit; waits until the session was read so far. */
export async function itemOfHit(
  { rows, window }: SessionView,
  { itemText }: ReaderDrawing,
  { seq, query }: HitPlace,
): Promise<HitItem | undefined> {
  const item = await window.itemOf(seq);
  const found = item === undefined ? undefined : await rows.item(item);
  if (item === undefined || found === undefined) return undefined;
  const shown = itemText(found).toLowerCase();
  // A query of several words may match them apart: then its first word is marked.
  const [word = query] = query.match(/[^\s"]+/) ?? [];
  const text = [query, word].find((one) => shown.includes(one.toLowerCase()));
  return text === undefined ? { item } : { item, text };
}
