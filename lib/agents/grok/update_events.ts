/**
 * Converts notifications of the Agent Client Protocol, and Grok Build's own notifications, to
 * events (1.0, extensions/notification.rs, session/storage/mod.rs `ChatReducer`).
 */
import { join } from "node:path";
import { toContent } from "../../core/event/audience.ts";
import { attachmentFromBase64, attachmentFromReference } from "../../core/event/attachment.ts";
import type { Message, Part } from "../../core/event/message.ts";
import type { EventOrigin, EventTarget } from "../engine/events/event_writer.ts";
import { foldedMessages } from "../engine/events/message_writer.ts";
import { textCall } from "../engine/events/response_draft.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import {
  addPiece,
  declareCall,
  emitOpen,
  openResponse,
  settleCall,
  type StreamedTalk,
} from "../engine/events/streamed_talk.ts";
import { readJsonObject } from "../engine/files/folder.ts";
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { isPromptChunk, updateIn } from "./rewind.ts";
import { emitCall, emitCallUpdate } from "./tool_events.ts";

export interface UpdateState extends StreamedTalk {
  model?: string | undefined;
  prompt?: { parts: Part[]; origin: EventOrigin; other_ids: string[]; number: unknown } | undefined;
}

export interface UpdateEmission extends EventTarget {
  state: UpdateState;
  folder: string;
}

export function emitUpdate(emission: UpdateEmission, value: Json): void {
  const { state, writer, origin } = emission;
  const update = updateIn(value);
  const type = asText(update.sessionUpdate) ?? "record";
  if (type === "user_message_chunk") return addPrompt(emission, update);
  closePrompt(emission);
  switch (type) {
    case "agent_thought_chunk":
    case "agent_message_chunk": {
      const { text } = asObject(update.content);
      const kind = type === "agent_message_chunk" ? "text" : "reasoning";
      return addPiece(respond(emission), kind, asText(text) ?? "");
    }
    case "tool_call":
      return emitCall(state, respond(emission).draft, update);
    case "tool_call_update":
      return emitCallUpdate(state, writer, update, origin);
    case "compaction_checkpoint":
      closeResponse(emission);
      return emitCheckpoint(emission, update);
    case "turn_completed":
      closeResponse(emission);
      return emitTurnEnd(emission, update);
    case "retry_state": {
      if (update.type === "retrying") return writer.keep(type, value, origin);
      const text = asName(update.message) ?? asText(update.reason) ?? "";
      writer.emit("notice", { audience: "user", title: "API error", text, level: "error" }, origin);
      return;
    }
    case "session_recap": {
      const text = asText(update.summary) ?? "";
      writer.emit("notice", { audience: "user", title: "recap", text }, origin);
      return;
    }
    default:
      // Descriptions of commands are no talk, and a subagent has its own.
      if (/^(?:available|subagent)_/.test(type)) writer.keep(type, value, origin);
      else writer.keepUnknown(type, value, origin);
  }
}

function respond({ state, origin }: UpdateEmission): ReturnType<typeof openResponse> {
  const response = openResponse(state, origin);
  response.fields = present({ ...response.fields, model: state.model });
  return response;
}

/** Adds a piece of a prompt. Consecutive pieces with the same number form one prompt. */
function addPrompt(emission: UpdateEmission, update: Json): void {
  const { state, origin } = emission;
  const { promptIndex: number, modelId } = asObject(update._meta);
  state.model = asName(modelId) ?? state.model;
  if (state.prompt !== undefined && state.prompt.number !== number) closePrompt(emission);
  if (state.prompt === undefined) closeResponse(emission);
  const parts = partsOf(update.content);
  const shown = isPromptChunk(update) ? parts : (
    parts.map((part) => ({ ...part, audience: "user" as const }))
  );
  const open = state.prompt;
  if (open === undefined) {
    state.prompt = { parts: shown, origin, other_ids: [], number };
    return;
  }
  const last = open.parts.at(-1);
  const [first, ...more] = shown;
  if (last?.type === "text" && first?.type === "text") {
    last.text += first.text;
    for (const one of more) open.parts.push(one);
  } else for (const one of shown) open.parts.push(one);
  open.other_ids.push(origin.id ?? "");
}

