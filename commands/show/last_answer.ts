/** Prints the text of a session's last answer alone, to copy it. */
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import { contentText } from "../../lib/core/event/message.ts";
import { present } from "../../lib/core/event/present.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { Report } from "../../lib/core/log/diagnostic.ts";
import type { TranscriptItem } from "../../lib/core/projection/transcript/item.ts";
import { transcript } from "../../lib/core/projection/transcript/transcript.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import type { Context } from "../_context.ts";
import { printExact } from "../_message.ts";
import { type ShowFlags, shownSession } from "./shown_session.ts";
import { noSuchEvent } from "./shown_view.ts";

/** Number of last messages read first. If they have no answer, the whole session is read. */
const LAST_MESSAGES = 4;

/**
 * Prints the last answer that has text. If the reference names an event, prints the last answer
 * from this event to the next prompt.
 *
 * @throws {SessionError} `not-found` if no answer has text
 */
export async function printLastAnswer(
  context: Context,
  opened: SessionHandle,
  flags: ShowFlags,
  report: Report,
): Promise<void> {
  const { source, end } = await shownSession(opened, { ...flags, last: LAST_MESSAGES }, report);
  const answer = end === undefined ? undefined : await lastAnswer([end], source.seq);
  const text = answer ?? await wholeAnswer(opened, present({ report, thread: flags.thread }));
  if (text !== undefined) return await printExact(context, text);
  const { ref } = source;
  throw new SessionError("not-found", `Session ${ref} has no answer with text`, { ref });
}

async function wholeAnswer(
  opened: SessionHandle,
  options: { report: Report; thread?: string },
): Promise<string | undefined> {
  const source = await opened.atEvent();
  const { seq = 0 } = source;
  const seen = { seq: 0 };
  const events = noting(seen, source.events({ ...options, needs: transcript().needs }));
  const answer = await lastAnswer(events, seq);
  if (answer === undefined && seen.seq < seq) throw noSuchEvent(`${source.ref}#${seq}`, seen.seq);
  return answer;
}

async function* noting(
  seen: { seq: number },
  batches: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<readonly LogEvent[]> {
  for await (const events of batches) {
    seen.seq = events.at(-1)?.seq ?? seen.seq;
    yield events;
  }
}

/** Returns the last answer's text. With `seq`, looks only from that event to the next prompt. */
async function lastAnswer(
  batches: AsyncIterable<readonly LogEvent[]> | Iterable<readonly LogEvent[]>,
  seq = 0,
): Promise<string | undefined> {
  const projection = transcript();
  let state = projection.initial();
  let answer: string | undefined;
  const isOver = (items: readonly TranscriptItem[]): boolean => {
    for (const item of items) {
      if (item.type !== "message" || (item.end_seq ?? item.seq) < seq) continue;
      if (item.role === "assistant") answer = contentText(item.content).trim() || answer;
      else if (seq > 0 && item.seq > seq) return true;
    }
    return false;
  };
  for await (const events of batches) {
    for (const event of events) state = projection.apply(state, event);
    if (isOver(projection.take(state))) return answer;
  }
  isOver(projection.result(state));
  return answer;
}
