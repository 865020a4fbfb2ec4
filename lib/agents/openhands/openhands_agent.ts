/**
 * Reads the conversations of OpenHands. The format is from the sources of
 * OpenHands/software-agent-sdk up to 1.58 (`openhands/sdk/event` and `conversation`). A
 * conversation is a folder with a file for each event.
 *
 * Tokens are counted for the whole conversation, because an event does not record its tokens. A
 * condensation may keep messages before its summary. Only the prompts among them are sent again.
 */
import { basename } from "node:path";
import type { Content, Message } from "../../core/event/message.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import type { EventTarget, EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { readJsonObject } from "../engine/files/folder.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { parseJsonPrefix } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, FormatThread, SessionFormat } from "../engine/session_format.ts";
import { rowSource } from "../engine/sources/row_source.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { BASE_STATE, eventFiles, filesOf, subagentPaths } from "./conversation_files.ts";
import { emitAcpCall, emitAction, emitMessage, emitResult } from "./event_events.ts";
import { openFiles } from "./event_rows.ts";
import { sessionAt } from "./locate.ts";

/** `prompts` are the first prompts. `started` has the ids of ACP calls whose start was emitted. */
interface ConversationState {
  prompts: { id: string; content: Content }[];
  started: Set<string>;
}

/**
 * Maximum number of first prompts that are remembered, because a condensation may keep them. By
 * default it keeps the first two events (`keep_first`).
 */
const MOST_PROMPTS = 8;

/** Kinds of events that are not part of the conversation. They are counted by kind. */
const SIDE: ReadonlySet<unknown> = new Set([
  ...["ConversationStateUpdateEvent", "TokenEvent", "LLMCompletionLogEvent"],
  ...["StreamingDeltaEvent", "CondensationRequest"],
]);
const RESULTS: ReadonlySet<unknown> = new Set([
  ...["ObservationEvent", "UserRejectObservation", "AgentErrorEvent"],
]);

export const openhandsFormat: SessionFormat<ConversationState> = {
  source: (session) => rowSource(() => openFiles(session)),
  threads: (session) => Promise.resolve().then(() => threadsOf(session)),
  begin(reading, first): ConversationState {
    emitHead(reading, first);
    return newState();
  },
  emit(record, state, { writer }): string | void {
    if (record.value.event === undefined) return;
    const event = asObject(record.value.event);
    if (SIDE.has(event.kind)) return String(event.kind);
    const target = { writer, origin: { id: asName(event.id), time: event.timestamp, record } };
    if (event.kind === "MessageEvent") takeMessage(event, state, target);
    else if (event.kind === "ActionEvent") emitAction(event, target);
    else if (RESULTS.has(event.kind)) emitResult(event, target);
    else if (event.kind === "ACPToolCallEvent") emitAcpCall(event, state.started, target);
    else if (event.kind === "Condensation") emitCondensation(event, state, target);
    else emitOther(event, target);
  },
  end: (_state, { session, writer }) => emitTotals(session, writer),
  standsAlone: ({ value }) => {
    const { kind, source, llm_message } = asObject(value.event);
    return kind === "MessageEvent" && source === "user" && asObject(llm_message).role === "user";
  },
  needsBefore: ({ value }) => asObject(value.event).kind === "Condensation",
  startState: newState,
};

function newState(): ConversationState {
  return { prompts: [], started: new Set() };
}

function takeMessage(event: Json, { prompts }: ConversationState, target: EventTarget): void {
  const content = emitMessage(event, target);
  if (content === undefined || prompts.length >= MOST_PROMPTS) return;
  prompts.push({ id: asText(event.id) ?? "", content });
}

/** Emits a condensation, which removes events from the context. A summary may replace them. */
function emitCondensation(
  event: Json,
  { prompts }: ConversationState,
  { writer, origin }: EventTarget,
): void {
  const forgotten = asList(event.forgotten_event_ids).flatMap((id) => asText(id) ?? []);
  const seqs = forgotten.flatMap((id) => writer.seqOf(id) ?? []);
  const first = seqs.reduce((one, other) => Math.min(one, other), Infinity);
  const kept = prompts.filter(({ id }) =>
    !forgotten.includes(id) && (writer.seqOf(id) ?? Infinity) < first
  );
  const summary = asText(event.summary) ?? "";
  const messages: Message[] = [
    ...kept.map(({ content }) => ({ role: "user" as const, content })),
    ...summary === "" ? [] : [{ role: "user" as const, content: summary }],
  ];
  const first_kept_seq = seqs.length === 0
    ? undefined
    : writer.firstMessage(seqs.reduce((one, other) => Math.max(one, other), 0) + 1);
  const told = seqs.length === 0 ? { status_only: true } : { messages };
  const payload = { status: "", summary, ...told, first_kept_seq };
  writer.emit("compaction_applied", present(payload), origin);
}

