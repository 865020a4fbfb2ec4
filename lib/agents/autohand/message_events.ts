/**
 * Converts Autohand's messages to events.
 *
 * autohandai/code-cli 0.8.2, src/session/types.ts `SessionMessage`.
 */
import { textFor } from "../../core/event/audience.ts";
import { type CallInput, callInput } from "../../core/event/call_input.ts";
import type { CallStatus } from "../../core/event/message.ts";
import type { EventTarget, EventWriter } from "../engine/events/event_writer.ts";
import {
  addCall,
  type DraftCall,
  emitResponse,
  startResponse,
} from "../engine/events/response_draft.ts";
import { handedStatus } from "../engine/handed/line.ts";
import { asList, asName, asObject, asText, parsedObject, present } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";

export interface MessageState {
  model: string | undefined;
  /** The calls since the last prompt that wait for a result. */
  open: OpenCall[];
}

export const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "tool", "system"]);

/**
 * Start of a system prompt. When a session is resumed, Autohand does not send a stored system
 * prompt again (`restoreAgentSessionState`).
 */
const SYSTEM_PROMPT = "You are Autohand";

export function emitLine(record: SourceRecord, state: MessageState, writer: EventWriter): void {
  const { value } = record;
  const target = { writer, origin: { time: value.timestamp, record } };
  const type = unsentType(value);
  if (type !== undefined) {
    if (value.role === "tool") keepChunk(state.open, value);
    return writer.keep(type, value, target.origin);
  }
  emitMessage(record, state, target);
  // Of automode, say.
  writer.keep("_meta", asObject(value._meta), target.origin);
}

/**
 * Returns the type of a line that Autohand does not send to the model. Undefined for a line that it
 * sends.
 */
function unsentType({ role, content, _meta }: SourceRecord["value"]): string | undefined {
  const text = asText(content);
  if (text === undefined || !ROLES.has(role)) return asName(role) ?? "message";
  if (role === "tool") return asName(asObject(_meta).stream) === undefined ? undefined : "stream";
  return role === "system" && text.startsWith(SYSTEM_PROMPT) ? "system" : undefined;
}

function emitMessage(record: SourceRecord, state: MessageState, target: EventTarget): void {
  const { writer, origin } = target;
  const { role, content } = record.value;
  const text = asText(content) ?? "";
  if (role === "tool") {
    writer.emit("tool_end", { ...settleCall(state.open, record.value), output: text }, origin);
  } else if (role === "system") {
    // A note of Autohand's own to its model.
    const part = { type: "text", text, audience: "model" } as const;
    writer.emit("user_message", { content: [part], role }, origin);
  } else {
    emitCutOff(state, target);
    if (role === "assistant") return emitAnswer(record, text, state, target);
    // A result that comes still names its call: so all that follows a prompt can be read by itself.
    state.open = [];
    writer.emit("user_message", { content: text }, origin);
  }
}

/** Emits an interrupted end for each open call that has streamed output but no result. */
export function emitCutOff(state: MessageState, { writer, origin }: EventTarget): void {
  for (const { call_id, name, chunks } of state.open) {
    if (chunks.length === 0) continue;
    const output = chunks.join("");
    writer.emit("tool_end", { call_id, name, status: "interrupted", output }, origin);
  }
  state.open = state.open.filter(({ chunks }) => chunks.length === 0);
}

/**
 * Emits an answer. If the answer is JSON, the user sees its thought and its response. The model
 * gets the whole answer.
 */
function emitAnswer(
  record: SourceRecord,
  text: string,
  { model, open }: MessageState,
  { writer, origin }: EventTarget,
): void {
  const draft = startResponse();
  const shown = shownAnswer(text);
  if (shown?.thought !== undefined) {
    draft.parts.push({ type: "reasoning", text: shown.thought, audience: "user" });
  }
  const said = shown === undefined ? text : textFor(shown.response, text);
  if (typeof said !== "string") { for (const one of said) draft.parts.push(one); }
  else if (said !== "") draft.parts.push({ type: "text", text: said });
  for (const call of openCalls(open, record)) addCall(draft, call);
  const message_id = `line-${record.position.offset}`;
  emitResponse(writer, draft, present({ message_id, model }), origin);
}

// The calls of Autohand that wait for their results, and which of them a result settles.
//
// autohandai/code-cli 0.8.2, src/session/types.ts `SessionMessage`.

interface OpenCall {
  call_id: string;
  name: string;
  chunks: string[];
  /** The call's status in the original of a converted session. Autohand records no status. */
  told: CallStatus | undefined;
}

type Fields = SourceRecord["value"];

/**
 * Adds an answer's calls `{id?, tool, args?}` to the open calls. Imports may have
 * `{id?, function: {name, arguments}}` (session restore).
 */
function openCalls(open: OpenCall[], { value, position }: SourceRecord): DraftCall[] {
  return asList(value.toolCalls).map(asObject).map((call, index) => {
    const { name: imported, arguments: text } = asObject(call.function);
    const call_id = asName(call.id) ?? `line-${position.offset}-${index + 1}`;
    const name = asName(call.tool) ?? asName(imported) ?? "unknown";
    open.push({ call_id, name, chunks: [], told: handedStatus(value, call_id) });
    return { call_id, name, ...inputOf(call.args ?? text) };
  });
}

function inputOf(args: unknown): CallInput {
  return typeof args === "string" ? callInput(args) : { input: args ?? {} };
}

/** Stores a piece of a streamed output, in case the call gets no result. */
function keepChunk(open: readonly OpenCall[], value: Fields): void {
  const text = asText(value.content);
  if (text !== undefined) open[callOf(open, value)]?.chunks.push(text);
}

function settleCall(
  open: OpenCall[],
  value: Fields,
): { call_id: string; name: string; status: CallStatus } {
  const at = callOf(open, value);
  const [call] = at < 0 ? [] : open.splice(at, 1);
  return {
    call_id: call?.call_id ?? asName(value.tool_call_id) ?? "unknown",
    name: asName(value.name) ?? call?.name ?? "unknown",
    status: call?.told ?? "ok",
  };
}

function callOf(open: readonly OpenCall[], value: Fields): number {
  const call_id = asName(value.tool_call_id);
  const name = asName(value.name);
  if (call_id !== undefined) return open.findLastIndex((call) => call.call_id === call_id);
  return open.findIndex((call) => name === undefined || call.name === name);
}

// Extracts the visible text of an answer that the model gave as JSON. The rule is
// `getAssistantChatLogContent` of autohandai/code-cli 0.8.2 (src/session/chatLog.ts). Of a whole
// completion such as `{"thought": …, "finalResponse": …}` only the response is shown.

interface ShownAnswer {
  thought?: string;
  /** The response. Empty if the answer has only a thought and calls. */
  response: string;
}

const RESPONSE_FIELDS = ["finalResponse", "response", "content", "message"] as const;

function shownAnswer(content: string): ShownAnswer | undefined {
  const value = parsedObject(content.trim());
  if (value === undefined) return undefined;
  const field = RESPONSE_FIELDS.find((name) => isSaid(value[name]));
  const thought = isSaid(value.thought) ? value.thought : undefined;
  if (field === undefined && thought === undefined) return undefined;
  const response = field === undefined ? "" : String(value[field]).trim();
  return present({ response, thought });
}

function isSaid(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
