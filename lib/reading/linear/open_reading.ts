/**
 * Reads a session of a linear format from places in it. A place holds the position of a record and
 * the state before it. A window, or another process, goes on from there.
 */
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import type { PlacedEvents, ReadPlace, SessionReading } from "../../source/session_reading.ts";
import type { SessionFormat } from "../session_format.ts";
import type { PlacedSource, SourcePosition } from "../sources/record_source.ts";
import { FormatRun } from "./format_run.ts";

/** A place in a session. It is JSON, and can be kept. */
interface FormatPlace extends ReadPlace {
  readonly position: SourcePosition;
  readonly state: unknown;
}

/** Bytes between two places, at least. */
const PLACE_BYTES = 256 * 1024;

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
  return {
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
  const run = new FormatRun(format, session, {
    needs,
    report,
    thread,
    behind: place?.seq ?? 0,
    named: false,
  });
  if (place !== undefined) run.goOn(format.restoreState(place.state, run.reading));
  let passed = 0;
  for await (const records of source.read({ report, signal }, place?.position)) {
    await run.take(records);
    const events = run.events();
    for (const { size, position } of records) passed += size ?? position.length;
    const reached = passed >= place_bytes ? run.place() : undefined;
    if (reached === undefined) {
      if (events.length > 0) yield { events };
      continue;
    }
    passed = 0;
    yield { events, place: { seq: run.reading.writer.seq, ...reached } as FormatPlace };
  }
  await run.end();
  yield { events: run.events() };
}
