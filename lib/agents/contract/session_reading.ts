import type { LogEvent } from "../../core/event/envelope.ts";

/** A place in a session at which a read can begin. A reader of an agent may add its own fields. */
export interface ReadPlace {
  /** The number of the last event before the place. */
  readonly seq: number;
  /** Number of bytes before the place in the session's file; absent if there is no such file. */
  readonly offset?: number;
}

export interface PlacedEvents {
  events: readonly LogEvent[];
  /** A place at or before the batch's last event. Absent if a call or an answer is unfinished. */
  place?: ReadPlace;
}

/** A reading of one thread of a session, which can be repeated any number of times. */
export interface SessionReading {
  /**
   * Yields the events from the beginning, or from a place that this reading gave. Each call yields
   * the same events with the same numbers.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  from(place?: ReadPlace, signal?: AbortSignal): AsyncIterable<PlacedEvents>;
  /**
   * True if a place from an earlier reading is still valid, although the session grew. The place is
   * valid if nothing before it was removed and no other thread in the file changed. Without this
   * method, every place of an earlier reading is valid.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`
   */
  stands?(place: ReadPlace): Promise<boolean>;
  /**
   * Returns the place right after an event; undefined if the event's number or line is uncertain.
   * Without this method, only batches have places.
   */
  placeBehind?(event: LogEvent): ReadPlace | undefined;
}
