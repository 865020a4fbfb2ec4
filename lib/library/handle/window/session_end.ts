/** The last items of a session, read without earlier items. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { foldEvents } from "../../../core/projection/projection.ts";
import { transcript } from "../../../core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import { isSound } from "../../machine/own/log_reading.ts";
import { WINDOW_KINDS } from "../../catalogue/fold_items.ts";
import type { WindowSession } from "./item_reading.ts";

/** Number of messages in the first read of the end. Each next read has `GROWTH` times as many. */
const MESSAGES = 16;
const GROWTH = 4;
/** Maximum messages for other agents' formats, some of which must read the whole session. */
const MOST_MESSAGES = 256;
const MOST_OF_LOG = 4096;

export class SessionEnd {
  readonly #session: WindowSession;
  #items: readonly TranscriptItem[] = [];
  #messages = MESSAGES;
  #most: number;

  constructor(session: WindowSession) {
    this.#session = session;
    this.#most = session.log === undefined ? MOST_MESSAGES : MOST_OF_LOG;
    if (!session.has_tail) this.#most = 0;
  }

  /** Returns items by negative number: -1 is the last item. Omits items that were not read yet. */
  items(first: number, count: number): readonly TranscriptItem[] {
    const start = this.#items.length + first;
    return this.#items.slice(Math.max(0, start), Math.max(0, start + count));
  }

  /** Reads more messages until the end includes `item`. Returns false if that is impossible. */
  async reach(item: number): Promise<boolean> {
    while (this.#items.length < -item && this.#messages <= this.#most) {
      const messages = this.#messages;
      this.#messages *= GROWTH;
      const items = await this.#read(messages);
      // Nothing comes before, or only a whole read shows it.
      if (items.length <= this.#items.length) this.#most = 0;
      else this.#items = items;
    }
    return this.#items.length >= -item;
  }

  async #read(messages: number): Promise<readonly TranscriptItem[]> {
    if (this.#session.log === undefined) {
      const events = await this.#session.tail(messages, { needs: WINDOW_KINDS });
      // Only a read from the beginning tells the numbers of the events.
      return foldEvents(transcript(), events).map((item) => ({ ...item, seq: 0 }));
    }
    // All kinds are read, because a session's end is shown only if no event follows it.
    const events = await this.#session.tail(messages);
    const sound = events.slice(events.findLastIndex((event) => !isSound(event)) + 1);
    const has_turns = sound.some((event) => turnOf(event) !== undefined);
    const first = sound.findIndex((event) => begins(event, has_turns));
    const items = first < 0 ? [] : foldEvents(transcript(), sound.slice(first));
    // The beginning of an orphan call may be before these events.
    return items.slice(items.findLastIndex(isOrphan) + 1);
  }
}

/** True if items can begin at this event. If events have turns, an answer needs a turn, too. */
function begins(event: LogEvent, has_turns: boolean): boolean {
  if (event.kind !== "assistant_message") return event.kind === "user_message";
  return !has_turns || turnOf(event) !== undefined;
}

function turnOf(event: LogEvent): string | undefined {
  return event.form === "known" ? event.turn_id : undefined;
}

function isOrphan(item: TranscriptItem): boolean {
  return "orphan" in item && item.orphan === true;
}
