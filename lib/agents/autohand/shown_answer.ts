/**
 * Extracts the visible text of an answer that the model gave as JSON. The rule is
 * `getAssistantChatLogContent` of autohandai/code-cli 0.8.2 (src/session/chatLog.ts). Of a whole
 * completion such as `{"thought": …, "finalResponse": …}` only the response is shown.
 */
import { present } from "../../event/present.ts";
import { parsedObject } from "../../reading/json_value.ts";

/** The parts of an answer in JSON. */
export interface ShownAnswer {
  thought?: string;
  /** Empty where the model only thought and called. */
  response: string;
}

const RESPONSE_FIELDS = ["finalResponse", "response", "content", "message"] as const;

/** Reads a content as such an answer. Other JSON is an answer like any text. */
export function shownAnswer(content: string): ShownAnswer | undefined {
  const value = parsedObject(content.trim());
  if (value === undefined) return undefined;
  const field = RESPONSE_FIELDS.find((name) => isSaid(value[name]));
  const thought = isSaid(value.thought) ? value.thought : undefined;
  if (field === undefined && thought === undefined) return undefined;
  const response = field === undefined ? "" : String(value[field]).trim();
  return present({ response, thought });
}

function isSaid(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
