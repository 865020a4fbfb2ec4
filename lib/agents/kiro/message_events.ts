/** Converts Kiro messages, `{kind, data: {message_id, content: [{kind, data}]}}`, to events. */
import { base64FromBytes } from "../../core/event/base64.ts";
import type { OutputPart, TextPart } from "../../core/event/message.ts";
import type { AssistantMessagePayload } from "../../core/event/payload.ts";
import { toPart } from "../engine/events/anthropic_blocks.ts";
import {
  type CallNames,
  emitAnswerBlocks,
  emitUserBlocks,
  keepBlock,
} from "../engine/events/block_messages.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { asList, asName, asNumber, asObject, asText, type Json } from "../engine/json.ts";

/** Emits a prompt. Context that hooks added is only for the model. */
export function emitPrompt(data: Json, calls: CallNames, target: EventTarget): void {
  calls.clear();
  const text = asName(asObject(data.meta).additionalContext);
  const context: TextPart[] = text === undefined ? [] : [{ type: "text", text, audience: "model" }];
  emitUserBlocks(blocksOf(data).map(toBlock), calls, target, undefined, context);
}

export function emitAnswer(
  data: Json,
  calls: CallNames,
  target: EventTarget,
  fields: Omit<AssistantMessagePayload, "content">,
): void {
  emitAnswerBlocks(blocksOf(data).map(toBlock), calls, target, fields);
}

export function emitResults(data: Json, calls: CallNames, target: EventTarget): void {
  const { writer, origin } = target;
  for (const block of blocksOf(data)) {
    if (block.kind !== "toolResult") keepBlock(toBlock(block), target);
    else emitResult(asObject(block.data), calls, target);
  }
  // How Kiro itself keeps them: the edits of files among them.
  if (data.results !== undefined) writer.keep("results", data.results, origin);
}

function emitResult(result: Json, calls: CallNames, { writer, origin }: EventTarget): void {
  const call_id = asText(result.toolUseId) ?? "";
  const output = blocksOf(result).map(toOutput);
  const texts = output.flatMap((part) => part.type === "text" ? part.text : []);
  const text = texts.join("\n");
  const failure = /cancelled by the user/i.test(text) ? "interrupted" : "error";
  const status = result.status === "success" ? "ok" : failure;
  const given = texts.length < output.length ? output : text;
  const outcome = status === "ok" || given === output ? { output: given } : { error: text };
  writer.emit("tool_end", { call_id, name: calls.get(call_id) ?? "", status, ...outcome }, origin);
}

function toOutput(block: Json): OutputPart {
  return toPart(toBlock(block)) ?? { type: "json", value: block.data ?? block };
}

function blocksOf({ content }: Json): Json[] {
  return asList(content).map(asObject);
}

/** Converts a block to the form of the Messages API. An image's bytes are a list of numbers. */
function toBlock(block: Json): Json {
  const { kind, data } = block;
  const { toolUseId: id, name, input, format, source, text } = asObject(data);
  if (kind === "text") return { type: "text", text: asText(data) ?? "" };
  if (kind === "toolUse") return { type: "tool_use", id, name, input };
  if (kind === "thinking" || kind === "reasoning") {
    return { type: "thinking", thinking: asText(data) ?? text };
  }
  if (kind !== "image") return { type: kind, ...block };
  const bytes = asList(asObject(source).data).map((byte) => asNumber(byte) ?? 0);
  const media_type = `image/${asText(format) ?? "png"}`;
  return { type: kind, source: { media_type, data: base64FromBytes(Uint8Array.from(bytes)) } };
}
