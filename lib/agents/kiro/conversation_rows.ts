/**
 * Reads a conversation in the database of Kiro CLI's first engine. It is one JSON value. Its
 * history entries become records in the form of Kiro's logs. The format follows Amazon Q's command
 * line (crates/chat-cli, `ConversationState`), and databases in other readers' tests.
 */
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import type { SessionRow, SessionRows } from "../engine/sources/row_source.ts";
import { parseCell } from "../engine/sqlite/json_cell.ts";
import { openedRows, withCutRows } from "../engine/sqlite/opened_rows.ts";
import { reportRow, type Row, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import type { StoredSession } from "../engine/sqlite/stored_sessions.ts";
import type { AgentSession } from "../contract/agent.ts";

export function isKiro(reader: SqliteReader): boolean {
  return reader.has("conversations_v2", "key", "conversation_id", "value");
}

/** Selects the id in a conversation of the older table. NULL if the row is damaged or too long. */
const OLDER_ID = "CASE WHEN octet_length(value) <= MOST_BYTES AND json_valid(value) " +
  "THEN json_extract(value, '$.conversation_id') END";

/**
 * Lists the conversations of a database, the last written at the end. The older table has one
 * conversation for each directory, and no column with ids.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function conversationsIn(path: string): StoredSession[] {
  using reader = new SqliteReader(path);
  const older = reader.has("conversations", "key", "value")
    ? reader.all(`SELECT key, ${OLDER_ID} AS id FROM conversations`)
    : [];
  const newer = isKiro(reader)
    ? reader.all("SELECT key, conversation_id AS id FROM conversations_v2 ORDER BY updated_at")
    : [];
  const found = [...older, ...newer].flatMap(({ key, id }) =>
    typeof id === "string" ? [[id, present({ id, cwd: asName(key) })] as const] : []
  );
  return withCutRows(reader, [...new Map(found).values()]);
}

/**
 * Opens the records of a conversation.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openConversation(session: AgentSession): SessionRows {
  return openedRows(session, (reader) => {
    const row = rowOf(reader, session.id);
    return row && rowsOf(reader, row, session.id);
  });
}

function rowsOf(reader: SqliteReader, row: Row, id: string): SessionRows {
  const parsed = parseCell(row.value);
  const { history, ...rest } = "value" in parsed ? parsed.value : {};
  const info = { ...rest, cwd: row.key, created_at: row.created_at, updated_at: row.updated_at };
  const records = [{ kind: "info", data: info }, ...asList(history).flatMap(toRecords)];
  return {
    count: records.length,
    at(number, sink): SessionRow | undefined {
      if (number === 0 && !("value" in parsed)) {
        reportRow(sink, { ...parsed, detail: `value of conversation ${id} ${parsed.detail}` });
        return undefined;
      }
      const value = { ...records[number] };
      return { value, weight: number === 0 ? 1 : 0, size: JSON.stringify(value).length };
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

function rowOf(reader: SqliteReader, id: string): Row | undefined {
  const columns = reader.select("conversations_v2", ["key", "value", "created_at", "updated_at"]);
  const newer = isKiro(reader)
    ? reader.get(`SELECT ${columns} FROM conversations_v2 WHERE conversation_id = ?`, id)
    : undefined;
  if (newer !== undefined || !reader.has("conversations", "key", "value")) return newer;
  return reader.get(`SELECT key, value FROM conversations WHERE ${OLDER_ID} = ?`, id);
}

/** Converts a history entry to records. The oldest entries are pairs of user and assistant. */
function toRecords(entry: unknown): Json[] {
  const pair = Array.isArray(entry) ? { user: entry[0], assistant: entry[1] } : asObject(entry);
  const { user, assistant, ...rest } = pair as Record<string, unknown>;
  const { content, timestamp, ...around } = asObject(user);
  const meta = present({ timestamp: asName(timestamp) ?? asNumber(timestamp) });
  const { Prompt, ToolUseResults, CancelledToolUses, ...others } = asObject(content);
  const cancelled = asObject(CancelledToolUses);
  const results = [asObject(ToolUseResults), cancelled]
    .flatMap((one) => asList(one.tool_use_results)).map(asObject);
  const prompt = asText(asObject(Prompt).prompt) ?? asText(cancelled.prompt);
  const records: Json[] = [];
  if (results.length > 0) {
    records.push({ kind: "ToolResults", data: { content: results.map(toResult), meta } });
  }
  if (prompt !== undefined) {
    records.push({ kind: "Prompt", data: { content: [textBlock(prompt)], meta } });
  }
  const beside = { ...rest, ...around, ...others };
  const said = Object.values(asObject(assistant)).map(asObject).find((one) =>
    typeof one.content === "string"
  );
  if (said !== undefined) records.push({ kind: "AssistantMessage", data: toAnswer(said, rest) });
  const empty = Object.values(beside).every((value) => value === null || value === "");
  return empty ? records : [...records, { kind: "entry", data: beside }];
}

function textBlock(data: string): Json {
  return { kind: "text", data };
}

function toResult({ tool_use_id, content, status }: Json): Json {
  const blocks = asList(content).map(asObject).map(({ Text, Json: json }) =>
    typeof Text === "string" ? textBlock(Text) : { kind: "json", data: json }
  );
  const data = { toolUseId: tool_use_id, content: blocks, status: asText(status)?.toLowerCase() };
  return { kind: "toolResult", data };
}

function toAnswer({ message_id, content, tool_uses }: Json, { request_metadata }: Json): Json {
  const { model_id } = asObject(request_metadata);
  const calls = asList(tool_uses).map(asObject).map(({ id, name, args }) => ({
    kind: "toolUse",
    data: { toolUseId: id, name, input: args },
  }));
  return { message_id, model_id, content: [textBlock(asText(content) ?? ""), ...calls] };
}
