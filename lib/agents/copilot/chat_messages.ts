/**
 * Messages of OpenAI's chat completions, which Copilot CLI kept before `session-state`
 * (0.0.420, index.js: the schema "history-session" has `{sessionId, startTime, chatMessages,
 * timeline, selectedModel?}`).
 */
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { asList, asName, asObject, asText } from "../../reading/json_value.ts";
import { emitResponse, startResponse } from "../../reading/events/response_draft.ts";
import { chatParts } from "./content.ts";
import { settleCall, takeCall, type ToolCalls } from "./tool_calls.ts";

type Json = Readonly<Record<string, unknown>>;

interface Target {
  writer: EventWriter;
  calls: ToolCalls;
}

/** Adds the events of messages. Gives what the user wrote. */
export function emitChatMessages(target: Target, messages: unknown, origin: EventOrigin): string[] {
  const prompts: string[] = [];
  let turn_id = origin.turn_id;
  asList(messages).map(asObject).forEach((message, index) => {
    const id = `${origin.id ?? "message"}/${index}`;
    if (message.role === "user") {
      turn_id = id;
      prompts.push(textOf(message.content));
    }
    emitMessage(target, message, { ...origin, id, turn_id });
  });
  return prompts;
}

function textOf(content: unknown): string {
  return chatParts(content).map((part) => part.type === "text" ? part.text : "").join("");
}

function emitMessage({ writer, calls }: Target, message: Json, origin: EventOrigin): void {
  const { role, content, tool_call_id, name } = message;
  if (role === "assistant") emitAnswer({ writer, calls }, message, origin);
  else if (role === "user") {
    const parts = chatParts(content);
    const text = parts.every(({ type }) => type === "text");
    writer.emit("user_message", { content: text ? textOf(content) : parts }, origin);
  } else if (role === "tool") {
    const result = { content: textOf(content) };
    const data = { toolCallId: tool_call_id, toolName: name, success: true, result };
    if (!settleCall(calls, writer, { data }, origin)) keep(writer, message, origin);
  } else keep(writer, message, origin);
}

function keep(writer: EventWriter, message: Json, origin: EventOrigin): void {
  const type = `message/${asName(message.role) ?? "unknown"}`;
  writer.emit("extension", { agent: "copilot", type, data: message }, origin);
}

function emitAnswer({ writer, calls }: Target, message: Json, origin: EventOrigin): void {
  const message_id = origin.id ?? "";
  const draft = startResponse();
  const thought = asName(message.reasoning_text);
  if (thought !== undefined) draft.parts.push({ type: "reasoning", text: thought });
  const text = textOf(message.content);
  if (text !== "") draft.parts.push({ type: "text", text });
  for (const call of asList(message.tool_calls).map(asObject)) {
    const fn = asObject(call.function ?? call.custom);
    const start = { call_id: asText(call.id) ?? "", name: asName(fn.name) ?? "tool" };
    takeCall(calls, draft, { ...start, input: fn.arguments ?? fn.input });
  }
  emitResponse(writer, draft, { message_id }, origin);
}
