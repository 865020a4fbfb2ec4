/** Cuts a transcript into pieces where no call is open: each is folded by itself later. Pure. */
import type { LogEvent } from "../../event/envelope.ts";
import { transcript, type TranscriptState } from "../../projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";

const SHOWN = transcript();

/** The kinds of events that a window needs. */
export const WINDOW_KINDS = SHOWN.needs;

/** Folds events into items, and knows where a piece may end. */
export class PieceFold {
  #state: TranscriptState = SHOWN.initial();

  /** Takes the next event. */
  apply(event: LogEvent): void {
    this.#state = SHOWN.apply(this.#state, event);
  }

  /** True if what follows changes none of the items so far. */
  isCut(): boolean {
    const { open, closed } = this.#state;
    return open.started.size === 0 && open.declared.size === 0 && closed === undefined;
  }

  /** Takes all items, and begins the next piece. */
  take({ last }: { last: boolean }): TranscriptItem[] {
    const items = SHOWN.result(this.#state);
    this.#state = SHOWN.initial();
    return last ? items : withoutEnd(items);
  }
}

/** Folds the events of one piece; `last` if the session ends with them. */
export function foldPiece(events: Iterable<LogEvent>, last: boolean): TranscriptItem[] {
  const fold = new PieceFold();
  for (const event of events) fold.apply(event);
  return fold.take({ last });
}

/** Drops the session's end, which is shown only if nothing follows it. */
function withoutEnd(items: TranscriptItem[]): TranscriptItem[] {
  return items.at(-1)?.type === "closed" ? items.slice(0, -1) : items;
}
