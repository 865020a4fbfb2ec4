/**
 * The conversation as Autohand sends it on resume, for the lines that our events cannot say: system
 * notes between the messages, and answers in JSON of which a person sees only a part.
 *
 * autohandai/code-cli 0.8.2, `restoreAgentSessionState`: every stored message in order, contents as
 * they are; system notes too, but for a stored system prompt.
 */
import type { Message, Part } from "../../event/message.ts";
import type { AgentSession } from "../../source/agent.ts";
import { readRecords } from "../jsonl_records.ts";
import { type ConversationLine, ConversationLines } from "./conversation_line.ts";

const SYSTEM_PROMPT = "You are Autohand";

/** Whether a line is sent otherwise than it is shown. */
export function isSentOtherwise(line: ConversationLine): boolean {
  if (line.type === "note") return !line.text.startsWith(SYSTEM_PROMPT);
  return line.type === "assistant" && line.shown !== undefined;
}

/** Reads the messages of a session. */
export async function sentMessages(
  { path }: AgentSession,
  signal: AbortSignal | undefined,
): Promise<Message[]> {
  const lines = new ConversationLines();
  const messages: Message[] = [];
  for await (const records of readRecords(path, { signal })) {
    for (const { value } of records) messages.push(...lines.take(value).flatMap(toMessage));
  }
  messages.push(...lines.end().flatMap(toMessage));
  return messages;
}

function toMessage(line: ConversationLine): Message[] {
  switch (line.type) {
    case "user":
      return [{ role: "user", content: line.text }];
    case "note":
      return isSentOtherwise(line) ? [{ role: "system", content: line.text }] : [];
    case "assistant": {
      const said: Part[] = line.text === "" ? [] : [{ type: "text", text: line.text }];
      const calls = line.calls.map((call): Part => ({ type: "tool_call", ...call }));
      if (said.length + calls.length === 0) return [];
      return [{ role: "assistant", content: calls.length === 0 ? line.text : [...said, ...calls] }];
    }
    case "result": {
      const { call_id, name, text: output, interrupted } = line;
      const status = interrupted ? "interrupted" : "ok";
      return [{
        role: "tool",
        content: [{ type: "tool_result", call_id, name, status, output }],
      }];
    }
    default:
      return [];
  }
}