export function closePrompt({ state, writer }: Pick<UpdateEmission, "state" | "writer">): void {
  const { prompt } = state;
  state.prompt = undefined;
  if (prompt === undefined) return;
  const { parts, origin, other_ids } = prompt;
  writer.emit("user_message", { content: toContent(parts) }, { ...origin, other_ids });
}

export function closeResponse({ state, writer }: Pick<UpdateEmission, "state" | "writer">): void {
  emitOpen(state, writer);
  state.response = undefined;
}

/** Converts a content block of the Agent Client Protocol to parts. */
function partsOf(value: unknown): Part[] {
  const { text, data, mimeType, uri, resource } = asObject(value);
  const inner = asObject(resource);
  const type = asText(mimeType) ?? "application/octet-stream";
  if (typeof text === "string") return [{ type: "text", text }];
  if (typeof data === "string" && data !== "") return [attachmentFromBase64(data, type)];
  if (typeof uri === "string") return [attachmentFromReference(uri, type)];
  if (typeof inner.text !== "string") return [];
  return [present({ type: "text", text: inner.text, name: asName(inner.uri) } as const)];
}

/** Emits a turn's failure and its tokens by model, including tokens of ended subagents. */
function emitTurnEnd({ state, writer, origin }: UpdateEmission, update: Json): void {
  const totals = asObject(update.usage);
  const models = Object.entries(asObject(totals.modelUsage));
  const rows = models.length > 0 ? models : [[state.model, totals] as const];
  for (const [model, value] of rows) {
    const row = asObject(value);
    const usage = promptUsage({
      prompt: asNumber(row.inputTokens),
      output: asNumber(row.outputTokens),
      cache_read: asNumber(row.cachedReadTokens),
      cache_write: asNumber(row.cacheCreationTokens),
      reasoning: asNumber(row.reasoningTokens),
    });
    // In units of 1e-10 dollars; left out where it is not known of all calls.
    const ticks = asNumber(row.costUsdTicks);
    const cost_usd = ticks === undefined ? undefined : ticks / 1e10;
    const message_id = `${asText(update.prompt_id) ?? origin.id} ${model ?? ""}`;
    const usage_of = asNumber(row.modelCalls) === 1 ? undefined : "turn" as const;
    const fields = present({ content: "", message_id, model, usage, usage_of, cost_usd });
    if (usage !== undefined) writer.emit("assistant_message", fields, origin);
  }
  const message = asText(update.agent_result) ?? "";
  const { stop_reason } = update;
  if (stop_reason === "error" || stop_reason === "cancelled") {
    writer.emit("turn_failed", { reason: stop_reason, message }, origin);
  }
}

function emitCheckpoint({ writer, origin, folder }: UpdateEmission, update: Json): void {
  const name = asText(update.checkpoint_id) ?? "";
  const file = join(folder, "compaction_checkpoints", `${name.replace(/[^\w-]/g, "")}.json`);
  const { compacted_history } = writer.wants("compaction_applied") ? readJsonObject(file) : {};
  const messages = checkpointMessages(asList(compacted_history).map(asObject));
  writer.emit("compaction_applied", { status: "Conversation compacted.", messages }, origin);
}

/** Converts a checkpoint's items (`ConversationItem`) to messages, without the system prompt. */
function checkpointMessages(items: readonly Json[]): Message[] {
  return foldedMessages({ agent: "grok", id: "" }, (writer) => {
    const talk: StreamedTalk = { calls: new Map() };
    for (const { type, content, tool_calls, tool_call_id } of items) {
      const parts = typeof content === "string" ? partsOf({ text: content }) : (
        asList(content).flatMap(partsOf)
      );
      if (type === "user") writer.emit("user_message", { content: toContent(parts) });
      if (type === "assistant") {
        talk.response = undefined;
        const { draft } = openResponse(talk, {});
        for (const one of parts) draft.parts.push(one);
        for (const call of asList(tool_calls).map(asObject)) {
          declareCall(talk, draft, textCall(call));
        }
        emitOpen(talk, writer);
      }
      if (type === "tool_result") {
        const call_id = asText(tool_call_id) ?? "";
        settleCall(talk, writer, { call_id, status: "ok", output: asText(content) ?? "" }, {});
      }
    }
  });
}
