/** Makes events of records, and places between them. */
import type { PlacedEvents, ReadPlace } from "../../source/session_reading.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { SourcePosition } from "../sources/record_source.ts";
import type { EventRun } from "./format_run.ts";

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
  run: EventRun<State>,
  batches: AsyncIterable<readonly SourceRecord[]> | Iterable<readonly SourceRecord[]>,
  spacing: PlaceSpacing,
): AsyncGenerator<PlacedEvents> {
  let passed = 0;
  for await (const records of batches) {
    for (const { size, position } of records) passed += size ?? position.length;
    const place = passed >= spacing.bytes ? await takeToPlace(run, records) : undefined;
    if (passed < spacing.bytes) await run.take(records);
    const events = run.events();
    if (place !== undefined) passed = 0;
    if (place !== undefined || events.length > 0) yield { events, ...place };
  }
  const last = passed > 0 && spacing.bytes < Infinity ? placeIn(run) : undefined;
  await run.end();
  yield { events: run.events(), ...last };
}

/** Makes the events of records, and returns the first place among them. */
async function takeToPlace<State>(
  run: EventRun<State>,
  records: readonly SourceRecord[],
): Promise<{ place: FormatPlace } | undefined> {
  let place: { place: FormatPlace } | undefined;
  for (const record of records) {
    await run.take([record]);
    place ??= placeIn(run);
  }
  return place;
}

function placeIn<State>(run: EventRun<State>): { place: FormatPlace } | undefined {
  const reached = run.place();
  if (reached === undefined) return undefined;
  return { place: { seq: run.reading.writer.seq, offset: reached.position.offset, ...reached } };
}
