/**
 * Reads a session of a linear format from places in it. A place holds the position of a record and
 * the state before it. A window, or another process, goes on from there.
 */
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import type { PlacedEvents, ReadPlace, SessionReading } from "../../source/session_reading.ts";
import type { SessionFormat } from "../session_format.ts";
import type { SourcePosition } from "../sources/record_source.ts";
import { FormatRun } from "./format_run.ts";

/** A place in a session. It is JSON, and can be kept. */
interface FormatPlace extends ReadPlace {
  readonly position: SourcePosition;
  readonly state: unknown;
}

/** Bytes between two places, at least. */
const PLACE_BYTES = 256 * 1024;

/**
 * Opens a session; see {@linkcode Agent.openReading}.
 *
 * @param place_bytes Bytes between two places, at least.
 */
export function openFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  options: AgentReadOptions,
  place_bytes = PLACE_BYTES,
): SessionReading {
  return {
    from: (place, signal = options.signal) =>
      eventsFrom(
        format,
        session,
        { ...options, signal, place_bytes },
        place as FormatPlace | undefined,
      ),
  };
}

interface PlacedOptions extends Pick<AgentReadOptions, "needs" | "report" | "signal"> {
  place_bytes: number;
}

async function* eventsFrom<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  { needs, report, signal, place_bytes }: PlacedOptions,
  place: FormatPlace | undefined,
): AsyncGenerator<PlacedEvents> {
  // A read from a place knows no names of what was before it: so none does.
  const run = new FormatRun(format, session, {
    needs,
    report,
    behind: place?.seq ?? 0,
    named: false,
  });
  if (place !== undefined) run.goOn(format.restoreState(place.state, run.reading));
  let placed = place?.position.offset ?? 0;
  for await (const records of format.source(session).read({ report, signal }, place?.position)) {
    await run.take(records);
    const events = run.events();
    const { offset = 0, length = 0 } = records.at(-1)?.position ?? {};
    const reached = offset + length - placed >= place_bytes ? run.place() : undefined;
    if (reached === undefined) {
      if (events.length > 0) yield { events };
      continue;
    }
    placed = reached.position.offset;
    yield { events, place: { seq: run.reading.writer.seq, ...reached } as FormatPlace };
  }
  await run.end();
  yield { events: run.events() };
}
