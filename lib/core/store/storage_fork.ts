/** Copies events of a log in a storage to the lines of a new log. */
import type { Event, LogEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { summary, type SummaryState } from "../projection/summary.ts";
import { corrections, headOf, isWhole, withSource } from "./copy/fork_session.ts";
import { encodeLine, encodeReadLine } from "./session_line.ts";
import { eventsIn } from "./storage_log.ts";
import type { ForkOptions } from "./store_options.ts";

interface ForkSource {
  id: string;
  /** The title that somebody gave the session. Undefined if there is none. */
  title: string | undefined;
  state: SummaryState;
  events: AsyncIterable<readonly LogEvent[]>;
}

export async function foldSummary(
  batches: AsyncIterable<readonly LogEvent[]>,
): Promise<SummaryState> {
  const projection = summary();
  let state = projection.initial();
  for await (const events of batches) {
    for (const event of events) state = projection.apply(state, event);
  }
  return state;
}

export async function forkedLines(
  source: ForkSource,
  { id, time, seq, title }: ForkOptions & { id: string; time: string },
): Promise<Uint8Array[]> {
  const { started, last_seq = 0 } = source.state;
  const through = seq ?? last_seq;
  if (!Number.isSafeInteger(through) || through < 1 || through > last_seq) {
    const message = `Cannot fork: there is no event ${seq}; the last event is ${last_seq}`;
    throw new SessionError("not-found", message, { ref: source.id });
  }
  const parent = { session_id: source.id, seq: through, reason: "fork" };
  const own = { session_id: id, created_at: time, cwd: started?.cwd ?? "", parent };
  const payload = headOf(started === undefined ? undefined : { started }, own, title);
  const head: Event = { seq: 1, kind: "session_started", time, payload };
  const lines = [encodeLine(head)];
  for await (const events of source.events) {
    for (const event of events.filter(isWhole)) {
      if (event.seq === 1 || event.seq > through) continue;
      lines.push(encodeReadLine(withSource(event, source.id)));
    }
  }
  const state = await foldSummary(eventsIn(lines));
  for (const event of corrections({ state }, { title: title ?? source.title }, time)) {
    lines.push("form" in event ? encodeReadLine(event) : encodeLine(event));
  }
  return lines;
}
