/**
 * Converts the log events of DeepSeek Harness to events (dsh-session, types.ts `SessionEventMap`).
 */
import { toContent, toOutput } from "../../core/event/audience.ts";
import type { OutputPart, Part } from "../../core/event/message.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { emitInterrupted, emitResponse, startResponse } from "../engine/events/response_draft.ts";
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { partsOf, streamContent, type StreamedBlocks, streamedContent } from "./content_blocks.ts";

export interface LogState {
  /** Streamed chunks of an answer whose whole message has not been read yet. */
  pieces: StreamedBlocks;
  /** Names of the tool calls that answers declared, by call id. */
  calls: Record<string, string>;
  /** The system prompt that was emitted last. */
  system: string;
}

export const PROMPTS: ReadonlySet<unknown> = new Set([
  ...["user/message", "steering/message", "context/message", "prompt/blocked"],
]);

/** True for a prompt that the user typed; other sources inject context. */
export function isOfUser({ source }: Json): boolean {
  const { kind } = asObject(source);
  return kind === undefined || kind === "user";
}

/**
 * Returns the log's seq of the last message that an event replaces; -1 if it is not stated.
 * Undefined if the event replaces no messages.
 */
export function replacedEnd({ surfaceOp, type }: Json): number | undefined {
  const { op, end, endSeq } = asObject(surfaceOp);
  if (op !== "replace" || type === "tool/result") return undefined;
  return asNumber(endSeq) ?? asNumber(end) ?? -1;
}

export function emitEvent(value: Json, data: Json, state: LogState, target: EventTarget): void {
  const { writer, origin } = target;
  const { type } = value;
  if (PROMPTS.has(type)) return emitPrompt(value, data, target);
  if (type === "assistant/message" || type === "assistant/attempt") {
    return emitAnswer(type, data, state, target);
  }
  if (type === "tool/call") return emitCall(data, state, target);
  if (type === "tool/result") return emitResult(value, data, state, target);
  if (type === "turn/end") return emitTurnEnd(asObject(data.reason), state, target);
  if (type === "request/header") return emitHeader(asObject(data.header), state, target);
  // From format 4 on, the system prompt is a message.
  if (type === "system/message" || type === "developer/message") {
    return emitHeader({ messagePrefix: [data.message ?? data] }, state, target);
  }
  if (type === "session/title") {
    const title = asName(data.title);
    if (title !== undefined) writer.emit("session_renamed", { title }, origin);
    return;
  }
  // The message that replaces the summarized ones has the same text.
  if (type === "compact/summary" || type === "compaction/summary") {
    return writer.keep(type, data, origin);
  }
  if (type === "llm/retry") {
    const text = asText(asObject(data.failure).message) ?? "";
    const notice = { audience: "user" as const, title: "Retry", text, level: "error" as const };
    return void writer.emit("notice", notice, origin);
  }
  if (type === "command/run") {
    const text = `/${asText(data.name) ?? ""}${asText(data.args) ?? ""}`;
    return void writer.emit("notice", { audience: "user", title: "Command", text }, origin);
  }
  writer.keepUnknown(asName(type) ?? "event", data, origin);
}

/** Emits a prompt, or injected context. A message that replaces earlier ones is a compaction. */
function emitPrompt(value: Json, data: Json, { writer, origin }: EventTarget): void {
  const others: unknown[] = [];
  const message = data.content === undefined ? asObject(data.message) : data;
  const parts = partsOf(message.content, others);
  const last = replacedEnd(value);
  if (last !== undefined) {
    const summary = parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n\n");
    const end = writer.seqOf(String(last));
    const first_kept_seq = end === undefined ? undefined : writer.firstMessage(end + 1);
    const payload = { status: "", summary, first_kept_seq };
    writer.emit("compaction_applied", present(payload), origin);
  } else if (value.type === "prompt/blocked") {
    const content = toContent(parts.map((part) => ({ ...part, audience: "user" as const })));
    writer.emit("user_message", { content }, origin);
    const reason = asText(data.reason) ?? "";
    writer.emit("turn_failed", { reason: "error", message: reason }, origin);
  } else if (parts.length > 0) {
    writer.emit("user_message", { content: contentOf(message, parts) }, origin);
  }
  for (const block of others) writer.keepUnknown("content", block, origin);
}

/** Returns a prompt's content. If it has display content, people see that instead. */
function contentOf(message: Json, parts: Part[]): ReturnType<typeof toContent> {
  const shown = partsOf(asObject(message.envelope).displayContent);
  if (shown.length > 0) {
    return toContent([
      ...parts.map((part) => ({ ...part, audience: "model" as const })),
      ...shown.map((part) => ({ ...part, audience: "user" as const })),
    ]);
  }
  if (isOfUser(message)) return toContent(parts);
  return toContent(parts.map((part) => ({ ...part, audience: "model" as const })));
}

