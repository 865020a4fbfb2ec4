/** Reads items by their numbers: those near the end by themselves, without what is before them. */
import { present } from "../event/present.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import { foldPiece, WINDOW_KINDS } from "../library/window/piece_fold.ts";
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import type { OpenedSession } from "./opened_sessions.ts";

/** Items that follow one another. */
interface FoundItems {
  items: readonly TranscriptItem[];
  /** The number of the first one; from the end where it is negative. */
  first: number;
  /** False where nothing tells the numbers of their events. */
  numbered: boolean;
}

/**
 * Reads items. Numbers from the end become those from the beginning where all of the session was
 * read, or has to be.
 *
 * @param first The number of the first one: -1 is the last one.
 */
export async function itemsAt(
  opened: OpenedSession,
  first: number,
  count: number,
): Promise<FoundItems> {
  const { items } = opened;
  if (first < 0) {
    // One more tells that the session begins further back.
    const end = items.progress.total === undefined
      ? await itemsOfEnd(opened, first - 1, count + 1)
      : undefined;
    if (end?.items.length === count + 1) return { ...end, items: end.items.slice(1), first };
    await items.readAll();
  }
  const start = first < 0 ? (items.progress.total ?? 0) + first : first;
  const from = Math.max(0, start);
  const found = await items.items(from, Math.max(0, start + count) - from);
  return { items: found, first: from, numbered: true };
}

/** Reads items of the end; undefined where reading all of the session takes as long. */
async function itemsOfEnd(
  { handle, items, thread, end }: OpenedSession,
  first: number,
  count: number,
): Promise<FoundItems | undefined> {
  if (handle.has_long_end) return await end.items(first, count);
  // A log of ours is read backwards, to no more than this.
  if (handle.log === undefined || thread.thread !== undefined || !await items.reach(first)) {
    return undefined;
  }
  return { items: await items.items(first, count), first, numbered: true };
}

/** Messages of an end at first; each longer one has several times as many. */
const MESSAGES = 100;
const GROWTH = 4;
/** Bytes of the file in which an end is looked for. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The end of another agent's session, which gets longer as a reader goes back. */
export class LongEnd {
  readonly #handle: SessionHandle;
  readonly #thread: OpenedSession["thread"];
  #messages = MESSAGES;
  #read: Promise<Omit<FoundItems, "first">> | undefined;

  constructor(handle: SessionHandle, thread: OpenedSession["thread"]) {
    this.#handle = handle;
    this.#thread = thread;
  }

  /** Returns items by negative numbers: fewer where the end gets no longer. */
  async items(first: number, count: number): Promise<FoundItems> {
    let end = await (this.#read ??= this.#readEnd());
    while (end.items.length < -first) {
      this.#messages *= GROWTH;
      const longer = await (this.#read = this.#readEnd());
      if (longer.items.length <= end.items.length) break;
      end = longer;
    }
    const start = Math.max(0, end.items.length + first);
    const last = Math.max(0, end.items.length + first + count);
    return { ...end, items: end.items.slice(start, last), first };
  }

  async #readEnd(): Promise<Omit<FoundItems, "first">> {
    const { events, numbered } = await this.#handle.readEnd(present({
      ...{ ...this.#thread, messages: this.#messages, most_bytes: MOST_BYTES },
      needs: WINDOW_KINDS,
    }));
    return { items: foldPiece(events, true), numbered };
  }
}
