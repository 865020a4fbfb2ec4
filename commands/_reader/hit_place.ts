/** Finds in a session what the list of sessions has found in it. */
import type { HitPlace } from "../_picker/session_list.ts";
import type { ReaderDrawing } from "./drawing.ts";
import type { SessionView } from "./session_view.ts";

/** An item, and the text to mark in it; none where what was found is not shown as it was said. */
export interface HitItem {
  item: number;
  text?: string;
}

/** Finds the item of a hit, once the session was read so far. */
export async function itemOfHit(
  { rows, window }: SessionView,
  { itemText }: ReaderDrawing,
  { seq, query }: HitPlace,
): Promise<HitItem | undefined> {
  const item = await window.itemOf(seq);
  const found = item === undefined ? undefined : await rows.item(item);
  if (item === undefined || found === undefined) return undefined;
  const shown = itemText(found).toLowerCase();
  // Of several words the first has to do.
  const [word = query] = query.match(/[^\s"]+/) ?? [];
  const text = [query, word].find((one) => shown.includes(one.toLowerCase()));
  return text === undefined ? { item } : { item, text };
}
