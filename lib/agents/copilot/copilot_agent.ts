/**
 * Reads sessions of GitHub Copilot CLI: one event log per session, from its start to its end.
 *
 * The rules come from the schema of `@github/copilot-sdk` 1.0.14 and the code of version 0.0.420.
 * Later code cannot be read. Version 1.0.102 was run against a scripted model. After a
 * compaction, it sent the same conversation that this reader gives. Copilot CLI refuses a log with
 * one bad line ("Session file is corrupted"). It also refuses a log that does not begin with
 * `session.start`. This reader loses only the bad line.
 *
 * The conversation differs from the one that Copilot CLI sends on resume. The system prompt is left
 * out. Reasoning stays, although Copilot CLI strips it. Images from a tool are in the tool's
 * result. `session.truncation` does not record which messages it dropped, so none is dropped.
 *
 * @module
 */
import { gitInfo } from "../engine/git_info.ts";
import { asList, asName, asObject, asText, type Json, present } from "../engine/json.ts";
import { isObject } from "../../core/event/guard.ts";
import type { SessionStartedPayload } from "../../core/event/payload.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { documentSource } from "../engine/sources/document_source.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { type CopilotState, startState } from "./copilot_state.ts";
import { directoryInHead, documentStarted, emitDocument } from "./legacy_session.ts";
import { emitRecord } from "./session_events.ts";
import { idInName, isDocument, readWorkspace } from "./locate.ts";
import { ownerOf, threadsOf } from "./threads.ts";

// The format of Copilot CLI's sessions: a log of events, or the JSON document of before. Events are
// emitted one by one, in the order of the log.

export const copilotFormat: SessionFormat<CopilotState> = {
  source: ({ path }) => isDocument(path) ? documentSource(path) : lineSource(path),
  threads: threadsOf,
  begin: emitHead,
  emit(record, state, reading): string | void {
    const { value, position } = record;
    const is_head = position.offset === state.head_offset;
    if (isDocument(reading.session.path)) {
      if (is_head) emitDocument(record, reading.writer);
    } else if (value.type === "session.binary_asset") {
      state.assets.set(asText(asObject(value.data).assetId) ?? "", position);
      return value.type;
    } else if (!is_head) emitRecord(record, state, reading);
  },
  renames: '"type":"session.title_changed"',
  // Copilot CLI sends no prompt while a call runs, because no provider takes one there.
  standsAlone: ({ value }, thread) => value.type === "user.message" && ownerOf(value) === thread,
  needsBefore: ({ value: { type, data } }) =>
    type === "session.compaction_complete" || hasAsset(asObject(data)),
  startState: () => startState(true),
};

/** True if a record refers to bytes of an attachment that an earlier record stores. */
function hasAsset({ attachments, result }: Json): boolean {
  const { binaryResultsForLlm, contents } = asObject(result);
  const files = [attachments, binaryResultsForLlm, contents].flatMap(asList);
  return files.some((file) => asObject(file).assetId !== undefined);
}

function emitHead(
  { session, writer, report }: FormatReading,
  first: SourceRecord | undefined,
): CopilotState {
  const state = startState();
  if (first === undefined) return state;
  const { value, position } = first;
  const is_document = isDocument(session.path);
  const started = is_document ? documentStarted(session, value) : toStarted(session, value);
  const is_head = is_document || value.type === "session.start";
  if (is_head) state.head_offset = position.offset;
  else {report?.({
      code: "missing-header",
      ...position,
      detail: "the first record is not of the type session.start",
    });}
  const id = is_head && !is_document ? asText(value.id) : undefined;
  const record = is_head ? first : undefined;
  writer.emit("session_started", started, { id, time: started.created_at, record });
  return state;
}

/** The text that Copilot CLI 0.0.420 (index.js) gives as the result of an interrupted call. */
// Verbatim: Copilot CLI.
const UNANSWERED = "The execution of this tool, or a previous tool was interrupted.";

/**
 * Reads a log's first record, which is `session.start` unless that record was lost. The title comes
 * from `workspace.yaml`. Source: `StartData`, `WorkingDirectoryContext`.
 */
function toStarted(session: AgentSession, first: Json): SessionStartedPayload {
  const data = first.type === "session.start" ? asObject(first.data) : {};
  const context = asObject(data.context);
  const workspace = readWorkspace(session.path);
  const { branch, headCommit: commit, repository: remote } = context;
  const model = asName(data.selectedModel);
  const parent = asName(data.detachedFromSpawningParentSessionId);
  return present({
    session_id: session.id,
    created_at: isoTime(data.startTime) ?? isoTime(first.timestamp) ?? "",
    cwd: asName(context.cwd) ?? workspace.cwd ?? directoryInHead(session.path) ?? "",
    app: present({ name: "Copilot CLI", version: asName(data.copilotVersion) }),
    title: workspace.title,
    git: gitInfo({ branch, commit, remote }),
    environment: model === undefined ? undefined : { model },
    parent: parent === undefined ? undefined : { session_id: parent, reason: "spawn" },
    unanswered_call: UNANSWERED,
  });
}

const EVENT = /^(?:session|user|assistant|tool|system|hook|subagent|permission|skill)\.[a-z_]+$/;
const DOCUMENT = /^\s*\{[^]*?"(?:chatMessages|timeline)"\s*:\s*\[/;
const decoder = new TextDecoder();

function isCopilotSession(head: Uint8Array): boolean {
  const events = headRecords(head).some(({ value: { type, data, id, parentId } }) =>
    typeof type === "string" && EVENT.test(type) && isObject(data) &&
    typeof id === "string" && (typeof parentId === "string" || parentId === null)
  );
  if (events) return true;
  const text = decoder.decode(head);
  return DOCUMENT.test(text) && /"sessionId"\s*:/.test(text);
}

export const copilotAgent: Agent = {
  name: "copilot",
  recognize: (_path, head) => isCopilotSession(head),
  sessionsIn: (path) => Promise.resolve([{ agent: "copilot", id: idInName(path), path }]),
  open: formatReader(copilotFormat),
};
