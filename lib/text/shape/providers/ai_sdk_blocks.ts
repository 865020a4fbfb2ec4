/** Reads and writes the parts of the AI SDK's ModelMessage. */
import { attachmentFromBase64, attachmentFromReference } from "../../../core/event/attachment.ts";
import type { AttachmentPart, Output, OutputPart, Part } from "../../../core/event/message.ts";
import { isObject } from "../../../core/event/guard.ts";
import type { BlockRules, ReadResult } from "../kept/block_messages.ts";
import { blockOf, keptOutput, readCall, type SpelledPart } from "../kept/part.ts";
import { type Members, nameAt, objectAt, textAt } from "../kept/incoming.ts";
import type { ResultPiece } from "../kept/piece.ts";

export const AI_SDK: BlockRules = {
  shape: "ai-sdk",
  list: "content",
  texts: true,
  roles: { system: "system", user: "user", assistant: "assistant", tool: "tool" },
  sides: { user: "user", assistant: "assistant", system: "system", tool: "user" },
  block,
  part: readPart,
  result: resultBlock,
  readResult,
};

function readPart(value: Members, at: string): SpelledPart | undefined {
  switch (value.type) {
    case "text":
      return { part: { type: "text", text: textAt(value, "text", at) } };
    case "reasoning":
      return { part: { type: "reasoning", text: textAt(value, "text", at) } };
    case "tool-call":
      return readCall(value, "toolCallId", "toolName", at);
    case "image":
      return readFile(value.image, value.mediaType ?? "image/*", "image");
    case "file":
    case "image-data":
    case "file-data":
    case "media":
      return readFile(value.data, value.mediaType, typeOf(value.mediaType));
    default:
      textAt(value, "type", at);
      return undefined;
  }
}

function typeOf(media_type: unknown): "image" | "file" {
  return String(media_type).startsWith("image/") ? "image" : "file";
}

/** Reads a file: base64, bytes or a data URL. A web URL becomes a reference. */
function readFile(
  given: unknown,
  mediaType: unknown,
  type: "image" | "file",
): SpelledPart | undefined {
  const media_type = typeof mediaType === "string" ? mediaType : "application/octet-stream";
  const bytes = isObject(given) ? given.$reprise_bytes : undefined;
  const url = isObject(given) ? given.$reprise_url : undefined;
  if (typeof bytes === "string") {
    return { part: { ...attachmentFromBase64(bytes, media_type), type }, form: "bytes" };
  }
  if (typeof url === "string") {
    return { part: { ...attachmentFromReference(url, media_type), type }, form: "url" };
  }
  if (typeof given !== "string") return undefined;
  const match = /^data:[^,]*;base64,/.exec(given)?.[0];
  if (match !== undefined) {
    const part = attachmentFromBase64(given.slice(match.length), media_type);
    return { part: { ...part, type }, form: match };
  }
  const part = /^https?:/.test(given)
    ? attachmentFromReference(given, media_type)
    : attachmentFromBase64(given, media_type);
  return { part: { ...part, type } };
}

function fileOf(
  { type, media_type, data, path }: AttachmentPart,
  form: string | undefined,
): Members {
  const content = data === undefined
    ? form === "url" ? { $reprise_url: path ?? "" } : path ?? ""
    : form === "bytes"
    ? { $reprise_bytes: data }
    : form === undefined
    ? data
    : form + data;
  return type === "image"
    ? { type: "image", image: content }
    : { type: "file", data: content, mediaType: media_type };
}

function block(part: Part | OutputPart, form: string | undefined): Members {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "json":
      return { type: "text", text: JSON.stringify(part.value) };
    case "reasoning":
      return { type: "reasoning", text: part.text };
    case "tool_call":
      return {
        type: "tool-call",
        toolCallId: part.call_id,
        toolName: part.name,
        input: part.input,
      };
    case "tool_result":
      return resultBlock({ role: "tool", ...part, kept: { shape: "ai-sdk" } });
    default:
      return fileOf(part, form);
  }
}

function readResult(value: Members, at: string): ReadResult | undefined {
  if (value.type !== "tool-result") return undefined;
  const output = objectAt(value.output, `${at}.output`);
  const type = textAt(output, "type", `${at}.output`);
  const status = type.startsWith("error-") ? "error" : "ok";
  return {
    call_id: textAt(value, "toolCallId", at),
    name: nameAt(value, "toolName", at),
    status: type === "execution-denied" ? "skipped" : status,
    ...outputOf(output, type, `${at}.output`),
  };
}

function outputOf(output: Members, type: string, at: string): { output: Output; form?: string } {
  const { value } = output;
  if (type === "text" || type === "error-text") return { output: textAt(output, "value", at) };
  if ((type === "json" || type === "error-json") && value !== undefined) {
    return { output: [{ type: "json", value }] };
  }
  if (type === "content" && Array.isArray(value) && value.length > 0) {
    return { output: keptOutput(CONTENT, value, `${at}.value`), form: "content" };
  }
  return { output: "" };
}

function resultBlock({ call_id, name, status, output, kept }: ResultPiece): Members {
  return {
    type: "tool-result",
    toolCallId: call_id,
    toolName: name ?? "tool",
    output: toolOutput(output, status === "ok" ? "" : "error-", kept.form),
  };
}

function toolOutput(output: Output, prefix: string, form: string | undefined): Members {
  if (typeof output === "string") return { type: `${prefix}text`, value: output };
  const [only] = output;
  if (form === undefined && output.length === 1 && only?.type === "json") {
    return { type: `${prefix}json`, value: only.value };
  }
  return { type: "content", value: output.map((part) => blockOf(CONTENT, part)) };
}

/** Rules for the blocks of an output, in which an image is `file-data`. */
const CONTENT: BlockRules = {
  ...AI_SDK,
  block: (part, form) => {
    const usual = block(part, form);
    return usual.type === "image"
      ? { type: "file-data", mediaType: (part as AttachmentPart).media_type, data: usual.image }
      : usual;
  },
};
