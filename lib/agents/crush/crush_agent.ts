/**
 * Reads the sessions of Crush (charmbracelet/crush; format and rules read from its sources of 2026,
 * up to 0.96).
 *
 * A session's tokens are those of its last request, for Crush replaces them with each. Its cost is a
 * sum, which contains that of its sub-agents: it is taken off. What files held before and after edits
 * (tables `files` and `read_files`) is counted, and not read: calls tell of edits.
 *
 * Differences from what Crush sends: reasoning stands before the text, and attached texts are parts
 * of their own.
 */
import { SessionError } from "../../event/session_error.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { promptUsage } from "../../reading/events/prompt_usage.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { asName, present } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import type { FormatReading, FormatThread, SessionFormat } from "../../reading/session_format.ts";
import { rowSource } from "../../reading/sources/row_source.ts";
import { isSqlite } from "../../reading/sqlite/sqlite_file.ts";
import { SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { type CrushEntry, isCrush, messageCounts, openRows, sessionFacts } from "./crush_rows.ts";
import { directoryAround, withoutChildren } from "./locate.ts";
import { emitMessage } from "./message_events.ts";

/** agent.go `syntheticToolResultsForOrphanedCalls`. */
const UNANSWERED = "tool call was interrupted and did not produce a result, you may retry this " +
  "call if the result is still needed";

/** Titles before a model gives one (agent.go, agent_tool.go). */
const DEFAULT_TITLE = /^(?:New (?:Agent )?Session|Untitled Session|Generate a title)$/;

function entryOf({ value }: SourceRecord): CrushEntry {
  return value;
}

export const crushFormat: SessionFormat<null> = {
  source: (session) => rowSource(() => openRows(session)),
  threads: (session) => Promise.resolve().then(() => threadsOf(session)),
  begin: emitHead,
  emit(record, _state, { writer }): void {
    const { message, totals } = entryOf(record);
    if (message !== undefined) emitMessage(message, writer);
    if (totals === undefined) return;
    const { prompt, output, cost, model, updated: time } = totals;
    const usage = prompt || output ? promptUsage({ prompt, output }) : undefined;
    if (usage === undefined && !cost) return;
    const answer = { content: "", message_id: "totals", model, usage, cost_usd: cost };
    writer.emit("assistant_message", present(answer), { time });
  },
  standsAlone(record): boolean {
    const { message } = entryOf(record);
    return message?.role === "user" && message.parts.some(({ type }) => type === "text");
  },
  saveState: () => null,
  restoreState: () => null,
};

function emitHead({ session, writer }: FormatReading, first: SourceRecord | undefined): null {
  const { info } = first === undefined ? {} : entryOf(first);
  if (info === undefined) return null;
  const title = asName(info.title);
  const parent = asName(info.parent_session_id);
  const started = {
    session_id: session.id,
    created_at: isoTime(info.created_at) ?? "",
    cwd: session.cwd ?? directoryAround(session.path) ?? "",
    app: { name: "Crush" },
    title: title === undefined || DEFAULT_TITLE.test(title) ? undefined : title,
    parent: parent === undefined ? undefined : { session_id: parent, reason: "subagent" },
    unanswered_call: UNANSWERED,
  };
  writer.emit("session_started", present(started), { id: session.id, time: info.created_at });
  const todos = asName(info.todos);
  if (todos !== undefined) {
    writer.emit("extension", { agent: "crush", type: "todos", data: todos });
  }
  return null;
}

/** Returns the session and its sub-agents, each behind the one that started it. */
function threadsOf(session: AgentSession): FormatThread[] {
  const { path } = session;
  const counts = messageCounts(path);
  const known = sessionFacts(path);
  const threads: FormatThread[] = [
    { id: MAIN_THREAD, kind: "main", records: counts.get(session.id) ?? 0 },
  ];
  const seen = new Set([session.id]);
  const take = (owner: string, thread: string): void => {
    for (const { id, parent_id } of known) {
      if (parent_id !== owner || seen.has(id)) continue;
      seen.add(id);
      threads.push({
        ...{ id, kind: "subagent", parent: { thread }, records: counts.get(id) ?? 0 },
        session: { ...session, id },
        own: () => rowSource(() => openRows({ path, id })).read(),
      });
      take(id, id);
    }
  };
  take(session.id, MAIN_THREAD);
  return threads;
}

/** True for a database with Crush's tables. They may lie anywhere in the file. */
function isStore(path: string, head: Uint8Array): boolean {
  if (!isSqlite(head)) return false;
  try {
    using reader = new SqliteReader(path);
    return isCrush(reader);
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

function sessionsIn(path: string): AgentSession[] {
  const cwd = directoryAround(path);
  return withoutChildren(sessionFacts(path)).map(({ id }) =>
    present({ agent: "crush", id, path, cwd })
  );
}

export const crushAgent: Agent = {
  name: "crush",
  recognize: isStore,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  open: formatReader(crushFormat),
};
