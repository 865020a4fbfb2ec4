/** Reads the events of index candidates from their sessions. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { openReader } from "../../machine/registry.ts";
import { type ChecksumHistory, checksumHistory } from "../../../core/log/checksum_history.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { eventOf } from "../scan/scan_session.ts";
import { SEARCHED_KINDS } from "../searchable_text.ts";
import type { IndexCandidate } from "./candidate_set.ts";
import { readAt } from "./source_stamp.ts";

type EventPlace = Pick<IndexCandidate, "seq" | "offset" | "length">;

/** Returns undefined if the session differs from the index. */
export async function eventsOf(
  session: AgentSession,
  thread: string,
  candidates: readonly EventPlace[],
): Promise<LogEvent[] | undefined> {
  const reader = await openReader(session);
  const log = reader.log?.path;
  if (log !== undefined) {
    const places = new Map(candidates.map((candidate) => [candidate.seq, candidate]));
    const history = checksumHistory(log);
    const events = [...places.values()].map((place) => eventAt(log, place, history));
    return events.every((event) => event !== undefined) ? events : undefined;
  }
  const seqs = new Set(candidates.map(({ seq }) => seq));
  const found: LogEvent[] = [];
  const other = thread === MAIN_THREAD ? undefined : thread;
  const options = present({ needs: SEARCHED_KINDS, thread: other });
  try {
    for await (const events of reader.read(options)) {
      for (const event of events) if (seqs.has(event.seq)) found.push(event);
    }
  } catch (error) {
    // The scan reports the reason.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
  return found.length === seqs.size ? found : undefined;
}

const LF = 0x0a;

function eventAt(
  path: string,
  { seq, offset, length }: EventPlace,
  history: ChecksumHistory,
): LogEvent | undefined {
  const line = readAt(path, offset, length);
  if (line === undefined || line[length - 1] !== LF) return undefined;
  const event = eventOf(line.subarray(0, length - 1), { offset, length }, history);
  return typeof event === "object" && event.seq === seq ? event : undefined;
}
