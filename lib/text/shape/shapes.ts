/** All message formats of providers (shapes), with their readers, writers and request members. */
import { isObject } from "../../core/event/guard.ts";
import type { Content, Message, Part } from "../../core/event/message.ts";
import { AI_SDK } from "./providers/ai_sdk_blocks.ts";
import { type AiSdkUiMessage, uiMessages } from "./providers/ai_sdk_ui.ts";
import { uiPieces } from "./providers/ai_sdk_ui_parts.ts";
import { type AiSdkMessage, aiSdkMessages } from "./providers/ai_sdk.ts";
import { ANTHROPIC } from "./providers/anthropic_blocks.ts";
import { type AnthropicMessage, anthropicMessages } from "./providers/anthropic.ts";
import { BEDROCK, type BedrockMessage, bedrockMessages } from "./providers/bedrock.ts";
import { joined } from "./usual/blank_text.ts";
import { blockPieces, type BlockRules, blocksOf } from "./kept/block_messages.ts";
import { keptContent, keptOutput } from "./kept/part.ts";
import { GEMINI, type GeminiContent, geminiContents, geminiPieces } from "./providers/gemini.ts";
import { type Members, objectAt, refusal } from "./kept/incoming.ts";
import { amended, amendment, keptOf } from "./kept/kept.ts";
import { type AgentsItem, agentsItems, agentsPieces } from "./providers/openai_agents.ts";
import { type OpenAiMessage, openAiMessages } from "./providers/openai.ts";
import { openAiPieces } from "./providers/openai_pieces.ts";
import {
  type ResponsesItem,
  responsesItems,
  responsesPieces,
} from "./providers/openai_responses.ts";
import type { Piece, SaidPiece } from "./kept/piece.ts";
import type { Stage } from "./stage.ts";
import { instructions } from "./usual/turn.ts";

/**
 * The request members that hold a conversation in each shape (a provider's message format).
 * Messages are oldest first. Without messages, the list is empty. Without instructions, their
 * member is absent. Several instructions are joined with empty lines.
 */
export interface ShapedRequests {
  /** Chat completions of OpenAI and compatible servers. Instructions are among the messages. */
  openai: { messages: OpenAiMessage[] };
  /** Messages of Anthropic's API. The first message is a user message. */
  anthropic: { system?: string; messages: AnthropicMessage[] };
  /** ModelMessages of the AI SDK, versions 5 to 7. */
  "ai-sdk": { system?: string; messages: AiSdkMessage[] };
  /** Input items of OpenAI's Responses API. */
  "openai-responses": { instructions?: string; input: ResponsesItem[] };
  /** Messages of the Gemini API. The API names messages `contents`. */
  gemini: { systemInstruction?: GeminiContent; contents: GeminiContent[] };
  /** Messages of Bedrock's Converse API. */
  bedrock: { system?: { text: string }[]; messages: BedrockMessage[] };
  /** UIMessages of the AI SDK, versions 5 to 7, for a chat. Instructions are among the messages. */
  "ai-sdk-ui": { messages: AiSdkUiMessage[] };
  /** Items of a `Session` of OpenAI's Agents SDK. Instructions are among the items. */
  "openai-agents": { items: AgentsItem[] };
}

interface ApartInstructions {
  /** Name of the request member with the instructions, for example `system`. */
  name: string;
  /** Converts the text of all instructions to the value of the request's member `name`. */
  of(text: string): unknown;
  read(value: unknown, at: string): SaidPiece;
  restore(piece: SaidPiece): unknown;
}

interface ShapeParts {
  stage(): Stage<Message, unknown>;
  /** Name of the request member with the messages, for example `contents`. */
  list: string;
  /** Rules for the request's instructions member. Absent if instructions are among the messages. */
  apart?: ApartInstructions | undefined;
  /** Reads a request. `before` holds the pieces of earlier messages, if known. */
  read(request: unknown, before?: readonly Piece[]): Piece[];
}

function shapeParts(
  list: string,
  stage: () => Stage<Message, unknown>,
  read: (messages: unknown, at: string, before?: readonly Piece[]) => Piece[],
  apart?: ApartInstructions,
): ShapeParts {
  return {
    stage,
    list,
    apart,
    read(request, before): Piece[] {
      const members = objectAt(request, "");
      const own = apart === undefined ? undefined : members[apart.name];
      const head = apart === undefined || own === undefined || own === null
        ? []
        : [apart.read(own, apart.name)];
      return [...head, ...read(members[list], list, before)];
    },
  };
}

function textOrBlocks(
  rules: BlockRules,
  name: string,
  of: (text: string) => unknown,
): ApartInstructions {
  return {
    name,
    of,
    read: (value, at) => readInstructions(rules, value, at),
    restore: (piece) => typeof piece.content === "string" ? piece.content : blocksOf(rules, piece),
  };
}

function readInstructions(rules: BlockRules, value: unknown, at: string): SaidPiece {
  const kept = { shape: rules.shape, apart: true as const };
  return { role: "system", content: keptContent(rules, value, at), kept };
}

