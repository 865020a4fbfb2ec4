/** Converts an item of Continue's history to events (core/index.d.ts `ChatHistoryItem`). */
import { toContent } from "../../core/event/audience.ts";
import { attachmentFromUrl } from "../../core/event/attachment.ts";
import type { CallStatus, Part, ReasoningPart } from "../../core/event/message.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { pathInUrl } from "../engine/files/file_url.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { addCall, emitResponse, startResponse, textCall } from "../engine/events/response_draft.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  type Json,
  present,
  unreadFields,
} from "../engine/json.ts";

export interface HistoryState {
  /** Ids of the calls since the last prompt whose results were emitted. */
  settled: Set<string>;
  /** True once an answer with its own token counts was read. */
  counted: boolean;
}

/** The item's fields that become part of events, or repeat other fields. */
const TAKEN: ReadonlySet<string> = new Set([
  ...["message", "contextItems", "toolCallState", "toolCallStates", "conversationSummary"],
  ...["reasoning", "editorState"],
]);

export function emitItem(item: Json, state: HistoryState, target: EventTarget): void {
  const message = asObject(item.message);
  const summary = asName(item.conversationSummary);
  // The command line replaces the history by a summary. Editors add the summary to the last
  // message.
  const is_summary = summary !== undefined && message.content === summary;
  if (message.role === "user") emitUser(item, message, state, target);
  else if (message.role === "tool") emitTool(message, state, target);
  else if (message.role === "system") emitSystem(message, target);
  else if (message.role === "thinking") emitThinking(message, target);
  else if (message.role !== "assistant") target.writer.keepUnknown("item", item, target.origin);
  else if (!is_summary) emitAnswer(item, message, state, target);
  target.writer.keep("item", unreadFields(item, TAKEN), target.origin);
  if (summary === undefined) return;
  target.writer.emit("compaction_applied", { status: "", summary }, target.origin);
}

function partsOf(content: unknown): Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asList(content).map(asObject).flatMap(({ type, text, imageUrl }): Part[] => {
    if (type === "text") return [{ type: "text", text: asText(text) ?? "" }];
    const url = asText(asObject(imageUrl).url);
    return url === undefined ? [] : [attachmentFromUrl(url)];
  });
}

/** Emits a prompt, preceded by the texts that the prompt refers to (messageConversion.ts). */
function emitUser(item: Json, message: Json, state: HistoryState, target: EventTarget): void {
  state.settled.clear();
  const context = asList(item.contextItems).map(asObject).map(({ name, content, uri }): Part => ({
    ...{ type: "text", audience: "model" },
    name: pathInUrl(asObject(uri).value) ?? asText(name) ?? "",
    text: `<context name="${name}">\n${content}\n</context>`,
  }));
  const content = toContent([...context, ...partsOf(message.content)]);
  target.writer.emit("user_message", { content }, target.origin);
}

function emitSystem({ content }: Json, { writer, origin }: EventTarget): void {
  const parts = partsOf(content).map((part): Part => ({ ...part, audience: "model" }));
  writer.emit("user_message", { content: parts, role: "system" }, origin);
}

function emitThinking(message: Json, { writer, origin }: EventTarget): void {
  const [part] = partsOf(message.content);
  const reasoning = reasoningPart(part?.type === "text" ? part.text : "", message);
  writer.emit("assistant_message", { content: [reasoning] }, origin);
}

function reasoningPart(text: string, { signature, redactedThinking }: Json): ReasoningPart {
  const sealed = present({ signature: asName(signature), data: asName(redactedThinking) });
  const part: ReasoningPart = { type: "reasoning", text };
  return Object.keys(sealed).length === 0 ? part : { ...part, provider_data: sealed };
}

/** Emits an answer and the results of its calls. The answer's item contains both. */
function emitAnswer(item: Json, message: Json, state: HistoryState, target: EventTarget): void {
  const thought = asName(asObject(item.reasoning).text);
  const draft = startResponse(thought === undefined ? [] : [reasoningPart(thought, message)]);
  for (const one of partsOf(message.content)) draft.parts.push(one);
  const states = [...asList(item.toolCallStates), item.toolCallState].map(asObject);
  for (const value of asList(message.toolCalls)) {
    const { id, function: called } = asObject(value);
    addCall(draft, textCall({ ...asObject(called), id }));
  }
  const usage = usageOf(message.usage);
  state.counted ||= usage !== undefined;
  const by = saidBy(item);
  const model = asName(asObject(message.usage).model) ?? by.model;
  const fields = present({ ...by, message_id: target.origin.id, model, usage });
  emitResponse(target.writer, draft, fields, target.origin);
  for (const call of states) emitResult(call, state, target);
}

/** Returns an answer's model and provider. Only editors record them, in the item's request logs. */
function saidBy({ promptLogs }: Json): { model?: string; provider?: string } {
  const { modelTitle, modelProvider } = asObject(asList(promptLogs).at(-1));
  return present({ model: asName(modelTitle), provider: asName(modelProvider) });
}

/** Returns an answer's tokens. Field names are OpenAI's (command line) or Continue's (`Usage`). */
export function usageOf(value: unknown): TokenUsage | undefined {
  const usage = asObject(value);
  const details = asObject(usage.prompt_tokens_details ?? usage.promptTokensDetails);
  return promptUsage({
    prompt: asNumber(usage.prompt_tokens ?? usage.promptTokens),
    output: asNumber(usage.completion_tokens ?? usage.completionTokens),
    cache_read: asNumber(details.cached_tokens ?? details.cachedTokens) || undefined,
    cache_write: asNumber(details.cache_write_tokens ?? details.cacheWriteTokens) || undefined,
  });
}

const ENDS: ReadonlyMap<unknown, CallStatus> = new Map([
  ["done", "ok"],
  ["errored", "error"],
  ["canceled", "interrupted"],
]);

function emitResult(call: Json, { settled }: HistoryState, { writer, origin }: EventTarget): void {
  const status = ENDS.get(call.status);
  const call_id = asText(call.toolCallId);
  if (status === undefined || call_id === undefined) return;
  const items = asList(call.output).map(asObject);
  const text = items.map(({ content }) => asText(content) ?? "").join("\n");
  const words = items.flatMap(({ name, description }) => [name, description])
    .flatMap((one) => asName(one) ?? []);
  const caption = asName([...new Set(words)].join("\n"));
  const name = asText(asObject(asObject(call.toolCall).function).name) ?? "";
  settled.add(call_id);
  // The text in place of a cancelled call's result (messageConversion.ts).
  const output = text === "" && status !== "ok" ? "Tool cancelled" : text;
  const outcome = status === "ok" ? { output } : { error: output };
  writer.emit("tool_end", present({ call_id, name, status, ...outcome, caption }), origin);
}

/** Emits a call's result. Editors store results twice: the second copy is only kept as data. */
function emitTool(message: Json, { settled }: HistoryState, { writer, origin }: EventTarget): void {
  const call_id = asText(message.toolCallId) ?? "";
  if (settled.has(call_id)) return writer.keep("tool", message, origin);
  const texts = partsOf(message.content).flatMap((part) => part.type === "text" ? part.text : []);
  const end = { call_id, name: "", status: "ok", output: texts.join("\n") } as const;
  writer.emit("tool_end", end, origin);
}
