/**
 * Reads the sessions of Auggie. A session is one JSON document, which is written anew each time. The
 * source is not public: the format is that of the bundle `@augmentcode/auggie` 0.36.0.
 *
 * An exchange that was not completed is shown, and not sent again. So is one that only asked for a
 * summary, which is not shown either.
 */
import { formatReader } from "../engine/format_reader.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { asList, asName, asObject, type Json, present, unreadFields } from "../engine/json.ts";
import { parseJsonPrefix } from "../engine/records/head_records.ts";
import type { RecordSink, SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { readCutDocument } from "../engine/sources/document_source.ts";
import type { Agent } from "../contract/agent.ts";
import { emitExchange, originOf, requestNodes, type ToolNames } from "./exchange_events.ts";
import { sessionAt } from "./locate.ts";

/** Fields of the document that the head and the exchanges contain. */
const TAKEN: ReadonlySet<string> = new Set([
  ...["chatHistory", "sessionId", "created", "title", "customTitle", "workspaceRoot"],
]);
/** Fields of an entry of the history that its events contain, or that say nothing. */
const ENTRY: ReadonlySet<string> = new Set([
  ...["exchange", "completed", "sequenceId", "finishedAt", "source", "historySummaryVersion"],
  ...["changedFilesSkippedCount"],
]);

/** Reads a document: its own fields are the first record, and each exchange is one. */
function documentRecords(path: string, sink: RecordSink = {}): SourceRecord[] {
  const { value: session, length, salvaged } = readCutDocument(path, "chatHistory", sink);
  if (session === undefined) return [];
  const position = { offset: 0, length, line: 1 };
  const history = asList(session.chatHistory).map(asObject);
  const head = present({
    session,
    directory: asName(session.workspaceRoot) ?? directoryIn(history),
  });
  return [head, ...history.map((entry) => ({ entry }))].map((value, part) => ({
    value,
    part,
    position,
    salvaged,
  }));
}

/** Returns the directory that a request tells first, as Auggie finds it for its own list. */
function directoryIn(history: readonly Json[]): string | undefined {
  for (const { exchange } of history) {
    for (const node of requestNodes(asObject(exchange))) {
      const [folder] = asList(asObject(node.ide_state_node).workspace_folders).map(asObject);
      const path = asName(folder?.repository_root) ?? asName(folder?.folder_root);
      if (node.type === 4 && path !== undefined) return path;
    }
  }
  return undefined;
}

export const auggieFormat: SessionFormat<ToolNames> = {
  source: ({ path }) => ({
    rewritten: true,
    *read(sink?: RecordSink): Generator<readonly SourceRecord[]> {
      yield documentRecords(path, sink);
    },
  }),
  begin: emitHead,
  emit(record, names, { writer }): void {
    const { entry: given, session } = record.value;
    writer.keep("session", unreadFields(asObject(session), TAKEN), { record });
    if (given === undefined) return;
    const entry = asObject(given);
    const origin = { ...originOf(entry), record };
    const exchange = asObject(entry.exchange);
    if (entry.isHistorySummary === true) return writer.keep("history_summary", exchange, origin);
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
  const model = asName(asObject(own.agentState).modelId);
  const started = {
    session_id: session.id,
    created_at: created ?? "",
    cwd: asName(first?.value.directory) ?? "",
    app: { name: "auggie" },
    title: asName(own.customTitle) ?? asName(own.title),
    environment: model === undefined ? undefined : { model },
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
