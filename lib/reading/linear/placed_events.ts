/** Makes events of records, and places between them. */
import type { PlacedEvents, ReadPlace } from "../../source/session_reading.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { SourcePosition } from "../sources/record_source.ts";
import type { FormatRun } from "./format_run.ts";

/** A place in a session. It is JSON, and can be kept. */
export interface FormatPlace extends ReadPlace {
  readonly position: SourcePosition;
  readonly state: unknown;
}

/** Bytes between two places, at least. */
export const PLACE_BYTES = 256 * 1024;

/** How far places are apart; it may change while a run goes on. */
export interface PlaceSpacing {
  /** Bytes between two places, at least; `Infinity` for none. */
  bytes: number;
}

/** Yields the events of a run, to its end. */
export async function* placedEvents<State>(
  run: FormatRun<State>,
  batches: AsyncIterable<readonly SourceRecord[]> | Iterable<readonly SourceRecord[]>,
  spacing: PlaceSpacing,
): AsyncGenerator<PlacedEvents> {
  let passed = 0;
  for await (const records of batches) {
    await run.take(records);
    const events = run.events();
    for (const { size, position } of records) passed += size ?? position.length;
    const place = passed >= spacing.bytes ? placeIn(run) : undefined;
    if (place !== undefined) passed = 0;
    if (place !== undefined || events.length > 0) yield { events, ...place };
  }
  const last = passed > 0 && spacing.bytes < Infinity ? placeIn(run) : undefined;
  await run.end();
  yield { events: run.events(), ...last };
}

function placeIn<State>(run: FormatRun<State>): { place: FormatPlace } | undefined {
  const reached = run.place();
  if (reached === undefined) return undefined;
  return { place: { seq: run.reading.writer.seq, offset: reached.position.offset, ...reached } };
}
