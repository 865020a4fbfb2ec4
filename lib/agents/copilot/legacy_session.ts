/**
 * Reads a session from before `session-state`: one JSON document
 * `{sessionId, startTime, chatMessages, timeline, selectedModel?}`. Source: Copilot CLI 0.0.420,
 * index.js, the schema "history-session". The document has the conversation twice. `chatMessages`
 * has the messages that the model got, in the form of OpenAI's chat completions.
 */
import { asList, asName, asObject, asText, type Json, present } from "../engine/json.ts";
import type { SessionStartedPayload } from "../../core/event/payload.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { emitResponse, startResponse } from "../engine/events/response_draft.ts";
import { readHeadRecords } from "../engine/records/file_edges.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { AgentSession } from "../contract/agent.ts";
import { chatParts } from "./content.ts";
import { noCalls, settleCall, takeCall, type ToolCalls } from "./tool_calls.ts";

interface Target {
  writer: EventWriter;
  calls: ToolCalls;
}

/** Emits the messages, and returns the texts of the user's prompts. */
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
    if (!settleCall(calls, writer, { data }, origin)) writer.keep("message/tool", message, origin);
  } else writer.keep(`message/${asName(role) ?? "unknown"}`, message, origin);
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

// Finds a session's working directory if its start does not name it, as before 1.0.
//
// The samples beside the format notes tell it by a notice on trusted folders. They also tell it by
// the context of later events (`@github/copilot-sdk` 1.0.14, `WorkingDirectoryContext`).

const TRUSTED = /^Folder (.+) has been added to trusted folders\.$/;
const HEAD_BYTES = 16 * 1024;

export function directoryInHead(path: string): string | undefined {
  for (const { value } of readHeadRecords(path, HEAD_BYTES)) {
    const { context, message } = asObject(value.data);
    const cwd = asName(asObject(context).cwd) ?? trustedFolder(message);
    if (cwd !== undefined) return cwd;
  }
  return undefined;
}

function trustedFolder(notice: unknown): string | undefined {
  return TRUSTED.exec(asText(notice) ?? "")?.[1];
}

export function documentStarted(
  session: AgentSession,
  { startTime, selectedModel, timeline }: Json,
): SessionStartedPayload {
  const model = asName(selectedModel);
  return present({
    session_id: session.id,
    created_at: isoTime(startTime) ?? "",
    cwd: session.cwd ?? directoryIn(timeline) ?? "",
    app: { name: "Copilot CLI" },
    environment: model === undefined ? undefined : { model },
  });
}

export function emitDocument(record: SourceRecord, writer: EventWriter): void {
  const { chatMessages, timeline } = record.value;
  emitChatMessages({ writer, calls: noCalls() }, chatMessages, { record });
  emitTimeline(writer, timeline);
}

function directoryIn(timeline: unknown): string | undefined {
  const notices = asList(timeline).map((entry) => trustedFolder(asObject(entry).text));
  return notices.find((folder) => folder !== undefined);
}

function emitTimeline(writer: EventWriter, timeline: unknown): void {
  for (const entry of asList(timeline).map(asObject)) {
    const origin = present({ id: asName(entry.id), time: entry.timestamp });
    writer.keepUnknown(asName(entry.type) ?? "timeline", entry, origin);
  }
}
