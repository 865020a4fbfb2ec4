/**
 * The events of Copilot CLI as ours.
 *
 * Copilot CLI 0.0.420 (index.js, `processEventForState`: what becomes a message of the model) and
 * `@github/copilot-sdk` 1.0.14 (generated/session-events.d.ts: the fields). The log is linear:
 * `parentId` is the event before. What a sub-agent says (`parentToolCallId`, `agentId`) never
 * reaches the conversation: it is a thread of its own.
 */
import { textFor } from "../../event/audience.ts";
import type { Part } from "../../event/message.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  present,
} from "../../reading/records/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { emitChatMessages } from "./chat_messages.ts";
import { compactedText, type Skill } from "./compaction.ts";
import { noteSpent, runUsage, type Spent } from "./run_usage.ts";
import { emitResponse, startResponse } from "../../reading/events/response_draft.ts";
import { type Assets, toAttachment } from "./content.ts";
import {
  noCalls,
  noteStart,
  settleCall,
  startCall,
  takeCall,
  type ToolCalls,
} from "./tool_calls.ts";

type Json = Readonly<Record<string, unknown>>;

/** What is carried from event to event. */
export interface Emission {
  readonly writer: EventWriter;
  readonly session: AgentSession;
  readonly calls: ToolCalls;
  readonly assets: Assets;
  /** What the user wrote so far, and the skills in use: a compaction repeats them. */
  readonly prompts: string[];
  /** Whose events are made: the call that a sub-agent works for; undefined for the main thread. */
  readonly thread: string | undefined;
  readonly spent: Spent;
  skills: Skill[];
  turn_id: string | undefined;
  /** The last thought that was told of by itself. */
  thought: string | undefined;
  /** The first event of the last answer that calls. */
  calling_seq: number | undefined;
  /** From where on a compaction that is under way keeps. */
  kept_from: number | undefined;
}

/** Starts to make events. */
export function startEmission(
  session: AgentSession,
  writer: EventWriter,
  thread?: string,
): Emission {
  return {
    writer,
    session,
    calls: noCalls(),
    assets: new Map(),
    prompts: [],
    thread,
    spent: new Map(),
    skills: [],
    turn_id: undefined,
    thought: undefined,
    calling_seq: undefined,
    kept_from: undefined,
  };
}

type Emit = (emission: Emission, data: Json, origin: EventOrigin) => void;

const EVENTS: Readonly<Record<string, Emit>> = {
  __proto__: null as never,
  "user.message": emitPrompt,
  "assistant.reasoning": emitThought,
  "assistant.message": emitAnswer,
  "tool.user_requested": (emission, data, origin) => emitStart(emission, data, "user", origin),
  "tool.execution_start": (emission, data, origin) => emitStart(emission, data, "model", origin),
  "tool.execution_complete": emitResult,
  "session.import_legacy": emitImport,
  "session.error": ({ writer }, { message }, origin) => {
    writer.emit("turn_failed", { reason: "error", message: asText(message) ?? "" }, origin);
  },
  abort: ({ writer }, { reason }, origin) => {
    writer.emit("turn_failed", { reason: "cancelled", message: asText(reason) ?? "" }, origin);
  },
  "session.title_changed": ({ writer }, { title }, origin) => {
    writer.emit("session_renamed", { title: asText(title) ?? "" }, origin);
  },
  "session.compaction_start": startCompaction,
  "session.compaction_complete": emitCompaction,
  "session.context_cleared": ({ writer }, _data, origin) => {
    writer.emit("compaction_applied", { status: "Context cleared.", messages: [] }, origin);
  },
  "session.shutdown": emitShutdown,
};

/** The call of the sub-agent that an event is of; undefined for those of the main thread. */
export function ownerOf({ data, agentId }: Json): string | undefined {
  return asName(asObject(data).parentToolCallId) ?? asName(agentId);
}

/** Adds the events of a record: at least one, where it is of the thread or of none. */
export function emitRecord(emission: Emission, record: SourceRecord): void {
  const { value } = record;
  const { writer } = emission;
  const type = asText(value.type) ?? "event";
  const id = asName(value.id);
  const data = asObject(value.data);
  const own = ownerOf(value) === emission.thread;
  if (!own && emission.thread !== undefined) return;
  if (type === "user.message" && own) emission.turn_id = id;
  const origin: EventOrigin = { id, time: value.timestamp, record, turn_id: emission.turn_id };
  const before = writer.seq;
  if (type === "skill.invoked") noteSkill(emission, data);
  if (type === "assistant.message") noteSpent(emission.spent, data);
  if (own) EVENTS[type]?.(emission, data, origin);
  if (writer.seq > before) return;
  writer.emit("extension", { agent: "copilot", type, data: value }, origin);
}

/**
 * The prompt as the user wrote it, and as the model was told it: Copilot wraps the time, reminders
 * and the names of attached files around it.
 */
