/**
 * A history that its provider compacted and encrypted. Only the provider can read it, as an item of
 * the Responses API.
 */
import type { Content, Message } from "../../event/message.ts";
import { keptOf } from "../kept/kept.ts";
import { responsesPieces } from "./openai_responses.ts";

const SHAPE = "openai-responses";

/** Returns what an answer holds that carries the item to its provider, and to no other. */
export function sealedHistory(
  type: "compaction" | "context_compaction",
  encrypted_content: unknown,
): Pick<Message, "content" | "provider_data"> {
  const content = responsesPieces([{ type, encrypted_content }], "input").flatMap((piece) =>
    piece.role === "assistant" && typeof piece.content !== "string" ? piece.content : []
  );
  return { content, provider_data: { shape: SHAPE } };
}

/** True for a content that is a history which only its provider can read. */
export function isSealedHistory(content: Content): boolean {
  if (typeof content === "string") return false;
  return content.some(({ provider_data }) =>
    /^(context_)?compaction$/.test(String(keptOf(provider_data, SHAPE)?.rest?.type))
  );
}
