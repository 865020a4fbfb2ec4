/** Kiro CLI's messages as our events: `{kind, data: {message_id, content: [{kind, data}]}}`. */
import { toContent } from "../../event/audience.ts";
import { base64FromBytes } from "../../event/base64.ts";
import { attachmentFromBase64 } from "../../event/inline_attachment.ts";
import type { AttachmentPart, OutputPart, Part, TextPart } from "../../event/message.ts";
import type { AssistantMessagePayload } from "../../event/payload.ts";
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { addCall, emitResponse, startResponse } from "../../reading/events/response_draft.ts";
import { asList, asNumber, asObject, asText, type Json } from "../../reading/json_value.ts";

/** The writer and the origin of a message's events. */
export interface MessageTarget {
  writer: EventWriter;
  origin: EventOrigin;
}

/** Names of the calls since the last prompt, by id. */
export type Calls = Map<string, string>;

function blocksOf(data: Json): Json[] {
  return asList(data.content).map(asObject);
}

/** Keeps a record or a block without an event of its own. */
export function extend(type: string, data: unknown, { writer, origin }: MessageTarget): void {
  writer.emit("extension", { agent: "kiro", type, data }, origin);
}

/** Emits a prompt, with the context that hooks add to it for the model. */
export function emitPrompt(data: Json, calls: Calls, target: MessageTarget): void {
  calls.clear();
  const parts: Part[] = [];
  const context = asText(asObject(data.meta).additionalContext);
  if (context) parts.push({ type: "text", text: context, audience: "model" });
  for (const block of blocksOf(data)) {
    const part = toPart(block);
    if (part !== undefined) parts.push(part);
    else extend(String(block.kind), block, target);
  }
  target.writer.emit("user_message", { content: toContent(parts) }, target.origin);
}

/** Emits an answer: texts and calls. */
export function emitAnswer(
  data: Json,
  calls: Calls,
  target: MessageTarget,
  fields: Omit<AssistantMessagePayload, "content">,
): void {
  const draft = startResponse();
  const others: Json[] = [];
  for (const block of blocksOf(data)) {
    const part = toPart(block);
    const inner = asObject(block.data);
    if (part !== undefined) draft.parts.push(part);
    else if (block.kind === "toolUse") {
      const [call_id, name] = [asText(inner.toolUseId) ?? "", asText(inner.name) ?? ""];
      calls.set(call_id, name);
      addCall(draft, { call_id, name, input: inner.input ?? {} });
    } else if (block.kind === "thinking" || block.kind === "reasoning") {
      const text = asText(block.data) ?? asText(inner.text) ?? "";
      draft.parts.push({ type: "reasoning", text });
    } else others.push(block);
  }
  emitResponse(target.writer, draft, fields, target.origin);
  for (const block of others) extend(String(block.kind), block, target);
}

/** Emits the results of calls. */
export function emitResults(data: Json, calls: Calls, target: MessageTarget): void {
  for (const block of blocksOf(data)) {
    const { toolUseId, content, status: told } = asObject(block.data);
    if (block.kind !== "toolResult") {
      extend(String(block.kind), block, target);
      continue;
    }
    const call_id = asText(toolUseId) ?? "";
    const output = asList(content).map(asObject).map(toOutput);
    const texts = output.flatMap((part) => part.type === "text" ? part.text : []);
    const plain = texts.length === output.length;
    const status = told === "success"
      ? "ok"
      : texts.some((text) => /cancelled by the user/i.test(text))
      ? "interrupted"
      : "error";
    const outcome = !plain
      ? { output }
      : status === "ok"
      ? { output: texts.join("\n") }
      : { error: texts.join("\n") };
    const end = { call_id, name: calls.get(call_id) ?? "", status, ...outcome } as const;
    target.writer.emit("tool_end", end, target.origin);
  }
  // How Kiro itself keeps them: the edits of files among them.
  if (data.results !== undefined) extend("results", data.results, target);
}

function toOutput(block: Json): OutputPart {
  return toPart(block) ?? { type: "json", value: block.data };
}

/** Converts a text or an image, whose bytes are a list of numbers; undefined for others. */
function toPart({ kind, data }: Json): TextPart | AttachmentPart | undefined {
  if (kind === "text") return { type: "text", text: asText(data) ?? "" };
  if (kind !== "image") return undefined;
  const { format, source } = asObject(data);
  const bytes = asList(asObject(source).data).map((byte) => asNumber(byte) ?? 0);
  const base64 = base64FromBytes(Uint8Array.from(bytes));
  return attachmentFromBase64(base64, `image/${asText(format) ?? "png"}`);
}
