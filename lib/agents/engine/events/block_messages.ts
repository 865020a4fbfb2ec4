/** Emits messages whose content is blocks of Anthropic's Messages API. */
import { toContent } from "../../../core/event/audience.ts";
import type { Audience, CallStatus, Part } from "../../../core/event/message.ts";
import type { AssistantMessagePayload } from "../../../core/event/payload.ts";
import { asText, type Json } from "../json.ts";
import { resultOf, toPart, toReasoning } from "./anthropic_blocks.ts";
import type { EventTarget } from "./event_writer.ts";
import { addCall, emitResponse, startResponse } from "./response_draft.ts";

/** Tool names of the calls since the last prompt, by call id. */
export type CallNames = Map<string, string>;

/**
 * Emits a user's message: first the tool results, then the text.
 *
 * @param audienceOf Returns the only reader of a block: user or model. Undefined if both get it.
 * @param before Parts that precede the parts of `blocks` in the message.
 */
export function emitUserBlocks(
  blocks: readonly Json[],
  calls: CallNames,
  { writer, origin }: EventTarget,
  audienceOf: (block: Json) => Audience | undefined = () => undefined,
  before: readonly Part[] = [],
): void {
  const said = [...before];
  for (const block of blocks) {
    const part = toPart(block);
    const audience = audienceOf(block);
    if (part !== undefined) said.push(audience === undefined ? part : { ...part, audience });
    else if (block.type === "tool_result") emitResultBlock(block, calls, { writer, origin });
    else keepBlock(block, { writer, origin });
  }
  if (said.length > 0) writer.emit("user_message", { content: toContent(said) }, origin);
}

export function emitResultBlock(
  block: Json,
  calls: CallNames,
  { writer, origin }: EventTarget,
  status: CallStatus = block.is_error === true ? "error" : "ok",
): void {
  const call_id = asText(block.tool_use_id) ?? "";
  const end = { call_id, name: calls.get(call_id) ?? "", status, ...resultOf(block, status) };
  writer.emit("tool_end", end, origin);
}

/**
 * Emits an answer: thoughts, texts and calls.
 *
 * @param before Parts that precede the parts of `blocks` in the answer.
 */
export function emitAnswerBlocks(
  blocks: readonly Json[],
  calls: CallNames,
  { writer, origin }: EventTarget,
  fields: Omit<AssistantMessagePayload, "content">,
  before: readonly Part[] = [],
): void {
  const draft = startResponse([...before]);
  const others: Json[] = [];
  for (const block of blocks) {
    const part = toReasoning(block) ?? toPart(block);
    if (part !== undefined) draft.parts.push(part);
    else if (block.type === "tool_use") {
      const [call_id, name] = [asText(block.id) ?? "", asText(block.name) ?? ""];
      calls.set(call_id, name);
      addCall(draft, { call_id, name, input: block.input ?? {} });
    } else others.push(block);
  }
  emitResponse(writer, draft, fields, origin);
  for (const block of others) keepBlock(block, { writer, origin });
}

export function keepBlock(block: Json, { writer, origin }: EventTarget): void {
  writer.keepUnknown(asText(block.type) ?? "content_block", block, origin);
}
