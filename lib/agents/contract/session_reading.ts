import type { LogEvent } from "../../core/event/envelope.ts";

/** A place at which a read can begin. All else about it is the reader's own. */
export interface ReadPlace {
  /** Events up to this number are before it. */
  readonly seq: number;
  /** Bytes of the session's file before it, where it has some. */
  readonly offset?: number;
}

/** Events, and a place among or before them. */
export interface PlacedEvents {
  events: readonly LogEvent[];
  /** A place at or before the last of them; absent where a call or an answer is under way. */
  place?: ReadPlace;
}

/** Reads one thread of a session any number of times. */
export interface SessionReading {
  /**
   * Yields the events from the beginning, or behind a place that this reading gave. They are the same
   * each time, with the same numbers.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  from(place?: ReadPlace, signal?: AbortSignal): AsyncIterable<PlacedEvents>;
  /**
   * True if a place that another reading gave still stands, now that the session grew. Nothing before
   * it was taken back, and no other thread of its file changed. Without this method it always does.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`
   */
  stands?(place: ReadPlace): Promise<boolean>;
  /**
   * Returns the place behind an event; undefined where its number or its line is in doubt. Without this
   * method, batches tell the places.
   */
  placeBehind?(event: LogEvent): ReadPlace | undefined;
}
