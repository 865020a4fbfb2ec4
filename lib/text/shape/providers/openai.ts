/**
 * The shape of OpenAI's chat completions, which many servers take.
 *
 * @module
 */
import { callInputText } from "../../../core/event/call_input.ts";
import { isObject } from "../../../core/event/guard.ts";
import type { Message, ReasoningPart, TextPart } from "../../../core/event/message.ts";
import { present } from "../../../core/event/present.ts";
import { type PieceWriter, restored } from "../kept/restored.ts";
import { chained, each, type Stage } from "../stage.ts";
import { dataUrl, type InlineFile } from "../usual/attachment.ts";
import { isBlank, joined } from "../usual/blank_text.ts";
import { outputText, type SettledCall } from "../usual/settled_call.ts";
import {
  type AssistantTurn,
  type UserTurn,
  type UsualTurn,
  withFilesBehind,
} from "../usual/turn.ts";
import { OPENAI_WRITER } from "./openai_pieces.ts";

/** One piece of a user message with more than text. */
export type OpenAiContentPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "file"; file: { filename: string; file_data: string } };

/** One message of a chat completion request. A text is never blank. */
export type OpenAiMessage =
  | { role: "system"; content: string }
  | {
    role: "user";
    /** A string if there is only text, because every compatible server accepts that. */
    content: string | OpenAiContentPart[];
  }
  | {
    role: "assistant";
    /** All texts, separated by an empty line. Null if there are only calls. */
    content: string | null;
    /** The calls. Absent if there are none. Their results follow right after this message. */
    tool_calls?: {
      /** The id of the call, unique in the conversation, of at most 40 characters. */
      id: string;
      /** The type of the call. Calls of other types cannot be sent back to the API. */
      type: "function";
      /**
       * Names the function, in at most 64 letters, digits, `_` and `-`. The arguments are a JSON
       * object.
       */
      function: { name: string; arguments: string };
    }[];
    /** The model's reasoning, an extension that some compatible servers require. */
    reasoning_content?: string;
  }
  | {
    role: "tool";
    tool_call_id: string;
    /** The output as text. A failed call is marked only in this text. */
    content: string;
  };

type MessageOf<Role> = Extract<OpenAiMessage, { role: Role }>;

/** Returns a converter for well-formed messages in which each call has its result. */
export function openAiMessages(): Stage<Message, OpenAiMessage> {
  return restored(
    OPENAI_WRITER as unknown as PieceWriter<OpenAiMessage>,
    () => chained(withFilesBehind(), each(toOpenAiMessages)),
  );
}

function toOpenAiMessages(turn: UsualTurn): OpenAiMessage[] {
  if (turn.role === "system") return [{ role: "system", content: turn.text }];
  if (turn.role === "user") return [{ role: "user", content: userContent(turn) }];
  return [assistantMessage(turn), ...turn.calls.map(toolMessage)];
}

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

function assistantMessage({ parts, calls }: AssistantTurn): MessageOf<"assistant"> {
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

function toolCall(
  { id, name, ...call }: SettledCall,
): NonNullable<MessageOf<"assistant">["tool_calls"]>[number] {
  return { id, type: "function", function: { name, arguments: callInputText(call) } };
}

/**
 * Returns the message of a result. The API has no error flag for results, and takes no files in
 * them.
 */
function toolMessage({ id, output }: SettledCall): MessageOf<"tool"> {
  return { role: "tool", tool_call_id: id, content: outputText(output) };
}
