/**
 * Reads the sessions of Keen Code (mochow13/keen-code; format read from version 0.38.1 and some
 * later source files).
 *
 * The transcript shows what a person saw in Keen: every tool with its whole output. On resume, the
 * model gets no reasoning, and only the outcome of each tool. So a turn with tools is emitted
 * twice: as the user saw it, and as Keen sends it.
 *
 * Where Keen loses data, this reader preserves it:
 * - Keen ignores a line with a wrong field, of an unknown kind, or without its payload. Here the
 *   line becomes an extension outside the conversation.
 * - Keen drops a record that was appended to a torn line. Here the record is read.
 *
 * Keen cuts titles at 72 bytes, in the middle of a character. Here they are as long as for other
 * agents.
 */
import { asName, asObject, asText, type Json, present } from "../engine/json.ts";
import { isObject } from "../../core/event/guard.ts";
import { UNSETTLED_OUTPUT } from "../../core/projection/conversation/paired_messages.ts";
import { excerpt } from "../../core/projection/excerpt.ts";
import { formatReader } from "../engine/format_reader.ts";
import { readEdges } from "../engine/records/file_edges.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type { Agent } from "../contract/agent.ts";
import { type KeenEvent, keenFault } from "./keen_event.ts";
import { isSent, providerView, type TurnTarget } from "./provider_view.ts";
import { readHeader, sessionAt, toHeader } from "./locate.ts";
import { emitTurn } from "./turn_events.ts";

// The format of Keen Code's sessions: how its lines become events.
//
// Keen Code 0.38.1, internal/session/store.go `loadEvents`, projection.go `BuildConversation`.

interface KeenState {
  /** Byte offset of the header. Absent if the first line is not a header. */
  header_offset?: number;
  /** The title that Keen's list shows, which is the last prompt. */
  title: string;
  seq: number;
}

export const keenFormat: SessionFormat<KeenState> = {
  source: ({ path }) => lineSource(path),
  begin: emitHead,
  emit(record, state, { session, writer, report, last }): void {
    const { value, position } = record;
    const number = takeNumber(record, state);
    if (position.offset === state.header_offset) return;
    const id = typeof value.seq === "number" ? String(value.seq) : undefined;
    const origin = { id, record, time: last ? writtenAt(session.path) : undefined };
    const before = writer.seq;
    const fault = keenFault(value);
    const detail = `Keen Code ignores this line: ${fault}`;
    if (fault !== undefined) report?.({ code: "invalid-payload", ...position, detail });
    else emitEvent(value as KeenEvent, { writer, report, origin, number });
    // Whatever Keen passes over is kept: each record becomes an event.
    if (writer.seq === before) writer.keep(asName(value.kind) ?? "event", value, origin);
    if (isPrompt(record)) state.title = excerpt(promptText(value));
  },
  end({ title }, { writer }): void {
    if (title !== "") writer.emit("session_renamed", { title });
  },
  standsAlone: isPrompt,
  // Keen writes a turn once it has ended, and says if the user cut it off.
  leavesOpen(records): boolean | undefined {
    const last = records.findLast((record) => isTurn(record) || isPrompt(record));
    if (last === undefined || !isTurn(last)) return last && true;
    return asObject(last.value.assistant_turn).interrupted === true;
  },
  startState: () => ({ ...START }),
};

const START: KeenState = { title: "", seq: 0 };

function isTurn({ value }: SourceRecord): boolean {
  return value.kind === "assistant_turn";
}

/** Emits the session's start. If the first line is lost, a later line may have the header. */
function emitHead(
  { session: { id, path, cwd }, writer, report }: FormatReading,
  first: SourceRecord | undefined,
): KeenState {
  if (first === undefined) return { ...START };
  const own = toHeader(first.value);
  const header = own ?? readHeader(path);
  const created_at = header?.created_at ?? writtenAt(path) ?? "";
  writer.emit("session_started", {
    session_id: id,
    created_at,
    cwd: header?.cwd ?? cwd ?? "",
    app: { name: "keen" },
    unanswered_call: UNSETTLED_OUTPUT,
  }, { time: created_at, record: own === undefined ? undefined : first });
  if (own !== undefined) return { ...START, header_offset: first.position.offset };
  const detail =
    "the session file does not begin with its header (session_started), as Keen Code writes it";
  report?.({ code: "missing-header", offset: 0, length: 0, line: 1, detail });
  return { ...START };
}

