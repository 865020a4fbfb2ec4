/** Reads a session of a linear format from its beginning. */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import type { SessionFormat } from "../session_format.ts";
import { FormatRun } from "./format_run.ts";
import { PLACE_BYTES, placedEvents } from "./placed_events.ts";

/** Yields the events of a thread, named by its whole id; see {@linkcode SessionReader.read}. */
export async function* readFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { account, report, signal, onPlace, thread = MAIN_THREAD } = options;
  const run = new FormatRun(format, session, options);
  const records = format.source(session, thread).read({ account, report, signal });
  const spacing = { bytes: onPlace === undefined ? Infinity : PLACE_BYTES };
  for await (const { events, place } of placedEvents(run, records, spacing)) {
    if (place !== undefined && onPlace?.(place) === false) spacing.bytes = Infinity;
    if (events.length > 0) yield events;
  }
}
