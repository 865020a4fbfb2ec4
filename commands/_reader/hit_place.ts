/** Finds in a session what the list of sessions has found in it. */
import type { HitPlace } from "../_picker/session_list.ts";
import type { ReaderDrawing } from "./drawing.ts";
import type { SessionView } from "./session_view.ts";

/** An item, and the text to mark in it. */
export interface HitItem {
  item: number;
  text: string;
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
  // Of several words the first has to do.
  const [word = query] = query.match(/[^\s"]+/) ?? [];
  const is_whole = itemText(found).toLowerCase().includes(query.toLowerCase());
  return { item, text: is_whole ? query : word };
}
