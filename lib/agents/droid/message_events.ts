/** Factory Droid's messages as our events: those of the Messages API, with facts of its own. */
import { toContent } from "../../event/audience.ts";
import type { Audience, Part, ReasoningPart } from "../../event/message.ts";
import {
  blocksOf,
  type Fields,
  resultOf,
  toPart,
  toReasoning,
} from "../../reading/events/anthropic_blocks.ts";
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { addCall, emitResponse, startResponse } from "../../reading/events/response_draft.ts";
import { asName, asText, type Json, present } from "../../reading/json_value.ts";

/** The writer and the origin of a message's events. */
export interface MessageTarget {
  writer: EventWriter;
  origin: EventOrigin;
}

/** Names of the calls since the last prompt, by id. */
export type Calls = Map<string, string>;

/** The fields that the events below carry. */
const TAKEN: ReadonlySet<string> = new Set([
  ...["role", "content", "visibility", "modelId", "model"],
  ...["chatCompletionReasoningField", "chatCompletionReasoningContent"],
]);

/** Returns the fields that no event carries, such as those of hooks. */
export function otherFields(message: Json): Json {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !TAKEN.has(name)));
}

/** `visibility` of 0.226: the record of a hook is `user_only`, context is `llm_only`. */
const AUDIENCES: ReadonlyMap<unknown, Audience> = new Map([
  ["llm_only", "model"],
  ["user_only", "user"],
]);

/** True for a message with words of the user. */
export function isPrompt({ role, content, visibility }: Json): boolean {
  return role === "user" && visibility !== "llm_only" &&
    blocksOf(content).some((block) => toPart(block) !== undefined && !isReminder(block));
}

/** Emits a message of the user. Results stand before the words. */
export function emitUser(message: Json, calls: Calls, { writer, origin }: MessageTarget): void {
  if (isPrompt(message)) calls.clear();
  const audience = AUDIENCES.get(message.visibility);
  const said: Part[] = [];
  for (const block of blocksOf(message.content)) {
    const part = toPart(withMediaType(block));
    const by = isReminder(block) ? "model" : audience;
    if (part !== undefined) said.push(by === undefined ? part : { ...part, audience: by });
    else if (block.type === "tool_result") emitResult(block, calls, { writer, origin });
    else extend("content_block", block, { writer, origin });
  }
  if (said.length > 0) writer.emit("user_message", { content: toContent(said) }, origin);
}

/** Notes that Droid puts into a message beside the user's words. */
function isReminder({ type, text }: Fields): boolean {
  return type === "text" && /^\s*<system-(reminder|notification)>/.test(asText(text) ?? "");
}

/** Puts the type of an image into its source. Some versions keep it beside that. */
function withMediaType(block: Fields): Fields {
  const { source, media_type } = block as { source?: Fields; media_type?: unknown };
  if (typeof media_type !== "string" || typeof source !== "object") return block;
  return { ...block, source: { media_type, ...source } };
}

function emitResult(block: Fields, calls: Calls, { writer, origin }: MessageTarget): void {
  const call_id = asText(block.tool_use_id) ?? "";
  const status = block.is_error === true ? "error" : "ok";
  const name = calls.get(call_id) ?? "";
  writer.emit("tool_end", { call_id, name, status, ...resultOf(block, status) }, origin);
}

/** Emits an answer: reasoning, text, calls. */
export function emitAnswer(message: Json, calls: Calls, { writer, origin }: MessageTarget): void {
  const draft = startResponse(apartReasoning(message));
  for (const block of blocksOf(message.content)) {
    const part = toReasoning(block) ?? toPart(withMediaType(block));
    if (part !== undefined) draft.parts.push(part);
    else if (block.type === "tool_use") {
      const [call_id, name] = [asText(block.id) ?? "", asText(block.name) ?? ""];
      calls.set(call_id, name);
      addCall(draft, { call_id, name, input: block.input ?? {} });
    } else extend("content_block", block, { writer, origin });
  }
  const model = asName(message.modelId) ?? asName(message.model);
  writer.audience = AUDIENCES.get(message.visibility);
  emitResponse(writer, draft, present({ message_id: origin.id, model }), origin);
  writer.audience = undefined;
}

/** Returns the reasoning of a model behind chat completions, which stands beside the content. */
function apartReasoning(message: Json): ReasoningPart[] {
  const text = asName(message.chatCompletionReasoningContent);
  if (text === undefined) return [];
  const type = asName(message.chatCompletionReasoningField) ?? "reasoning_content";
  return [{ type: "reasoning", text, provider_data: { type } }];
}

/** Keeps a record or a field without an event of its own. */
export function extend(type: string, data: unknown, { writer, origin }: MessageTarget): void {
  writer.emit("extension", { agent: "droid", type, data }, origin);
}
