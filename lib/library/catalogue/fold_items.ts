/** Folds events into the items of a transcript, and finds points where a fold can begin. */
import type { LogEvent } from "../../core/event/envelope.ts";
import { eventSize } from "../../core/projection/event_size.ts";
import { transcript, type TranscriptState } from "../../core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../core/projection/transcript/item.ts";
import type { ReadPlace, SessionReading } from "../../agents/contract/session_reading.ts";

const SHOWN = transcript();

export const WINDOW_KINDS = SHOWN.needs;

/** A point between events at which no call is open. Items can be folded from there. */
export interface Cut {
  /** The last place before this point where a read can begin. @default {the session's beginning} */
  place?: ReadPlace | undefined;
  /** Seq of the last event before this point. Given if `place` is before that event. */
  behind?: number;
  turn_id?: string | undefined;
}

/** A point in a session at which reading can resume, and the number of the first item after it. */
export interface ItemCut {
  number: number;
  cut: Cut;
}

export interface FoldedItems {
  items: readonly TranscriptItem[];
  /** The point after the items, at which a later read can resume. Absent if there is none. */
  cut?: Cut;
  /** Bytes of the session's file up to the end of `items`. 0 if unknown. */
  bytes: number;
}

export interface FoldOptions {
  /** The point from which events are folded. @default {the session's beginning} */
  cut?: Cut | undefined;
  /** Minimum number of characters of events between two yielded cuts. */
  cut_characters: number;
  signal?: AbortSignal;
}

/** Reads a session and yields its items once later events cannot change them. */
export async function* foldItems(
  reading: SessionReading,
  { cut: { place, behind = 0, turn_id } = {}, cut_characters, signal }: FoldOptions,
): AsyncGenerator<FoldedItems> {
  let state: TranscriptState = { ...SHOWN.initial(), turn_id };
  let size = 0;
  for await (const batch of reading.from(place, signal)) {
    for (const event of batch.events) {
      if (behind > 0 && event.seq <= behind) continue;
      state = SHOWN.apply(state, event);
      size += event.form === "unparsed" ? 0 : eventSize(event);
      if (size < cut_characters || !isCut(state)) continue;
      if (batch.place !== undefined && batch.place.seq <= event.seq) place = batch.place;
      const cut = cutBehind(event, reading, place);
      if (cut === undefined) continue;
      cut.turn_id = state.turn_id;
      yield { items: SHOWN.take(state), cut, bytes: endOf(event) };
      size = 0;
    }
    place = batch.place ?? place;
    const last = batch.events.at(-1);
    yield { items: SHOWN.take(state), bytes: last === undefined ? 0 : endOf(last) };
  }
  yield { items: SHOWN.result(state), bytes: 0 };
}

/** True if later events cannot change the items so far. */
function isCut({ open, closed }: TranscriptState): boolean {
  return open.started.size === 0 && open.declared.size === 0 && closed === undefined;
}

/** Returns the point directly after an event. Undefined if the event's line is damaged. */
function cutBehind(
  event: LogEvent,
  { placeBehind }: SessionReading,
  place: ReadPlace | undefined,
): Cut | undefined {
  if (placeBehind === undefined) return { place, behind: event.seq };
  const own = placeBehind(event);
  return own && { place: own };
}

function endOf({ position }: LogEvent): number {
  return position === undefined ? 0 : position.offset + position.length;
}
