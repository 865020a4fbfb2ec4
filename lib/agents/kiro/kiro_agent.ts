/**
 * Reads the sessions of Kiro CLI. Its source is not public.
 *
 * The format follows files that kiro-cli 2.24 wrote. The conversation follows what it sent to a
 * scripted model on resume. See `transcript/kiro` of inference-sh/agentprotocol, September 2026. A compaction
 * record contains the messages that it keeps. Messages before a `/clear` are not sent again.
 *
 * For a conversation in the database, the reader emits the newest summary and the whole history.
 */
import type { TokenUsage } from "../../core/event/payload.ts";
import type { CallNames } from "../engine/events/block_messages.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { foldedMessages } from "../engine/events/message_writer.ts";
import { readJsonObject } from "../engine/files/folder.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { readEdges } from "../engine/records/file_edges.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import {
  type FormatReading,
  restoredState,
  savedState,
  type SessionFormat,
} from "../engine/session_format.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import { rowSource } from "../engine/sources/row_source.ts";
import { isDatabaseWith } from "../engine/sqlite/sqlite_reader.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { conversationsIn, isKiro, openConversation } from "./conversation_rows.ts";
import { isDatabase, metadataBeside } from "./kiro_files.ts";
import { logAt } from "./locate.ts";
import { emitAnswer, emitPrompt, emitResults } from "./message_events.ts";

/** The model of a message's turn. On the turn's last message, also the turn's tokens. */
interface TurnFacts {
  model?: string;
  usage?: TokenUsage;
  usage_of?: "turn";
}

interface KiroState {
  calls: CallNames;
  /** Facts about turns from the metadata, by message id. */
  turns: ReadonlyMap<string, TurnFacts>;
}

export const kiroFormat: SessionFormat<KiroState> = {
  source: (session) =>
    isDatabase(session.path)
      ? rowSource(() => openConversation(session))
      : lineSource(session.path),
  begin: emitHead,
  emit(record, { calls, turns }, { session, writer }): void {
    const { kind } = record.value;
    const data = asObject(record.value.data);
    const id = asName(data.message_id);
    const target = { writer, origin: { id, time: timeOf(data), record } };
    if (kind === "Prompt") emitPrompt(data, calls, target);
    else if (kind === "ToolResults") emitResults(data, calls, target);
    else if (kind === "AssistantMessage") {
      const fields = present({
        message_id: id,
        model: asName(data.model_id),
        ...turns.get(id ?? ""),
      });
      emitAnswer(data, calls, target, fields);
    } else if (kind === "Compaction") emitCompaction(data, session, target);
    else if (kind === "Clear") {
      const cleared = { messages: [], reason: "cleared" };
      writer.emit("conversation_replaced", cleared, target.origin);
    } else if (kind !== "info") {
      writer.keepUnknown(asText(kind) ?? "record", record.value, target.origin);
    }
  },
  standsAlone: ({ value: { kind } }) => kind === "Prompt",
  startState: ({ session }) => startState(session),
  saveState: ({ calls }) => savedState(calls),
  restoreState: (saved, { session }) => startState(session, restoredState(saved)),
};

/** Returns a message's time: seconds in a log, text in a database. */
function timeOf({ meta }: Json): unknown {
  return asObject(meta).timestamp;
}

function startState({ path }: AgentSession, calls: CallNames = new Map()): KiroState {
  const { session_state } = isDatabase(path) ? {} as Json : readJsonObject(metadataBeside(path));
  const { user_turn_metadatas } = asObject(asObject(session_state).conversation_metadata);
  const turns = new Map<string, TurnFacts>();
  for (const turn of asList(user_turn_metadatas).map(asObject)) {
    const ids = asList(turn.message_ids).map(String);
    const model = asName(turn.model);
    for (const id of ids) turns.set(id, present({ model }));
    const last = ids.at(-1);
    const usage = usageOf(turn);
    if (last !== undefined) {
      turns.set(last, present({ model, usage, usage_of: usage && "turn" as const }));
    }
  }
  return { calls, turns };
}

