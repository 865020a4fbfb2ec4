/**
 * The shape of the AI SDK's ModelMessage, for its versions 5, 6 and 7.
 *
 * Instructions are in `system`, because version 7 rejects them among the messages. Images in
 * results are `file-data`, which versions 6 and 7 take.
 *
 * @module
 */
import { isObject } from "../../../core/event/guard.ts";
import type { Message, ReasoningPart, TextPart } from "../../../core/event/message.ts";
import { type BlockMessage, blockWriter } from "../kept/block_messages.ts";
import { valueOf } from "../kept/incoming.ts";
import { restored } from "../kept/restored.ts";
import { chained, each, type Stage } from "../stage.ts";
import type { InlineFile } from "../usual/attachment.ts";
import { isBlank } from "../usual/blank_text.ts";
import {
  isFile,
  itemText,
  type OutputItem,
  outputText,
  type SettledCall,
} from "../usual/settled_call.ts";
import { thinkingSeal } from "../usual/thinking_seal.ts";
import { type AssistantTurn, spokenTurns, type UserTurn } from "../usual/turn.ts";
import { AI_SDK } from "./ai_sdk_blocks.ts";

/** A JSON value, as the AI SDK declares it. */
export type AiSdkJson =
  | null
  | string
  | number
  | boolean
  | { [name: string]: AiSdkJson }
  | AiSdkJson[];

/**
 * The output of a call. The type begins with `error-` if the call failed, except for `content`. No
 * text is blank.
 */
export type AiSdkToolOutput =
  | { type: "text" | "error-text"; value: string }
  | { type: "json" | "error-json"; value: AiSdkJson }
  | {
    type: "content";
    value: (
      | { type: "text"; text: string }
      | { type: "file-data"; data: string; mediaType: string; filename: string }
    )[];
  };

/** One ModelMessage of the AI SDK. A text is never blank, except in encrypted reasoning. */
export type AiSdkMessage =
  | {
    role: "user";
    content: (
      | { type: "text"; text: string }
      | {
        type: "file";
        /** A media type that all providers accept, such as `image/png`. */
        mediaType: string;
        /** The last segment of the file's path, or `attachment` with the media type's extension. */
        filename: string;
        /** Base64 of the whole content. */
        data: string;
      }
    )[];
  }
  | {
    role: "assistant";
    content: (
      | { type: "text"; text: string }
      | {
        type: "reasoning";
        text: string;
        /** The reasoning's signature or encrypted text, by provider. Absent if it has neither. */
        providerOptions?: Record<string, { [name: string]: AiSdkJson }>;
      }
      | {
        type: "tool-call";
        /** The id of the call, unique in the conversation. */
        toolCallId: string;
        /** The tool's name: letters, digits, `_` and `-`, at most 64. */
        toolName: string;
        /** The input of the call. A value that is not an object is put in a member `input`. */
        input: Record<string, unknown>;
      }
    )[];
  }
  | {
    role: "tool";
    content: {
      type: "tool-result";
      /** The id of the call in the message right before. */
      toolCallId: string;
      toolName: string;
      /** The output of the tool, or the reason why the call failed. */
      output: AiSdkToolOutput;
    }[];
  };

/** Data that goes to a provider unchanged, by the provider's name. */
type ProviderOptions = Record<string, { [name: string]: AiSdkJson }>;
type PartOf<Type> = Extract<AiSdkMessage["content"][number], { type: Type }>;

/** Returns a converter for messages in which each call has its result. Drops instructions. */
export function aiSdkMessages(): Stage<Message, AiSdkMessage> {
  const writer = blockWriter<AiSdkMessage & BlockMessage>(AI_SDK, false);
  return chained(restored(writer, usualMessages), each((message) => [valueOf(message)]));
}

function usualMessages(): Stage<Message, AiSdkMessage & BlockMessage> {
  return chained(
    spokenTurns(),
    each((turn) => {
      if (turn.role === "system") return [];
      return turn.role === "user" ? [userMessage(turn)] : assistantMessages(turn);
    }),
  ) as Stage<Message, AiSdkMessage & BlockMessage>;
}

function userMessage({ parts }: UserTurn): AiSdkMessage {
  return { role: "user", content: parts.map((part) => part.type === "text" ? part : file(part)) };
}

function file({ media_type, filename, data }: InlineFile): PartOf<"file"> {
  return { type: "file", mediaType: media_type, filename, data };
}

/** Returns the messages of a turn. Calls are last, because Anthropic may require this order. */
function assistantMessages({ parts, calls }: AssistantTurn): AiSdkMessage[] {
  const content = [...parts.flatMap(saidPart), ...calls.map(toolCall)];
  const message: AiSdkMessage = { role: "assistant", content };
  return calls.length === 0 ? [message] : [message, {
    role: "tool",
    content: calls.map(toolResult),
  }];
}

function saidPart(part: TextPart | ReasoningPart): (PartOf<"text"> | PartOf<"reasoning">)[] {
  if (part.type === "text") return [part];
  const { text } = part;
  const providerOptions = reasoningOptions(part.provider_data);
  if (providerOptions !== undefined) return [{ type: "reasoning", text, providerOptions }];
  return isBlank(text) ? [] : [{ type: "reasoning", text }];
}

/**
 * Returns reasoning data by provider. Data from the AI SDK stays unchanged. A signature without a
 * provider's name is Anthropic's.
 */
export function reasoningOptions(provider_data: unknown): ProviderOptions | undefined {
  if (!isObject(provider_data)) return undefined;
  const options = Object.values(provider_data);
  if (options.length > 0 && options.every(isObject)) return provider_data as ProviderOptions;
  const seal = thinkingSeal(provider_data);
  if (seal === undefined) return undefined;
  return {
    anthropic: "redacted" in seal ? { redactedData: seal.redacted } : { signature: seal.signature },
  };
}

function toolCall({ id, name, input }: SettledCall): PartOf<"tool-call"> {
  return { type: "tool-call", toolCallId: id, toolName: name, input };
}

function toolResult({ id, name, output, failed }: SettledCall): PartOf<"tool-result"> {
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: toolOutput(output, failed),
  };
}

function toolOutput(items: readonly OutputItem[], failed: boolean): AiSdkToolOutput {
  const [only] = items;
  if (items.length === 1 && only?.type === "json") {
    return { type: failed ? "error-json" : "json", value: only.value as AiSdkJson };
  }
  // Content cannot be an error; its text has the reason.
  const split = items.some(isFile) || (items.length > 1 && !failed);
  if (split) return { type: "content", value: items.map(outputPart) };
  return { type: failed ? "error-text" : "text", value: outputText(items) };
}

function outputPart(
  item: OutputItem,
): Extract<AiSdkToolOutput, { type: "content" }>["value"][number] {
  if (!isFile(item)) return { type: "text", text: itemText(item) };
  const { data, media_type, filename } = item;
  return { type: "file-data", data, mediaType: media_type, filename };
}
