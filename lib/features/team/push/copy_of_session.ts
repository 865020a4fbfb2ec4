/**
 * Makes a redacted copy of a session of any agent. Its lines are those of
 * `export --format jsonl --redact`, without this machine's paths. Only Reprise's own sessions keep
 * the title in their first event, because titles of other agents change later.
 */
import { Buffer } from "node:buffer";
import { REPRISE } from "../../../core/event/agent_name.ts";
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { Redactor } from "../../../text/redaction/redactor.ts";
import { encodeReadLine } from "../../../core/store/session_line.ts";

/** Minimum bytes of lines in a chunk. Only the last chunk may be smaller. */
const CHUNK_BYTES = 64 * 1024;

interface SurveyedSession {
  handle: SessionHandle;
  redactor: Redactor;
  /** Number of events that `surveySession` read. Later events may contain more secrets. */
  events: number;
}

/**
 * Reads a session once to collect its secrets, before it is copied. A secret may be recognizable at
 * only one of its places.
 *
 * @param summary The summary that an export shows. The user's own title is only in the summary.
 * @param rewrite Replaces a string of the copy, for example a path.
 * @throws {SessionError} The errors of reading the session; `damaged` if it cannot be checked.
 */
export async function surveySession(
  handle: SessionHandle,
  summary: Summary,
  rewrite: (text: string) => string,
): Promise<SurveyedSession> {
  const redactor = new Redactor({ rewrite });
  let count = 0;
  for await (const events of handle.events({ all_branches: true })) {
    for (const event of events) redactor.observe(event);
    count += events.length;
  }
  const { first_user_message: _1, last_user_message: _2, last_error: _3, ...shown } = summary;
  for (const value of Object.values(shown)) redactor.observeValue(value);
  return { handle, redactor, events: count };
}

/** Yields chunks of whole lines of the copy. Skips events that `surveySession` did not read. */
export async function* copyChunks(
  { handle, redactor, events: surveyed }: SurveyedSession,
): AsyncGenerator<Uint8Array> {
  let left = surveyed;
  let [lines, bytes]: [Uint8Array[], number] = [[], 0];
  for await (const events of handle.events({ all_branches: true })) {
    for (const event of events.slice(0, left)) {
      if (event.form === "unparsed") continue;
      const redacted = redactor.event(untitled(handle.agent, event));
      if (redacted.form === "unparsed") continue;
      const line = encodeReadLine(redacted);
      lines.push(line);
      bytes += line.length;
    }
    left -= Math.min(left, events.length);
    if (bytes >= CHUNK_BYTES) {
      yield Buffer.concat(lines);
      [lines, bytes] = [[], 0];
    }
    if (left === 0) break;
  }
  if (bytes > 0) yield Buffer.concat(lines);
}

function untitled(agent: string, event: LogEvent): LogEvent {
  if (agent === REPRISE || event.form !== "known" || event.kind !== "session_started") return event;
  const { title: _title, ...payload } = event.payload;
  return { ...event, payload };
}
