/**
 * Converts the events of Copilot CLI.
 *
 * The fields are from `@github/copilot-sdk` 1.0.14, generated/session-events.d.ts. The events that
 * become messages are from Copilot CLI 0.0.420, index.js, `processEventForState`. The log is linear: `parentId` names the previous event. The output of a sub-agent
 * (`parentToolCallId`, `agentId`) never reaches the main conversation. It is a separate thread.
 */
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { textFor, untypedParts } from "../../core/event/audience.ts";
import type { AttachmentPart, Part } from "../../core/event/message.ts";
import { readRecordAt } from "../engine/records/records_at.ts";
import type { EventOrigin, EventTarget } from "../engine/events/event_writer.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading } from "../engine/session_format.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { emitChatMessages } from "./legacy_session.ts";
import { compactedText, notePrompt } from "./compaction.ts";
import {
  type CopilotState,
  noteRequest,
  noteSpent,
  runUsage,
  takeRequest,
  tokensOf,
} from "./copilot_state.ts";
import { emitResponse, startResponse } from "../engine/events/response_draft.ts";
import { toAttachment } from "./content.ts";
import { ownerOf } from "./threads.ts";
import { noteStart, settleCall, startCall, takeCall } from "./tool_calls.ts";

interface Emission extends EventTarget {
  readonly path: string;
}

type Emit = (state: CopilotState, data: Json, emission: Emission) => void;

const EVENTS: Readonly<Record<string, Emit>> = {
  __proto__: null as never,
  "user.message": emitPrompt,
  "assistant.reasoning": emitThought,
  "assistant.message": emitAnswer,
  "tool.user_requested": (state, data, emission) => emitStart(state, data, "user", emission),
  "tool.execution_start": (state, data, emission) => emitStart(state, data, "model", emission),
  "tool.execution_complete": emitResult,
  "session.import_legacy": emitImport,
  "session.error": (_state, { message }, { writer, origin }) => {
    writer.emit("turn_failed", { reason: "error", message: asText(message) ?? "" }, origin);
  },
  "skill.invoked": emitSkill,
  "session.info": emitNotice,
  "session.warning": emitNotice,
  abort: (_state, { reason }, { writer, origin }) => {
    writer.emit("turn_failed", { reason: "cancelled", message: asText(reason) ?? "" }, origin);
  },
  "session.title_changed": (_state, { title }, { writer, origin }) => {
    writer.emit("session_renamed", { title: asText(title) ?? "" }, origin);
  },
  "session.compaction_start": startCompaction,
  "session.compaction_complete": emitCompaction,
  "session.context_cleared": (_state, _data, { writer, origin }) => {
    writer.emit("compaction_applied", { status: "Context cleared.", messages: [] }, origin);
  },
  "session.shutdown": emitShutdown,
};

/**
 * Emits the events of a record. A record without events is kept unchanged. So is a record of
 * another thread, but only while the main thread is read.
 */
export function emitRecord(
  record: SourceRecord,
  state: CopilotState,
  { session: { path }, thread, writer }: FormatReading,
): void {
  const { value } = record;
  const type = asText(value.type) ?? "event";
  const id = asName(value.id);
  const data = asObject(value.data);
  const own = ownerOf(value) === thread;
  if (!own && thread !== MAIN_THREAD) return;
  if (type === "user.message" && own) startTurn(state, id);
  const origin: EventOrigin = { id, time: value.timestamp, record, turn_id: state.turn_id };
  const before = writer.seq;
  if (type === "skill.invoked") noteSkill(state, data);
  if (type === "assistant.message") noteSpent(state.spent, data);
  if (type === "session.usage_record") {
    state.counted = true;
    if (own) noteRequest(state, data);
  }
  if (own) EVENTS[type]?.(state, data, { writer, origin, path });
  if (writer.seq > before) return;
  writer.keep(type, value, origin);
}

/** Starts a turn. Forgets settled calls, as results are only repeated before the next prompt. */
function startTurn(state: CopilotState, id: string | undefined): void {
  state.turn_id = id;
  state.calls.settled.clear();
}

