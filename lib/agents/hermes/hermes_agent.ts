/**
 * Reads the sessions of Hermes Agent (NousResearch/hermes-agent; format read from its sources up to
 * schema 30).
 *
 * A compaction marks messages as inactive, and writes the messages that it keeps again. The
 * transcript has the first copies, and the model gets the active rows. Messages that the user
 * reverted are shown, but not sent. Older versions continued in another session, with the first as
 * its parent.
 *
 * Tokens are recorded for the whole session.
 */
import type { TokenUsage } from "../../core/event/payload.ts";
import type { EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { gitInfo } from "../engine/git_info.ts";
import { asName, asNumber, asObject, type Json, present } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, FormatThread, SessionFormat } from "../engine/session_format.ts";
import { rowSource } from "../engine/sources/row_source.ts";
import { isDatabaseWith } from "../engine/sqlite/sqlite_reader.ts";
import {
  storedSession,
  storedThreads,
  withoutSubagents,
} from "../engine/sqlite/stored_sessions.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { isHermes, messageCounts, openRows, sessionFacts } from "./hermes_rows.ts";
import { emitMessage } from "./message_events.ts";

export const hermesFormat: SessionFormat<null> = {
  source: (session) => rowSource(() => openRows(session)),
  threads: (session) => Promise.resolve().then(() => threadsOf(session)),
  begin: emitHead,
  emit({ value: { message, audience, totals } }, _state, { writer }): void {
    if (totals !== undefined) emitTotals(asObject(totals), writer);
    if (message === undefined) return;
    const { id, timestamp: time } = asObject(message);
    writer.audience = audience === "user" || audience === "model" ? audience : undefined;
    emitMessage(asObject(message), { writer, origin: { id: String(id), time } });
    writer.audience = undefined;
  },
  standsAlone: ({ value: { message, audience } }) =>
    asObject(message).role === "user" && audience === undefined,
};

function emitHead({ session, writer }: FormatReading, first: SourceRecord | undefined): null {
  if (first?.value.info === undefined) return null;
  const info = asObject(first.value.info);
  const parent = asName(info.parent_session_id);
  const model = asName(info.model);
  const started = {
    session_id: session.id,
    created_at: isoTime(info.started_at) ?? "",
    cwd: session.cwd ?? asName(info.cwd) ?? "",
    app: { name: "hermes" },
    title: asName(info.title) ?? asName(info.display_name),
    git: gitInfo({ branch: info.git_branch }),
    environment: model === undefined ? undefined : { model },
    parent: parent === undefined ? undefined : { session_id: parent },
  };
  const origin = { id: session.id, time: info.started_at };
  writer.emit("session_started", present(started), origin);
  const text = asName(info.system_prompt);
  if (text !== undefined) {
    writer.emit("notice", { audience: "model", title: "System prompt", text }, origin);
  }
  if (info.archived === 1) writer.emit("session_archived", { archived: true }, origin);
  return null;
}

/** Emits the tokens of the session. Input tokens exclude cached tokens (agent/usage_pricing.py). */
function emitTotals(info: Json, writer: EventWriter): void {
  const usage: TokenUsage = present({
    input: asNumber(info.input_tokens),
    output: asNumber(info.output_tokens),
    cache_read: asNumber(info.cache_read_tokens),
    cache_write: asNumber(info.cache_write_tokens),
    reasoning: asNumber(info.reasoning_tokens) || undefined,
  });
  const cost_usd = asNumber(info.actual_cost_usd) || asNumber(info.estimated_cost_usd) || undefined;
  const is_told = Object.values(usage).some(Boolean);
  if (!is_told && cost_usd === undefined) return;
  const told = { content: "", message_id: "totals", usage_of: "session" as const };
  const model = asName(info.model);
  const answer = present({ ...told, model, usage: is_told ? usage : undefined, cost_usd });
  writer.emit("assistant_message", answer);
}

function threadsOf(session: AgentSession): FormatThread[] {
  const counts = messageCounts(session.path);
  return storedThreads(session, sessionFacts(session.path), (one) => ({
    records: counts.get(one.id) ?? 0,
    own: () => rowSource(() => openRows(one)).read(),
  }));
}

function sessionsIn(path: string): AgentSession[] {
  return withoutSubagents(sessionFacts(path)).map((one) => storedSession("hermes", path, one));
}

export const hermesAgent: Agent = {
  name: "hermes",
  recognize: (path, head) => isDatabaseWith(path, head, isHermes),
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  open: formatReader(hermesFormat),
};
