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
  const first = await window.itemOf(seq);
  if (first === undefined) return undefined;
  // A query of several words may match them apart: then its first word is marked.
  const [word = query] = query.match(/[^\s"]+/) ?? [];
  // What is attached to a prompt comes of the same event.
  for (let item = first;; item++) {
    const found = await rows.item(item);
    if (found === undefined || item > first && found.seq !== seq) break;
    const shown = itemText(found).toLowerCase();
    const text = [query, word].find((one) => shown.includes(one.toLowerCase()));
    if (text !== undefined) return { item, text };
  }
  return await rows.item(first) === undefined ? undefined : { item: first };
}
