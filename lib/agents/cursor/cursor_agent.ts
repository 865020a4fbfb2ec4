/**
 * Reads the sessions of Cursor: the editor's conversations, the CLI's chats, and transcripts.
 * Cursor's sources are not public, and no client was available for a test. The formats are those
 * that other readers describe: SpecStory's CURSORIDE-FORMAT.md, and fixtures of ctx, casr and tape.
 *
 * A transcript has neither results of calls nor token counts. Its only times are before prompts.
 */
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asList, asName, asObject, type Json, present } from "../engine/json.ts";
import { lineRecords, subagentThreads, type ThreadRecords } from "../engine/linear/line_threads.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { CountedReading, FormatThread, SessionFormat } from "../engine/session_format.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type { PlacedSource } from "../engine/sources/record_source.ts";
import { rowSource, type SessionRows } from "../engine/sources/row_source.ts";
import { isSqlite, isSqliteFile, sqliteFiles } from "../engine/sqlite/sqlite_file.ts";
import { LEFT_THREAD, listedRows } from "../engine/sqlite/listed_rows.ts";
import { openedRows } from "../engine/sqlite/opened_rows.ts";
import { isDatabaseWith, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import {
  storedSession,
  storedThreads,
  withoutSubagents,
} from "../engine/sqlite/stored_sessions.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { bubbleMessage } from "./bubble_message.ts";
import { chatMessages, holdsChat } from "./chat_store.ts";
import {
  conversationMessages,
  holdsConversations,
  storedConversations,
} from "./conversation_store.ts";
import { sessionAt, subagentsOf } from "./locate.ts";
import { type CursorMessage, emitMessage, type Head, lineMessage } from "./message_events.ts";

interface SessionState {
  model?: string | undefined;
  updated_at?: unknown;
}

export const cursorFormat: SessionFormat<SessionState> = {
  source: sourceOf,
  threads: (session) => Promise.resolve().then(() => threadsOf(session)),
  // Lines are added to a transcript. Rows may be replaced.
  stands: (session) => Promise.resolve(isTranscript(session)),
  begin: emitHead,
  emit(record, { model }, { writer }): string | void {
    const { value } = record;
    if (value.head !== undefined) return;
    if (isTurnEnd(value)) {
      const { status, error, type: _type, event: _event, timestamp: _time, ...rest } = value;
      if (status === "error" || status === "aborted") {
        const reason = status === "error" ? "error" : "cancelled";
        writer.emit("turn_failed", { reason, message: asName(error) ?? "" }, { record });
      }
      writer.keepUnknown("turn_ended", rest, { record });
      return "turn_ended";
    }
    const message = messageIn(record);
    emitMessage({ ...message, model: message.model ?? model }, writer, record);
  },
  end({ updated_at: time }, { writer }): void {
    if (isoTime(time) === undefined) return;
    // No message tells when the last one came.
    writer.emit("assistant_message", { content: "", message_id: "end" }, { time });
  },
  standsAlone(record): boolean {
    if (record.value.head !== undefined || isTurnEnd(record.value)) return false;
    const { role, untyped, items, summary } = messageIn(record);
    return role === "user" && untyped === undefined && summary === undefined && items.length > 0 &&
      items.every(({ type, text }) => type === "text" && text !== "");
  },
  needsBefore: ({ value }) => asObject(value.bubble).conversationSummary !== undefined,
  leavesOpen: (records) => {
    const last = records.findLast(({ value }) => isTurnEnd(value) || tellsEnd(value));
    return last && leavesOpen(last);
  },
  startState: ({ session }) => stateOf(headOf(session)),
};

function tellsEnd({ head, role, line, bubble }: Json): boolean {
  return head === undefined &&
    (bubble !== undefined || /^(?:user|assistant|tool)$/.test(String(role ?? asObject(line).role)));
}

function leavesOpen(record: SourceRecord): boolean {
  if (isTurnEnd(record.value)) return false;
  const { role, items, failure } = messageIn(record);
  return failure === undefined &&
    !(role === "assistant" && items.every(({ type }) => type === "text"));
}

function isTranscript({ path }: AgentSession): boolean {
  return path.endsWith(".jsonl");
}

function isTurnEnd({ type, event }: Json): boolean {
  return type === "turn_ended" || event === "turn_ended";
}

function sourceOf(session: AgentSession, thread: string): PlacedSource {
  if (isTranscript(session)) return lineSource(session.path);
  return rowSource(() => openRows(session, thread));
}

function openRows(session: AgentSession, thread: string): SessionRows {
  return openedRows(session, (reader) => {
    if (holdsChat(reader)) return listedRows(reader, chatMessages(reader), thread);
    if (!holdsConversations(reader)) return undefined;
    return listedRows(reader, conversationMessages(reader, session.id), thread);
  });
}

function messageIn({ value }: SourceRecord): CursorMessage {
  const { bubble, edited, line, id } = value;
  if (bubble !== undefined) return bubbleMessage(asObject(bubble), asList(edited).map(String));
  return line === undefined ? lineMessage(value) : lineMessage(asObject(line), asName(id));
}

function headOf(session: AgentSession): Head {
  if (isTranscript(session)) return {};
  using rows = openRows(session, MAIN_THREAD);
  return asObject(rows.at(0, {})?.value.head);
}

function stateOf({ model, updated_at }: Head): SessionState {
  return { model, updated_at };
}

const DEFAULT_NAME = /^(?:New (?:Agent|Chat)|Untitled)$/;

function emitHead({ session, writer }: CountedReading, first?: SourceRecord): SessionState {
  const head: Head = asObject(first?.value.head);
  const { title, mode, cwd, created_at } = head;
  const time = created_at ??
    (first === undefined || !isTranscript(session) ? undefined : messageIn(first).time);
  const started = {
    session_id: session.id,
    created_at: isoTime(time) ?? "",
    cwd: session.cwd ?? cwd ?? "",
    app: { name: "cursor" },
    title: title === undefined || DEFAULT_NAME.test(title) ? undefined : title,
    environment: mode === undefined ? undefined : { mode },
    unanswered_call: isTranscript(session) ? "The result was not recorded." : undefined,
  };
  writer.emit("session_started", present(started), { time });
  return stateOf(head);
}

async function threadsOf(session: AgentSession): Promise<FormatThread[]> {
  const subagents = await subagentThreads(subagentsOf(session));
  if (isTranscript(session)) {
    const { records } = await lineRecords(session);
    return [{ id: MAIN_THREAD, kind: "main", records }, ...subagents];
  }
  const stored = storedConversations(session.path);
  const threads = storedThreads(session, stored, (one) => rowsOf(one, MAIN_THREAD));
  const left = rowsOf(session, LEFT_THREAD);
  if (left.records > 0) {
    threads.push({ id: LEFT_THREAD, kind: "replaced", parent: { thread: MAIN_THREAD }, ...left });
  }
  const ids = new Set(threads.map(({ id }) => id));
  return [...threads, ...subagents.filter(({ id }) => !ids.has(id))];
}

function rowsOf(session: AgentSession, thread: string): ThreadRecords {
  using rows = openRows(session, thread);
  return { records: rows.count - 1, own: () => sourceOf(session, thread).read() };
}

/** True for a Cursor file. A transcript is recognized only by its roles and lists of content. */
function isCursor(path: string, head: Uint8Array): boolean {
  if (isSqlite(head)) {
    return isDatabaseWith(path, head, (one) => holdsChat(one) || holdsConversations(one));
  }
  return headRecords(head).some(({ value: { role, message, type, uuid } }) =>
    (role === "user" || role === "assistant") && type === undefined && uuid === undefined &&
    Array.isArray(asObject(message).content)
  );
}

function sessionsIn(path: string): AgentSession[] {
  if (!isSqliteFile(path)) return [sessionAt(path)];
  using reader = new SqliteReader(path);
  if (!holdsConversations(reader)) return [sessionAt(path)];
  return withoutSubagents(storedConversations(path))
    .map((one) => storedSession("cursor", path, one));
}

export const cursorAgent: Agent = {
  name: "cursor",
  recognize: isCursor,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  open: formatReader(cursorFormat, {
    files: (session) => ({
      paths: isTranscript(session)
        ? [session, ...subagentsOf(session)].map(({ path }) => path)
        : sqliteFiles(session.path),
    }),
  }),
};
