/**
 * Converts an answer of the model to events. Claude Code writes a record for each block, all with
 * one message id. They form one answer, whose usage counts once.
 */
import type { Part, ReasoningPart, TextPart } from "../../event/message.ts";
import type { TokenUsage } from "../../event/payload.ts";
import type { EventOrigin } from "../event_writer.ts";
import { asName, asNumber, asObject, asText, present } from "../json_value.ts";
import { blocksOf, type Fields, plainText, toReasoning } from "./content.ts";
import {
  type DialogueRecord,
  type Emission,
  emitExtension,
  idOf,
  messageIdOf,
  originOf,
} from "./emission.ts";

interface Said {
  part: TextPart | ReasoningPart;
  origin: EventOrigin;
}

interface Called {
  block: Fields;
  origin: EventOrigin;
}

/** An answer, its records put together. */
interface Answer {
  message_id: string;
  /** Its last record: it knows best what the answer took and how it ended. */
  last: DialogueRecord;
  said: Said[];
  called: Called[];
}

/** Adds the events of an answer. `interrupted`: the user cut it off. */
export function emitAnswer(
  emission: Emission,
  records: readonly DialogueRecord[],
  interrupted: boolean,
): void {
  const [first] = records;
  const last = records[records.length - 1];
  if (first === undefined || last === undefined) return;
  const message_id = messageIdOf(first) ?? idOf(emission, first);
  if (last.record.value.isApiErrorMessage === true) return emitFailure(emission, last);
  const answer: Answer = { message_id, last, said: [], called: [] };
  for (const item of records) takeBlocks(emission, answer, item);
  if (isSilent(answer)) {
    for (const item of records) {
      emitExtension(emission, "unsent", item.record.value, originOf(emission, item));
    }
    return;
  }
  emitSaid(emission, answer, interrupted && answer.called.length === 0);
  for (const call of answer.called) emitCall(emission, call, message_id);
}

function takeBlocks(emission: Emission, answer: Answer, item: DialogueRecord): void {
  const origin = originOf(emission, item);
  for (const block of blocksOf(asObject(item.record.value.message).content)) {
    const reasoning = toReasoning(block);
    if (reasoning !== undefined) answer.said.push({ part: reasoning, origin });
    else if (block.type === "text" && typeof block.text === "string") {
      answer.said.push({ part: { type: "text", text: block.text }, origin });
    } else answer.called.push({ block, origin });
  }
}

/** Nothing but thoughts and blanks: Claude Code does not send it again. */
function isSilent({ said, called }: Answer): boolean {
  return called.length === 0 && said.length > 0 &&
    said.every(({ part }) => part.type === "reasoning" || part.text.trim() === "");
}

function emitFailure(emission: Emission, item: DialogueRecord): void {
  const message = plainText(asObject(item.record.value.message).content);
  const payload = { reason: "error", message: message || "API error" } as const;
  emission.writer.emit("turn_failed", payload, originOf(emission, item));
}

/** Thoughts before the text are events of their own; among texts they stay where they are. */
function emitSaid(emission: Emission, answer: Answer, interrupted: boolean): void {
  const { writer } = emission;
  const { said, message_id, last } = answer;
  const text = said.findIndex(({ part }) => part.type === "text");
  const first = text < 0 ? said.length : text;
  for (let at = 0; at < first; at++) {
    const { part, origin } = said[at] as Said;
    if (part.type !== "reasoning") continue;
    const { text: content, provider_data } = part;
    writer.emit("reasoning_message", present({ content, message_id, provider_data }), origin);
  }
  const content = contentOf(said, first);
  const origin = said.at(-1)?.origin ?? originOf(emission, last);
  if (interrupted) writer.emit("assistant_interrupted", { content, message_id }, origin);
  // Of a record of which the message alone was read, what was said is all that is wanted.
  if (last.record.position === undefined) {
    writer.emit("assistant_message", { content: interrupted ? "" : content, message_id }, origin);
    return;
  }
  const message = asObject(last.record.value.message);
  const model = asName(message.model);
  writer.emit(
    "assistant_message",
    present({
      content: interrupted ? "" : content,
      message_id,
      model: model === "<synthetic>" ? undefined : model,
      provider: model === "<synthetic>" ? undefined : "anthropic",
      request_id: asName(last.record.value.requestId),
      finish_reason: asName(message.stop_reason),
      usage: model === "<synthetic>" ? undefined : usageOf(message.usage),
    }),
    origin,
  );
}

/** What is said from a place on: a text, if it is one. */
function contentOf(said: readonly Said[], first: number): string | Part[] {
  if (said.length === first) return "";
  const { part } = said[first] as Said;
  if (said.length === first + 1 && part.type === "text") return part.text;
  return said.slice(first).map((one) => one.part);
}

function usageOf(value: unknown): TokenUsage | undefined {
  const counts = asObject(value);
  const usage = present({
    input: asNumber(counts.input_tokens),
    output: asNumber(counts.output_tokens),
    cache_read: asNumber(counts.cache_read_input_tokens),
    cache_write: asNumber(counts.cache_creation_input_tokens),
  });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** Calls that the provider's own servers run come with their results. */
function emitCall(
  emission: Emission,
  { block, origin }: Called,
  message_id: string,
): void {
  const { writer, calls } = emission;
  const { type, id, name, input = {}, tool_use_id, content } = block;
  if (type === "tool_use" || type === "server_tool_use") {
    const call_id = asText(id) ?? "";
    const call = asText(name) ?? "";
    calls.set(call_id, { name: call, input });
    writer.emit("tool_start", { call_id, name: call, input, message_id }, origin);
  } else if (String(type).endsWith("_tool_result") && typeof tool_use_id === "string") {
    const call = calls.get(tool_use_id)?.name ?? String(type);
    calls.delete(tool_use_id);
    const output = typeof content === "string" ? content : JSON.stringify(content ?? "");
    writer.emit("tool_end", { call_id: tool_use_id, name: call, status: "ok", output }, origin);
  } else {
    emitExtension(emission, `content_block/${type}`, block, origin);
  }
}
