/** Converts an answer of the model to events: its thoughts, texts and calls, step by step. */
import { asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import type { ReasoningPart } from "../../core/event/message.ts";
import type { AssistantMessagePayload, TokenUsage } from "../../core/event/payload.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { emitInterrupted, emitResponse, startResponse } from "../engine/events/response_draft.ts";
import type { StoredMessage, StoredPart } from "./stored_session.ts";
import { takeTool } from "./tool_events.ts";

interface AnswerReading {
  turn_id?: string | undefined;
  /** True if the user stopped the answer, so that its text is cut off. */
  aborted?: boolean;
  /** True if the user ran the command, not the model. */
  by_user?: boolean;
}

/**
 * One call to the model. Older versions kept several calls in one message, each after a
 * `step-start`.
 */
interface Step {
  message_id: string;
  parts: StoredPart[];
  finish?: Json;
}

const CONTENT = new Set<unknown>(["text", "reasoning", "tool"]);

/** True if OpenCode sends this part of an answer to the model. */
export function isAnswerContent({ data }: StoredPart): boolean {
  return CONTENT.has(data.type);
}

/** Writes an answer as OpenCode sends it to the model (1.18.34, `toModelMessagesEffect`). */
export function writeAnswer(
  writer: EventWriter,
  message: StoredMessage,
  reading: AnswerReading,
): void {
  const steps = stepsOf(message);
  // The message sums up its costs but tells the tokens of its last step alone.
  const several = steps.filter(({ finish }) => finish !== undefined).length > 1;
  for (const [index, step] of steps.entries()) {
    const use = several ? step.finish ?? {} : index === 0 ? message.info : {};
    writeStep(writer, step, answerHead(message.info, step.message_id, use), message.info, reading);
  }
}

/** Writes only the tokens of an answer whose content is not sent to the model. */
export function writeUsage(
  writer: EventWriter,
  { id, info }: StoredMessage,
  turn_id: string | undefined,
): void {
  const payload: AssistantMessagePayload = { content: "", ...answerHead(info, id, info) };
  writer.emit("assistant_message", payload, { id, time: createdAt(info), turn_id });
}

function stepsOf({ id, parts }: StoredMessage): Step[] {
  const steps: Step[] = [];
  let step: Step = { message_id: id, parts: [] };
  const close = (): void => {
    if (step.parts.length > 0 || step.finish !== undefined) steps.push(step);
    step = { message_id: steps.length === 0 ? id : `${id}#${steps.length + 1}`, parts: [] };
  };
  for (const part of parts) {
    if (part.data.type === "step-start") close();
    else if (part.data.type === "step-finish") step.finish = part.data;
    else if (isAnswerContent(part)) step.parts.push(part);
  }
  close();
  return steps.length === 0 ? [step] : steps;
}

type AnswerHead = Omit<AssistantMessagePayload, "content">;

function answerHead(info: Json, message_id: string, use: Json): AnswerHead {
  return present({
    message_id,
    // A message of the user, and of a draft of the format, names them in `model`.
    model: asName(info.modelID) ?? asName(asObject(info.model).modelID),
    provider: asName(info.providerID) ?? asName(asObject(info.model).providerID),
    finish_reason: asName(use.finish) ?? asName(use.reason),
    usage: usageOf(use.tokens),
    cost_usd: asNumber(use.cost),
  });
}

/**
 * Reads the tokens of an answer. OpenCode subtracts cached tokens from the input. Newer versions
 * also subtract reasoning from the output, at the same price (1.18, session/session.ts,
 * `getUsage`). If the provider's total exceeds the sum, reasoning was subtracted, and is added
 * again.
 */
function usageOf(tokens: unknown): TokenUsage | undefined {
  const { input, output, reasoning, cache, total } = asObject(tokens);
  const { read, write } = asObject(cache);
  const counts = [input, output, read, write].map((count) => asNumber(count) ?? 0);
  const apart = (asNumber(total) ?? 0) > counts.reduce((sum, count) => sum + count, 0);
  const answer = asNumber(output);
  const usage: TokenUsage = present({
    input: asNumber(input),
    output: answer === undefined || !apart ? answer : answer + (asNumber(reasoning) ?? 0),
    reasoning: asNumber(reasoning),
    cache_read: asNumber(read),
    cache_write: asNumber(write),
  });
  // A message begins with zeros; one that never ended keeps them.
  return Object.values(usage).some((count) => count !== 0) ? usage : undefined;
}

function writeStep(
  writer: EventWriter,
  { message_id, parts }: Step,
  head: AnswerHead,
  info: Json,
  { turn_id, aborted = false, by_user = false }: AnswerReading,
): void {
  const time = createdAt(info);
  const draft = startResponse();
  const tools: (() => void)[] = [];
  for (const part of parts) {
    const text = asText(part.data.text) ?? "";
    if (part.data.type === "reasoning") {
      for (const one of toReasoning(part.data)) draft.parts.push(one);
    } else if (part.data.type === "text" && text !== "") draft.parts.push({ type: "text", text });
    else if (part.data.type === "tool") {
      tools.push(takeTool(writer, part, { draft, by_user, turn_id, time }));
    }
  }
  const origin = originOf(parts, { time, turn_id });
  const cut = aborted && draft.parts.some(({ type }) => type === "text");
  if (cut) {
    if (!by_user) emitResponse(writer, startResponse(), head, { time, turn_id });
    emitInterrupted(writer, draft, { message_id, reason: "aborted" }, origin);
  } else if (!by_user) emitResponse(writer, draft, head, origin);
  else if (draft.parts.length > 0) emitResponse(writer, draft, { message_id }, origin);
  for (const writeResult of tools) writeResult();
}

function originOf(parts: readonly StoredPart[], place: EventOrigin): EventOrigin {
  const last = parts[parts.length - 1];
  if (last === undefined) return place;
  const began = asObject(last.data.time).start ?? asObject(asObject(last.data.state).time).start;
  const time = began ?? place.time;
  return { ...place, id: last.id, other_ids: parts.map(({ id }) => id), time };
}

function toReasoning({ text: said, metadata }: Json): ReasoningPart[] {
  const text = asText(said) ?? "";
  const sealed = Object.keys(asObject(metadata)).length > 0;
  if (text === "" && !sealed) return [];
  // Without data of a provider, the client for compatible servers sends it as `reasoning_content`.
  const provider_data = sealed ? metadata : { type: "reasoning_content" };
  return [{ type: "reasoning", text, provider_data }];
}

export function createdAt(info: Json): unknown {
  return asObject(info.time).created;
}
