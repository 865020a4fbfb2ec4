/** A history that its provider compacted and encrypted. */
import type { Message } from "./message.ts";
import { present } from "./present.ts";

/** The provider's form for the history: an item of the Responses API that contains no text. */
const SHAPE = "openai-responses";

/** Returns the message that holds an encrypted history. Only its provider gets it back. */
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
