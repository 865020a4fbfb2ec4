/**
 * Converts an answer to events: its thoughts, text and calls. Failed and stopped answers are only
 * for the user: pi does not send them again (pi-ai 0.73.1, providers/transform-messages.ts).
 */
import { asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import type { Audience, Part } from "../../core/event/message.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import { blocksOf } from "../engine/events/anthropic_blocks.ts";
import type { EventOrigin, EventSink } from "../engine/events/event_writer.ts";
import {
  addCall,
  type DraftCall,
  emitInterrupted,
  emitResponse,
  type ResponseDraft,
  startResponse,
} from "../engine/events/response_draft.ts";
import { toReasoning } from "./content.ts";

export interface PiCall {
  /** The command, if the call becomes a shell command instead of a tool call. */
  command?: string;
  path?: string;
}

/** Emits the events of an answer, and adds the answer's calls to `calls`. */
export function assistantEvents(
  writer: EventSink,
  calls: Map<string, PiCall>,
  message: Json,
  origin: EventOrigin,
): void {
  const blocks = blocksOf(message.content);
  const unsent = message.stopReason === "aborted" || message.stopReason === "error";
  const answer: Answer = { message, origin, audience: unsent ? "user" : undefined };
  const draft = startResponse();
  for (const block of blocks) takeBlock(draft, calls, block, answer);
  emitAnswer(writer, draft, answer);
  for (const block of blocks) {
    if (!["text", "thinking", "toolCall"].includes(String(block.type))) {
      const name = `content_block/${block.type}`;
      writer.emit("extension", { agent: "pi", type: name, data: block }, origin);
    }
  }
  if (message.stopReason === "error") {
    const reason = asText(message.errorMessage) ?? "The model call failed";
    writer.emit("turn_failed", { reason: "error", message: reason }, origin);
  }
}

/** An answer. `audience` is undefined if both the user and the model get the answer. */
interface Answer {
  message: Json;
  origin: EventOrigin;
  audience: Audience | undefined;
}

function toPart(block: Json, api: unknown): Part[] {
  if (block.type === "text" && typeof block.text === "string") {
    return block.text === "" ? [] : [{ type: "text", text: block.text }];
  }
  if (block.type !== "thinking") return [];
  const reasoning = toReasoning(block, api);
  return reasoning.text === "" && reasoning.provider_data === undefined ? [] : [reasoning];
}

function takeBlock(
  draft: ResponseDraft,
  calls: Map<string, PiCall>,
  block: Json,
  { message, audience }: Answer,
): void {
  if (block.type === "toolCall") return takeCall(draft, calls, block, audience);
  for (const part of toPart(block, message.api)) {
    draft.parts.push(audience === undefined ? part : { ...part, audience });
  }
}

function emitAnswer(writer: EventSink, draft: ResponseDraft, answer: Answer): void {
  const { message, origin } = answer;
  if (message.stopReason !== "aborted") return emitSaid(writer, draft, message, origin);
  const reason = asText(message.errorMessage);
  emitInterrupted(writer, draft, present({ message_id: origin.id ?? "", reason }), origin);
  // An interrupted answer has costs, too.
  if (isUsed(usageOf(message.usage).usage)) emitSaid(writer, startResponse(), message, origin);
}

function emitSaid(
  writer: EventSink,
  draft: ResponseDraft,
  message: Json,
  origin: EventOrigin,
): void {
  const message_id = origin.id ?? "";
  if (writer.unlabelled) return emitResponse(writer, draft, { message_id }, origin);
  const fields = present({
    message_id,
    model: asText(message.model) ?? asText(message.responseModel),
    provider: asText(message.provider),
    request_id: asText(message.responseId),
    finish_reason: asText(message.stopReason),
    ...usageOf(message.usage),
  });
  emitResponse(writer, draft, fields, origin);
}

function isUsed(usage: object = {}): boolean {
  return Object.values(usage).some((tokens) => asNumber(tokens) !== 0);
}

/**
 * Adds a call to an answer. A call of `bash` becomes a shell command, unless it has more arguments
 * than `command`.
 */
function takeCall(
  draft: ResponseDraft,
  calls: Map<string, PiCall>,
  { id, name, arguments: input = {} }: Json,
  audience: Audience | undefined,
): void {
  const call_id = asText(id) ?? "";
  const fields = asObject(input);
  const { command, path } = fields;
  const call: DraftCall = { call_id, name: asText(name) ?? "", input };
  if (audience !== undefined) call.audience = audience;
  if (name === "bash" && typeof command === "string" && Object.keys(fields).length === 1) {
    calls.set(call_id, { command });
    addCall(draft, call, { command });
    return;
  }
  calls.set(call_id, present({ path: asText(path) }));
  addCall(draft, call);
}

export function usageOf(value: unknown): { usage?: TokenUsage; cost_usd?: number } {
  const { input, output, cacheRead, cacheWrite, reasoning, cost } = asObject(value);
  const usage = present({
    input: asNumber(input),
    output: asNumber(output),
    cache_read: asNumber(cacheRead),
    cache_write: asNumber(cacheWrite),
    reasoning: asNumber(reasoning),
  });
  return present({
    usage: Object.keys(usage).length === 0 ? undefined : usage,
    cost_usd: asNumber(asObject(cost).total),
  });
}
