/**
 * Reads the messages of the current conversation from events, one after another. A message's time,
 * model and audience, and commands of the user, are only in the events.
 */
import type { KnownEvent, LogEvent } from "../../core/event/envelope.ts";
import { type Content, contentText, type Message } from "../../core/event/message.ts";
import type { EventKind } from "../../core/event/payload.ts";
import { conversationKinds } from "../../core/event/policy.ts";
import { present } from "../../core/event/present.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import {
  takeLastMessages,
  takeSettledMessages,
} from "../../core/projection/conversation/built_messages.ts";
import {
  closeOverdueCalls,
  type MessageBuild,
  startMessages,
} from "../../core/projection/conversation/message_build.ts";
import { messagesForModel } from "../../core/projection/conversation/messages_for_model.ts";
import { pairCalls, UNSETTLED_OUTPUT } from "../../core/projection/conversation/paired_messages.ts";
import { addToMessages } from "../../core/projection/conversation/responses.ts";
import { eventSize } from "../../core/projection/event_size.ts";
import { isHidden } from "../../core/projection/unseen_message.ts";
import { fileState } from "../../core/store/import/source_state.ts";
import { isSealedHistory } from "../../text/shape/providers/openai_responses.ts";
import type { InForce } from "../../core/projection/conversation/in_force.ts";
import { nameOf } from "../../core/projection/transcript/attached_texts.ts";
import { isEnvironment, skillText, taskNotice } from "./notice.ts";
import { SeenPrompts } from "./seen_prompts.ts";
import { leaveOutHidden, type Unseen } from "./tally.ts";

export interface SpokenMessage extends Said {
  message: Message;
}

interface Said {
  /** The time of the event, in ISO 8601. */
  time?: string | undefined;
  model?: string | undefined;
  provider?: string | undefined;
  ran?: string;
  /** True if the user did not see the message, and must not see it in the target either. */
  hidden?: true;
}

export const SPOKEN_KINDS: ReadonlySet<EventKind> = new Set<EventKind>([
  ...conversationKinds(true, true),
  "session_started",
]);

/**
 * Maximum number of characters between a call and its result. A later result is left out. The limit
 * exceeds what any model takes.
 */
const MOST_BEFORE_RESULT = 16 * 1024 * 1024;

/**
 * Reads the current messages from a session's events, without replaced messages. Content that the
 * user did not see is left out and counted.
 *
 * @param same_request True if the session is handed to its own agent, which can hide messages. Then
 * messages that the user did not see are kept.
 */
export async function* spokenMessages(
  batches: AsyncIterable<readonly LogEvent[]>,
  { base, from_seq, through_seq }: InForce,
  unseen: Unseen,
  same_request: boolean,
): AsyncGenerator<SpokenMessage[]> {
  yield baseMessages(base, unseen, same_request);
  const draft: Draft = {
    build: startMessages(true),
    said: new Map(),
    prompts: new SeenPrompts(unseen, base.length > 0, same_request),
    same_request,
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

function baseMessages(
  base: readonly Message[],
  unseen: Unseen,
  same_request: boolean,
): SpokenMessage[] {
  const spoken = base.filter(({ role, content }) => {
    const text = role === "user" ? contentText(content) : "";
    if (isSealedHistory(content)) return true;
    if (role === "system") unseen.system++;
    else if (isEnvironment(text)) leaveOutHidden(unseen, nameOf(text));
    else if (same_request || !isHidden(content) || skillText(text) !== undefined) return true;
    else leaveOutHidden(unseen, nameOf(text));
    return false;
  });
  return pairCalls(messagesForModel(spoken), UNSETTLED_OUTPUT).map((message): SpokenMessage => {
    const text = message.role === "user" ? contentText(message.content) : "";
    const notice = skillText(text) ?? taskNotice(text);
    if (notice === undefined) return { message };
    return same_request ? { message, hidden: true } : { message: { ...message, content: notice } };
  });
}

interface Draft {
  build: MessageBuild;
  /** Facts about each message, by the `seq` of the message's first event. */
  said: Map<number, Said>;
  prompts: SeenPrompts;
  same_request: boolean;
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

function noteSaid({ build, said, same_request }: Draft, event: KnownEvent): void {
  const last = build.entries.at(-1);
  if (last === undefined) return;
  // Every entry has a seq, although the type of a prompt lacks it.
  const { seq } = last as { seq?: number };
  if (seq === event.seq) {
    const { time } = event;
    const ran = event.kind === "bash_start" && event.payload.origin === "user"
      ? { ran: event.payload.command ?? "" }
      : {};
    const hides = same_request && event.kind === "user_message" &&
      (isHidden(event.payload.content) || taskNotice(contentText(event.payload.content)));
    said.set(seq, { time, ...ran, ...hides ? { hidden: true } as const : {} });
  }
  if (event.kind !== "assistant_message" || event.payload.model === undefined) return;
  const { message_id, model, provider } = event.payload;
  const named = message_id === undefined ? undefined : build.responses.get(message_id);
  const own = said.get(named?.seq ?? seq ?? 0);
  if (own !== undefined) Object.assign(own, { model, provider });
}

function withSaid({ said }: Draft, messages: Message[]): SpokenMessage[] {
  return messages.map((numbered) => {
    const { seq = 0, end_seq: _, summary: __, ...message } = numbered as Message & {
      seq?: number;
      end_seq?: number;
      summary?: true;
    };
    const own = said.get(seq);
    said.delete(seq);
    return { message: message as Message & { content: Content }, ...own };
  });
}

const FIRST_BYTES = 1024 * 1024;
/** Maximum bytes to read from a session's end. If more are needed, the whole session is read. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Yields the events at a session's end. Each further batch begins earlier and includes the one
 * before, up to {@linkcode MOST_BYTES}. Yields nothing if the format cannot be read from its end,
 * or if the session is short.
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
