/**
 * Converts the records of CodeBuddy Code to events. The records are items of OpenAI's Agents SDK.
 */
import { toContent } from "../../core/event/audience.ts";
import { attachmentFromReference, attachmentFromUrl } from "../../core/event/attachment.ts";
import type { AttachmentPart, Audience, CallStatus, Part } from "../../core/event/message.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import { withFiles } from "../../core/projection/call_result.ts";
import type { EventOrigin } from "../engine/events/event_writer.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { emitResponse, startResponse, textCall } from "../engine/events/response_draft.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  asTexts,
  type Json,
  present,
  unreadFields,
} from "../engine/json.ts";
import type { TreeRecord, TreeSink } from "../engine/tree/tree_format.ts";
import { compactSummary, kindOf } from "./item_kind.ts";

/** Fields of a record that need no extension, because events or other fields contain them. */
const TAKEN: ReadonlySet<string> = new Set([
  ...["id", "parentId", "logicalParentId", "timestamp", "type", "role", "sessionId", "cwd"],
  ...["content", "rawContent", "name", "callId", "arguments", "output", "status", "message"],
  ...["providerData", "messageId", "model", "agent", "usage", "rawUsage", "argumentsDisplayText"],
]);

/** Emits at least one event for a record. */
export function emitItem(writer: TreeSink, record: TreeRecord, id: string): void {
  const { value } = record;
  const origin: EventOrigin = { id, time: value.timestamp, record };
  const before = writer.seq;
  const kind = kindOf(value);
  if (kind === "clear") writer.emit("compaction_applied", { status: "", messages: [] }, origin);
  else if (kind === "compaction") {
    // What it took: the summary that follows replaces it.
    if (usageOf(value) !== undefined) emitAnswer(value, [], writer, origin);
    writer.emit("compaction_applied", { status: "", summary: summaryOf(value) }, origin);
  } else if (kind !== "kept") emitSaid(value, kind, writer, origin);
  const is_told = writer.seq > before;
  const data = is_told ? unreadFields({ ...asObject(value.providerData), ...value }, TAKEN) : value;
  if (is_told && Object.keys(data).length === 0) return;
  const type = asName(value.type) ?? "record";
  writer.emit("extension", { agent: "codebuddy", type, data }, origin);
}

/** Returns a summary as the model gets it (`replaceCompactWithSummary`), without a file's path. */
function summaryOf(value: Json): string {
  const text = compactSummary(value);
  if (text === undefined) return asTexts(value.content);
  return `<system-reminder data-role="compact-summary">\nThis session is being continued from a ` +
    "previous conversation that ran out of context. The summary below covers the earlier portion " +
    `of the conversation.\n\nSummary:\n${text}\n\nPlease address this message and continue with ` +
    "your tasks.\n</system-reminder>";
}

function emitSaid(value: Json, kind: string, writer: TreeSink, origin: EventOrigin): void {
  const { type, role, providerData } = value;
  const { isMeta, skipRun } = asObject(providerData);
  // Its own list and its stream hide both (`isRealUserMessageForTitle`).
  const hidden: Audience | undefined = role === "user" && (isMeta || skipRun) ? "model" : undefined;
  const only: Audience | undefined = kind === "shown" ? "user" : hidden;
  const said = (parts: Part[]): Part[] =>
    only === undefined ? parts : parts.map((part) => ({ ...part, audience: only }));
  const answer = (parts: Part[]): void => emitAnswer(value, said(parts), writer, origin);
  if (type === "reasoning") {
    const text = asTexts(value.rawContent) || asTexts(value.content);
    answer([{ type: "reasoning", text, provider_data: { type: "reasoning_content" } }]);
  } else if (type === "function_call") {
    answer([{ type: "tool_call", ...textCall({ ...value, id: value.callId }) }]);
  } else if (type === "function_call_result") emitResult(value, writer, origin);
  else if (type === "message" && role === "assistant") answer(partsOf(value.content));
  else if (type === "message") {
    const content = toContent(said(partsOf(value.content)));
    const spoken = role === "system" ? { content, role: "system" as const } : { content };
    writer.emit("user_message", spoken, origin);
  }
}

function emitAnswer(value: Json, parts: Part[], writer: TreeSink, origin: EventOrigin): void {
  const { messageId, model } = asObject(value.providerData);
  const told = { message_id: asName(messageId), model: asName(model), usage: usageOf(value) };
  emitResponse(writer, startResponse(parts), present(told), origin);
}

/** Returns a content's parts. Only the model sees texts that begin with `<system-reminder>`. */
function partsOf(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asList(content).map(asObject).flatMap((part): Part[] => {
    const text = asText(part.text);
    if (text === undefined) return imagesOf(part);
    const is_put_in = /^\s*<system-reminder\b/.test(text);
    return [{ type: "text", text, ...(is_put_in ? { audience: "model" as const } : {}) }];
  });
}

/** Returns an image: in the record, or in a file of its own (`ImageBlobService`). */
function imagesOf({ image, blob_path, mime }: Json): AttachmentPart[] {
  if (typeof image === "string") return [attachmentFromUrl(image)];
  if (typeof blob_path !== "string") return [];
  return [attachmentFromReference(blob_path, asName(mime) ?? "image/png")];
}

function emitResult(value: Json, writer: TreeSink, origin: EventOrigin): void {
  const { output, callId, name } = value;
  const items = Array.isArray(output) ? output.map(asObject) : [asObject(output)];
  const text = typeof output === "string" ? output : asTexts(items);
  const call = { call_id: asText(callId) ?? "", name: asText(name) ?? "", status: statusOf(value) };
  writer.emit(
    "tool_end",
    { ...call, output: withFiles(text, items.flatMap(imagesOf)) ?? "" },
    origin,
  );
}

/** Returns the outcome of a call, as `AcpUtils.resolveAcpToolStatus` does. */
function statusOf({ status = "completed", providerData }: Json): CallStatus {
  const { error, skipRun, toolResult } = asObject(providerData);
  if (error || asObject(toolResult).error) return "error";
  if (status === "completed") return "ok";
  return skipRun === true ? "interrupted" : "error";
}

/** Returns a response's recorded tokens. Providers use different field names (`UsageUtils`). */
export function usageOf({ providerData, message }: Json): TokenUsage | undefined {
  const { rawUsage = asObject(message).usage } = asObject(providerData);
  const counts = asObject(rawUsage);
  const details = asObject(counts.prompt_tokens_details);
  const cached = [counts.cache_read_input_tokens, details.cached_tokens];
  return promptUsage({
    prompt: asNumber(counts.prompt_tokens ?? counts.input_tokens),
    output: asNumber(counts.completion_tokens ?? counts.output_tokens),
    cache_read: firstOf(...cached, counts.prompt_cache_hit_tokens),
    cache_write: firstOf(counts.cache_creation_input_tokens, counts.prompt_cache_write_tokens),
    reasoning: firstOf(counts.completion_thinking_tokens),
  });
}

function firstOf(...counts: readonly unknown[]): number | undefined {
  return counts.map(asNumber).find((count) => count !== undefined && count > 0);
}
