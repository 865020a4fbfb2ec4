/** Events as a reader gives them, for projections that are folded in memory. */
import type { Event, KnownEvent, LogEvent, NewEvent } from "../../lib/core/event/envelope.ts";
import { foldEvents, type Projection } from "../../lib/core/projection/projection.ts";
import { numbered } from "./log_bytes.ts";

/** A draft of one event. */
export { draft } from "./event_line.ts";

/** An event as it is read from a whole line. */
export function known(event: Event): KnownEvent {
  return { ...event, form: "known", integrity: "verified" };
}

/** Drafts as they are read back, numbered from `from`. */
export function knownEvents(drafts: readonly NewEvent[], from = 1): KnownEvent[] {
  return numbered(drafts, from).map(known);
}

/** What a projection makes of drafts. */
export function fold<State, Result>(
  projection: Projection<State, Result>,
  ...drafts: NewEvent[]
): Result {
  return foldEvents(projection, knownEvents(drafts));
}

/** A line of a kind that nobody asked for. */
export function unparsed(seq: number, kind = "diff", time?: string): LogEvent {
  const event: LogEvent = { form: "unparsed", seq, kind, integrity: "verified" };
  return time === undefined ? event : { ...event, time };
}
