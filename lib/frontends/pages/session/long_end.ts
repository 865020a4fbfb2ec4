/** Reads the last items of a long session without reading the rest. */
import { present } from "../../../core/event/present.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { WINDOW_KINDS } from "../../../library/catalogue/fold_items.ts";
import { foldEvents } from "../../../core/projection/projection.ts";
import { transcript } from "../../../core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";

export interface FoundItems {
  items: readonly TranscriptItem[];
  /** The number of the first item. A negative number counts from the session's end. */
  first: number;
  /** False if the numbers of the items' events are unknown. */
  numbered: boolean;
}

/** Number of messages to read first. Each further reading reads `GROWTH` times as many. */
const MESSAGES = 100;
const GROWTH = 4;
/** Maximum bytes at a file's end that are read to find the last messages. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The end of a long session. More of it is read as the user goes back. */
export class LongEnd {
  readonly #handle: SessionHandle;
  readonly #thread: { thread?: string };
  #messages = MESSAGES;
  #read: Promise<Omit<FoundItems, "first">> | undefined;

  constructor(handle: SessionHandle, thread: { thread?: string }) {
    this.#handle = handle;
    this.#thread = thread;
  }

  /** Returns `count` items, or fewer if no more can be read. A `first` of -1 is the last item. */
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
    return { items: foldEvents(transcript(), events), numbered };
  }
}
