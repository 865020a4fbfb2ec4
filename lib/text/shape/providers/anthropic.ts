/**
 * The shape of Anthropic's messages.
 *
 * @module
 */
import { present } from "../../../core/event/present.ts";
import { isObject } from "../../../core/event/guard.ts";
import type { Message, ReasoningPart, TextPart } from "../../../core/event/message.ts";
import { type BlockMessage, blockWriter } from "../kept/block_messages.ts";
import { restored } from "../kept/restored.ts";
import { chained, each, type Stage } from "../stage.ts";
import type { InlineFile } from "../usual/attachment.ts";
import { withoutTrailingSpace } from "../usual/blank_text.ts";
import {
  followingFiles,
  itemText,
  type OutputItem,
  outputText,
  type SettledCall,
} from "../usual/settled_call.ts";
import { thinkingSeal } from "../usual/thinking_seal.ts";
import { type AssistantTurn, opened, spokenTurns, type UserTurn } from "../usual/turn.ts";
import { ANTHROPIC } from "./anthropic_blocks.ts";

/** A block of a call's output. A text is never blank. */
export type AnthropicOutputBlock =
  | { type: "text"; text: string }
  | {
    type: "image";
    source: {
      type: "base64";
      media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
      data: string;
    };
  }
  | { type: "document"; source: { type: "base64"; media_type: "application/pdf"; data: string } }
  | {
    type: "tool_reference";
    /** Name of the tool. The provider loads its definition because this reference names it. */
    tool_name: string;
  };

/** A block of a user message: a text, a file, or the result of a call. */
export type AnthropicUserBlock =
  | Exclude<AnthropicOutputBlock, { type: "tool_reference" }>
  | {
    type: "tool_result";
    /** The `id` of the call in the message right before. */
    tool_use_id: string;
    /** A string if the call failed or the output is one text. Otherwise blocks. Never blank. */
    content: string | AnthropicOutputBlock[];
    is_error?: true;
  };

/** A block of an assistant message. The last answer's text has no white space at its end. */
export type AnthropicAssistantBlock =
  | { type: "text"; text: string }
  | {
    type: "thinking";
    /** The thinking verbatim, because the signature covers it. */
    thinking: string;
    /** The signature that the API gave. The API rejects thinking without a signature. */
    signature: string;
  }
  | {
    type: "redacted_thinking";
    /** The encrypted thinking, unchanged. */
    data: string;
  }
  | {
    type: "tool_use";
    /** The id of the call, unique in the conversation: letters, digits, `_` and `-`. */
    id: string;
    /** The tool's name: letters, digits, `_` and `-`, at most 64. */
    name: string;
    /** The input of the call. A value that is not an object is put in a member `input`. */
    input: Record<string, unknown>;
  };

/**
 * One message. The user's and the model's messages alternate, and the first is the user's. A
 * content that `fromMessages` read as a string is a string again.
 */
export type AnthropicMessage =
  | { role: "user"; content: AnthropicUserBlock[] }
  | { role: "assistant"; content: AnthropicAssistantBlock[] };

type Block<Type> = Extract<
  AnthropicUserBlock | AnthropicAssistantBlock | AnthropicOutputBlock,
  { type: Type }
>;

/** Returns a converter for messages in which each call has its result. Drops instructions. */
export function anthropicMessages(): Stage<Message, AnthropicMessage> {
  return restored(blockWriter<AnthropicMessage & BlockMessage>(ANTHROPIC, true), usualMessages);
}

function usualMessages(begun: boolean): Stage<Message, AnthropicMessage & BlockMessage> {
  const spoken = chained(spokenTurns(), opened(begun)) as Stage<
    Message,
    UserTurn | AssistantTurn
  >;
  return chained(spoken, chained(each(turnMessages), alternating())) as Stage<
    Message,
    AnthropicMessage & BlockMessage
  >;
}

