/**
 * Autohand's messages as our events.
 *
 * autohandai/code-cli 0.8.2, src/session/types.ts `SessionMessage`.
 */
import { textFor } from "../../event/audience.ts";
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { addCall, emitResponse, startResponse } from "../../reading/events/response_draft.ts";
import { asName, asObject, asText, present } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { keepChunk, type OpenCall, openCalls, settleCall } from "./open_calls.ts";
import { shownAnswer } from "./shown_answer.ts";

/** What a message needs of those before it. */
export interface MessageState {
  /** The session's model. */
  model: string | undefined;
  /** The calls since the last prompt that wait for a result. */
  open: OpenCall[];
}

/** Where the events of a line go. */
interface LineTarget {
  writer: EventWriter;
  origin: EventOrigin;
}

/** Roles that Autohand sends. */
export const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "tool", "system"]);

/** A stored system prompt is not sent again: `restoreAgentSessionState`. */
const SYSTEM_PROMPT = "You are Autohand";

/** Adds the events of a line. */
export function emitLine(record: SourceRecord, state: MessageState, writer: EventWriter): void {
  const { value } = record;
  const target = { writer, origin: { time: value.timestamp, record } };
  const type = unsentType(value);
  if (type !== undefined) {
    if (value.role === "tool") keepChunk(state.open, value);
    return extend(type, value, target);
  }
  emitMessage(record, state, target);
  // Of automode, say.
  const about = asObject(value._meta);
  if (Object.keys(about).length > 0) extend("_meta", about, target);
}

/** Returns the type of a line that is kept whole, because it is no message of the conversation. */
function unsentType({ role, content, _meta }: SourceRecord["value"]): string | undefined {
  const text = asText(content);
  if (text === undefined || !ROLES.has(role)) return asName(role) ?? "message";
  if (role === "tool") return asName(asObject(_meta).stream) === undefined ? undefined : "stream";
  return role === "system" && text.startsWith(SYSTEM_PROMPT) ? "system" : undefined;
}

/** Keeps what has no event of its own. */
export function extend(type: string, data: unknown, { writer, origin }: LineTarget): void {
  writer.emit("extension", { agent: "autohand", type, data }, origin);
}

function emitMessage(record: SourceRecord, state: MessageState, target: LineTarget): void {
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

/** Ends the calls that streamed output and never settled, with what they had. */
export function emitCutOff(state: MessageState, { writer, origin }: LineTarget): void {
  for (const { call_id, name, chunks } of state.open) {
    if (chunks.length === 0) continue;
    const output = chunks.join("");
    writer.emit("tool_end", { call_id, name, status: "interrupted", output }, origin);
  }
  state.open = state.open.filter(({ chunks }) => chunks.length === 0);
}

/** Of an answer in JSON, a person sees the thought and the response; it is sent as it was. */
function emitAnswer(
  record: SourceRecord,
  text: string,
  { model, open }: MessageState,
  { writer, origin }: LineTarget,
): void {
  const draft = startResponse();
  const shown = shownAnswer(text);
  if (shown?.thought !== undefined) {
    draft.parts.push({ type: "reasoning", text: shown.thought, audience: "user" });
  }
  const said = shown === undefined ? text : textFor(shown.response, text);
  if (typeof said !== "string") draft.parts.push(...said);
  else if (said !== "") draft.parts.push({ type: "text", text: said });
  for (const call of openCalls(open, record)) addCall(draft, call);
  const message_id = `line-${record.position.offset}`;
  emitResponse(writer, draft, present({ message_id, model }), origin);
}
