/** Reads the end of a long session, without what is before it. */
import { eventSize } from "../projection/event_size.ts";
import { transcript } from "../projection/transcript/transcript.ts";
import { foldEvents } from "../projection/projection.ts";
import type { MessageItem, TranscriptItem } from "../projection/transcript/transcript_item.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import { openWindow } from "../library/window/session_window.ts";

/** The last items of a session. */
export interface SessionEnd {
  /** In order; they begin with a prompt, where one comes soon. */
  items: readonly TranscriptItem[];
  /** True if nothing is before them. */
  whole: boolean;
  /** True where the items have the numbers of their events. */
  numbered: boolean;
}

/** Items that are read at a time. */
const STEP = 64;

/**
 * Reads the end of a session.
 *
 * @param most Characters of the items that are read, and bytes of another agent's file.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function readEnd(session: SessionHandle, most: number): Promise<SessionEnd> {
  return session.log === undefined ? await endOfFile(session, most) : await endOfLog(session, most);
}

async function endOfLog(session: SessionHandle, most: number): Promise<SessionEnd> {
  const view = openWindow(session);
  const steps: (readonly TranscriptItem[])[] = [];
  let size = 0;
  for (let count = STEP; size < most; count += STEP) {
    const items = await view.items(-count, STEP);
    steps.push(items);
    size += sizeOf(items);
    if (items.length < STEP) return { items: inOrder(steps), whole: true, numbered: true };
  }
  view.close();
  return { items: cut(inOrder(steps), most), whole: false, numbered: true };
}

async function endOfFile(session: SessionHandle, most: number): Promise<SessionEnd> {
  const shown = transcript();
  const options = { needs: shown.needs, most_bytes: most };
  const items = foldEvents(shown, await session.tail(Infinity, options));
  return { items: cut(items, most), whole: false, numbered: false };
}

/** The last step is the first in the session's order. */
function inOrder(steps: (readonly TranscriptItem[])[]): TranscriptItem[] {
  return steps.reverse().flat();
}

/** Keeps the last items that are as long as wanted; from a prompt on, where one comes soon. */
function cut(items: readonly TranscriptItem[], most: number): readonly TranscriptItem[] {
  let first = items.length;
  let size = 0;
  while (first > 0 && size < most) size += sizeOf(items.slice(--first, first + 1));
  const kept = items.slice(first);
  const prompt = kept.findIndex((item) => isMessage(item) && item.role === "user");
  return prompt < 0 || prompt > kept.length / 2 ? kept : kept.slice(prompt);
}

function isMessage(item: TranscriptItem): item is MessageItem {
  return item.type === "message";
}

function sizeOf(items: readonly TranscriptItem[]): number {
  return items.reduce((sum, item) => sum + eventSize({ payload: item }), 0);
}
