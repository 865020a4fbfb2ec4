/** Converts Mistral Vibe's messages to events. */
import { present } from "../../core/event/present.ts";
import { asList, asName, asNumber, asObject, asText, asTexts, type Json } from "../engine/json.ts";
import { toContent } from "../../core/event/audience.ts";
import { attachmentFromBase64, attachmentFromReference } from "../../core/event/attachment.ts";
import type { AttachmentPart, CallStatus, ReasoningPart } from "../../core/event/message.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { addCall, emitResponse, startResponse } from "../engine/events/response_draft.ts";
import { callInput } from "../../core/event/call_input.ts";

const TAKEN: ReadonlySet<string> = new Set([
  "role",
  "content",
  "images",
  "injected",
  "context_boundary",
  "reasoning_content",
  "reasoning_state",
  "reasoning_signature",
  "reasoning_payloads",
  "reasoning_message_id",
  "tool_calls",
  "tool_call_id",
  "name",
  "message_id",
  "timestamp",
]);

export function otherFields(message: Json): Json {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !TAKEN.has(name)));
}

/**
 * Emits a prompt. Vibe hides injected prompts from the user. The prompt at the end of a compaction
 * replaces all earlier messages (`select_model_context`).
 */
export function emitPrompt(message: Json, writer: EventWriter, origin: EventOrigin): void {
  const text = asTexts(message.content);
  if (message.context_boundary === "compaction") {
    writer.emit("compaction_applied", { status: "", summary: text }, origin);
    return;
  }
  const audience = message.injected === true ? { audience: "model" as const } : {};
  const parts = [{ type: "text" as const, text }, ...imagesOf(message)];
  const content = toContent(parts.map((part) => ({ ...part, ...audience })));
  writer.emit("user_message", { content }, origin);
}

export function emitAnswer(message: Json, writer: EventWriter, origin: EventOrigin): void {
  const draft = startResponse(reasoningOf(message));
  draft.parts.push({ type: "text", text: asTexts(message.content) });
  for (const image of imagesOf(message)) draft.parts.push(image);
  for (const value of asList(message.tool_calls)) {
    const { id, function: called } = asObject(value);
    const { name, arguments: text } = asObject(called);
    const input = callInput(asText(text) ?? "");
    addCall(draft, { call_id: asText(id) ?? "", name: asText(name) ?? "", ...input });
  }
  emitResponse(writer, draft, present({ message_id: origin.id }), origin);
}

export function emitResult(message: Json, writer: EventWriter, origin: EventOrigin): void {
  const output = asTexts(message.content);
  const { cancelled, duration } = asObject(message.tool_result);
  const seconds = asNumber(duration);
  const end = {
    call_id: asText(message.tool_call_id) ?? "",
    name: asText(message.name) ?? "",
    status: cancelled === true ? "interrupted" : statusOf(output),
    output,
    duration_ns: seconds === undefined ? undefined : Math.round(seconds * 1e9),
  };
  writer.emit("tool_end", present(end), origin);
}

/** Returns a result's status. Vibe puts errors between tags (vibe/core/utils, `TaggedText`). */
function statusOf(output: string): CallStatus {
  if (output.startsWith("<tool_error>")) return "error";
  return output.startsWith("<user_cancellation>") ? "interrupted" : "ok";
}

function reasoningOf(message: Json): ReasoningPart[] {
  const text = asTexts(message.reasoning_content);
  const sealed = present({
    signature: message.reasoning_signature,
    state: message.reasoning_state,
    payloads: message.reasoning_payloads,
  });
  const isSealed = Object.keys(sealed).length > 0;
  if (text === "" && !isSealed) return [];
  const provider_data = isSealed ? sealed : { type: "reasoning_content" };
  return [{ type: "reasoning", text, provider_data }];
}

/** Returns the images of a message. Vibe stores them in the session's folder. */
function imagesOf({ images }: Json): AttachmentPart[] {
  return asList(images).flatMap((image) => {
    const { source, mime_type, alias } = asObject(image);
    const { path, data } = asObject(source);
    const type = asText(mime_type) ?? "image/png";
    if (typeof data === "string") {
      return [present({ ...attachmentFromBase64(data, type), path: asName(alias) })];
    }
    return typeof path === "string" ? [attachmentFromReference(path, type)] : [];
  });
}
