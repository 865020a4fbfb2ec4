/**
 * A thread of Codex as our events, or as the messages that these make.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import type { AgentReadOptions } from "../../source/agent.ts";
import { EventWriter } from "../event_writer.ts";
import { type MessageChoice, MessageWriter } from "../message_writer.ts";
import { type ChosenThread, walkThread } from "./walk_thread.ts";

/**
 * Reads a thread as events.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readThread(
  chosen: ChosenThread,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const writer = new EventWriter(chosen.session, options.needs);
  for await (const _ of walkThread(chosen, writer, options)) {
    const events = writer.take();
    if (events.length > 0) yield events;
  }
  yield writer.take();
}

/**
 * Reads a thread as the messages that Codex would send, in batches.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readThreadMessages(
  chosen: ChosenThread,
  choice: MessageChoice,
  options: Pick<AgentReadOptions, "report" | "signal">,
): AsyncGenerator<Message[]> {
  const writer = new MessageWriter(choice);
  const walk = { ...options, needs: writer.needs, in_force: true };
  for await (const { settled } of walkThread(chosen, writer, walk)) {
    const messages = settled ? writer.take() : [];
    if (messages.length > 0) yield messages;
  }
  yield writer.takeLast();
}
