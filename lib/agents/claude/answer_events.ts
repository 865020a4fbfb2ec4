/**
 * Converts an answer of the model to an event. Claude Code writes a record for each block, all with
 * one message id. They form one answer, whose usage counts once.
 */
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import { type EventOrigin, NOWHERE } from "../engine/events/event_writer.ts";
import {
  addCall,
  emitInterrupted,
  emitResponse,
  type ResponseDraft,
  startResponse,
} from "../engine/events/response_draft.ts";
import { handedStatus } from "../engine/handed/line.ts";
import { cacheWrites } from "./parsed_usage.ts";
import { blocksOf, plainText, toReasoning } from "../engine/events/anthropic_blocks.ts";
import {
  type DialogueRecord,
  type Emission,
  emitExtension,
  forgetOldest,
  idOf,
  messageIdOf,
  originOf,
} from "./emission.ts";

/**
 * A block that is no text, reasoning or call of the model. It is a result of the provider's own
 * tool, or it becomes an extension event.
 */
interface OtherBlock {
  block: Json;
  origin: EventOrigin;
}

interface Answer {
  message_id: string;
  /** The answer's last record, which has its final usage and the reason why it ended. */
  last: DialogueRecord;
  draft: ResponseDraft;
  others: OtherBlock[];
  /** Number of emitted parts. Results of the provider's own tools split an answer into parts. */
  emitted: number;
}

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
  const answer: Answer = { message_id, last, draft: startResponse(), others: [], emitted: 0 };
  const origin = originOfAll(emission, records);
  for (const item of records) takeBlocks(emission, answer, item, origin);
  const silent = isSilent(answer);
  if (silent) { for (const part of answer.draft.parts) part.audience = "user"; }
  const cut = interrupted || silent && !hasEnded(answer);
  emitSaid(emission, answer, cut && !hasCalls(answer), origin);
  for (const other of answer.others) emitOther(emission, other);
}

function originOfAll(emission: Emission, records: readonly DialogueRecord[]): EventOrigin {
  const last = originOf(emission, records[records.length - 1] as DialogueRecord);
  if (records.length === 1 || last === NOWHERE) return last;
  const salvaged = records.some(({ record }) => record.salvaged);
  const { record = undefined } = last;
  return {
    ...last,
    other_ids: records.map((item) => idOf(emission, item)),
    record: salvaged && record !== undefined ? { ...record, salvaged } : record,
  };
}

function takeBlocks(
  emission: Emission,
  answer: Answer,
  item: DialogueRecord,
  whole: EventOrigin,
): void {
  const origin = originOf(emission, item);
  for (const block of blocksOf(asObject(item.record.value.message).content)) {
    if (answer.others.some(({ block }) => isServerResult(block)) && !isServerResult(block)) {
      emitPart(emission, answer, whole);
    }
    const { draft, others } = answer;
    const reasoning = toReasoning(block);
    if (reasoning !== undefined) draft.parts.push(reasoning);
    else if (block.type === "text" && typeof block.text === "string") {
      draft.parts.push({ type: "text", text: block.text });
    } else if (block.type === "tool_use" || block.type === "server_tool_use") {
      takeCall(emission, draft, block, item);
    } else others.push({ block, origin });
  }
}

function emitPart(emission: Emission, answer: Answer, origin: EventOrigin): void {
  const { message_id: id, last, draft, others } = answer;
  const model = asName(asObject(last.record.value.message).model);
  const message_id = `${id}/${++answer.emitted}`;
  emitResponse(
    emission.writer,
    draft,
    present({ message_id, model, provider: "anthropic" }),
    origin,
  );
  for (const other of others) emitOther(emission, other);
  Object.assign(answer, { draft: startResponse(), others: [] });
}