/** Emits an answer. A failed attempt is shown to people only. */
function emitAnswer(
  type: string,
  data: Json,
  state: LogState,
  { writer, origin }: EventTarget,
): void {
  const others: unknown[] = [];
  const message = data.message === undefined ? data : asObject(data.message);
  const said = asList(message.content);
  const parts = partsOf(said.length > 0 ? said : streamContent(data.stream), others);
  state.pieces = {};
  for (const part of parts) if (part.type === "tool_call") state.calls[part.call_id] = part.name;
  const { provider, model } = { ...asObject(message.source), ...asObject(message.provenance) };
  const named = {
    message_id: asName(message.id) ?? origin.id,
    model: asName(model),
    provider: asName(provider),
  };
  const draft = startResponse(parts);
  if (type === "assistant/attempt") {
    writer.audience = "user";
    emitInterrupted(writer, draft, present(named), origin);
    writer.audience = undefined;
  } else if (data.interrupted === true) {
    emitInterrupted(writer, draft, present({ ...named, usage: usageOf(data.usage) }), origin);
  } else emitResponse(writer, draft, present({ ...named, usage: usageOf(data.usage) }), origin);
  for (const block of others) writer.keepUnknown("content", block, origin);
}

export function emitPieces(state: LogState, { writer, origin }: EventTarget): void {
  const parts = partsOf(streamedContent(state.pieces));
  state.pieces = {};
  if (parts.length === 0) return;
  const { id: _, ...without_id } = origin;
  emitInterrupted(writer, startResponse(parts), {}, without_id);
}

function usageOf(usage: unknown): TokenUsage | undefined {
  const counts = asObject(usage);
  const told: TokenUsage = present({
    input: asNumber(counts.inputTokens),
    output: asNumber(counts.outputTokens),
    cache_read: asNumber(counts.cacheReadTokens),
    cache_write: asNumber(counts.cacheWriteTokens),
    reasoning: asNumber(counts.reasoningTokens),
  });
  return Object.keys(told).length === 0 ? undefined : told;
}

function emitCall(data: Json, state: LogState, { writer, origin }: EventTarget): void {
  const call_id = asText(data.callId) ?? "";
  if (state.calls[call_id] === undefined) {
    const block = { type: "tool-call", id: call_id, name: data.name, arguments: data.arguments };
    state.calls[call_id] = asText(data.name) ?? "";
    emitResponse(writer, startResponse(partsOf([block])), {}, origin);
  }
  writer.emit("tool_start", { call_id }, origin);
}

/** Emits a tool result. A pruned result, which replaces an earlier one, is kept as raw data. */
function emitResult(
  value: Json,
  data: Json,
  state: LogState,
  { writer, origin }: EventTarget,
): void {
  if (asObject(value.surfaceOp).op === "replace") return writer.keep("pruned_result", data, origin);
  const others: unknown[] = [];
  const message = asObject(data.message);
  const [block] = asList(message.content).map(asObject).filter(({ type }) =>
    type === "tool-result"
  );
  const call_id = asName(block?.toolCallId) ?? asName(data.callId) ??
    asText(asObject(message.source).callId) ?? "";
  const parts = partsOf(block?.content ?? message.content ?? data.content, others) as OutputPart[];
  const failed = block?.isError === true || data.isError === true || message.isError === true;
  const end = {
    call_id,
    name: state.calls[call_id] ?? "",
    status: failed ? "error" as const : "ok" as const,
    output: toOutput(parts),
  };
  writer.emit("tool_end", end, origin);
  for (const other of others) writer.keepUnknown("content", other, origin);
  writer.keep("result", present({ meta: data.meta, error: data.error }), origin);
}

function emitTurnEnd(reason: Json, state: LogState, { writer, origin }: EventTarget): void {
  emitPieces(state, { writer, origin });
  const { kind } = reason;
  if (kind === undefined || kind === "completed") return;
  const told = asText(asObject(reason.error).message) ?? asText(asObject(reason.failure).message) ??
    asText(reason.message) ?? asText(asObject(reason.reason).reason) ??
    asText(asObject(reason.reason).kind) ?? asText(kind) ?? "";
  if (kind === "max-tokens") {
    const notice = { audience: "user" as const, title: "Output limit", text: "" };
    return void writer.emit("notice", notice, origin);
  }
  const is_stopped = kind === "aborted" || kind === "interrupted";
  writer.emit("turn_failed", { reason: is_stopped ? "cancelled" : "error", message: told }, origin);
}

/** Emits the system prompt and the prefix messages as one notice, if their text has changed. */
function emitHeader(header: Json, state: LogState, { writer, origin }: EventTarget): void {
  const prefix = asList(header.messagePrefix).map(asObject).flatMap(({ content }) =>
    partsOf(content).flatMap((part) => part.type === "text" ? [part.text] : [])
  );
  const text = [asText(header.system) ?? "", ...prefix].filter((one) => one !== "").join("\n\n");
  if (text === "" || text === state.system) return;
  state.system = text;
  writer.emit("notice", { audience: "model", title: "System prompt", text }, origin);
}
