/**
 * Reads the sessions of fen (acmiyaguchi/fen; format read from version 0.17.0).
 *
 * Where fen loses data, this reader keeps it:
 * - If a file has lost its header, fen drops the first line, even if it is an entry.
 * - After a crash, fen appends an entry to a torn line, and drops both. This reader reads the
 *   entry.
 *
 * The messages differ from what fen would send. An answer without content (stopped before its first
 * word) is no message, because no provider accepts one. A call without a result gets a result that
 * says so. A result without a call is left out. The doctor of fen calls both unsafe to replay.
 *
 * A second process may resume a session, but no fen command names the session to resume.
 * `--continue` takes the directory's latest session, and `fen session send` runs one prompt.
 */
import { isObject } from "../../core/event/guard.ts";
import { UNSETTLED_OUTPUT } from "../../core/projection/conversation/paired_messages.ts";
import { excerpt } from "../../core/projection/excerpt.ts";
import { blocksOf } from "../engine/events/anthropic_blocks.ts";
import type { EventOrigin } from "../engine/events/event_writer.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asName, asObject } from "../engine/json.ts";
import { readEdges } from "../engine/records/file_edges.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type { Agent } from "../contract/agent.ts";
import {
  type CompactionState,
  type FenCompaction,
  meetMessage,
  noCompactions,
  takeCompaction,
} from "./compaction.ts";
import { blockText, emitMessage } from "./message_events.ts";
import { sessionAt, timeInName, toHeader } from "./locate.ts";

// The format of fen's sessions: how its entries become events.
//
// fen 0.17.0, extensions/adapters/session-backends/jsonl/session.fnl. Versions 1 (entries without
// ids) and 2; entries are linear: `parent-id` is never read. Types: `session`, `message`,
// `compaction`, `extension-state`; unknown ones are kept as extensions.

interface Title {
  from_user: boolean;
  text: string;
}

interface FenState {
  /** Byte offset of the header. Absent if the first line is not a header. */
  header_offset?: number;
  compactions: CompactionState;
  title?: Title | undefined;
}

interface SavedState {
  ids: string[];
  open: FenCompaction[];
  title: Title | undefined;
}

export const fenFormat: SessionFormat<FenState, SavedState> = {
  source: ({ path }) => lineSource(path),
  begin: emitHead,
  emit(record, state, { writer, report }): void {
    const { value, position } = record;
    if (position.offset === state.header_offset) return;
    const origin: EventOrigin = { id: asName(value.id), time: value.timestamp, record };
    const reading = { writer, report, origin };
    if (value.type === "message" && isObject(value.message)) {
      emitEntryMessage(value.message, state, reading);
    } else if (value.type !== "compaction" || !emitCompaction(record, state, reading)) {
      writer.keep(asName(value.type) ?? "entry", value, origin);
    }
  },
  // Where no user said anything, fen's title is the first text of anyone.
  end({ title }, { writer }): void {
    if (title === undefined || title.from_user) return;
    writer.emit("session_renamed", { title: excerpt(title.text) });
  },
  standsAlone: ({ value }) => value.type === "message" && asObject(value.message).role === "user",
  startState: () => ({ compactions: noCompactions(true), title: { from_user: true, text: "" } }),
  saveState: ({ compactions: { messages, open }, title }) => ({
    ids: [...messages.keys()],
    open: open.map(savedCompaction),
    title,
  }),
  restoreState({ ids, open, title }): FenState {
    const compactions = { ...noCompactions(), open };
    for (const id of ids) compactions.messages.set(id, undefined);
    return { compactions, title };
  },
};

/** Strips a compaction's record to its position. The events need nothing else of the record. */
function savedCompaction({ origin: { record, ...origin }, ...rest }: FenCompaction): FenCompaction {
  const place = record === undefined ? {} : { record: { position: record.position } };
  return { ...rest, origin: { ...origin, ...place } };
}

/**
 * Emits the session's start. Only the first line can be the header. Any other first line is read as
 * an entry, though fen ignores it.
 */
function emitHead(
  { session, writer, report }: FormatReading,
  first: SourceRecord | undefined,
): FenState {
  const state: FenState = { compactions: noCompactions(), title: undefined };
  if (first === undefined) return state;
  const { id, path, cwd } = session;
  const header = toHeader(first.value);
  const created_at = header?.created_at ?? timeInName(path) ?? readEdges(path).modified_at;
  if (header === undefined) {
    const detail = "the session file does not begin with its header, as the agent fen writes it";
    report?.({ code: "missing-header", ...first.position, detail });
  } else state.header_offset = first.position.offset;
  writer.emit("session_started", {
    session_id: id,
    created_at: created_at ?? "",
    cwd: header?.cwd ?? cwd ?? "",
    app: { name: "fen" },
    unanswered_call: UNSETTLED_OUTPUT,
  }, { id: header?.id, time: created_at, record: header === undefined ? undefined : first });
  return state;
}

type EntryReading = Pick<FormatReading, "writer" | "report"> & { origin: EventOrigin };

function emitEntryMessage(
  message: Record<string, unknown>,
  state: FenState,
  { writer, origin }: EntryReading,
): void {
  meetMessage(state.compactions, origin.id, writer);
  state.title = betterTitle(state.title, message);
  const message_id = origin.id ?? `m${writer.seq + 1}`;
  const time = typeof message.timestamp === "number" ? message.timestamp : origin.time;
  emitMessage(message, { writer, origin: { ...origin, time }, message_id });
}

/** Emits a compaction. Returns false after reporting a malformed or not yet valid compaction. */
function emitCompaction(
  { value, position }: SourceRecord,
  { compactions }: FenState,
  { writer, report, origin }: EntryReading,
): boolean {
  const outcome = takeCompaction(compactions, value, { writer, origin });
  if (outcome === "applied") return true;
  const detail = outcome === "malformed"
    ? "this compaction lacks its summary, or the id of the first message that it keeps " +
      "(first-kept-entry-id)"
    : "this compaction names the first message that it keeps (first-kept-entry-id), but no " +
      "message before the compaction has this id";
  report?.({ code: "invalid-compaction", ...position, detail });
  return false;
}

/**
 * Returns the title: the first text of a user, else the first text of anyone (session.fnl
 * `scan-metadata`).
 */
function betterTitle(
  title: Title | undefined,
  { role, content }: Record<string, unknown>,
): Title | undefined {
  if (title?.from_user) return title;
  const from_user = role === "user";
  if (title !== undefined && !from_user) return title;
  const text = blocksOf(content).flatMap((block) => blockText(block) ?? []).join(" ");
  return excerpt(text) === "" ? title : { from_user, text };
}

/** Matches fen's times, which have dashes for colons. This tells fen's entries from pi's. */
const FEN_TIME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/;

function isFen(head: Uint8Array): boolean {
  return headRecords(head).some(({ value }) => {
    if (typeof value.timestamp !== "string" || !FEN_TIME.test(value.timestamp)) return false;
    if (value.type === "session") return typeof value.cwd === "string";
    return value.type === "message" && typeof asObject(value.message).role === "string";
  });
}

export const fenAgent: Agent = {
  name: "fen",
  recognize: (_path, head) => isFen(head),
  sessionsIn: async (path) => await Promise.resolve([sessionAt(path)]),
  open: formatReader(fenFormat),
};