/** Rules for Gemini's instructions: a {@linkcode GeminiContent}, a text, or parts. */
const GEMINI_INSTRUCTIONS: ApartInstructions = {
  ...textOrBlocks(GEMINI, "systemInstruction", (text) => ({ parts: [{ text }] })),
  read(value, at): SaidPiece {
    if (!isObject(value) || !Array.isArray(value.parts)) {
      return readInstructions(GEMINI, isObject(value) ? [value] : value, at);
    }
    const content = keptOutput(GEMINI, value.parts, `${at}.parts`) as Part[];
    const message = amendment({ parts: value.parts }, value);
    return {
      role: "system",
      content,
      kept: { shape: "gemini", apart: true, form: "content", message },
    };
  },
  restore(piece): unknown {
    const { kept, content } = piece;
    if (typeof content === "string") return content;
    const parts = blocksOf(GEMINI, piece);
    return kept.form === "content" ? amended({ parts }, kept.message ?? {}) : parts;
  },
};

/** Rules for the AI SDK's instructions: a text, a system message or several system messages. */
const AI_SDK_INSTRUCTIONS: ApartInstructions = {
  ...textOrBlocks(AI_SDK, "system", (text) => text),
  read(value, at): SaidPiece {
    const kept = { shape: "ai-sdk", apart: true as const };
    if (typeof value === "string") return { role: "system", content: value, kept };
    const messages: unknown[] = Array.isArray(value) ? value : [value];
    const content = messages.map((message, index): Part => {
      const read: Members = objectAt(message, Array.isArray(value) ? `${at}[${index}]` : at);
      const text = typeof read.content === "string" ? read.content : "";
      const change = amendment({ type: "text", text }, read);
      return { type: "text", text, provider_data: { shape: "ai-sdk", ...change } };
    });
    return {
      role: "system",
      content,
      kept: { ...kept, form: Array.isArray(value) ? "list" : "one" },
    };
  },
  restore(piece): unknown {
    if (typeof piece.content === "string") return piece.content;
    const messages = blocksOf(AI_SDK, piece);
    return piece.kept.form === "one" ? messages[0] : messages;
  },
};

export const SHAPES: Readonly<Record<keyof ShapedRequests, ShapeParts>> = {
  openai: shapeParts("messages", openAiMessages, openAiPieces),
  anthropic: shapeParts(
    "messages",
    anthropicMessages,
    (messages, at) => blockPieces(ANTHROPIC, messages, at),
    textOrBlocks(ANTHROPIC, "system", (text) => text),
  ),
  "ai-sdk": shapeParts(
    "messages",
    aiSdkMessages,
    (messages, at) => blockPieces(AI_SDK, messages, at),
    AI_SDK_INSTRUCTIONS,
  ),
  "openai-responses": shapeParts("input", responsesItems, responsesPieces, {
    name: "instructions",
    of: (text) => text,
    read(value, at): SaidPiece {
      if (typeof value !== "string") throw refusal(at, "is not a string");
      return { role: "system", content: value, kept: { shape: "openai-responses", apart: true } };
    },
    restore: ({ content }) => content,
  }),
  gemini: shapeParts("contents", geminiContents, geminiPieces, GEMINI_INSTRUCTIONS),
  bedrock: shapeParts(
    "messages",
    bedrockMessages,
    (messages, at) => blockPieces(BEDROCK, messages, at),
    textOrBlocks(BEDROCK, "system", (text) => [{ text }]),
  ),
  "ai-sdk-ui": shapeParts("messages", uiMessages, uiPieces),
  "openai-agents": shapeParts("items", agentsItems, agentsPieces),
};

/** Collects instructions for requests that hold them in a member of their own, such as `system`. */
export class Instructions {
  readonly #apart: ApartInstructions | undefined;
  readonly #shape: string;
  readonly #texts: string[] = [];
  /**
   * Instructions to restore as they were: the only ones so far, read from a request of `#shape`.
   */
  #only: SaidPiece | undefined;
  #count = 0;

  constructor(shape: keyof ShapedRequests) {
    this.#shape = shape;
    this.#apart = SHAPES[shape].apart;
  }

  add({ role, content, provider_data }: Message): void {
    if (this.#apart === undefined || role !== "system") return;
    const kept = keptOf(provider_data, this.#shape);
    // System messages among the messages stay there.
    if (kept !== undefined && !kept.apart) return;
    this.#only = kept && this.#count === 0
      ? { role, content: content as Content, kept }
      : undefined;
    this.#count++;
    for (const one of instructions({ role, content })) this.#texts.push(one);
  }

  copy(): Instructions {
    const copy = new Instructions(this.#shape as keyof ShapedRequests);
    for (const one of this.#texts) copy.#texts.push(one);
    copy.#only = this.#only;
    copy.#count = this.#count;
    return copy;
  }

  get member(): { name: string; value: unknown } | undefined {
    if (this.#apart === undefined) return undefined;
    const { name } = this.#apart;
    if (this.#only !== undefined) return { name, value: this.#apart.restore(this.#only) };
    const text = joined(this.#texts);
    return text === undefined ? undefined : { name, value: this.#apart.of(text) };
  }
}
