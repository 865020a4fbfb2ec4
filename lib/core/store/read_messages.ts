/** The messages of a log's conversation, in batches as they are read. */
import type { LogEvent } from "../event/envelope.ts";
import type { Message } from "../event/message.ts";
import { present } from "../event/present.ts";
import { readEvents, type ReadEventsOptions } from "../log/read_events.ts";
import { conversation, type ConversationOptions } from "../projection/conversation/conversation.ts";
import { pairCalls } from "../projection/conversation/paired_messages.ts";
import { foldBatches } from "../projection/projection.ts";
import { MOST_WAITING } from "../projection/event_size.ts";
import { MessageStream } from "../projection/conversation/message_stream.ts";
import { onPath } from "./log_branches.ts";
import type { LoadOptions } from "./load_session.ts";
import { findResumePart, isReplacingKind, type ResumePart } from "./resume_point.ts";

/**
 * Reads a log's messages, oldest first. See {@linkcode SessionReader.messages}.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`
 */
export async function* readMessages(
  path: string,
  options: MessagesOptions = {},
): AsyncGenerator<readonly Message[]> {
  const part = await findResumePart(path);
  const { from, to, path: way } = part;
  yield* messagesOf(part, options, (read) => onPath(way, readEvents(path, { ...read, from, to })));
}

export type MessagesOptions = LoadOptions & Omit<ConversationOptions, "partial">;

/**
 * Reads a log's messages, as {@linkcode readMessages} does, from events that `read` returns.
 *
 * @param part The range of the log that suffices for the conversation.
 * @param options What to include.
 * @param read Reads the events in that range.
 */
export async function* messagesOf(
  { from, in_force, to: _, path: _way, ...head }: ResumePart,
  { report, signal, ...choice }: MessagesOptions,
  read: (options: ReadEventsOptions) => AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<readonly Message[]> {
  const projection = conversation({ ...choice, ...head, partial: from > 0 });
  const batches = read(present({ kinds: projection.needs, report, signal }));
  if (in_force === undefined) {
    yield (await foldBatches(projection, batches)).messages;
    return;
  }
  const stream = new MessageStream(choice);
  const ready: Message[] = [];
  let held = 0;
  stream.unanswered = choice.unanswered_call ?? head.unanswered_call;
  let state = projection.initial();
  let settled = in_force < 0;
  // Contents that were edited may hold calls and results, too.
  const paired = (messages: Message[]): Message[] =>
    choice.tools === "omit" ? messages : pairCalls(messages, stream.unanswered);
  const add = (event: LogEvent): void => {
    if (settled) {
      if (event.form !== "known" || !projection.needs.has(event.kind)) return;
      // The event in force is known: later replacements were refused.
      if (isReplacingKind(event.kind)) return;
      stream.add(event);
      held += event.position?.length ?? 0;
      // Within a turn, a response may continue behind other events.
      if (event.kind !== "user_message" && held < MOST_WAITING) return;
      held = 0;
      for (const message of paired(stream.take())) ready.push(message);
      return;
    }
    // Kept events stand before the event that keeps them.
    state = projection.apply(state, event);
    settled = event.form === "known" && event.position?.offset === in_force;
    if (!settled) return;
    stream.replace(state.base);
    for (const kept of state.events.slice(state.start)) stream.add(kept);
  };
  for await (const events of batches) {
    for (const event of events) add(event);
    if (ready.length > 0) yield ready.splice(0);
  }
  yield settled ? paired(stream.takeLast()) : projection.result(state).messages;
}
