/**
 * Reads the sessions of Continue. A session is one JSON document, which Continue rewrites at each
 * change. The format is that of `@continuedev/cli` 1.5.47, which was run, and of Continue's editor
 * extensions (core/index.d.ts `Session`).
 *
 * Messages have no times. A session's start time is in Continue's list of sessions. A summary
 * becomes a message of the user, although the command line sends it as an answer.
 */
import { basename } from "node:path";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  type Json,
  present,
  unreadFields,
} from "../engine/json.ts";
import { readEdges } from "../engine/records/file_edges.ts";
import { parseJsonPrefix } from "../engine/records/head_records.ts";
import type { RecordSink, SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { readCutDocument } from "../engine/sources/document_source.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { sessionList } from "./session_list.ts";
import { emitItem, type HistoryState, usageOf } from "./item_events.ts";
import { listedEntry, workspaceOf } from "./locate.ts";

/** The document's fields that become events. The other fields are kept as they are. */
const TAKEN: ReadonlySet<string> = new Set([
  ...["history", "sessionId", "title", "workspaceDirectory", "usage", "chatModelTitle"],
]);

function documentRecords(path: string, sink: RecordSink = {}): SourceRecord[] {
  const { value: session, length, salvaged } = readCutDocument(path, "history", sink);
  if (session === undefined) return [];
  const position = { offset: 0, length, line: 1 };
  const items = asList(session.history).map((item) => ({ item: asObject(item) }));
  return [{ session }, ...items].map((value, part) => ({ value, part, position, salvaged }));
}

export const continueFormat: SessionFormat<HistoryState> = {
  source: ({ path }) => ({
    rewritten: true,
    *read(sink?: RecordSink): Generator<readonly SourceRecord[]> {
      yield documentRecords(path, sink);
    },
  }),
  begin: emitHead,
  emit(record, state, { writer }): void {
    const { item, session } = record.value;
    const id = `item-${record.part}`;
    if (item !== undefined) emitItem(asObject(item), state, { writer, origin: { id, record } });
    writer.keep("session", unreadFields(asObject(session), TAKEN), { record });
  },
  end: ({ counted }, { session: { path }, writer }) => {
    const { usage } = readCutDocument(path, "history").value ?? {};
    const cost_usd = asNumber(asObject(usage).totalCost) || undefined;
    const tokens = counted ? undefined : usageOf(usage);
    if (tokens === undefined && cost_usd === undefined) return;
    const answer = {
      content: "",
      message_id: "totals",
      usage: tokens,
      usage_of: tokens && "session" as const,
      cost_usd,
    };
    writer.emit("assistant_message", present(answer));
  },
  standsAlone: ({ value }) => roleOf(value) === "user",
  startState,
};

function roleOf({ item }: Json): unknown {
  return asObject(asObject(item).message).role;
}

function startState(): HistoryState {
  return { settled: new Set(), counted: false };
}

const DEFAULT_TITLE = /^(?:Untitled|New) Session$/;

function emitHead(
  { session, writer }: FormatReading,
  first: SourceRecord | undefined,
): HistoryState {
  const own = asObject(first?.value.session);
  const created = beginOf(session);
  const title = asName(own.title);
  const model = asName(own.chatModelTitle);
  const started = {
    session_id: session.id,
    created_at: created ?? "",
    cwd: workspaceOf(own) ?? session.cwd ?? "",
    app: { name: session.agent === "continue" ? "Continue" : session.agent },
    title: title === undefined || DEFAULT_TITLE.test(title) ? undefined : title,
    environment: model === undefined ? undefined : { model },
  };
  writer.emit("session_started", present(started), { time: created, record: first });
  return startState();
}

function beginOf({ path }: AgentSession): string | undefined {
  const { dateCreated } = listedEntry(path);
  return isoTime(Number(dateCreated)) ?? isoTime(dateCreated) ??
    readEdges(path, { head_bytes: 0, tail_bytes: 0 }).modified_at;
}

/** Yields the tokens of answers. Answers have no times, so each gets the session's start time. */
async function* readUsage(session: AgentSession): AsyncGenerator<readonly ResponseUsage[]> {
  const time = beginOf(session);
  for await (const responses of formatReader(continueFormat)(session).usage()) {
    yield responses.map((response) => present({ ...response, time }));
  }
}

const decoder = new TextDecoder();

function isSession(head: Uint8Array): boolean {
  const { sessionId, history } = asObject(parseJsonPrefix(decoder.decode(head)));
  if (!Array.isArray(history)) return false;
  const [first] = history.map(asObject);
  return first === undefined
    ? typeof sessionId === "string"
    : typeof asObject(first.message).role === "string";
}

function sessionAt(path: string): AgentSession {
  const cwd = workspaceOf(listedEntry(path));
  return present({ agent: "continue", id: basename(path, ".json"), path, cwd });
}

export const continueAgent: Agent = {
  name: "continue",
  recognize: (_path, head) => isSession(head),
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  // The list belongs to all sessions.
  open: formatReader(continueFormat, {
    usage: readUsage,
    files: ({ path }) => ({ paths: [path, sessionList(path)], borrowed: [sessionList(path)] }),
  }),
};