function attachmentsIn(
  values: readonly unknown[],
  { assets }: CopilotState,
  path: string,
): AttachmentPart[] {
  const assetOf = (id: string): string | undefined => {
    const place = assets.get(id);
    const record = place === undefined ? undefined : readRecordAt(path, place);
    return asText(asObject(record?.value.data).data);
  };
  return values.flatMap((value) => toAttachment(asObject(value), assetOf) ?? []);
}

/**
 * Returns the kind of a prompt that no user typed, such as `skill`; undefined for typed prompts
 * (`UserMessageData`).
 */
function untypedName({ source, isAutopilotContinuation }: Json): string | undefined {
  if (isAutopilotContinuation === true) return "autopilot";
  return /^(skill|system|autopilot|schedule)\b/.test(asText(source) ?? "")
    ? asText(source)
    : undefined;
}

/**
 * Emits a prompt both as the user wrote it and as the model got it. For the model, Copilot adds the
 * time, reminders and the names of attached files.
 */
function emitPrompt(state: CopilotState, data: Json, { writer, origin, path }: Emission): void {
  const text = asText(data.content) ?? "";
  notePrompt(state.prompts, text);
  const attached = asList(data.attachments).map(asObject);
  const parts = attachmentsIn(attached, state, path);
  const sent = asName(data.transformedContent) ?? text;
  const untyped = untypedName(data);
  const said = untyped === undefined ? textFor(text, sent) : untypedParts(untyped, text, sent);
  const texts: Part[] = typeof said !== "string"
    ? said
    : said === ""
    ? []
    : [{ type: "text", text: said }];
  const content = typeof said === "string" && parts.length === 0 ? said : [...texts, ...parts];
  writer.emit("user_message", { content }, origin);
  const rest = present({
    attachments: parts.length < attached.length ? attached : undefined,
    source: data.source,
  });
  writer.keep("user.message", rest, origin);
}

/** Emits a skill's text that was given to the model (the SDK's `SkillInvokedData`). */
function emitSkill(_state: CopilotState, data: Json, { writer, origin }: Emission): void {
  const { content, name, ...rest } = data;
  const title = `skill ${asText(name) ?? ""}`.trim();
  writer.emit("notice", { audience: "model", title, text: asText(content) ?? "" }, origin);
  writer.keep("skill.invoked", rest, origin);
}

function emitNotice(_state: CopilotState, data: Json, { writer, origin }: Emission): void {
  const type = asName(data.infoType) ?? asName(data.warningType) ?? "notice";
  const title = type.replaceAll("_", " ");
  writer.emit("notice", { audience: "user", title, text: asText(data.message) ?? "" }, origin);
}

/** Emits a thought recorded before its answer, and remembers it, as the answer may repeat it. */
function emitThought(state: CopilotState, { content }: Json, { writer, origin }: Emission): void {
  state.thought = asText(content) ?? "";
  writer.emit("reasoning_message", { content: state.thought }, origin);
}

/**
 * Emits an answer. Its opaque and encrypted reasoning is only valid in the ended session, so it is
 * never sent again.
 */
function emitAnswer(state: CopilotState, data: Json, { writer, origin }: Emission): void {
  const message_id = asName(data.messageId) ?? origin.id ?? `m${origin.record?.position?.offset}`;
  const requests = asList(data.toolRequests).map(asObject);
  if (requests.length > 0) state.calling_seq = writer.seq + 1;
  const draft = startResponse();
  const thought = asName(data.reasoningText);
  if (thought !== undefined && thought !== state.thought) {
    draft.parts.push({ type: "reasoning", text: thought });
  }
  state.thought = undefined;
  const text = asText(data.content) ?? "";
  if (text !== "") draft.parts.push({ type: "text", text });
  for (const { toolCallId, name, arguments: input, intentionSummary, toolTitle } of requests) {
    const call_id = asText(toolCallId) ?? "";
    const told = { summary: asName(intentionSummary), caption: asName(toolTitle) };
    takeCall(state.calls, draft, { call_id, name: asName(name) ?? "tool", input, ...told });
  }
  const output = asNumber(data.outputTokens);
  const usage = takeRequest(state, data.apiCallId);
  const fields = present({
    message_id,
    model: asName(data.model),
    request_id: asName(data.requestId),
    usage: usage ?? (output === undefined ? undefined : { output }),
  });
  emitResponse(writer, draft, fields, origin);
}

