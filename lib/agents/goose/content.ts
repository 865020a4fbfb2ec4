/**
 * Items of a message's content.
 */
import { attachmentFromBase64 } from "../../event/inline_attachment.ts";
import type { Part, ReasoningPart } from "../../event/message.ts";
import { asList, asName, asObject, asText } from "../../reading/json_value.ts";
import type { Fields } from "./goose_entry.ts";

/** Invisible characters that hide text from people: goose drops them from texts as it reads them. */
const UNICODE_TAGS = /[\u{e0000}-\u{e007f}]/gu;

/** True if the model gets an item: `filter_for_audience`, conversation/message.rs. */
export function forAgent(item: Fields): boolean {
  const { audience } = asObject(item.annotations);
  return !Array.isArray(audience) || asList(audience).includes("assistant");
}

/** A text or an image as a part; undefined for what is neither, or not for the model. */
export function toPart(item: Fields): Part | undefined {
  if (!forAgent(item)) return undefined;
  if (item.type === "text") {
    const text = asText(item.text);
    return text === undefined ? undefined : { type: "text", text: text.replace(UNICODE_TAGS, "") };
  }
  if (item.type !== "image") return undefined;
  const data = asText(item.data);
  return data === undefined
    ? undefined
    : attachmentFromBase64(data, asName(item.mimeType) ?? "image/png");
}

/** A thought, with what its provider wants back. `reasoning` is how it was called before. */
export function toThought(item: Fields): ReasoningPart | undefined {
  const type = "reasoning";
  if (item.type === "reasoning" && typeof item.text === "string") return { type, text: item.text };
  if (item.type === "redactedThinking") {
    return { type, text: "", provider_data: { type: "redacted_thinking", data: item.data } };
  }
  if (item.type !== "thinking") return undefined;
  const text = asText(item.thinking) ?? "";
  const signature = asName(item.signature);
  return signature === undefined ? { type, text } : { type, text, provider_data: { signature } };
}
