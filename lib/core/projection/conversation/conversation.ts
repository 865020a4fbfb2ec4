/**
 * Builds the conversation that the model gets with its next request.
 *
 * @module
 */
import type { KnownEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import type { CompactionAppliedPayload, EventKind, PayloadByKind } from "../../event/payload.ts";
import { declaresCalls, isMessageKind } from "../../event/opened_calls.ts";
import { conversationKinds } from "../../event/policy.ts";
import { present } from "../../event/present.ts";
import type { Finding, Projection } from "../projection.ts";
import { chosenForModel, messagesForModel } from "./messages_for_model.ts";
import { buildMessages } from "./responses.ts";
import { withoutOmitted } from "../said_parts.ts";
import { BranchPath, branchPoint } from "../branch_path.ts";
import { addSeq, findRun, type SeqRun } from "../seq_runs.ts";

/** The choice of the parts that a conversation includes, and facts about incomplete logs. */
export interface ConversationOptions {
  /**
   * `include` keeps calls with their results. `omit` keeps only texts of user and assistant,
   * without images, files and messages that have no text. In a provider's format, answers that then
   * follow each other become one message.
   *
   * @default {"include"}
   */
  tools?: "include" | "omit";
  /** `include` adds the reasoning that the agent itself would send. @default {"omit"} */
  reasoning?: "include" | "omit";
  /**
   * True if the events begin in the middle of a log, at the first event that the current compaction
   * keeps. References to earlier events are then trusted.
   *
   * @default {false}
   */
  partial?: boolean;
  /**
   * The sentence that the model gets as the output of a call without a result. Set it if the events
   * lack `session_started`, which may contain this sentence.
   *
   * @default {the sentence of `session_started`, else a sentence that says if the call began}
   */
  unanswered_call?: string | undefined;
}

/** The conversation as messages for a model, with the problems that were found in its events. */
export interface Conversation {
  /** The messages, ready to send, oldest first; empty if there are none. */
  messages: Message[];
  /** Number of the event of the current compaction; absent if there is none. */
  compaction_seq?: number;
  /** Event number of the current `conversation_replaced`. Absent if `compaction_seq` is present. */
  replaced_seq?: number;
  /**
   * Failure of the last turn: `cancelled` if the turn was stopped on purpose, else `error`. Absent
   * if a message followed, or if a crash left a prompt without an answer.
   */
  failed?: "error" | "cancelled";
  /** Message of the failure, such as the provider's error; absent if none was recorded. */
  error?: string;
  /** Ignored compactions, and calls without exactly one result, in the order of their events. */
  findings: Finding[];
}

/** The state of {@linkcode conversation} after the events so far. */
export interface ConversationState {
  /** The messages that the current compaction puts first. */
  base: Message[];
  /** True if `base` is the summary of a compaction. */
  is_summary?: true | undefined;
  /** All conversation events, because a later compaction may refer to any of them. */
  events: KnownEvent[];
  /** The index in `events` of the first event of the current conversation. */
  start: number;
  /** The numbers of all events so far. A valid `first_kept_seq` is one of these numbers. */
  runs: SeqRun[];
  /** Event number of the current compaction; undefined before the first valid compaction. */
  compaction_seq: number | undefined;
  /** Event number of the current `conversation_replaced`; undefined if there is none. */
  replaced_seq?: number | undefined;
  /** Output for a call without a result. Undefined while no option or event has given a text. */
  unanswered_call?: string | undefined;
  /** The reason of the last turn's failure; undefined once a message followed. */
  failed?: "error" | "cancelled" | undefined;
  /** The message of the last turn's failure; undefined if there is none. */
  error?: string | undefined;
  /** Problems of invalid compactions and branches, which were ignored. */
  findings: Finding[];
  /** Each branch so far: `seq` of its event, and `from_seq` of the event that it continues. */
  branches: { seq: number; from_seq: number }[];
  /** All events so far. After a branch, the events on its path are applied again. */
  past: KnownEvent[];
}

/**
 * Returns the projection to the conversation, without parts that only the user saw. A valid
 * compaction or `conversation_replaced` replaces all earlier messages. Each call has exactly one
 * result, right after the message with the call.
 *
 * @param options What to include.
 * @returns A projection to fold.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { conversation, decodeEvent, foldEvents } from "@reprise/reprise/pipeline";
 *
 * const events = [
 *   { seq: 1, kind: "user_message", payload: { content: "hi" } },
 *   { seq: 2, kind: "compaction_applied", payload: { status: "", summary: "They said hi." } },
 * ].flatMap((value) => decodeEvent(value) ?? []);
 * const { messages } = foldEvents(conversation(), events);
 * assert.deepEqual(messages, [{ role: "user", content: "They said hi." }]);
 * ```
 */
export function conversation(
  options: ConversationOptions = {},
): Projection<ConversationState, Conversation> {
  return conversationOf(options, false);
}

/** Returns {@linkcode conversation} for events without branches, and so needs less memory. */
export function linearConversation(
  options: ConversationOptions = {},
): Projection<ConversationState, Conversation> {
  return conversationOf(options, true);
}

function conversationOf(
  options: ConversationOptions,
  linear: boolean,
): Projection<ConversationState, Conversation> {
  const { tools = "include", reasoning = "omit", unanswered_call } = options;
  const { partial = false } = options;
  const omits = { tools: tools === "omit", reasoning: reasoning === "omit" };
  const kinds = conversationKinds(!omits.tools, !omits.reasoning);
  // The head has the sentence with which this agent tells its model that a call has no result.
  const needs = new Set<EventKind>([...kinds, "session_started", "turn_failed"]);
  // Events outside the branch are not among the events.
  if (linear) needs.delete("conversation_branched");
  return {
    needs,
    initial: () => ({
      base: [],
      events: [],
      start: 0,
      runs: [],
      compaction_seq: undefined,
      unanswered_call,
      findings: [],
      branches: [],
      past: [],
    }),
    apply(state, event): ConversationState {
      const kept = state.events.length;
      if (event.form === "known" && needs.has(event.kind)) {
        const lean = withoutLabels(event, omits);
        applyKnown(state, lean, partial);
        if (!linear) state.past.push(lean);
      }
      addSeq(state.runs, event.seq, kept);
      return state;
    },
    result: (state) => conclude(state, { tools, reasoning }),
  };
}

function applyKnown(
  state: ConversationState,
  event: KnownEvent,
  partial: boolean,
): void {
  if (event.kind === "conversation_branched") applyBranch(state, event, partial);
  else if (event.kind === "compaction_applied") applyCompaction(state, event, partial);
  else if (event.kind === "session_started") {
    state.unanswered_call ??= event.payload.unanswered_call;
  } else if (event.kind === "conversation_replaced") {
    state.base = event.payload.messages;
    state.is_summary = undefined;
    state.start = state.events.length;
    state.compaction_seq = undefined;
    state.replaced_seq = event.seq;
  } else if (event.kind === "turn_failed") {
    state.failed = event.payload.reason;
    state.error = event.payload.message;
  } else {
    if (!isCostAlone(event)) {
      state.failed = event.kind === "assistant_interrupted" ? stopOf(event.payload) : undefined;
      state.error = undefined;
    }
    state.events.push(event);
  }
}

/** True for an answer that only records a cost, such as a compaction's cost after a failure. */
function isCostAlone(event: KnownEvent): boolean {
  return event.kind === "assistant_message" && event.payload.content === "";
}

function stopOf({ reason }: PayloadByKind["assistant_interrupted"]): "error" | "cancelled" {
  return reason === "error" ? "error" : "cancelled";
}

/** Rebuilds the state from the events on a branch's path. Reports an invalid branch. */
function applyBranch(state: ConversationState, event: KnownEvent, partial: boolean): void {
  const branch = branchPoint(event);
  if (branch === undefined) {
    const detail = "the branch does not begin at an earlier event (from_seq)";
    state.findings.push({ code: "invalid-branch", seq: event.seq, detail });
    return;
  }
  state.branches.push(branch);
  const path = new BranchPath(state.branches);
  Object.assign(state, { ...NOTHING_SAID, base: [], events: [], findings: [] });
  for (const past of state.past) {
    // Only a branch that is ignored is reported again.
    if (!path.has(past.seq) || branchPoint(past) !== undefined) continue;
    applyKnown(state, past, partial);
  }
}

const NOTHING_SAID = {
  start: 0,
  is_summary: undefined,
  failed: undefined,
  error: undefined,
  compaction_seq: undefined,
  replaced_seq: undefined,
};

/**
 * Returns an event without the fields that a conversation does not need. This saves memory, because
 * all events of a log without a compaction are held.
 */
function withoutLabels(
  { form, integrity, seq, kind, payload }: KnownEvent,
  omits: { tools: boolean; reasoning: boolean },
): KnownEvent {
  if (kind !== "assistant_message") return { form, integrity, seq, kind, payload } as KnownEvent;
  const { message_id, provider_data } = payload;
  // Cuts and joins need to know that the answer had calls or reasoning, but not their content.
  const content = withoutOmitted(payload.content, omits);
  const lean = present({ content, message_id, provider_data });
  return { form, integrity, seq, kind, payload: lean };
}

/**
 * Returns the index in `events` of the first event to keep, or undefined if `first_kept_seq` names
 * no earlier event.
 */
function keptFrom(
  state: ConversationState,
  first_kept_seq: number,
  partial: boolean,
): number | undefined {
  const path = new BranchPath(state.branches);
  const run = findRun(state.runs, first_kept_seq);
  if (!path.has(first_kept_seq)) return undefined;
  if (run === undefined) {
    const first = state.runs[0]?.first ?? Infinity;
    return partial && first_kept_seq >= 1 && first_kept_seq < first ? 0 : undefined;
  }
  // After a branch, fewer events are kept than at the time of the compaction.
  let index = path.is_whole ? run.index : 0;
  while ((state.events[index]?.seq ?? Infinity) < first_kept_seq) index++;
  const named = state.events[index];
  if (named?.seq === first_kept_seq && isMessageKind(named.kind)) return index;
  return lineOfResponse(state.events, index);
}

/** Returns `index`, or the index of the preceding message if that message declares calls. */
function lineOfResponse(events: readonly KnownEvent[], index: number): number {
  const last = events.findLastIndex(({ kind }, at) => at < index && isMessageKind(kind));
  const response = events[last];
  return response !== undefined && declaresCalls(response) ? last : index;
}

/** True if a compaction has messages or a summary, and is not only a status for display. */
export function isUsableCompaction(
  { messages, summary, status_only = false }: CompactionAppliedPayload,
): boolean {
  return !status_only && (messages !== undefined || summary !== undefined);
}

function applyCompaction(
  state: ConversationState,
  { seq, payload }: KnownEvent & { kind: "compaction_applied" },
  partial: boolean,
): void {
  const { messages, summary, first_kept_seq, status_only } = payload;
  if (status_only) return;
  const refuse = (detail: string): void => {
    state.findings.push({ code: "invalid-compaction", seq, detail });
  };
  if (messages !== undefined) {
    state.base = messages;
    state.is_summary = undefined;
    state.start = state.events.length;
  } else if (summary === undefined) {
    return refuse("the compaction has neither messages nor a summary");
  } else {
    const start = first_kept_seq === undefined
      ? state.events.length
      : first_kept_seq < seq
      ? keptFrom(state, first_kept_seq, partial)
      : undefined;
    if (start === undefined) {
      return refuse(
        `first_kept_seq of this compaction is ${first_kept_seq}, but no event before the compaction has this number`,
      );
    }
    state.base = [{ role: "user", content: summary }];
    state.is_summary = true;
    state.start = start;
  }
  state.compaction_seq = seq;
  state.replaced_seq = undefined;
}

function conclude(
  state: ConversationState,
  { tools, reasoning }: ConversationOptions,
): Conversation {
  const { compaction_seq, replaced_seq, unanswered_call, failed, error } = state;
  const said = state.events.slice(state.start);
  const built = buildMessages(said, unanswered_call, tools === "omit");
  const all = [...messagesForModel(state.base), ...built.messages];
  const messages = chosenForModel(all, { tools, reasoning, unanswered_call });
  return present({
    messages,
    findings: [...state.findings, ...(tools === "omit" ? [] : built.findings)],
    compaction_seq,
    replaced_seq,
    failed,
    error,
  });
}