function usageOf(turn: Json): TokenUsage | undefined {
  const usage = {
    input: asNumber(turn.input_token_count),
    output: asNumber(turn.output_token_count),
    cache_read: asNumber(turn.cache_read_input_token_count),
    cache_write: asNumber(turn.cache_write_input_token_count),
  };
  return Object.values(usage).some((count) => count) ? present(usage) : undefined;
}

function emitHead(reading: FormatReading, first: SourceRecord | undefined): KiroState {
  const { session, writer } = reading;
  const info = isDatabase(session.path)
    ? asObject(first?.value.data)
    : readJsonObject(metadataBeside(session.path));
  const created_at = isoTime(info.created_at) ?? isoTime(timeOf(asObject(first?.value.data))) ??
    readEdges(session.path, { head_bytes: 0, tail_bytes: 0 }).modified_at;
  const parent = asName(info.parent_session_id);
  const started = {
    session_id: session.id,
    created_at: created_at ?? "",
    cwd: asName(info.cwd) ?? session.cwd ?? "",
    app: { name: "Kiro CLI" },
    title: asName(info.title),
    parent: parent === undefined ? undefined : { session_id: parent },
  };
  writer.emit("session_started", present(started), { time: created_at });
  const [summary] = asList(info.latest_summary);
  if (typeof summary === "string") emitSummary(summary, [], { writer, origin: {} });
  return startState(session);
}

/** Emits a summary and the messages kept after it. The summary is worded as in kiro-cli 2.24. */
function emitSummary(
  summary: string,
  kept: ReturnType<typeof foldedMessages>,
  { writer, origin }: EventTarget,
): void {
  const text =
    "--- CONTEXT ENTRY BEGIN ---\nThis summary contains ALL relevant information from our previous " +
    "conversation including tool uses, results, code analysis, and file operations. YOU MUST " +
    "reference this information when answering questions and explicitly acknowledge specific details " +
    "from the summary when they're relevant to the current question.\n\n" +
    `SUMMARY CONTENT:\n${summary}\n--- CONTEXT ENTRY END ---`;
  const messages = [{ role: "user" as const, content: text }, ...kept];
  writer.emit("compaction_applied", { status: "", summary, messages }, origin);
}

function emitCompaction(
  { summary, messages_snapshot, ...rest }: Json,
  session: AgentSession,
  target: EventTarget,
): void {
  const kept = foldedMessages(session, (writer) => {
    const calls: CallNames = new Map();
    for (const message of asList(messages_snapshot).map(asObject)) {
      const one = { writer, origin: { id: asName(message.id) } };
      const has_results = asList(message.content).some((block) =>
        asObject(block).kind === "toolResult"
      );
      if (has_results) emitResults(message, calls, one);
      else if (message.role === "user") emitPrompt(message, calls, one);
      else emitAnswer(message, calls, one, {});
    }
  });
  emitSummary(asText(summary) ?? "", kept, target);
  target.writer.keep("Compaction", rest, target.origin);
}

function isKiroFile(path: string, head: Uint8Array): boolean {
  return isDatabaseWith(path, head, isKiro) ||
    headRecords(head).some(({ value: { version, kind, data } }) =>
      typeof version === "string" && typeof kind === "string" &&
      (Array.isArray(asObject(data).content) || kind === "Compaction" || kind === "Clear")
    );
}

function sessionsIn(path: string): AgentSession[] {
  if (!isDatabase(path)) return [logAt(path)];
  return conversationsIn(path).map((one) => ({ agent: "kiro", path, ...one }));
}

export const kiroAgent: Agent = {
  name: "kiro",
  recognize: isKiroFile,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  open: formatReader(kiroFormat, {
    files: ({ path }) => isDatabase(path) ? undefined : { paths: [path, metadataBeside(path)] },
  }),
};