/**
 * Returns a line's number, from which ids of calls are made. If two processes wrote the log,
 * numbers repeat. A line with a repeated number gets its offset as number.
 */
function takeNumber({ value: { seq }, position }: SourceRecord, state: KeenState): number {
  if (typeof seq !== "number" || seq <= state.seq) return position.offset;
  return state.seq = seq;
}

/** Returns the time of the file's last change, as only a log's first line has a time. */
function writtenAt(path: string): string | undefined {
  return readEdges(path, { head_bytes: 0, tail_bytes: 0 }).modified_at;
}

function isPrompt({ value }: SourceRecord): boolean {
  if (value.kind !== "user_message" || keenFault(value) !== undefined) return false;
  return excerpt(promptText(value)) !== "";
}

function promptText({ user_message }: Json): string {
  return asText(asObject(user_message).content) ?? "";
}

type LineReading = TurnTarget & Pick<FormatReading, "report">;

function emitEvent(event: KeenEvent, reading: LineReading): void {
  const { kind, user_message, assistant_turn } = event;
  const { writer, origin } = reading;
  if (kind === "user_message" && user_message) {
    writer.emit("user_message", { content: user_message.content ?? "" }, origin);
  } else if (kind === "assistant_turn" && assistant_turn) {
    emitTurn(assistant_turn, reading);
  } else if (kind === "compaction_applied") emitCompaction(event, reading);
}

/**
 * Emits a compaction. Its payload replaces the conversation, and `messages: null` empties it. A
 * compaction without payload is only reported as damage (projection.go).
 */
function emitCompaction(
  { compaction_applied }: KeenEvent,
  { writer, report, origin }: LineReading,
): void {
  if (!compaction_applied) {
    const position = origin.record?.position ?? { offset: 0, length: 0, line: 0 };
    const detail = "compaction without a payload";
    return report?.({ code: "invalid-compaction", ...position, detail });
  }
  const { status, messages, transcript } = compaction_applied;
  const kept = messages ?? [];
  const items = (transcript ?? []).map((item) => item ?? {});
  const texts = items.flatMap(({ kind, content }) => kind === "text" ? content ?? [] : []);
  writer.emit(
    "compaction_applied",
    present({
      status: status ?? "",
      messages: providerView(kept),
      // Where there are messages, a summary is shown and not sent.
      summary: texts.join("") || undefined,
    }),
    origin,
  );
  const unsaid = items.filter(({ kind }) => kind !== "text");
  for (const item of unsaid) {
    writer.keep("transcript_item", { kind: "transcript_item", item }, origin);
  }
  const unsent = kept.filter((message) => !isSent(message));
  for (const message of unsent) writer.keep("message", { kind: "message", message }, origin);
}

const KINDS: ReadonlySet<unknown> = new Set([
  "session_started",
  "user_message",
  "assistant_turn",
  "compaction_applied",
]);

/**
 * True for a log of Keen Code. Its lines have the payload in a field named after the kind. The
 * lines of Reprise's own logs, which have the same file name, have no such field.
 */
function isKeen(head: Uint8Array): boolean {
  return headRecords(head).some(({ value }) =>
    KINDS.has(value.kind) && typeof value.seq === "number" && isObject(value[String(value.kind)])
  );
}

export const keenAgent: Agent = {
  name: "keen",
  recognize: (_path, head) => isKeen(head),
  sessionsIn: async (path) => await Promise.resolve([sessionAt(path)]),
  open: formatReader(keenFormat),
};
