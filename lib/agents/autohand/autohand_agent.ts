/**
 * Reads the sessions of Autohand (autohandai/code-cli; format read from version 0.8.2).
 *
 * Autohand loses data or fails in some cases. This reader reads on:
 * - A line that is not JSON (torn, garbage). Autohand cannot load the session and silently begins a
 *   new one. Here the line is reported, and all other lines are read.
 * - A missing or damaged `metadata.json`. Autohand throws for the whole list. Here the id gives the
 *   session's start time, and the index its directory.
 * - An index that was reset. Here the sessions are found by their folders.
 * - Calls `{function: {name, arguments}}` of imported sessions. Autohand sends them without their
 *   arguments. Here the calls have their arguments.
 *
 * Lines marked `_meta.stream` are pieces of an output whose whole line follows. Autohand sends both
 * as two results of one call, and providers refuse that. Here the pieces are left out of the
 * conversation, unless the whole line never came. A result without its call is left out too.
 */
import { basename } from "node:path";
import { UNSETTLED_OUTPUT } from "../../core/projection/conversation/paired_messages.ts";
import type { EventWriter } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { readEdges } from "../engine/records/file_edges.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { documentSource } from "../engine/sources/document_source.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { CONVERSATION, METADATA, readMetadata, readState, sessionOf, timeInId } from "./locate.ts";
import { emitCutOff, emitLine, type MessageState, ROLES } from "./message_events.ts";

// The format of Autohand's sessions: how the lines of a log, and the files beside it, become events.
//
// autohandai/code-cli 0.8.2, src/session/SessionManager.ts, types.ts. No file carries a version.

interface AutohandState extends MessageState {
  metadata: Json;
}

/** The format of Autohand sessions. Reading can resume without state wherever no call is open. */
export const autohandFormat: SessionFormat<AutohandState, true> = {
  source: (session) =>
    isMetadata(session) ? documentSource(session.path) : lineSource(session.path),
  begin: emitHead,
  emit(record, state, { session, writer }): void {
    if (!isMetadata(session)) emitLine(record, state, writer);
  },
  end(state, { writer }): void {
    emitCutOff(state, { writer, origin: {} });
    emitMetadata(state.metadata, writer);
  },
  standsAlone: ({ value }) => value.role === "user" && typeof value.content === "string",
  saveState: ({ open }) => open.length === 0 ? true : undefined,
  startState: ({ session }) => startState(session),
  restoreState: (_saved, { session }) => startState(session),
};

/** True for a session without messages. Its only file is the metadata. */
function isMetadata({ path }: AgentSession): boolean {
  return basename(path) === METADATA;
}

function startState(session: AgentSession): AutohandState {
  const metadata = readMetadata(session);
  return { metadata, model: asName(metadata.model), open: [] };
}

function emitHead({ session, writer, report }: FormatReading): AutohandState {
  const state = startState(session);
  if (Object.keys(state.metadata).length === 0) {
    const detail = "metadata.json is missing or damaged";
    report?.({ code: "missing-header", offset: 0, length: 0, line: 0, detail });
  }
  emitStart(session, state.metadata, writer);
  emitWorkspace(readState(session), writer);
  return state;
}

function emitStart(session: AgentSession, metadata: Json, writer: EventWriter): void {
  const { id, path, cwd } = session;
  const { branch, importedFrom, createdAt, projectPath } = metadata;
  const { type: reason, sourceSessionId } = asObject(branch);
  const { source, originalId } = asObject(importedFrom);
  const created_at = isoTime(createdAt) ?? timeInId(id) ?? readEdges(path).modified_at ?? "";
  const parent = asName(sourceSessionId);
  const agent = asName(source);
  writer.emit(
    "session_started",
    present({
      session_id: id,
      created_at,
      cwd: asName(projectPath) ?? cwd ?? "",
      app: { name: "autohand" },
      unanswered_call: UNSETTLED_OUTPUT,
      title: titleIn(metadata),
      parent: parent === undefined
        ? undefined
        : present({ session_id: parent, reason: asName(reason) }),
      imported_from: agent === undefined ? undefined : { agent, id: asText(originalId) ?? "" },
    }),
    { time: created_at },
  );
}

/**
 * Returns the session's title: the user's title, the summary, or the task of an automatic run. The
 * order is that of Autohand (sessionTitle.ts `getSessionDisplayName`).
 */
function titleIn({ title, summary, automodePrompt }: Json): string | undefined {
  return [title, summary, automodePrompt].map((text) => asName(asText(text)?.trim()))
    .find((text) => text !== undefined);
}

function emitWorkspace(state: Json, writer: EventWriter): void {
  if (Object.keys(state).length === 0) return;
  writer.emit(
    "workspace_snapshot",
    present({
      root: asText(state.workspaceRoot) ?? "",
      git_status: asText(state.gitStatus),
      files: asList(state.workspaceFiles).filter((file) => typeof file === "string"),
      context_used: asNumber(state.contextUsed),
      context_limit: asNumber(state.contextLimit),
    }),
  );
}

function emitMetadata(metadata: Json, writer: EventWriter): void {
  const { usage, model, branch, status, closedAt, exitCode, summary, lastActiveAt } = metadata;
  if (Object.keys(metadata).length === 0) return;
  // A fork takes its source's total along, so that its own share is not known.
  if (branch === undefined) emitUsage(asObject(usage), asName(model), writer);
  writer.keep("metadata", metadata, { time: lastActiveAt });
  // A crashed session stays "active": no code ever sets "crashed" but a failed command run.
  if (status !== "completed" && status !== "crashed") return;
  const closed = { exit_code: asNumber(exitCode), summary: asName(summary) };
  writer.emit(
    "session_closed",
    present({ ...closed, status: status === "completed" ? "completed" : "failed" }),
    { time: closedAt },
  );
}

/** Emits the tokens of the whole session, because Autohand records none for a single answer. */
function emitUsage(usage: Json, model: string | undefined, writer: EventWriter): void {
  const tokens = present({
    input: asNumber(usage.promptTokens),
    output: asNumber(usage.completionTokens),
  });
  if (Object.keys(tokens).length === 0) return;
  const told = { content: "", message_id: "usage", usage_of: "session" as const };
  const answer = present({ ...told, model, usage: tokens });
  writer.emit("assistant_message", answer, { time: usage.updatedAt });
}

/**
 * True for a file of Autohand. Many programs write `{role, content}`, so the file's name must match
 * too.
 */
function isAutohand(path: string, head: Uint8Array): boolean {
  const name = basename(path);
  if (name === METADATA) return isMetadataHead(head);
  if (name !== CONVERSATION) return false;
  const records = headRecords(head);
  return records.length === 0 ||
    records.some(({ value }) => ROLES.has(value.role) && typeof value.content === "string");
}

/** True for metadata. The head of a large file is not whole JSON, so field names decide. */
function isMetadataHead(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^\s*\{/.test(text) && text.includes('"sessionId"') && text.includes('"projectPath"');
}

export const autohandAgent: Agent = {
  name: "autohand",
  recognize: isAutohand,
  sessionsIn: async (path) => await Promise.resolve([sessionOf(path)]),
  open: formatReader(autohandFormat),
};
