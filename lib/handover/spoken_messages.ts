/**
 * Reads the messages of the conversation in force as they come. Events alone tell when a message was
 * said, by which model, who saw it, and what the user ran.
 */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import { type Content, contentText, type Message } from "../event/message.ts";
import type { EventKind } from "../event/payload.ts";
import { conversationKinds } from "../event/policy.ts";
import { present } from "../event/present.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import {
  takeLastMessages,
  takeSettledMessages,
} from "../projection/conversation/built_messages.ts";
import {
  closeOverdueCalls,
  type MessageBuild,
  startMessages,
} from "../projection/conversation/message_build.ts";
import { messagesForModel } from "../projection/conversation/messages_for_model.ts";
import { pairCalls, UNSETTLED_OUTPUT } from "../projection/conversation/paired_messages.ts";
import { addToMessages } from "../projection/conversation/responses.ts";
import { eventSize } from "../projection/event_size.ts";
import { isHidden } from "../projection/unseen_message.ts";
import { fileState } from "../session/import/source_state.ts";
import { isSealedHistory } from "../shape/providers/openai_responses.ts";
import type { InForce } from "../projection/conversation/in_force.ts";
import { taskNotice } from "./notice.ts";
import { SeenPrompts } from "./seen_prompts.ts";
import type { Unseen } from "./tally.ts";

/** A message with facts of its event. */
export interface SpokenMessage extends Said {
  message: Message;
}

/** Facts of a message's event. */
interface Said {
  /** ISO 8601. */
  time?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  /** The command line, where the user ran it. */
  ran?: string;
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

/**
 * Reads the messages in force of a session's events. Content that the user did not see is left out
 * and counted.
 */
export async function* spokenMessages(
  batches: AsyncIterable<readonly LogEvent[]>,
  { base, from_seq, through_seq }: InForce,
  unseen: Unseen,
): AsyncGenerator<SpokenMessage[]> {
  yield baseMessages(base, unseen);
  const draft: Draft = {
    build: startMessages(true),
    said: new Map(),
    prompts: new SeenPrompts(unseen, base.length > 0),
  };
  for await (const events of batches) {
    for (const event of events) {
      if (event.seq < from_seq || event.seq > through_seq) continue;
      if (event.form === "known") takeEvent(draft, event);
    }
    yield withSaid(draft, takeSettledMessages(draft.build, UNSETTLED_OUTPUT));
  }
  draft.prompts.end();
  yield withSaid(draft, takeLastMessages(draft.build, UNSETTLED_OUTPUT));
}

function baseMessages(base: readonly Message[], unseen: Unseen): SpokenMessage[] {
  const spoken = base.filter((message) => {
    if (isSealedHistory(message.content)) return true;
    if (message.role === "system") unseen.system++;
    else if (isHidden(message.content) || isEnvironmentBlock(message)) unseen.environment++;
    else return true;
    return false;
  });
  return pairCalls(messagesForModel(spoken), UNSETTLED_OUTPUT).map((message) => {
    const notice = message.role === "user" ? taskNotice(contentText(message.content)) : undefined;
    return { message: notice === undefined ? message : { ...message, content: notice } };
  });
}

interface Draft {
  build: MessageBuild;
  /** By the seq of the message's first event. */
  said: Map<number, Said>;
  prompts: SeenPrompts;
}

function takeEvent(draft: Draft, event: KnownEvent): void {
  const { build, prompts } = draft;
  const seen = prompts.take(event);
  if (seen === undefined) return;
  if (build.open.size > 0) build.counted += eventSize(event);
  addToMessages(build, seen);
  if (build.open.size > 0) closeOverdueCalls(build, MOST_BEFORE_RESULT);
  noteSaid(draft, event);
}

/** Remembers an event's facts about its message. */
function noteSaid({ build, said }: Draft, event: KnownEvent): void {
  const last = build.entries.at(-1);
  if (last === undefined) return;
  // Entries are numbered: the type of a prompt does not say so.
  const { seq } = last as { seq?: number };
  if (seq === event.seq) {
    const { time } = event;
    const ran = event.kind === "bash_start" && event.payload.origin === "user"
      ? { ran: event.payload.command ?? "" }
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

/**
 * First and last words, in lower case: of Codex (codex-rs/core/src/context/
 * contextual_user_message.rs), and of Gemini CLI (packages/core/src/utils/environmentContext.ts).
 */
const BLOCKS: readonly (readonly [first: string, last: string])[] = [
  ["# agents.md instructions", "</instructions>"],
  ["<user_instructions>", "</user_instructions>"],
  ["<environment_context>", "</environment_context>"],
  ["<turn_aborted>", "</turn_aborted>"],
  ["<session_context>", "</session_context>"],
  ["<skill>", "</skill>"],
  ["<recommended_plugins>", "</recommended_plugins>"],
];

const LONGEST = 40;

/** True for an agent's own account of its surroundings. */
function isEnvironmentBlock({ role, content }: Message): boolean {
  if (role !== "user") return false;
  const text = contentText(content).trim();
  const start = text.slice(0, LONGEST).toLowerCase();
  const end = text.slice(-LONGEST).toLowerCase();
  return BLOCKS.some(([first, last]) => start.startsWith(first) && end.endsWith(last));
}

const FIRST_BYTES = 1024 * 1024;
/** The events are held: further back it is as well to read all of it. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Yields the events of longer and longer ends. None where the format gives no way from the end, and
 * where the whole is short.
 */
export async function* sessionEnds(
  handle: SessionHandle,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly LogEvent[]> {
  if (!handle.has_tail || handle.thread !== undefined) return;
  const { bytes } = fileState(handle.path);
  const options = present({ needs: SPOKEN_KINDS, signal });
  for (let most_bytes = FIRST_BYTES; most_bytes <= MOST_BYTES; most_bytes *= 4) {
    if (2 * most_bytes > bytes) return;
    yield await handle.tail(Infinity, { ...options, most_bytes });
  }
}
