/** Reads the messages that compactions dropped from a session's conversation. */
import type { LogEvent } from "../../core/event/envelope.ts";
import type { EventKind } from "../../core/event/payload.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { exportDocument } from "./export_document.ts";
import type { Report } from "../../core/log/diagnostic.ts";
import type { DroppedContext, SessionContext } from "../../core/projection/context.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";

export interface ContextReadOptions {
  report?: Report | undefined;
  /** The thread to read. The main thread if absent. */
  thread?: string | undefined;
}

const TOLD =
  "The messages below are from earlier in this work. They were dropped from the conversation. " +
  "They are a record of what happened, not a new request.";

/**
 * Returns the context that the compaction `number` dropped, by default the last one.
 *
 * @throws {SessionError} `not-found`, with the range of valid numbers.
 */
export function droppedAt(
  { dropped }: SessionContext,
  number: number = dropped.length,
): DroppedContext {
  const found = dropped.find((one) => one.number === number);
  if (found !== undefined) return found;
  const reason = dropped.length === 0
    ? "nothing was dropped from this session's conversation"
    : `no compaction has the number ${number}; the numbers are 1 to ${dropped.length}`;
  throw new SessionError(
    "not-found",
    `Cannot show the messages that a compaction dropped: ${reason}`,
    {},
  );
}

export async function* droppedEvents(
  handle: SessionHandle,
  { from_seq, to_seq }: DroppedContext,
  needs: ReadonlySet<EventKind> | undefined,
  options: ContextReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  for await (const events of handle.events({ ...options, needs })) {
    const inside = events.filter(({ seq }) => seq >= from_seq && seq < to_seq);
    if (inside.length > 0) yield inside;
  }
}

export async function* droppedText(
  handle: SessionHandle,
  dropped: DroppedContext,
  options: ContextReadOptions = {},
): AsyncGenerator<string> {
  const document = await exportDocument("text", { tools: "full" });
  for await (const events of droppedEvents(handle, dropped, document.needs, options)) {
    yield document.take(events);
  }
  yield document.end();
}

/** Yields a prompt with the messages that a compaction dropped. Tool calls are shortened. */
export async function* droppedPrompt(
  handle: SessionHandle,
  dropped: DroppedContext,
  options: ContextReadOptions = {},
): AsyncGenerator<string> {
  const { from_seq, to_seq } = dropped;
  yield `${TOLD}\n\n<earlier-conversation session="${handle.ref}" events="${from_seq}-${
    to_seq - 1
  }">\n`;
  const document = await exportDocument("text", { tools: "brief" });
  for await (const events of droppedEvents(handle, dropped, document.needs, options)) {
    yield document.take(events);
  }
  yield `${document.end()}</earlier-conversation>\n`;
}
