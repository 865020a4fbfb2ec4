/**
 * Builds the conversation of a session that continues. Only messages that may still change are
 * built again, so that each step stays cheap.
 *
 * @module
 */
import type { KnownEvent, LogEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import { present } from "../../event/present.ts";
import { type Conversation, conversation, type ConversationState } from "./conversation.ts";
import { BranchPath } from "../branch_path.ts";
import type { Finding } from "../projection.ts";
import { builtForModel, messagesForModel } from "./messages_for_model.ts";
import { findingsOf, isSettled, messagesSoFar, takeMessages } from "./built_messages.ts";
import { type MessageBuild, type Response, startMessages } from "./message_build.ts";
import { pairCalls } from "./paired_messages.ts";
import { addToMessages } from "./responses.ts";

/** A message with its events' numbers. Compactions, branches and forks refer to these numbers. */
export interface SentMessage extends Message {
  /** Number of the first event that the message is made of. */
  seq: number;
  /** Number of the last event that the message is made of. */
  end_seq: number;
  /** True for the summary of a compaction. The next compaction cannot keep it. */
  summary?: true;
}

/** The conversation that a continued session sends to its model. */
export interface SentConversation<Fault = Finding> extends Omit<Conversation, "findings"> {
  /** The messages to send, oldest first; empty before the first message. */
  messages: SentMessage[];
  /** Faults, such as calls without a result. */
  findings: Fault[];
}

/** Options of a conversation: the parts to include. An omitted option has its default. */
export interface SentOptions {
  /**
   * `include` keeps calls with their results. `omit` keeps only texts of user and assistant,
   * without images, files and messages that have no text. In a provider's format, answers that then
   * follow each other become one message.
   *
   * @default {"include"}
   */
  tools?: "include" | "omit";
  /** `include` adds the reasoning that the agent itself would send. @default {"include"} */
  reasoning?: "include" | "omit";
}

/** A projection with all parts. Parts that the caller omits are dropped at the end. */
const ALL = conversation({ tools: "include", reasoning: "include" });

export class RunningConversation {
  #state: ConversationState;
  #build: MessageBuild = startMessages(true);
  /** Complete messages, which change only if an event comes late. */
  #settled: SentMessage[] = [];
  readonly #taken = { responses: new WeakSet<Response>(), ids: new Set<string>() };
  /** The messages made from `base`, cached until `base` changes. */
  #numberedBase: { of: Message[]; messages: SentMessage[] } | undefined;

  /** @param state The state to continue from, of a projection that includes tools and reasoning. */
  constructor(state: ConversationState = ALL.initial()) {
    this.#state = state;
    this.#rebuild();
  }

  /**
   * Returns the number of leading messages that the next conversation will contain as the same
   * objects. An event that changes earlier messages makes the number invalid.
   */
  settledIn({ messages }: SentConversation): number {
    const base = this.#base(false);
    const count = base.length + this.#settled.length;
    const last = this.#settled.at(-1) ?? base.at(-1);
    // If calls had to be paired again, the messages are other objects at other places.
    return last !== undefined && messages[count - 1] === last ? count : 0;
  }

  get last_seq(): number {
    return this.#state.runs.at(-1)?.last ?? 0;
  }

  isOnBranch(seq: number): boolean {
    return new BranchPath(this.#state.branches).has(seq);
  }

  add(event: LogEvent): void {
    const { start, base, events } = this.#state;
    const { length } = events;
    this.#state = ALL.apply(this.#state, event);
    if (this.#state.start !== start || this.#state.base !== base) return this.#rebuild();
    const added = this.#state.events[length];
    if (added === undefined) return;
    if (this.#isLate(added)) return this.#rebuild();
    addToMessages(this.#build, added);
    this.#settle();
  }

  /** Events added later do not change the returned object. */
  conversation(options: SentOptions = {}): SentConversation {
    const { tools = "include", reasoning = "include" } = options;
    const { compaction_seq, replaced_seq, unanswered_call, findings, failed, error } = this.#state;
    const last = messagesSoFar(this.#build, unanswered_call) as SentMessage[];
    const all = [...this.#base(tools === "omit"), ...this.#settled, ...last];
    const chosen = builtForModel(all, { tools, reasoning });
    const messages = tools === "omit" ? chosen : pairCalls(chosen, unanswered_call);
    return present({
      messages: numbered(messages),
      findings: [...findings, ...(tools === "omit" ? [] : findingsOf(this.#build))],
      compaction_seq,
      replaced_seq,
      failed,
      error,
    });
  }

  /** Returns the messages that the latest compaction or replacement put first, with its number. */
  #base(bare: boolean): SentMessage[] {
    const { base, compaction_seq, replaced_seq, is_summary } = this.#state;
    const seq = compaction_seq ?? replaced_seq ?? 0;
    const places = present({ seq, end_seq: seq, summary: is_summary });
    if (bare) {
      return messagesForModel(base).map(({ role, content }) => ({ role, content, ...places }));
    }
    if (this.#numberedBase?.of !== base) {
      const messages = messagesForModel(base).map((message) => ({ ...message, ...places }));
      this.#numberedBase = { of: base, messages };
    }
    return this.#numberedBase.messages;
  }

  #rebuild(): void {
    this.#build = startMessages(true);
    this.#settled = [];
    this.#taken.ids.clear();
    const { events, start } = this.#state;
    for (const event of start === 0 ? events : events.slice(start)) {
      addToMessages(this.#build, event);
    }
    this.#settle();
  }

  /** True if an event changes a complete message: a late result, or a repeated message id. */
  #isLate({ payload }: KnownEvent): boolean {
    const { message_id, call_id } = payload as { message_id?: string; call_id?: string };
    const { responses, ids } = this.#taken;
    if (message_id !== undefined && ids.has(message_id)) return true;
    const calls = call_id === undefined ? undefined : this.#build.open.get(call_id);
    return calls?.some(({ response }) => response !== undefined && responses.has(response)) ??
      false;
  }

  /** Moves all messages before the last prompt, and complete responses after it, to `#settled`. */
  #settle(): void {
    const { entries } = this.#build;
    const prompt = entries.findLastIndex(({ role }) => role !== "assistant");
    let count = Math.max(0, Math.min(prompt, entries.length - 1));
    while (count < entries.length - 1 && isSettled(entries[count])) count++;
    for (const entry of entries.slice(0, count)) {
      if (entry.role !== "assistant") continue;
      this.#taken.responses.add(entry);
      if (entry.message_id !== undefined) this.#taken.ids.add(entry.message_id);
    }
    const taken = takeMessages(this.#build, count, this.#state.unanswered_call);
    for (const message of taken as SentMessage[]) this.#settled.push(message);
  }
}

/** Gives each message without a number the number of the message before it. */
function numbered(messages: readonly (Message | SentMessage)[]): SentMessage[] {
  let last = { seq: 0, end_seq: 0 };
  return messages.map((message) => {
    if (!("seq" in message)) return { ...message, ...last };
    last = { seq: message.end_seq, end_seq: message.end_seq };
    return message;
  });
}
