/** Reads a session of a linear format from its beginning. */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import type { SessionFormat } from "../session_format.ts";
import { EventRun } from "./format_run.ts";
import { PLACE_BYTES, placedEvents } from "./placed_events.ts";
import { forceStart } from "./read_messages.ts";

/** Yields the events of a thread, named by its whole id; see {@linkcode SessionReader.read}. */
export async function* readFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { account, needs, onPlace, report, signal, thread = MAIN_THREAD } = options;
  const run = new EventRun(format, session, options);
  const source = format.source(session, thread);
  // An account is of all bytes, whatever is in force.
  const start = options.in_force && account === undefined
    ? await forceStart(source, signal)
    : undefined;
  const skip = format.skips?.(options.in_force ? needs : undefined);
  const records = source.read({ account, report, signal, skip }, start?.position);
  const spacing = { bytes: onPlace === undefined || start !== undefined ? Infinity : PLACE_BYTES };
  for await (const { events, place } of placedEvents(run, records, spacing)) {
    if (place !== undefined && onPlace?.(place) === false) spacing.bytes = Infinity;
    if (events.length > 0) yield events;
  }
}
