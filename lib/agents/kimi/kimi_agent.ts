/**
 * Reads the sessions of Kimi Code (MoonshotAI/kimi-code; checked against sessions of 2.1.0 and its
 * sources up to protocol 1.6). A session is a folder with a log for each agent.
 *
 * The conversation differs from what Kimi Code sends. The system prompt is left out. Reminders stay
 * when a later reminder replaces them. Media that Kimi Code stored apart are named, not shown. All
 * prompts stay at a compaction. Kimi Code keeps the oldest and the newest up to 20,000 tokens.
 *
 * Not read: `~/.kimi` of kimi-cli, which `kimi migrate` imports into Kimi Code.
 */
import { basename } from "node:path";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asName, asObject, asText, present } from "../engine/json.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { type FormatReading, savedState, type SessionFormat } from "../engine/session_format.ts";
import { replayedSource } from "../engine/sources/replayed_source.ts";
import { lineName, rewoundRules, rewoundThreads } from "../engine/sources/rewound_lines.ts";
import type { Agent } from "../contract/agent.ts";
import { readState, sessionAt, subagentsOf, WIRE } from "./locate.ts";
import { isPrompt, recordId, undoRules } from "./undo.ts";
import { closeStep, emitAsked, emitRecord, startState, type WireState } from "./wire_events.ts";

/** The result of an interrupted call (loopEventFold.ts, `TOOL_INTERRUPTED_ON_RESUME_OUTPUT`). */
// Verbatim: Kimi Code.
const UNANSWERED = "Tool execution was interrupted before its result was recorded. Do not assume " +
  "the tool completed successfully.";

export const kimiFormat: SessionFormat<WireState> = {
  source: ({ path }, thread) => replayedSource(path, rewoundRules(undoRules, thread)),
  threads: (session) => rewoundThreads(session.path, undoRules, subagentsOf(session)),
  begin: emitHead,
  emit(record, state, { writer }): void {
    const { value } = record;
    if (value.type === "metadata") return;
    const id = lineName(recordId(value), record);
    emitRecord({ state, writer, origin: { id, time: value.time, record } }, value);
  },
  end(state, { writer }): void {
    closeStep({ state, writer });
    emitAsked({ state, writer, origin: {} });
  },
  standsAlone: ({ value }) =>
    value.type === "context.append_message" && isPrompt(asObject(value.message)),
  needsBefore: ({ value }) => value.type === "context.apply_compaction",
  startState,
  saveState: (state) =>
    state.response === undefined && state.asked === undefined ? savedState(state) : undefined,
};

function emitHead(
  { session, writer, report }: FormatReading,
  first: SourceRecord | undefined,
): WireState {
  const is_head = first?.value.type === "metadata";
  if (first !== undefined && !is_head) {
    const detail = "the first record is not of the type metadata";
    report?.({ code: "missing-header", ...first.position, detail });
  }
  const state = readState(session);
  const forked = asName(state.forkedFrom);
  const created_at = isoTime(is_head ? first.value.created_at : state.createdAt) ??
    isoTime(first?.value.time) ?? "";
  const started = present({
    session_id: session.id,
    created_at,
    cwd: session.cwd ?? "",
    app: { name: "kimi" },
    title: asName(state.title),
    parent: forked === undefined ? undefined : { session_id: forked, reason: "fork" },
    unanswered_call: UNANSWERED,
  });
  writer.emit("session_started", started, {
    time: created_at,
    record: is_head ? first : undefined,
  });
  return startState();
}

function isKimi(path: string, head: Uint8Array): boolean {
  return headRecords(head).some(({ value: { type, protocol_version, created_at } }) =>
    (type === "metadata" && typeof protocol_version === "string" && created_at !== undefined) ||
    (basename(path) === WIRE && /^(?:context|turn|config)\.[a-z_]+$/.test(asText(type) ?? ""))
  );
}

export const kimiAgent: Agent = {
  name: "kimi",
  recognize: isKimi,
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  // The metadata of the session lies in a file of its own, and each subagent has a log.
  open: formatReader(kimiFormat, {
    files: (session) => ({
      paths: [session.path, ...subagentsOf(session).map((one) => one.session.path)],
    }),
  }),
};