function emitOther(event: Json, { writer, origin }: EventTarget): void {
  const { kind, id: _, timestamp: __, source: ___, ...fields } = event;
  const name = asName(kind) ?? "event";
  if (kind === "SystemPromptEvent") {
    const texts = [fields.system_prompt, fields.dynamic_context].flatMap((part) =>
      asName(part) ?? asName(asObject(part).text) ?? []
    );
    const text = texts.join("\n\n");
    writer.emit("notice", { audience: "model", title: "System prompt", text }, origin);
    return writer.keep("tools", { tools: fields.tools ?? [] }, origin);
  }
  if (kind === "ConversationErrorEvent") {
    const message = [fields.code, fields.detail].flatMap((text) => asName(text) ?? []).join(": ");
    return void writer.emit("turn_failed", { reason: "error", message }, origin);
  }
  if (kind === "InterruptEvent") {
    const message = asText(fields.reason) ?? "";
    return void writer.emit("turn_failed", { reason: "cancelled", message }, origin);
  }
  if (kind === "PauseEvent") {
    const notice = { audience: "user" as const, title: "Paused", text: "" };
    return void writer.emit("notice", notice, origin);
  }
  if (kind === "CondensationSummaryEvent") {
    const content = asText(fields.summary) ?? "";
    return void writer.emit("user_message", { content }, origin);
  }
  writer.keepUnknown(name, fields, origin);
}

function emitHead({ session, writer }: FormatReading, first: SourceRecord | undefined): void {
  const base = asObject(first?.value.base);
  const time = base.created_at ?? asObject(readFirst(session)).timestamp;
  const model = asName(asObject(asObject(base.agent).llm).model);
  const started = {
    session_id: session.id,
    created_at: isoTime(time) ?? "",
    cwd: session.cwd ?? "",
    app: { name: "openhands" },
    title: asName(asObject(base.tags).title) ?? asName(base.title),
    environment: model === undefined ? undefined : { model },
  };
  writer.emit("session_started", present(started), { time });
}

function readFirst(session: AgentSession): Json {
  const [path] = eventFiles(session);
  return path === undefined ? {} : readJsonObject(path);
}

/** Emits the tokens and cost, summed over purposes such as `agent` and `condenser`. */
function emitTotals({ path }: AgentSession, writer: EventWriter): void {
  const { stats, agent } = readJsonObject(path);
  const known = asObject(stats);
  const metrics = Object.values(asObject(known.usage_to_metrics ?? known.service_to_metrics));
  const all = metrics.map((one) => asObject(asObject(one).accumulated_token_usage));
  const sum = (field: string): number | undefined => {
    const counts = all.flatMap((one) => asNumber(one[field]) ?? []);
    return counts.length === 0 ? undefined : counts.reduce((one, other) => one + other, 0);
  };
  const usage = promptUsage({
    prompt: sum("prompt_tokens"),
    output: sum("completion_tokens"),
    cache_read: sum("cache_read_tokens"),
    cache_write: sum("cache_write_tokens"),
    reasoning: sum("reasoning_tokens"),
  });
  const costs = metrics.flatMap((one) => asNumber(asObject(one).accumulated_cost) ?? []);
  const cost_usd = costs.reduce((one, other) => one + other, 0) || undefined;
  if (usage === undefined && cost_usd === undefined) return;
  const model = asName(asObject(asObject(agent).llm).model);
  const told = { content: "", message_id: "totals", usage_of: usage && "session" as const };
  writer.emit("assistant_message", present({ ...told, model, usage, cost_usd }));
}

function threadsOf(session: AgentSession): FormatThread[] {
  const main = { id: MAIN_THREAD, kind: "main" as const, records: filesOf(session).length };
  const agents = subagentPaths(session).map(sessionAt).map((one): FormatThread => ({
    ...{ id: one.id, kind: "subagent", parent: { thread: MAIN_THREAD }, session: one },
    records: filesOf(one).length,
    own: () => rowSource(() => openFiles(one)).read(),
  }));
  return [main, ...agents];
}

const decoder = new TextDecoder();

function isBaseState(path: string, head: Uint8Array): boolean {
  if (basename(path) !== BASE_STATE) return false;
  const state = asObject(parseJsonPrefix(decoder.decode(head)));
  return head.length === 0 || state.agent !== undefined || typeof state.id === "string";
}

export const openhandsAgent: Agent = {
  name: "openhands",
  recognize: isBaseState,
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  // Each event is a file of its own.
  open: formatReader(openhandsFormat, {
    files: (session) => ({
      paths: [session, ...subagentPaths(session).map((path) => ({ path }))].flatMap(filesOf),
    }),
  }),
};