function emitStart(
  { calls }: CopilotState,
  { toolCallId, toolName, arguments: input, toolTitle }: Json,
  by: "user" | "model",
  { writer, origin }: Emission,
): void {
  const call_id = asText(toolCallId) ?? "";
  const name = asName(toolName) ?? "tool";
  startCall(calls, writer, { call_id, name, input, by, caption: asName(toolTitle) }, origin);
  noteStart(calls, call_id, origin.time);
}

function emitResult(state: CopilotState, data: Json, { writer, origin, path }: Emission): void {
  const { binaryResultsForLlm, contents } = asObject(data.result);
  const given = asList(binaryResultsForLlm).length > 0 ? binaryResultsForLlm : contents;
  const images = attachmentsIn(asList(given), state, path);
  settleCall(state.calls, writer, { data, images }, origin);
}

function emitImport(
  { calls, prompts }: CopilotState,
  { legacySession }: Json,
  { writer, origin }: Emission,
): void {
  const { chatMessages } = asObject(legacySession);
  for (const text of emitChatMessages({ writer, calls }, chatMessages, origin)) {
    notePrompt(prompts, text);
  }
}

function noteSkill(state: CopilotState, { name, path, content }: Json): void {
  const skill = {
    name: asText(name) ?? "",
    path: asText(path) ?? "",
    content: asText(content) ?? "",
  };
  state.skills = [...state.skills.filter((other) => other.name !== skill.name), skill];
}

/** Starts a compaction, which keeps later events and the answer whose calls are running. */
function startCompaction(state: CopilotState, data: Json, { writer, origin }: Emission): void {
  const type = "session.compaction_start";
  const seq = writer.emit("extension", { agent: "copilot", type, data }, origin);
  state.kept_from = state.calls.open.size > 0 ? state.calling_seq ?? seq : seq;
}

function emitCompaction(state: CopilotState, data: Json, { writer, origin }: Emission): void {
  const { prompts, skills, kept_from } = state;
  state.kept_from = undefined;
  const summary = asName(data.summaryContent);
  emitSummaryUsage(state, asObject(data.compactionTokensUsed), { writer, origin });
  if (data.success !== true || summary === undefined) return;
  const trigger = data.trigger === "manual" ? "manual" as const : "auto" as const;
  writer.emit(
    "compaction_applied",
    present({
      status: "Conversation history compacted.",
      summary: compactedText(summary, prompts, skills),
      first_kept_seq: kept_from === undefined ? undefined : writer.firstMessage(kept_from),
      tokens_before: asNumber(data.preCompactionTokens),
      tokens_after: asNumber(data.postCompactionTokens),
      guidance: asName(data.customInstructions),
      trigger: data.trigger === undefined ? undefined : trigger,
    }),
    origin,
  );
}

/** Emits the tokens of a compaction's summary, unless an old version's totals contain them. */
function emitSummaryUsage(
  { counted }: CopilotState,
  used: Json,
  { writer, origin }: EventTarget,
): void {
  const usage = counted ? tokensOf(used) : undefined;
  if (usage === undefined) return;
  const model = asName(used.model);
  const message = { content: "", message_id: `${origin.id}/summary`, model, usage };
  writer.emit("assistant_message", present(message), origin);
}

function emitShutdown(state: CopilotState, data: Json, { writer, origin }: Emission): void {
  const sums = state.counted ? [] : runUsage(data.modelMetrics, state.spent);
  for (const { model, usage, usage_of } of sums) {
    const message_id = `${origin.id}/${model}`;
    const message = present({ content: "", message_id, model, usage, usage_of });
    writer.emit("assistant_message", message, origin);
  }
  state.spent = new Map();
  writer.keep("session.shutdown", data, origin);
  const status = data.shutdownType === "error" ? "failed" : "completed";
  const summary = asName(data.errorReason);
  writer.emit("session_closed", present({ status, summary } as const), origin);
}
