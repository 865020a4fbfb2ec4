/**
 * Reads the sessions of Auggie. A session is one JSON document, which is written anew each time.
 * The source is not public: the format is that of the bundle `@augmentcode/auggie` 0.36.0.
 *
 * An exchange that was not completed is shown, but not sent to the model again. An exchange that
 * only made a summary is not sent again either. It is shown only if its prompt has the summary, as
 * older versions wrote it.
 */
import { formatReader } from "../engine/format_reader.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { asName, asObject, type Json, present, unreadFields } from "../engine/json.ts";
import { parseJsonPrefix } from "../engine/records/head_records.ts";
import type { RecordSink, SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import type { Agent } from "../contract/agent.ts";
import {
  emitExchange,
  emitSummaryExchange,
  originOf,
  requestNodes,
  type ToolNames,
} from "./exchange_events.ts";
import { sessionAt } from "./locate.ts";
import { recordsOf, threadsOf } from "./session_document.ts";

/** Fields of a session or a subagent whose values are already in its events and threads. */
const TAKEN: ReadonlySet<string> = new Set([
  ...["chatHistory", "sessionId", "created", "title", "customTitle", "workspaceRoot"],
  ...["subAgents", "parentConversationId"],
]);
/** Fields of an entry of `chatHistory` that its events contain, or that carry no information. */
const ENTRY: ReadonlySet<string> = new Set([
  ...["exchange", "completed", "sequenceId", "finishedAt", "source", "historySummaryVersion"],
  ...["changedFilesSkippedCount"],
]);

export const auggieFormat: SessionFormat<ToolNames> = {
  source: ({ path }, thread) => ({
    rewritten: true,
    *read(sink?: RecordSink): Generator<readonly SourceRecord[]> {
      yield recordsOf(path, thread, sink);
    },
  }),
  threads: ({ path }) => Promise.resolve().then(() => threadsOf(path)),
  begin: emitHead,
  emit(record, names, { writer }): void {
    const { entry: given, session } = record.value;
    writer.keep("session", unreadFields(asObject(session), TAKEN), { record });
    if (given === undefined) return;
    const entry = asObject(given);
    const origin = { ...originOf(entry), record };
    const exchange = asObject(entry.exchange);
    if (entry.isHistorySummary === true) {
      return emitSummaryExchange(exchange, { writer, origin });
    }
    const is_complete = entry.completed !== false;
    writer.audience = is_complete ? undefined : "user";
    emitExchange(exchange, { is_complete, names, writer, origin });
    writer.audience = undefined;
    const rest = unreadFields(entry, ENTRY);
    const told = Object.entries(rest).filter(([, value]) => value !== false && !isEmpty(value));
    writer.keep("entry", Object.fromEntries(told), origin);
  },
  startState: () => new Map(),
  standsAlone: ({ value }) => {
    const nodes = requestNodes(asObject(asObject(value.entry).exchange));
    return value.entry !== undefined && !nodes.some(({ type }) => type === 1);
  },
};

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function emitHead({ session, writer }: FormatReading, first: SourceRecord | undefined): ToolNames {
  const own = asObject(first?.value.session);
  const created = isoTime(own.created);
  const model = asName(own.model) ?? asName(asObject(own.agentState).modelId);
  const parent = asName(own.parentConversationId);
  const started = {
    session_id: session.id,
    created_at: created ?? "",
    cwd: asName(first?.value.directory) ?? "",
    app: { name: "auggie" },
    title: asName(own.customTitle) ?? asName(own.title),
    environment: model === undefined ? undefined : { model },
    parent: parent === undefined ? undefined : { session_id: parent, reason: "subagent" },
  };
  writer.emit("session_started", present(started), { time: created, record: first });
  return new Map();
}

const decoder = new TextDecoder();

function isSession(head: Uint8Array): boolean {
  const value: Json = asObject(parseJsonPrefix(decoder.decode(head)));
  return typeof value.sessionId === "string" && Array.isArray(value.chatHistory);
}

export const auggieAgent: Agent = {
  name: "auggie",
  recognize: (_path, head) => isSession(head),
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  open: formatReader(auggieFormat, { files: ({ path }) => ({ paths: [path] }) }),
};