function turnMessages(turn: UserTurn | AssistantTurn): AnthropicMessage[] {
  if (turn.role === "user") return [{ role: "user", content: turn.parts.map(userBlock) }];
  const { calls } = turn;
  const said: AnthropicMessage = { role: "assistant", content: assistantBlocks(turn) };
  if (calls.length === 0) return [said];
  // The API takes only text in a result that is an error.
  const failed = calls.filter((call) => call.failed);
  const results = [...calls.map(toolResult), ...followingFiles(failed).map(userBlock)];
  return [said, { role: "user", content: results }];
}

/** Returns a stage that joins results and the next prompt into one message, results first. */
function alternating(before?: AnthropicMessage): Stage<AnthropicMessage, AnthropicMessage> {
  let last = before;
  return {
    add(message): AnthropicMessage[] {
      if (last?.role === "user" && message.role === "user") {
        for (const block of message.content) last.content.push(block);
        return [];
      }
      const finished = last === undefined ? [] : [last];
      last = message;
      return finished;
    },
    end(): AnthropicMessage[] {
      trimFinalText(last);
      return last === undefined ? [] : [last];
    },
    copy: () => alternating(last === undefined ? undefined : copyOf(last)),
  };
}

/** Copies a message and its blocks, because blocks are added, and the last text is trimmed. */
function copyOf(message: AnthropicMessage): AnthropicMessage {
  const content = message.content.map((block) => ({ ...block }));
  return { ...message, content } as AnthropicMessage;
}

function userBlock(
  part: TextPart | InlineFile,
): Exclude<AnthropicOutputBlock, Block<"tool_reference">> {
  if (part.type === "text") return part;
  const { media_type, data } = part;
  return part.type === "pdf"
    ? { type: "document", source: { type: "base64", media_type: "application/pdf", data } }
    : {
      type: "image",
      source: {
        type: "base64",
        media_type: media_type as Block<"image">["source"]["media_type"],
        data,
      },
    };
}

/**
 * Returns the blocks of an answer, calls last, because a text after a call separates it from its
 * result.
 */
function assistantBlocks({ parts, calls }: AssistantTurn): AnthropicAssistantBlock[] {
  return [...parts.flatMap(saidBlock), ...calls.map(toolUse)];
}

function saidBlock(part: TextPart | ReasoningPart): AnthropicAssistantBlock[] {
  if (part.type === "text") return [part];
  const seal = thinkingSeal(part.provider_data);
  if (seal === undefined) return [];
  return "redacted" in seal
    ? [{ type: "redacted_thinking", data: seal.redacted }]
    : [{ type: "thinking", thinking: part.text, signature: seal.signature }];
}

function toolUse({ id, name, input }: SettledCall): Block<"tool_use"> {
  return { type: "tool_use", id, name, input };
}

function toolResult({ id, output, failed }: SettledCall): Block<"tool_result"> {
  return present({
    type: "tool_result",
    tool_use_id: id,
    content: failed ? outputText(output) : resultContent(output),
    is_error: failed || undefined,
  });
}

function resultContent(output: readonly OutputItem[]): string | AnthropicOutputBlock[] {
  const blocks = output.map((item) =>
    item.type !== "json"
      ? userBlock(item)
      : isToolReference(item.value)
      ? item.value
      : userBlock({ type: "text", text: itemText(item) })
  );
  const [only] = blocks;
  return blocks.length === 1 && only?.type === "text" ? only.text : blocks;
}

/** True for a tool reference, the only output of Claude Code's tool search. */
function isToolReference(value: unknown): value is Block<"tool_reference"> {
  return isObject(value) && value.type === "tool_reference" && typeof value.tool_name === "string";
}

/** Trims the end of a final answer, because the API rejects white space there. */
function trimFinalText(last: AnthropicMessage | undefined): void {
  const block = last?.role === "assistant" ? last.content.at(-1) : undefined;
  if (block?.type === "text") block.text = withoutTrailingSpace(block.text);
}