function emitPrompt(emission: Emission, data: Json, origin: EventOrigin): void {
  const { writer, prompts, assets } = emission;
  const text = asText(data.content) ?? "";
  prompts.push(text);
  const attached = asList(data.attachments).map(asObject);
  const parts = attached.flatMap((value) => toAttachment(value, assets) ?? []);
  const said = textFor(text, asName(data.transformedContent) ?? text);
  const texts: Part[] = typeof said === "string" ? [{ type: "text", text: said }] : said;
  const content = typeof said === "string" && parts.length === 0 ? said : [...texts, ...parts];
  writer.emit("user_message", { content }, origin);
  const rest = present({
    attachments: parts.length < attached.length ? attached : undefined,
    source: data.source,
  });
  if (Object.keys(rest).length === 0) return;
  writer.emit("extension", { agent: "copilot", type: "user.message", data: rest }, origin);
}

/** A thought that is told of before its answer: it waits for it. */
function emitThought(emission: Emission, { content }: Json, origin: EventOrigin): void {
  emission.thought = asText(content) ?? "";
  emission.writer.emit("reasoning_message", { content: emission.thought }, origin);
}

/** Opaque and encrypted reasoning is bound to the session that is over: it is never sent again. */
function emitAnswer(emission: Emission, data: Json, origin: EventOrigin): void {
  const { writer, calls } = emission;
  const message_id = asName(data.messageId) ?? origin.id ?? `m${writer.seq + 1}`;
  const requests = asList(data.toolRequests).map(asObject);
  if (requests.length > 0) emission.calling_seq = writer.seq + 1;
  const draft = startResponse();
  const thought = asName(data.reasoningText);
  if (thought !== undefined && thought !== emission.thought) {
    draft.parts.push({ type: "reasoning", text: thought });
  }
  emission.thought = undefined;
  const text = asText(data.content) ?? "";
  if (text !== "") draft.parts.push({ type: "text", text });
  for (const { toolCallId, name, arguments: input, intentionSummary } of requests) {
    const call_id = asText(toolCallId) ?? "";
    const summary = asName(intentionSummary);
    takeCall(calls, draft, { call_id, name: asName(name) ?? "tool", input, summary });
  }
  const output = asNumber(data.outputTokens);
  const fields = present({
    message_id,
    model: asName(data.model),
    request_id: asName(data.requestId),
    usage: output === undefined ? undefined : { output },
  });
  emitResponse(writer, draft, fields, origin);
}

function emitStart(
  { calls, writer }: Emission,
  { toolCallId, toolName, arguments: input }: Json,
  by: "user" | "model",
  origin: EventOrigin,
): void {
  const call_id = asText(toolCallId) ?? "";
  startCall(calls, writer, { call_id, name: asName(toolName) ?? "tool", input, by }, origin);
  noteStart(calls, call_id, origin.time);
}

/** The result, with the images that the tool gave. */
function emitResult({ calls, writer, assets }: Emission, data: Json, origin: EventOrigin): void {
  const { binaryResultsForLlm, contents } = asObject(data.result);
  const given = asList(binaryResultsForLlm).length > 0 ? binaryResultsForLlm : contents;
  const images = asList(given).flatMap((value) => toAttachment(asObject(value), assets) ?? []);
  settleCall(calls, writer, { data, images }, origin);
}

/** A session of before, taken over as a whole. */
function emitImport(emission: Emission, { legacySession }: Json, origin: EventOrigin): void {
  const { chatMessages } = asObject(legacySession);
  emission.prompts.push(...emitChatMessages(emission, chatMessages, origin));
}

function noteSkill(emission: Emission, { name, path, content }: Json): void {
  const skill = {
    name: asText(name) ?? "",
    path: asText(path) ?? "",
    content: asText(content) ?? "",
  };
  emission.skills = [...emission.skills.filter((other) => other.name !== skill.name), skill];
}

/** What comes from now on is kept, and the answer whose calls are running. */
function startCompaction(emission: Emission, data: Json, origin: EventOrigin): void {
  const { writer, calls, calling_seq } = emission;
  const type = "session.compaction_start";
  const seq = writer.emit("extension", { agent: "copilot", type, data }, origin);
  emission.kept_from = calls.open.size > 0 ? calling_seq ?? seq : seq;
}

function emitCompaction(emission: Emission, data: Json, origin: EventOrigin): void {
  const { writer, prompts, skills, kept_from } = emission;
  emission.kept_from = undefined;
  const summary = asName(data.summaryContent);
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

function emitShutdown({ writer, spent }: Emission, data: Json, origin: EventOrigin): void {
  for (const { model, usage } of runUsage(data.modelMetrics, spent)) {
    const message_id = `${origin.id}/${model}`;
    writer.emit("assistant_message", { content: "", message_id, model, usage }, origin);
  }
  spent.clear();
  writer.emit("extension", { agent: "copilot", type: "session.shutdown", data }, origin);
  const status = data.shutdownType === "error" ? "failed" : "completed";
  const summary = asName(data.errorReason);
  writer.emit("session_closed", present({ status, summary } as const), origin);
}
