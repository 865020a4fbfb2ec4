/**
 * The shape of OpenAI's chat completions, which many servers take.
 *
 * @module
 */
import { callInputText } from "../../event/call_input.ts";
import { isObject } from "../../event/guard.ts";
import type { Message, ReasoningPart, TextPart } from "../../event/message.ts";
import { present } from "../../event/present.ts";
import { type PieceWriter, restored } from "../kept/restored.ts";
import { chained, each, type Stage } from "../stage.ts";
import { dataUrl, type InlineFile } from "../usual/attachment.ts";
import { isBlank, joined } from "../usual/blank_text.ts";
import { outputText, type SettledCall } from "../usual/settled_call.ts";
import { type AssistantTurn, type Turn, type UserTurn, withFilesBehind } from "../usual/turn.ts";
import { OPENAI_WRITER } from "./openai_pieces.ts";

/** Instructions. */
export interface OpenAiSystemMessage {
  /** Tells instructions from the other messages. */
  role: "system";
  /** Never blank. */
  content: string;
}

/** One piece of a user message with more than text. */
export type OpenAiContentPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "file"; file: { filename: string; file_data: string } };

/** A message of the user. */
export interface OpenAiUserMessage {
  /** Tells the user's messages from the others. */
  role: "user";
  /** A string for text alone, which every compatible server takes. */
  content: string | OpenAiContentPart[];
}

/** A call; `arguments` is the JSON of an object. */
export interface OpenAiToolCall {
  /** Unique in the conversation, at most 40 characters. */
  id: string;
  /** The only type that the API takes back. */
  type: "function";
  /** Holds the name of letters, digits, `_` and `-`, at most 64, and the arguments. */
  function: { name: string; arguments: string };
}

/** A message of the model; `content` is null when it only calls. */
export interface OpenAiAssistantMessage {
  /** Tells the model's messages from the others. */
  role: "assistant";
  /** All texts, separated by an empty line; null if there are only calls. */
  content: string | null;
  /** Absent without calls; each has its result right after this message. */
  tool_calls?: OpenAiToolCall[];
  /** An extension: some compatible servers need their model's reasoning back. */
  reasoning_content?: string;
}

/** The result of one call. */
export interface OpenAiToolMessage {
  /** Tells results from the other messages. */
  role: "tool";
  /** The `id` of the call that it settles. */
  tool_call_id: string;
  /** Never blank. For a failed call, this text is the only mark. */
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
  /** Oldest first, instructions in their place; empty without messages. */
  messages: OpenAiMessage[];
}

/** Shapes paired, well-formed messages. */
export function openAiMessages(): Stage<Message, OpenAiMessage> {
  return restored(
    OPENAI_WRITER as unknown as PieceWriter<OpenAiMessage>,
    () => chained(withFilesBehind(), each(toOpenAiMessages)),
  );
}

function toOpenAiMessages(turn: Turn): OpenAiMessage[] {
  if (turn.role === "system") return [{ role: "system", content: turn.text }];
  if (turn.role === "user") return [{ role: "user", content: userContent(turn) }];
  return [assistantMessage(turn), ...turn.calls.map(toolMessage)];
}

/** Returns text alone as a string, which every compatible server takes. */
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
  return present({
    role: "assistant",
    content: joined(texts.map(({ text }) => text)) ?? null,
    tool_calls: calls.length === 0 ? undefined : calls.map(toolCall),
    reasoning_content: reasoning,
  });
}

function goesBack(part: TextPart | ReasoningPart): boolean {
  if (part.type !== "reasoning" || isBlank(part.text)) return false;
  return isObject(part.provider_data) && part.provider_data.type === "reasoning_content";
}

function toolCall({ id, name, ...call }: SettledCall): OpenAiToolCall {
  return { id, type: "function", function: { name, arguments: callInputText(call) } };
}

/**
 * Returns the message of a result. The API has no mark for errors, and takes no files in results.
 */
function toolMessage({ id, output }: SettledCall): OpenAiToolMessage {
  return { role: "tool", tool_call_id: id, content: outputText(output) };
}
