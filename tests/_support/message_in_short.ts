/** Messages as lines of text, as tests write what a conversation must be. */
import type { Message, Output } from "../../lib/core/event/message.ts";

/** A message in short: who says what, parts joined by ` | `. */
export function messageInShort({ role, content }: Message): string {
  if (typeof content === "string") return `${role}: ${content}`;
  const parts = content.map((part) => {
    if (part.type === "text" || part.type === "reasoning") return part.text;
    if (part.type === "tool_call") return `${part.name}(${JSON.stringify(part.input)})`;
    if (part.type === "tool_result") return `${part.status} ${outputInShort(part.output)}`;
    return `[${part.media_type}, ${part.bytes} bytes]`;
  });
  return `${role}: ${parts.join(" | ")}`;
}

function outputInShort(output: Output): string {
  if (typeof output === "string") return output;
  return output.map((part) =>
    part.type === "text"
      ? part.text
      : part.type === "json"
      ? JSON.stringify(part.value)
      : `[${part.media_type}, ${part.bytes} bytes]`
  ).join(" + ");
}
