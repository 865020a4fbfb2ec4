/**
 * Parses message items in the format of Anthropic's SDK (`tool_use`, `thinking`) or of Vercel's AI
 * SDK (`tool-call`, `reasoning`).
 */
import {
  attachmentFromBase64,
  attachmentFromReference,
  attachmentFromUrl,
} from "../../../core/event/attachment.ts";
import type { AttachmentPart, CallStatus, Part } from "../../../core/event/message.ts";
import type { ToolEndPayload } from "../../../core/event/payload.ts";
import { withFiles } from "../../../core/projection/call_result.ts";
import { callInput } from "../../../core/event/call_input.ts";
import { asList, asName, asObject, asText, type Json, present } from "../json.ts";
import { toPart } from "./anthropic_blocks.ts";
import { addCall, type ResponseDraft } from "./response_draft.ts";

export function isResultItem({ type }: Json): boolean {
  return type === "tool-result" || type === "tool_result";
}

export function callIdOf({ toolCallId, tool_use_id, id }: Json, other: string): string {
  return asName(toolCallId) ?? asName(tool_use_id) ?? asName(id) ?? other;
}

export function addItem(draft: ResponseDraft, item: Json, call_id: string): void {
  const { type, toolName, name = toolName, args, input = args ?? {} } = item;
  if (type !== "tool-call" && type !== "tool_use") {
    for (const part of answerParts(item)) draft.parts.push(part);
    return;
  }
  const given = typeof input === "string" ? callInput(input) : { input };
  addCall(draft, { call_id, name: asText(name) ?? "", ...given });
}

export function answerParts({ type, data, signature, ...item }: Json): Part[] {
  const text = asText(item.text) ?? asText(item.thinking);
  if (type === "redacted-reasoning" || type === "redacted_thinking") {
    return [{ type: "reasoning", text: "", provider_data: { type: "redacted_thinking", data } }];
  }
  if (text === undefined) return imageParts({ ...item, type, data });
  if (type !== "reasoning" && type !== "thinking") return [{ type: "text", text }];
  const provider_data = signature ? { signature } : undefined;
  return [present({ type: "reasoning" as const, text, provider_data })];
}

export function imageParts(item: Json): AttachmentPart[] {
  const known = toPart(item);
  if (known !== undefined) return known.type === "text" ? [] : [known];
  const { type, path, data, image = data, mimeType, mediaType = mimeType } = item;
  if (type !== "image" && type !== "file") return [];
  const media = asName(mediaType);
  const content = asName(image);
  if (content === undefined) {
    return typeof path === "string" ? [attachmentFromReference(path, media ?? "image/png")] : [];
  }
  return /^(?:data|https?):/.test(content)
    ? [attachmentFromUrl(content, media)]
    : [attachmentFromBase64(content, media ?? "image/png")];
}

/** Returns a result item's `tool_end` payload. `status` applies unless the item has an error. */
export function resultOf(
  item: Json,
  { call_id, status = "ok" }: { call_id: string; status?: CallStatus | undefined },
): ToolEndPayload {
  const { toolName, result, content, experimental_content } = item;
  const parts = asList(experimental_content ?? content).map(asObject);
  const texts = parts.flatMap((part) => asText(part.text) ?? []);
  const text = asText(result ?? content) ??
    (result === undefined ? texts.join("\n") : JSON.stringify(result));
  return {
    ...{ call_id, name: asText(toolName) ?? "" },
    status: item.isError === true || item.is_error === true ? "error" : status,
    output: withFiles(text, parts.flatMap(imageParts)) ?? "",
  };
}
