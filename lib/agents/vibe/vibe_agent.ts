/**
 * Reads the sessions of Mistral Vibe (mistralai/mistral-vibe). The format comes from the sources of
 * version 2, up to mid-2026. A session is a folder with one line per message, and metadata.
 *
 * Reprise keeps data that Vibe loses:
 * - Vibe does not load a session with a damaged line or without metadata. Reprise reads all other
 *   lines. It takes the id and the time from the folder's name.
 * - Structured results and mentioned files, which Vibe keeps for its screen, become extensions.
 *
 * Reprise does not read the single-file sessions of Vibe 1. Vibe 2 converts them at its start.
 */
import { basename } from "node:path";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asName, asNumber, asObject, type Json, present } from "../engine/json.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { FormatReading, FormatThread, SessionFormat } from "../engine/session_format.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { emitAnswer, emitPrompt, emitResult, otherFields } from "./message_events.ts";
import { filesOf, MESSAGES, readMetadata, sessionAt, subagentsOf, timeInName } from "./locate.ts";

// The format of Mistral Vibe's sessions: how its messages become events.
//
// vibe/core/types.py `LLMMessage`: roles `user`, `assistant` and `tool` of chat completions. A
// `system` line is dropped when Vibe loads a session. No message knows another, so there is no state.

type EmitMessage = (message: Json, writer: EventWriter, origin: EventOrigin) => void;

const ROLES: ReadonlyMap<unknown, EmitMessage> = new Map([
  ["user", emitPrompt],
  ["assistant", emitAnswer],
  ["tool", emitResult],
  // Vibe drops it when it loads a session.
  ["system", (message, writer, origin) => writer.keep("system", message, origin)],
]);

export const vibeFormat: SessionFormat<null> = {
  source: ({ path }) => lineSource(path),
  threads: async (session) => await Promise.resolve(threadsOf(session)),
  begin: emitHead,
  emit(record, _state, { writer }): void {
    const { value } = record;
    const origin: EventOrigin = { id: asName(value.message_id), time: value.timestamp, record };
    const role = asName(value.role) ?? "message";
    const emitMessage = ROLES.get(role);
    if (emitMessage === undefined) return writer.keepUnknown(role, value, origin);
    emitMessage(value, writer, origin);
    writer.keep(role, otherFields(value), origin);
  },
  end: (_state, { session, writer }) => emitTotals(session, writer),
  standsAlone: ({ value }) => value.role === "user",
};

function emitHead({ session, writer, report }: FormatReading): null {
  const known = readMetadata(session);
  if (known.session_id === undefined) {
    const detail = "meta.json is missing or damaged";
    report?.({ code: "missing-header", offset: 0, length: 0, line: 0, detail });
  }
  const commit = asName(known.git_commit);
  const parent = asName(known.parent_session_id);
  const started = {
    session_id: session.id,
    created_at: isoTime(known.start_time) ?? timeInName(session) ?? "",
    cwd: session.cwd ?? "",
    app: { name: "vibe" },
    title: asName(known.title),
    git: commit === undefined ? undefined : present({ commit, branch: asName(known.git_branch) }),
    parent: parent === undefined ? undefined : { session_id: parent },
  };
  writer.emit("session_started", present(started));
  return null;
}

/** Emits the session's token totals, because Vibe records no tokens for an answer. */
function emitTotals(session: AgentSession, writer: EventWriter): void {
  const { stats, config, end_time } = readMetadata(session);
  const sums = asObject(stats);
  const usage = promptUsage({
    prompt: asNumber(sums.session_prompt_tokens),
    output: asNumber(sums.session_completion_tokens),
    cache_read: asNumber(sums.session_cached_tokens),
  });
  const model = asName(asObject(config).active_model);
  const cost_usd = asNumber(sums.session_cost);
  const told = { content: "", message_id: "totals", usage_of: usage && "session" as const };
  const answer = present({ ...told, model, usage, cost_usd });
  if (end_time !== undefined) writer.emit("assistant_message", answer, { time: end_time });
}

function threadsOf(session: AgentSession): FormatThread[] {
  return [session, ...subagentsOf(session)].map((one): FormatThread => {
    const records = asNumber(readMetadata(one).total_messages) ?? 0;
    if (one === session) return { id: MAIN_THREAD, kind: "main", records };
    const parent = { thread: MAIN_THREAD };
    const own = () => lineSource(one.path).read();
    return { id: one.id, kind: "subagent", parent, records, session: one, own };
  });
}

/** True for a file of Vibe. Many programs write `{role, content}`, so the name must match too. */
function isVibe(path: string, head: Uint8Array): boolean {
  return basename(path) === MESSAGES &&
    (head.length === 0 || headRecords(head).some(({ value }) => ROLES.has(value.role)));
}

export const vibeAgent: Agent = {
  name: "vibe",
  recognize: isVibe,
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  // Its metadata lies in a file of its own.
  open: formatReader(vibeFormat, { files: (session) => ({ paths: filesOf(session) }) }),
};
