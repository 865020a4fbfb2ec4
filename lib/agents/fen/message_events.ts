/**
 * Converts fen's messages to events of Reprise.
 *
 * fen 0.17.0, packages/core/src/fen/core/types.fnl: roles `user`, `assistant`, `tool-result`.
 */
import { present } from "../../core/event/present.ts";
import { asList, asNumber, asObject, asText, type Json, parsedObject } from "../engine/json.ts";
import type { Content, ReasoningPart, TextPart } from "../../core/event/message.ts";
import { blocksOf } from "../engine/events/anthropic_blocks.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import {
  addCall,
  emitInterrupted,
  emitResponse,
  type ResponseDraft,
  startResponse,
} from "../engine/events/response_draft.ts";

interface MessageTarget extends EventTarget {
  message_id: string;
}

export function emitMessage(message: Json, target: MessageTarget): void {
  const { role } = message;
  if (role === "user") emitPrompt(message, target);
  else if (role === "assistant") emitAnswer(message, target);
  else if (role === "tool-result") emitResult(message, target);
  else target.writer.keep("message", message, target.origin);
}

function emitPrompt({ content }: Json, { writer, origin }: MessageTarget): void {
  const texts: string[] = [];
  const others: Json[] = [];
  for (const block of blocksOf(content)) {
    const text = blockText(block);
    if (text === undefined) others.push(block);
    else texts.push(text);
  }
  writer.emit("user_message", { content: contentOf(texts) }, origin);
  // Its providers send nothing but the text of a prompt.
  for (const block of others) writer.keep("content", block, origin);
}

function answerFields(message: Json, message_id: string): Json & { message_id: string } {
  const usage = asObject(message.usage);
  const tokens = present({
    input: asNumber(usage.input),
    output: asNumber(usage.output),
    cache_read: asNumber(usage["cache-read"]),
    cache_write: asNumber(usage["cache-write"]),
  });
  return present({
    message_id,
    model: asText(message.model),
    provider: asText(message.provider),
    finish_reason: asText(message["stop-reason"]),
    usage: Object.keys(tokens).length === 0 ? undefined : tokens,
  });
}

/**
 * Emits an answer's reasoning, texts and calls. If the answer was stopped, an empty answer comes
 * first. It carries model and usage, for which the event of a stopped answer has no fields.
 */
function emitAnswer(message: Json, target: MessageTarget): void {
  const { writer, origin, message_id } = target;
  const blocks = blocksOf(message.content);
  const draft = startResponse();
  for (const block of blocks) takeBlock(draft, block, message.api);
  const fields = answerFields(message, message_id);
  if (message["stop-reason"] === "aborted") {
    emitResponse(writer, startResponse(), fields, origin);
    emitInterrupted(writer, draft, { message_id, reason: "aborted" }, origin);
  } else emitResponse(writer, draft, fields, origin);
  for (const block of blocks) if (isUnknown(block)) writer.keep("content", block, origin);
  if (message["stop-reason"] === "error") {
    const text = asText(message["error-message"]) ?? "";
    writer.emit("turn_failed", { reason: "error", message: text }, origin);
  }
}

function takeBlock(draft: ResponseDraft, block: Json, api: unknown): void {
  const text = blockText(block);
  const last = draft.parts.at(-1);
  if (block.type === "thinking") draft.parts.push(toReasoning(block, api));
  else if (text !== undefined && last?.type === "text") last.text += text;
  else if (text !== undefined) draft.parts.push({ type: "text", text });
  else if (block.type === "tool-call") {
    const call = { call_id: idText(block.id), name: asText(block.name) ?? "" };
    addCall(draft, { ...call, input: block.arguments ?? {} });
  }
}

function toReasoning(block: Json, api: unknown): ReasoningPart {
  const signature = block["thinking-signature"];
  const redacted = block["redacted?"] === true;
  const provider_data = reasoningSeal({ api, signature, redacted });
  return present({ type: "reasoning", text: asText(block.thinking) ?? "", provider_data });
}

function isUnknown({ type }: Json): boolean {
  return type !== "text" && type !== "thinking" && type !== "tool-call";
}

/** Returns a call's id as text, even a number, as fen does (session.fnl `tool-call-ids`). */
function idText(id: unknown): string {
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

function emitResult(message: Json, target: MessageTarget): void {
  const { writer, origin } = target;
  const call_id = idText(message["tool-call-id"]);
  const blocks = blocksOf(message.content);
  writer.emit("tool_end", {
    call_id,
    name: asText(message["tool-name"]) ?? "",
    status: message["is-error?"] === true ? "error" : "ok",
    output: blocks.map((block) => blockText(block) ?? "").join(""),
  }, origin);
  for (const block of blocks) {
    if (blockText(block) === undefined) writer.keep("content", block, origin);
  }
  const { details } = message;
  const told = details !== undefined && details !== null && !isEmpty(details);
  if (told) writer.keep("tool-result-details", { call_id, details }, origin);
}

function isEmpty(details: unknown): boolean {
  return Object.keys(asObject(details)).length + asList(details).length === 0 &&
    typeof details === "object";
}

// The blocks of fen's messages as our parts and texts.
//
// fen 0.17.0, packages/core/src/fen/core/types.fnl. Its JSON is lua-cjson's: an empty Lua table is
// written `{}`, also where a list is meant.

export function blockText(block: Json): string | undefined {
  return block.type === "text" ? asText(block.text) ?? "" : undefined;
}

function contentOf(texts: readonly string[]): Content {
  const [only = ""] = texts;
  if (texts.length <= 1) return only;
  return texts.map((text): TextPart => ({ type: "text", text }));
}

/** Fields in which servers put a chat completion's reasoning (openai_completions.fnl). */
const REASONING_FIELDS: ReadonlySet<string> = new Set([
  "reasoning_content",
  "reasoning",
  "reasoning_text",
]);

/**
 * Converts a `thinking-signature` to the data that its provider wants back. A signature is a
 * field's name (openai_completions.fnl `reasoning-content-for-echo`), a reasoning item as JSON
 * (openai_responses_shared.fnl), or a signature by Anthropic.
 */
function reasoningSeal({ api, signature, redacted }: {
  api: unknown;
  signature: unknown;
  redacted: boolean;
}): unknown {
  if (typeof signature !== "string" || signature === "") return undefined;
  if (REASONING_FIELDS.has(signature)) return { type: signature };
  const item = parsedObject(signature);
  if (item !== undefined) return item;
  if (redacted) return { type: "redacted_thinking", data: signature };
  return api === "anthropic-messages" ? { signature } : { thinking_signature: signature };
}
