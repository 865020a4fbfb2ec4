/**
 * Reads the sessions of Crush (charmbracelet/crush). Format and rules come from its sources of
 * 2026, up to 0.96.
 *
 * A session's token counts are those of its last request, because Crush replaces them at each
 * request. A session's cost includes the cost of its sub-agents, which is subtracted here. Contents
 * of files before and after edits (tables `files` and `read_files`) are counted, but not read. The
 * calls already show the edits.
 *
 * Differences from the messages that Crush sends: reasoning is before the text, and attached texts
 * are separate parts.
 */
import type { EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asList, asName, asNumber, asObject, type Json, present } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, FormatThread, SessionFormat } from "../engine/session_format.ts";
import { rowSource } from "../engine/sources/row_source.ts";
import { parseJson } from "../engine/sqlite/json_cell.ts";
import { isDatabaseWith } from "../engine/sqlite/sqlite_reader.ts";
import { storedThreads, withoutSubagents } from "../engine/sqlite/stored_sessions.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { isCrush, messageCounts, openRows, sessionFacts } from "./crush_rows.ts";
import { directoryAround } from "./locate.ts";
import { emitMessage } from "./message_events.ts";

/** Crush's result of an interrupted call (agent.go `syntheticToolResultsForOrphanedCalls`). */
// Verbatim: Crush.
const UNANSWERED = "tool call was interrupted and did not produce a result, you may retry this " +
  "call if the result is still needed";

/** Placeholder titles of sessions that no model has titled yet (agent.go, agent_tool.go). */
const DEFAULT_TITLE = /^(?:New (?:Agent )?Session|Untitled Session|Generate a title)$/;

export const crushFormat: SessionFormat<null> = {
  source: (session) => rowSource(() => openRows(session)),
  threads: (session) => Promise.resolve().then(() => threadsOf(session)),
  begin: emitHead,
  emit({ value: { message, totals } }, _state, { writer }): void {
    if (message !== undefined) emitMessage(asObject(message), writer);
    if (totals !== undefined) emitTotals(asObject(totals), writer);
  },
  standsAlone({ value: { message } }): boolean {
    const { role, parts } = asObject(message);
    return role === "user" && asList(parts).some((part) => asObject(part).type === "text");
  },
};

function emitHead({ session, writer }: FormatReading, first: SourceRecord | undefined): null {
  if (first?.value.info === undefined) return null;
  const info = asObject(first.value.info);
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
  const todos = parseJson(info.todos);
  if ("value" in todos) writer.keepUnknown("todos", todos.value);
  return null;
}

function emitTotals(totals: Json, writer: EventWriter): void {
  const [prompt, output] = [totals.prompt_tokens, totals.completion_tokens].map(asNumber);
  const usage = prompt || output ? promptUsage({ prompt, output }) : undefined;
  const cost_usd = asNumber(totals.cost);
  if (usage === undefined && !cost_usd) return;
  const model = asName(totals.model);
  const answer = present({ content: "", message_id: "totals", model, usage, cost_usd });
  writer.emit("assistant_message", answer, { time: totals.updated_at });
}

function threadsOf(session: AgentSession): FormatThread[] {
  const { path, cwd } = session;
  const counts = messageCounts(path);
  const all = sessionFacts(path).map((one) => present({ ...one, cwd }));
  return storedThreads(session, all, (one) => ({
    records: counts.get(one.id) ?? 0,
    own: () => rowSource(() => openRows(one)).read(),
  }));
}

function sessionsIn(path: string): AgentSession[] {
  const cwd = directoryAround(path);
  return withoutSubagents(sessionFacts(path)).map(({ id }) =>
    present({ agent: "crush", id, path, cwd })
  );
}

export const crushAgent: Agent = {
  name: "crush",
  recognize: (path, head) => isDatabaseWith(path, head, isCrush),
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  open: formatReader(crushFormat),
};