function takeCall(
  { calls }: Emission,
  draft: ResponseDraft,
  block: Json,
  { record }: DialogueRecord,
): void {
  const { id, name: tool, input = {} } = block;
  const call_id = asText(id) ?? "";
  const name = asText(tool) ?? "";
  const file_path = asName(asObject(input).file_path);
  calls.set(call_id, { name, file_path, told: handedStatus(record.value, call_id) });
  forgetOldest(calls);
  addCall(draft, { call_id, name, input });
}

function hasCalls({ draft, others }: Answer): boolean {
  return others.length > 0 || draft.parts.some(({ type }) => type === "tool_call");
}

/**
 * True for an answer that has only thoughts and white space. Claude Code shows it, and does not
 * send it to the model again.
 */
function isSilent(answer: Answer): boolean {
  const { parts } = answer.draft;
  return !hasCalls(answer) && answer.emitted === 0 && parts.length > 0 &&
    parts.every((part) => part.type !== "text" || part.text.trim() === "");
}

/** True if the model stopped by itself. */
function hasEnded({ last }: Answer): boolean {
  return asName(asObject(last.record.value.message).stop_reason) !== undefined;
}

function emitFailure(emission: Emission, item: DialogueRecord): void {
  const message = plainText(asObject(item.record.value.message).content);
  const payload = { reason: "error", message: message || "API error" } as const;
  emission.writer.emit("turn_failed", payload, originOf(emission, item));
}

function emitSaid(
  { writer }: Emission,
  { draft, message_id, last }: Answer,
  interrupted: boolean,
  origin: EventOrigin,
): void {
  if (interrupted) emitInterrupted(writer, draft, { message_id }, origin);
  const said = interrupted ? startResponse() : draft;
  // Of a record of which the message alone was read, what was said is all that is wanted.
  if (last.record.position === undefined) return emitResponse(writer, said, { message_id }, origin);
  const message = asObject(last.record.value.message);
  const model = asName(message.model);
  const fields = present({
    message_id,
    model: model === "<synthetic>" ? undefined : model,
    provider: model === "<synthetic>" ? undefined : "anthropic",
    request_id: asName(last.record.value.requestId),
    finish_reason: asName(message.stop_reason),
    usage: model === "<synthetic>" ? undefined : usageOf(message.usage),
    last_prompt_tokens: lastPrompt(message.usage),
  });
  emitResponse(writer, said, fields, origin);
}

/** Returns the prompt tokens of an answer's last request. Undefined with at most one request. */
function lastPrompt(value: unknown): number | undefined {
  const requests = asList(asObject(value).iterations).map(asObject)
    .filter(({ type }) => type === "message" || type === undefined);
  const { input = 0, cache_read = 0, cache_write = 0 } = usageOf(requests.at(-1)) ?? {};
  return requests.length > 1 ? input + cache_read + cache_write : undefined;
}

function usageOf(value: unknown): TokenUsage | undefined {
  const counts = asObject(value);
  const { all, hour } = cacheWrites(counts);
  const usage = present({
    input: asNumber(counts.input_tokens),
    output: asNumber(counts.output_tokens),
    cache_read: asNumber(counts.cache_read_input_tokens),
    cache_write: all,
    cache_write_1h: hour > 0 ? hour : undefined,
  });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

function isServerResult({ type, tool_use_id }: Json): boolean {
  return String(type).endsWith("_tool_result") && typeof tool_use_id === "string";
}

function emitOther(emission: Emission, { block, origin }: OtherBlock): void {
  const { writer, calls } = emission;
  const { type, tool_use_id, content } = block;
  if (isServerResult(block) && typeof tool_use_id === "string") {
    const call = calls.get(tool_use_id)?.name ?? String(type);
    calls.delete(tool_use_id);
    const output = typeof content === "string" ? content : JSON.stringify(content ?? "");
    writer.emit("tool_end", { call_id: tool_use_id, name: call, status: "ok", output }, origin);
  } else {
    emitExtension(emission, `content_block/${type}`, block, origin);
  }
}
