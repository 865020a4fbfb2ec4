/**
 * Reads a session of a linear format from places in it. A place holds the position of a record and
 * the state before it. A window, or another process, goes on from there.
 */
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import type { PlacedEvents, SessionReading } from "../../source/session_reading.ts";
import type { SessionFormat } from "../session_format.ts";
import type { PlacedSource } from "../sources/record_source.ts";
import { EventRun } from "./format_run.ts";
import { type FormatPlace, PLACE_BYTES, placedEvents } from "./placed_events.ts";

/**
 * Opens a thread, named by its whole id; see {@linkcode SessionReader.openReading}. All reads share one
 * source, because a position may hold for the source alone that gave it.
 *
 * @param place_bytes Bytes between two places, at least.
 */
export function openFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  options: AgentReadOptions,
  place_bytes = PLACE_BYTES,
): SessionReading | undefined {
  const source = format.source(session, options.thread ?? MAIN_THREAD);
  if ("rewritten" in source) return undefined;
  const { stands } = format;
  return {
    ...(stands === undefined
      ? {}
      : { stands: (place) => stands(session, (place as FormatPlace).position) }),
    from: (place, signal = options.signal) =>
      eventsFrom(
        format,
        session,
        { ...options, signal, source, place_bytes },
        place as FormatPlace | undefined,
      ),
  };
}

interface PlacedOptions extends Pick<AgentReadOptions, "needs" | "report" | "signal" | "thread"> {
  source: PlacedSource;
  place_bytes: number;
}

async function* eventsFrom<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  { needs, report, signal, thread, source, place_bytes }: PlacedOptions,
  place: FormatPlace | undefined,
): AsyncGenerator<PlacedEvents> {
  // A read from a place knows no names of what was before it: so none does.
  const run = new EventRun(format, session, {
    needs,
    report,
    thread,
    behind: place?.seq ?? 0,
    named: false,
  });
  if (place !== undefined) await run.goOn(place.state);
  const skip = format.skips?.(undefined);
  const records = source.read({ report, signal, skip }, place?.position);
  yield* placedEvents(run, records, { bytes: place_bytes });
}
