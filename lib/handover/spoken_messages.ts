/**
 * Reads the messages of the conversation in force as they come. Events alone tell when a message was
 * said, by which model, who saw it, and what the user ran.
 */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import type { Content, Message } from "../event/message.ts";
import type { EventKind, UserMessagePayload } from "../event/payload.ts";
import { conversationKinds } from "../event/policy.ts";
import {
  takeLastMessages,
  takeSettledMessages,
} from "../projection/conversation/built_messages.ts";
import { type MessageBuild, startMessages } from "../projection/conversation/message_build.ts";
import { messagesForModel } from "../projection/conversation/messages_for_model.ts";
import { pairCalls, UNSETTLED_OUTPUT } from "../projection/conversation/paired_messages.ts";
import { closeOverdueCalls } from "../projection/conversation/response_calls.ts";
import { addToMessages } from "../projection/conversation/responses.ts";
import { eventSize } from "../projection/event_size.ts";
import { commandOf } from "../projection/said_parts.ts";
import { isHidden } from "../projection/unseen_message.ts";
import { isEnvironmentBlock } from "./environment_block.ts";
import type { InForce } from "./in_force.ts";

/** A message, and what is known of it. */
export interface SpokenMessage extends Said {
  message: Message;
}

/** What events tell of a message. */
interface Said {
  /** ISO 8601. */
  time?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  /** The command line, where the user ran it. */
  ran?: string;
}

/** Counts of what nobody saw. */
export interface Unseen {
  /** Messages of the system. */
  system: number;
  /** Messages, and parts of them, that an agent told its model in the user's name. */
  environment: number;
}

/** The kinds that spoken messages are made of. */
export const SPOKEN_KINDS: ReadonlySet<EventKind> = new Set<EventKind>([
  ...conversationKinds(true, true),
  "session_started",
]);

/**
 * Characters that may follow a call before its result. A result that comes later is left out, so this
 * is more than any model takes.
 */
const MOST_BEFORE_RESULT = 16 * 1024 * 1024;

/** Reads the messages in force of a session's events. What nobody saw is left out, and counted. */
export async function* spokenMessages(
  batches: AsyncIterable<readonly LogEvent[]>,
  { base, from_seq, through_seq }: InForce,
  unseen: Unseen,
): AsyncGenerator<SpokenMessage[]> {
  yield baseMessages(base, unseen);
  const draft: Draft = { build: startMessages(true), said: new Map(), unseen };
  for await (const events of batches) {
    for (const event of events) {
      if (event.seq < from_seq || event.seq > through_seq) continue;
      if (event.form === "known") takeEvent(draft, event);
    }
    yield withSaid(draft, takeSettledMessages(draft.build, UNSETTLED_OUTPUT));
  }
  yield withSaid(draft, takeLastMessages(draft.build, UNSETTLED_OUTPUT));
}

function baseMessages(base: readonly Message[], unseen: Unseen): SpokenMessage[] {
  const spoken = base.filter((message) => {
    if (message.role === "system") unseen.system++;
    else if (isHidden(message.content) || isEnvironmentBlock(message)) unseen.environment++;
    else return true;
    return false;
  });
  return pairCalls(messagesForModel(spoken), UNSETTLED_OUTPUT).map((message) => ({ message }));
}

/** Messages in the making. */
interface Draft {
  build: MessageBuild;
  /** By the seq of the message's first event. */
  said: Map<number, Said>;
  unseen: Unseen;
}

function takeEvent(draft: Draft, event: KnownEvent): void {
  const { build } = draft;
  const seen = event.kind === "user_message" ? seenPrompt(event, draft.unseen) : event;
  if (seen === undefined) return;
  if (build.open.size > 0) build.counted += eventSize(event);
  addToMessages(build, seen);
  if (build.open.size > 0) closeOverdueCalls(build, MOST_BEFORE_RESULT);
  noteSaid(draft, event);
}

/** A prompt without what the user never saw; undefined where that was all. */
function seenPrompt(
  event: KnownEvent & { kind: "user_message" },
  unseen: Unseen,
): KnownEvent | undefined {
  const { role, content, told } = event.payload;
  if (role !== undefined) {
    unseen.system++;
    return undefined;
  }
  if (told !== undefined ? content.length === 0 : isHidden(content)) {
    unseen.environment++;
    return undefined;
  }
  const payload = seenPayload(event.payload, unseen);
  return payload === event.payload ? event : { ...event, payload };
}

/** What the user saw in other words, a command's name say, is handed over as the model got it. */
function seenPayload(payload: UserMessagePayload, unseen: Unseen): UserMessagePayload {
  const { content, told } = payload;
  if (told !== undefined || typeof content === "string") return payload;
  if (!content.some(({ audience }) => audience === "model")) return payload;
  if (content.some(({ audience }) => audience === "user")) return payload;
  unseen.environment++;
  return { ...payload, content: content.filter(({ audience }) => audience === undefined) };
}

/** Remembers what an event tells of the message that it began, or belongs to. */
function noteSaid({ build, said }: Draft, event: KnownEvent): void {
  const last = build.entries.at(-1);
  if (last === undefined) return;
  // Entries are numbered: the type of a prompt does not say so.
  const { seq } = last as { seq?: number };
  if (seq === event.seq) {
    const { time } = event;
    const ran = event.kind === "bash_start" && event.payload.origin === "user"
      ? { ran: event.payload.command ?? commandOf(event.payload.input) }
      : {};
    said.set(seq, { time, ...ran });
  }
  if (event.kind !== "assistant_message" || event.payload.model === undefined) return;
  const { message_id, model, provider } = event.payload;
  const named = message_id === undefined ? undefined : build.responses.get(message_id);
  const own = said.get(named?.seq ?? seq ?? 0);
  if (own !== undefined) Object.assign(own, { model, provider });
}

function withSaid({ said }: Draft, messages: Message[]): SpokenMessage[] {
  return messages.map((numbered) => {
    const { seq = 0, end_seq: _, ...message } = numbered as Message & {
      seq?: number;
      end_seq?: number;
    };
    const own = said.get(seq);
    said.delete(seq);
    return { message: message as Message & { content: Content }, ...own };
  });
}
