/** Reads and writes the blocks of Anthropic's messages. */
import { present } from "../../../core/event/present.ts";
import { attachmentFromBase64, attachmentFromReference } from "../../../core/event/attachment.ts";
import type { AttachmentPart, OutputPart, Part } from "../../../core/event/message.ts";
import type { BlockRules, ReadResult } from "../kept/block_messages.ts";
import { keptContent, readCall, type SpelledPart, textOrBlocksOf } from "../kept/part.ts";
import { isObject } from "../../../core/event/guard.ts";
import { type Members, objectAt, textAt } from "../kept/incoming.ts";
import type { ResultPiece } from "../kept/piece.ts";

export const ANTHROPIC: BlockRules = {
  shape: "anthropic",
  list: "content",
  texts: true,
  refuses_blank: true,
  roles: { system: "system", user: "user", assistant: "assistant", tool: "user" },
  sides: { user: "user", assistant: "assistant", system: "system" },
  block,
  part: readPart,
  result: resultBlock,
  readResult(value, at): ReadResult | undefined {
    if (value.type !== "tool_result") return undefined;
    const { content = "", is_error } = value;
    return {
      call_id: textAt(value, "tool_use_id", at),
      status: is_error === true ? "error" : "ok",
      output: keptContent(ANTHROPIC, content, `${at}.content`),
    };
  },
};

function readPart(value: Members, at: string): SpelledPart | undefined {
  switch (value.type) {
    case "text":
      return { part: { type: "text", text: textAt(value, "text", at) } };
    case "thinking":
      return { part: { type: "reasoning", text: textAt(value, "thinking", at) } };
    case "redacted_thinking":
      return { part: { type: "reasoning", text: "" } };
    case "tool_use":
      return readCall(value, "id", "name", at);
    case "image":
    case "document": {
      const part = attachmentOf(objectAt(value.source, `${at}.source`), value.type);
      return part === undefined ? undefined : { part };
    }
    default:
      textAt(value, "type", at);
      return undefined;
  }
}

function attachmentOf(source: Members, type: string): AttachmentPart | undefined {
  const { data, url, media_type } = source;
  const usual = type === "image" ? "image/*" : "application/pdf";
  const part = source.type === "base64" && typeof data === "string"
    ? attachmentFromBase64(data, typeof media_type === "string" ? media_type : usual)
    : source.type === "url" && typeof url === "string"
    ? attachmentFromReference(url, usual)
    : undefined;
  return part && { ...part, type: type === "image" ? "image" : "file" };
}

function block(part: Part | OutputPart): Members {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "json":
      return { type: "text", text: JSON.stringify(part.value) };
    case "reasoning":
      return { type: "thinking", thinking: part.text, signature: "" };
    case "tool_call": {
      const input = isObject(part.input) ? part.input : { input: part.input };
      return { type: "tool_use", id: part.call_id, name: part.name, input };
    }
    case "tool_result": {
      const { call_id, status, output } = part;
      return resultBlock({ role: "tool", call_id, status, output, kept: { shape: "anthropic" } });
    }
    default:
      return { type: part.type === "image" ? "image" : "document", source: sourceOf(part) };
  }
}

function sourceOf({ data, path, media_type }: AttachmentPart): Members {
  return data === undefined
    ? { type: "url", url: path ?? "" }
    : { type: "base64", media_type, data };
}

function resultBlock({ call_id, status, output }: ResultPiece): Members {
  return present({
    type: "tool_result",
    tool_use_id: call_id,
    content: textOrBlocksOf(ANTHROPIC, output),
    is_error: status === "ok" ? undefined : true,
  });
}
