/** Converts content blocks of Anthropic's Messages API, which several agents record, to parts. */
import { attachmentFromBase64, attachmentFromUrl } from "../../../core/event/attachment.ts";
import type {
  AttachmentPart,
  CallStatus,
  OutputPart,
  ReasoningPart,
  TextPart,
} from "../../../core/event/message.ts";
import type { ToolEndPayload } from "../../../core/event/payload.ts";
import { asList, asName, asObject, asText, type Json } from "../json.ts";

export function blocksOf(content: unknown): readonly Json[] {
  return typeof content === "string"
    ? [{ type: "text", text: content }]
    : asList(content).map(asObject);
}

export function toPart(block: Json): TextPart | AttachmentPart | undefined {
  if (block.type === "text") {
    return typeof block.text === "string" ? { type: "text", text: block.text } : undefined;
  }
  return block.type === "image" || block.type === "document" ? toAttachment(block) : undefined;
}

const DEFAULT_TYPES: Readonly<Record<string, string>> = {
  image: "image/png",
  document: "application/pdf",
};

function toAttachment({ type, source }: Json): TextPart | AttachmentPart | undefined {
  const { type: kind, media_type, data, url } = asObject(source);
  const media = asName(media_type) ?? DEFAULT_TYPES[String(type)] ?? "";
  if (kind === "text" && typeof data === "string") return { type: "text", text: data };
  if (typeof data === "string") return attachmentFromBase64(data, media);
  return typeof url === "string" ? attachmentFromUrl(url, media) : undefined;
}

export function toReasoning(block: Json): ReasoningPart | undefined {
  const { type, thinking, signature, data } = block;
  if (type === "redacted_thinking") {
    return { type: "reasoning", text: "", provider_data: { type, data } };
  }
  if (type !== "thinking") return undefined;
  const text = asText(thinking) ?? "";
  const seal = asName(signature);
  return seal === undefined
    ? { type: "reasoning", text }
    : { type: "reasoning", text, provider_data: { signature: seal } };
}

export function plainText(content: unknown): string {
  return blocksOf(content).flatMap((block) => {
    const part = toPart(block);
    return part?.type === "text" ? [part.text] : [];
  }).join("\n");
}

export function resultOf(
  { content }: Json,
  status: CallStatus,
): Pick<ToolEndPayload, "output" | "error"> {
  const failed = status === "error" || status === "skipped";
  const text = plainText(content);
  const parts = typeof content === "string" ? [] : blocksOf(content).map(toOutput);
  if (parts.every(({ type }) => type === "text")) {
    return failed ? { error: text } : { output: text };
  }
  return failed ? { output: parts, error: text } : { output: parts };
}

function toOutput(block: Json): OutputPart {
  return toPart(block) ?? { type: "json", value: block };
}
