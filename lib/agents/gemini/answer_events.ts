/**
 * Converts an answer of a chat to our events. If the answer's content holds calls or thoughts, they
 * count. Otherwise thoughts, text and calls are put together from the answer's other fields.
 *
 * A chat may store a result in the answer's call, in a later message, and again after a resume.
 * Gemini CLI then sends the result twice. Here a result is emitted once, because every
 * provider refuses a call with two results. No provider accepts a call without a result. So if the
 * answer's list has a call without a result, only the user gets the call. Thoughts are only for the
 * user, too (core/geminiChat.ts, `stripThoughts`).
 */
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import type { CallStatus, ReasoningPart } from "../../core/event/message.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { addGenAiCall, type GenAiCalls, settleGenAiCall } from "../engine/genai/genai_calls.ts";
import {
  addJoined,
  type GenAiPart,
  genAiParts,
  isThought,
  toOurPart,
} from "../engine/genai/genai_content.ts";
import { handedStatus } from "../engine/handed/line.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { emitResponse, startResponse } from "../engine/events/response_draft.ts";
import { contentOf, keepRest, responsesIn, withoutHiding } from "./message_content.ts";

export interface ChatEvents {
  writer: EventWriter;
  calls: GenAiCalls;
  /** True if a prompt may begin with an added zero-width space. See `guarded_prompt.ts`. */
  guarded: boolean;
}

export function emitAnswer(chat: ChatEvents, record: SourceRecord, origin: EventOrigin): void {
  const message = record.value;
  const named = callNamer(record);
  const parts = genAiParts(contentOf(message));
  const [shown, calls] = toolCallsOf(message);
  const isTruth = parts.some((part) => isThought(part) || part.functionCall !== undefined);
  const draft = startResponse(isTruth ? [] : thoughtsOf(message));
  for (const part of parts) {
    const said = isThought(part) ? toReasoning(part) : toOurPart(part);
    if (said !== undefined) addJoined(draft.parts, said);
    if (part.functionCall !== undefined) {
      const call = asObject(part.functionCall);
      addGenAiCall(chat.calls, draft, named(call), { told: toldStatus(shown, call.id) });
    }
  }
  // Without an id, a call cannot be told from the same call in the content.
  for (const call of calls) {
    const unsent = call.result === undefined || call.result === null;
    if (!isTruth || call.id !== undefined) {
      const audience = unsent ? "user" : undefined;
      addGenAiCall(chat.calls, draft, named(call), { audience });
    }
  }
  const message_id = asName(message.id);
  const model = asName(message.model);
  const usage = tokenUsage(message.tokens);
  emitResponse(chat.writer, draft, present({ message_id, model, usage }), origin);
  emitResults(chat, calls, origin);
  if (!isTruth) emitUnsentEnds(chat, calls, origin);
  const own = chat.guarded ? withoutHiding(message) : message;
  keepRest(chat.writer, parts.filter((part) => !isThought(part)), own, origin);
}

/** Returns a function that makes ids for calls without an id, from the message's id alone. */
function callNamer({ value, position, part = 0 }: SourceRecord): (call: Json) => Json {
  const message = asName(value.id) ?? `${position.offset}_${part}`;
  let unnamed = 0;
  return (call) => ({
    ...call,
    id: asName(call.id) ?? `${asName(call.name) ?? "tool"}_${message}_${++unnamed}`,
  });
}

/**
 * Splits an answer's list of calls into calls for display and real calls. A handed-over chat has
 * its real calls in the content, under other ids.
 */
function toolCallsOf({ toolCalls }: Json): [shown: Json[], calls: Json[]] {
  const all = asList(toolCalls).map(asObject);
  const shown = all.filter(({ reprise }) => reprise !== undefined);
  return shown.length === 0 ? [shown, all] : [shown, all.filter((call) => !shown.includes(call))];
}

/** Finds the original status of a handed-over call in the calls for display. */
function toldStatus(shown: readonly Json[], id: unknown): CallStatus | undefined {
  const call_id = asName(id);
  if (call_id === undefined) return undefined;
  for (const call of shown) {
    const told = handedStatus(call, call_id);
    if (told !== undefined) return told;
  }
  return undefined;
}

function toReasoning({ text, thoughtSignature }: GenAiPart): ReasoningPart {
  const thought = { type: "reasoning", text: asText(text) ?? "", audience: "user" } as const;
  if (thoughtSignature === undefined) return thought;
  return { ...thought, provider_data: { thoughtSignature } };
}

/** Returns thoughts as `**subject** description`, the form in which the client sends them. */
function thoughtsOf({ thoughts }: Json): ReasoningPart[] {
  return asList(thoughts).map(asObject).map(({ subject, description }) => {
    const heading = asName(subject);
    const text = asText(description) ?? "";
    const content = heading === undefined ? text : `**${heading}** ${text}`;
    return { type: "reasoning", text: content, audience: "user" };
  });
}

/**
 * Returns the usage of an answer. Gemini counts thoughts apart from the output, but bills them as
 * output. Its `input` includes cached tokens, but not the tokens of its own tools. In 0.61 `total`
 * is the sum of `input`, `output`, `thoughts` and `tool`.
 */
export function tokenUsage(value: unknown): TokenUsage | undefined {
  const { input, output, cached, thoughts, tool } = asObject(value);
  return promptUsage({
    prompt: sumOf(input, tool),
    output: sumOf(output, thoughts),
    cache_read: asNumber(cached),
    reasoning: asNumber(thoughts),
  });
}

function sumOf(one: unknown, other: unknown): number | undefined {
  const first = asNumber(one);
  return first === undefined ? undefined : first + (asNumber(other) ?? 0);
}

const ENDS = new Set<unknown>(["success", "error", "cancelled"]);

/**
 * Ends calls without a result with the status that Gemini CLI shows. Version 0.61 would send such a
 * call without a response (`convertSessionToClientHistory`), and its API would refuse it. So only
 * the user gets the call. Calls in the content are not ended here, because later messages have
 * their results.
 */
function emitUnsentEnds(chat: ChatEvents, calls: readonly Json[], origin: EventOrigin): void {
  for (const { id, name, result, status, resultDisplay, timestamp } of calls) {
    if ((result !== undefined && result !== null) || !ENDS.has(status)) continue;
    const from = { ...origin, time: timestamp ?? origin.time };
    const shown = { status: asName(status), display: resultDisplay };
    settleGenAiCall(chat.calls, chat.writer, { id, name }, { origin: from, shown });
  }
}

function emitResults(chat: ChatEvents, calls: readonly Json[], origin: EventOrigin): void {
  for (const { id, name, result, status, resultDisplay, timestamp } of calls) {
    if (result === undefined || result === null) continue;
    const from = { ...origin, time: timestamp ?? origin.time };
    const parts = genAiParts(
      typeof result === "string" ? { functionResponse: { response: { output: result } } } : result,
    );
    const shown = { status: asName(status), display: resultDisplay };
    for (const { response, beside } of responsesIn(parts)) {
      const named = { id, name, ...present(response) };
      settleGenAiCall(chat.calls, chat.writer, named, { origin: from, shown, beside });
    }
  }
}
