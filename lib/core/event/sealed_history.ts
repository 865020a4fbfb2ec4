/** A conversation history that the model's provider compacted and encrypted. */
import type { Message } from "./message.ts";
import { present } from "./present.ts";

/** Name of the data's format: an item of OpenAI's Responses API without readable text. */
const SHAPE = "openai-responses";

/** Returns a message with an encrypted history. Only the provider that encrypted it gets it. */
export function sealedHistory(
  type: "compaction" | "context_compaction",
  encrypted_content: unknown,
): Pick<Message, "content" | "provider_data"> {
  const provider_data = {
    shape: SHAPE,
    rest: present({ type, encrypted_content }),
    without: ["/role", "/content"],
  };
  return {
    content: [{ type: "text", text: "", audience: "model", provider_data }],
    provider_data: { shape: SHAPE },
  };
}
