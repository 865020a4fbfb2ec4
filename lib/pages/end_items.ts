/** Reads the end of a long session by itself, without what is before it. */
import { foldPiece, WINDOW_KINDS } from "../library/window/piece_fold.ts";
import { present } from "../event/present.ts";
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import type { OpenedSession } from "./opened_sessions.ts";

/** The last items of a session. */
export interface EndItems {
  items: readonly TranscriptItem[];
  /** False where nothing tells the numbers of their events. */
  numbered: boolean;
}

/** Messages of another agent's end. */
const MESSAGES = 100;

/** Reads the last items; undefined where reading all of the session takes as long. */
export async function endItems(
  { handle, items, thread }: OpenedSession,
  most: number,
): Promise<EndItems | undefined> {
  if (items.progress.total !== undefined) return undefined;
  if (handle.has_long_end) {
    const options = present({ ...thread, messages: MESSAGES, needs: WINDOW_KINDS });
    const { events, numbered } = await handle.readEnd(options);
    return { items: foldPiece(events, true).slice(-most), numbered };
  }
  // A log of ours is read backwards, to no more than this.
  if (handle.log === undefined || thread.thread !== undefined || !await items.reach(-most)) {
    return undefined;
  }
  return { items: await items.items(-most, most), numbered: true };
}
