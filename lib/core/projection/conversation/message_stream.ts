/**
 * Builds a conversation as a stream: complete messages can be taken before later events are read.
 * Made for sessions without compactions, where no event replaces earlier messages.
 */
import { contentFor } from "../../event/audience.ts";
import type { Content, Message, ToolResultPart } from "../../event/message.ts";
import type { CompactionAppliedPayload } from "../../event/payload.ts";
import { type ConversationOptions, isUsableCompaction } from "./conversation.ts";
import { builtForModel, chosenForModel, messagesForModel } from "./messages_for_model.ts";
import { eventSize } from "../event_size.ts";
import { takeLastMessages, takeSettledMessages } from "./built_messages.ts";
import {
  closeOverdueCalls,
  type MessageBuild,
  type SaidEvent,
  startMessages,
} from "./message_build.ts";
import { addToMessages } from "./responses.ts";
import { toParts } from "../said_parts.ts";

/**
 * Maximum number of characters between a call and its result. Any model's limit is smaller. If
 * there are more characters, the result is left out.
 */
const MOST_BEFORE_RESULT = 64 * 1024 * 1024;

export type MessageChoice = Pick<ConversationOptions, "tools" | "reasoning">;

/**
 * Builds the messages of one session as a stream. Messages after an open call wait for the call's
 * result. After more than `most_waiting` characters, the call stays unanswered and its result is
 * left out.
 */
export class MessageStream {
  readonly #choice: MessageChoice;
  readonly #most_waiting: number;
  #base: Message[] = [];
  #build: MessageBuild;
  /** Output for a call without a result. If not set, the first `session_started` event gives it. */
  unanswered: string | undefined;

  /** @param most_waiting Maximum number of characters that may follow a call before its result. */
  constructor(choice: MessageChoice, most_waiting: number = MOST_BEFORE_RESULT) {
    this.#choice = choice;
    this.#most_waiting = most_waiting;
    this.#build = this.#started();
  }

  #started(): MessageBuild {
    return startMessages(false, this.#choice.tools === "omit");
  }

  add(event: SaidEvent): void {
    switch (event.kind) {
      case "session_started":
        this.unanswered ??= event.payload.unanswered_call;
        break;
      case "compaction_applied":
        if (isUsableCompaction(event.payload)) this.replace(replacementOf(event.payload));
        break;
      case "conversation_replaced":
        this.replace(event.payload.messages);
        break;
      default:
        this.#addSaid(event);
    }
  }

  /**
   * Adds a response that ends with its only call, and the call's result. Adds nothing and returns
   * false if the last response may continue, an earlier call is open, or tools are omitted.
   */
  addSettledCall(content: Content, result: ToolResultPart): boolean {
    const { entries, open } = this.#build;
    const last = entries[entries.length - 1];
    const joins = last?.role === "assistant" && !last.closed;
    if (joins || open.size > 0 || this.#choice.tools === "omit") return false;
    entries.push({ role: "tool", said: toParts(contentFor(content, "model")), content: [result] });
    return true;
  }

  replace(base: Message[]): void {
    this.#base = base;
    this.#build = this.#started();
  }

  #addSaid(event: SaidEvent): void {
    const build = this.#build;
    if (build.open.size > 0) build.counted += eventSize(event);
    addToMessages(build, event);
    if (build.open.size > 0) closeOverdueCalls(build, this.#most_waiting);
  }

  /**
   * Removes and returns the finished messages. If a compaction may still follow, call this method
   * only at the end.
   */
  take(): Message[] {
    return this.#chosen(takeSettledMessages(this.#build, this.unanswered));
  }

  takeLast(): Message[] {
    return this.#chosen(takeLastMessages(this.#build, this.unanswered));
  }

  #chosen(messages: Message[]): Message[] {
    const built = builtForModel(messages, this.#choice);
    if (this.#base.length === 0) return built;
    const choice = { ...this.#choice, unanswered_call: this.unanswered };
    const base = chosenForModel(messagesForModel(this.#base), choice);
    this.#base = [];
    return [...base, ...built];
  }
}

function replacementOf({ messages, summary = "" }: CompactionAppliedPayload): Message[] {
  return messages ?? [{ role: "user", content: summary }];
}
