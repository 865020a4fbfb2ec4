/**
 * Reads the rows of Zed's `threads` (crates/agent/src/db.rs, zed-industries/zed at 0642ec7). Each
 * row holds a document, as JSON or compressed by zstd. Zed rewrites the whole document, so Reprise
 * reads it from the beginning.
 */
import { Buffer } from "node:buffer";
import { asList, asName, asObject, type Json, present } from "../engine/json.ts";
import type { RecordSink, SourceRecord } from "../engine/records/source_record.ts";
import type { RewrittenSource } from "../engine/sources/record_source.ts";
import { parseCell } from "../engine/sqlite/json_cell.ts";
import { notInDatabase, withCutRows } from "../engine/sqlite/opened_rows.ts";
import { reportRow, type Row, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import { zstdText } from "../engine/sqlite/zstd_cell.ts";
import type { StoredSession } from "../engine/sqlite/stored_sessions.ts";
import type { AgentSession } from "../contract/agent.ts";

const COLUMNS = ["summary", "created_at", "updated_at", "parent_id", "folder_paths"] as const;

export function holdsThreads(reader: SqliteReader): boolean {
  return reader.has("threads", "id", "summary", "updated_at", "data_type", "data");
}

export type ThreadInfo = StoredSession & {
  title?: string;
  created_at?: string;
  updated_at?: string;
};

export function threadInfos(reader: SqliteReader): ThreadInfo[] {
  if (!holdsThreads(reader)) return [];
  const columns = reader.select("threads", ["id", ...COLUMNS, "folder_paths_order"]);
  const rows = reader.all(`SELECT ${columns} FROM threads ORDER BY updated_at`);
  return rows.filter(({ id }) => id !== undefined).map((row) => {
    const [title, created_at, updated_at, parent_id] = COLUMNS.map((name) => asName(row[name]));
    return present({
      ...{ id: String(row.id), title, created_at, updated_at, parent_id },
      cwd: firstFolder(row),
    });
  });
}

/** Returns the first opened folder. `folder_paths` is sorted (crates/util/src/path_list.rs). */
function firstFolder({ folder_paths, folder_paths_order }: Row): string | undefined {
  const paths = asName(folder_paths)?.split("\n") ?? [];
  return paths[String(folder_paths_order).split(",").indexOf("0")] ?? paths[0];
}

export function locatedThreads(path: string): StoredSession[] {
  using reader = new SqliteReader(path);
  const threads = threadInfos(reader);
  return withCutRows(
    reader,
    threads.map(({ id, cwd, parent_id }) => present({ id, cwd, parent_id })),
  );
}

export function threadSource(session: AgentSession): RewrittenSource {
  return {
    ...{ rewritten: true, shared: true },
    *read(options): Generator<readonly SourceRecord[]> {
      if (options?.account !== undefined) options.account.unit = "rows";
      yield threadRecords(session, options);
    },
  };
}

/**
 * Reads a thread: a record of its columns and its document's fields, then one record per message.
 * Only the first record counts as a row.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function threadRecords({ path, id }: AgentSession, sink: RecordSink = {}): SourceRecord[] {
  using reader = new SqliteReader(path);
  const info = threadInfos(reader).find((one) => one.id === id);
  if (info === undefined) throw notInDatabase({ path, id });
  const document = documentOf(reader, id, sink);
  reader.reportCutRows(sink);
  const { messages, ...fields } = document ?? {};
  const values = upgradedMessages(asList(messages)).map((message) => ({ message }));
  return [{ info, fields }, ...values].map((value, index) => ({
    ...{ value, weight: index === 0 && document !== undefined ? 1 : 0 },
    position: { offset: index, length: 1, line: index + 1 },
  }));
}

const TYPE = "SELECT data_type FROM threads WHERE id = ?";
const DATA = "SELECT data FROM threads WHERE id = ?";

/** Reads a thread's document. If the document is damaged, reports it and returns undefined. */
function documentOf(reader: SqliteReader, id: string, sink: RecordSink): Json | undefined {
  const bytes = reader.salvage(sink, `thread ${id}`, () => reader.bytes(DATA, id));
  if (bytes === undefined) return undefined;
  const is_zstd = reader.get(TYPE, id)?.data_type === "zstd";
  const parsed = parseCell(is_zstd ? zstdText(bytes) : Buffer.from(bytes).toString());
  if ("value" in parsed) return parsed.value;
  reportRow(sink, { code: parsed.code, detail: `document of thread ${id} ${parsed.detail}` });
  return undefined;
}

/**
 * Returns messages in the form of version 0.3.0. Zed converts older threads (0.1.0, 0.2.0 and
 * before) likewise (`upgrade_from_agent_1`, legacy_thread.rs). Messages of other forms stay
 * unchanged.
 */
function upgradedMessages(messages: readonly unknown[]): unknown[] {
  let content: Json[] = [];
  let tool_results: Record<string, Json> = {};
  return messages.map((message) => {
    const { role, id, segments, text, ...fields } = asObject(message);
    if (role !== "user" && role !== "assistant") return message;
    const said = [...(text === undefined ? [] : [{ type: "text", text }]), ...asList(segments)]
      .map((segment) => toItem(asObject(segment)));
    if (role === "assistant") {
      content = [...said, ...asList(fields.tool_uses).map((ToolUse) => ({ ToolUse }))];
      tool_results = {};
    }
    const results = asList(fields.tool_results).map(asObject);
    for (const { tool_use_id, ...result } of results) {
      const use = content.find((item) => asObject(item.ToolUse).id === tool_use_id);
      const { name: tool_name } = asObject(use?.ToolUse);
      tool_results[String(tool_use_id)] = { tool_name, ...result };
    }
    if (role === "assistant") return { Agent: { content, tool_results } };
    // In 0.1.0 results have a message of their own, whose text Zed drops.
    if (results.length > 0) return { results: segments };
    return {
      User: { id: String(id), content: said[0] ? said : [{ Text: asName(fields.context) }] },
    };
  });
}

function toItem(segment: Json): Json {
  if (segment.type === "text") return { Text: segment.text };
  return segment.type === "thinking" ? { Thinking: segment } : { RedactedThinking: segment.data };
}
