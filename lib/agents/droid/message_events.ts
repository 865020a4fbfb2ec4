/**
 * Converts Factory Droid's messages to events. They are messages of Anthropic's Messages API with
 * additional fields.
 */
import type { Audience, ReasoningPart } from "../../core/event/message.ts";
import { blocksOf, toPart } from "../engine/events/anthropic_blocks.ts";
import {
  type CallNames,
  emitAnswerBlocks,
  emitUserBlocks,
} from "../engine/events/block_messages.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { asName, asObject, asText, type Json, present } from "../engine/json.ts";

/** The message fields that the events have already, so that the fields are not stored twice. */
export const TAKEN: ReadonlySet<string> = new Set([
  ...["role", "content", "visibility", "modelId", "model"],
  ...["chatCompletionReasoningField", "chatCompletionReasoningContent"],
]);

/** Audiences by Droid 0.226's `visibility`: hooks are `user_only`, added context `llm_only`. */
const AUDIENCES: ReadonlyMap<unknown, Audience> = new Map([
  ["llm_only", "model"],
  ["user_only", "user"],
]);

export function isPrompt({ role, content, visibility }: Json): boolean {
  return role === "user" && visibility !== "llm_only" &&
    blocksOf(content).some((block) => toPart(block) !== undefined && !isReminder(block));
}

export function emitUser(message: Json, calls: CallNames, target: EventTarget): void {
  if (isPrompt(message)) calls.clear();
  const audience = AUDIENCES.get(message.visibility);
  const audienceOf = (block: Json) => isReminder(block) ? "model" : audience;
  emitUserBlocks(blocksIn(message), calls, target, audienceOf);
}

/** True for a note that Droid adds to the user's message. */
function isReminder({ type, text }: Json): boolean {
  return type === "text" && /^\s*<system-(reminder|notification)>/.test(asText(text) ?? "");
}

/**
 * Returns a message's blocks. Moves an image's `media_type`, which some versions write outside
 * `source`, into `source`.
 */
function blocksIn({ content }: Json): Json[] {
  return blocksOf(content).map((block) =>
    typeof block.media_type === "string"
      ? { ...block, source: { media_type: block.media_type, ...asObject(block.source) } }
      : block
  );
}

export function emitAnswer(message: Json, calls: CallNames, target: EventTarget): void {
  const { writer, origin } = target;
  const model = asName(message.modelId) ?? asName(message.model);
  const fields = present({ message_id: origin.id, model });
  writer.audience = AUDIENCES.get(message.visibility);
  emitAnswerBlocks(blocksIn(message), calls, target, fields, apartReasoning(message));
  writer.audience = undefined;
}

/** Returns the reasoning of a chat-completions model, which is stored outside of the content. */
function apartReasoning(message: Json): ReasoningPart[] {
  const text = asName(message.chatCompletionReasoningContent);
  if (text === undefined) return [];
  const type = asName(message.chatCompletionReasoningField) ?? "reasoning_content";
  return [{ type: "reasoning", text, provider_data: { type } }];
}
