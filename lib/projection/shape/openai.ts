/**
 * The shape of OpenAI's chat completions, which many servers take.
 *
 * @module
 */
import { isObject } from "../../event/guard.ts";
import type { Message, ReasoningPart, TextPart } from "../../event/message.ts";
import { dataUrl, type InlineFile } from "./attachment.ts";
import { isBlank, joined } from "./blank_text.ts";
import type { SettledCall } from "./settled_call.ts";
import { type AssistantTurn, toTurns, type Turn, type UserTurn } from "./turn.ts";

/** Instructions. */
export interface OpenAiSystemMessage {
  role: "system";
  content: string;
}

/** One piece of a user message that is more than text. */
export type OpenAiContentPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "file"; file: { filename: string; file_data: string } };

/** What the user said. */
export interface OpenAiUserMessage {
  role: "user";
  content: string | OpenAiContentPart[];
}

/** A call; `arguments` is the JSON of an object. */
export interface OpenAiToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** What the model said; `content` is null when it only calls. */
export interface OpenAiAssistantMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: OpenAiToolCall[];
  /** Not OpenAI's own: some compatible servers want their model's reasoning back. */
  reasoning_content?: string;
}

/** What one call gave. */
export interface OpenAiToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** One message of a chat completion request. */
export type OpenAiMessage =
  | OpenAiSystemMessage
  | OpenAiUserMessage
  | OpenAiAssistantMessage
  | OpenAiToolMessage;

/** The part of a chat completion request that holds the conversation. */
export interface OpenAiRequest {
  messages: OpenAiMessage[];
}

/** Shapes paired, well-formed messages. */
export function toOpenAi(paired: readonly Message[]): OpenAiRequest {
  return { messages: toTurns(paired).flatMap(toOpenAiMessages) };
}

function toOpenAiMessages(turn: Turn): OpenAiMessage[] {
  if (turn.role === "system") return [{ role: "system", content: turn.text }];
  if (turn.role === "user") return [{ role: "user", content: userContent(turn) }];
  return [assistantMessage(turn), ...turn.calls.map(toolMessage)];
}

/** Text alone goes as a string, which every compatible server takes. */
function userContent({ parts }: UserTurn): string | OpenAiContentPart[] {
  const texts = parts.filter((part) => part.type === "text");
  if (texts.length === parts.length) return texts.map(({ text }) => text).join("\n\n");
  return parts.map(contentPart);
}

function contentPart(part: TextPart | InlineFile): OpenAiContentPart {
  if (part.type === "text") return part;
  const url = dataUrl(part);
  return part.type === "image"
    ? { type: "image_url", image_url: { url } }
    : { type: "file", file: { filename: part.filename, file_data: url } };
}

function assistantMessage({ parts, calls }: AssistantTurn): OpenAiAssistantMessage {
  const texts = parts.filter((part) => part.type === "text");
  const reasoning = joined(parts.filter(goesBack).map(({ text }) => text));
  return {
    role: "assistant",
    content: joined(texts.map(({ text }) => text)) ?? null,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
  };
}

function goesBack(part: TextPart | ReasoningPart): boolean {
  if (part.type !== "reasoning" || isBlank(part.text)) return false;
  return isObject(part.provider_data) && part.provider_data.type === "reasoning_content";
}

function toolCall({ id, name, input }: SettledCall): OpenAiToolCall {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

/** The API has no mark for an error: the output must say it. */
function toolMessage({ id, output }: SettledCall): OpenAiToolMessage {
  return { role: "tool", tool_call_id: id, content: output };
}
