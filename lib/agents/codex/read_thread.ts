/**
 * A thread of Codex as our events, or as the messages that these make.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import type { AgentReadOptions } from "../../source/agent.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { type MessageChoice, MessageWriter } from "../../reading/events/message_writer.ts";
import type { PlacedEvents, SessionReading } from "../../source/session_reading.ts";
import { rolloutForm } from "./rollout_name.ts";
import { isSettled, placeBehind, type ThreadPlace } from "./thread_place.ts";
import {
  type ChosenThread,
  type OpenThread,
  openThread,
  walkOpened,
  type WalkOptions,
  walkThread,
} from "./walk_thread.ts";

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

/**
 * Opens a thread; see {@linkcode Agent.openReading}. A compressed file, or a document, can be read
 * from its beginning alone.
 */
export async function openThreadReading(
  chosen: ChosenThread,
  options: AgentReadOptions,
): Promise<SessionReading | undefined> {
  if (rolloutForm(chosen.session.path) === "document") return undefined;
  const opened = await openThread(chosen, options);
  if (opened.plan.stretches.some(({ path }) => rolloutForm(path) !== "lines")) return undefined;
  return {
    from: (place, signal) =>
      eventsFrom(opened, options, { from: place as ThreadPlace | undefined, signal }),
  };
}

async function* eventsFrom(
  opened: OpenThread,
  options: AgentReadOptions,
  { from, signal }: { from: ThreadPlace | undefined; signal: AbortSignal | undefined },
): AsyncGenerator<PlacedEvents> {
  const { needs } = options;
  const writer = new EventWriter(opened.session, needs, { behind: from?.seq ?? 0, named: false });
  let place: ThreadPlace | undefined;
  const walk: WalkOptions = {
    ...options,
    ...(signal === undefined ? {} : { signal }),
    from,
    onLine: (rollout, where) => {
      if (isSettled(rollout)) place ??= placeBehind(rollout, writer, where);
    },
  };
  for await (const _ of walkOpened(opened, writer, walk)) {
    yield { events: writer.take(), ...(place === undefined ? {} : { place }) };
    place = undefined;
  }
  yield { events: writer.take() };
}
