/**
 * Reads the rows of Crush's database (internal/db/migrations and internal/session of
 * charmbracelet/crush, up to September 2026). Some versions lack columns. Times are in seconds.
 */
import { asName, asNumber, present } from "../engine/json.ts";
import type { RecordSink } from "../engine/records/source_record.ts";
import type { SessionRow, SessionRows } from "../engine/sources/row_source.ts";
import { parseJson } from "../engine/sqlite/json_cell.ts";
import { openedRows, withCutRows } from "../engine/sqlite/opened_rows.ts";
import { reportRow, type Row, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import type { StoredSession } from "../engine/sqlite/stored_sessions.ts";
import type { AgentSession } from "../contract/agent.ts";

const MESSAGE = ["id", "role", "parts", "model", "provider", "created_at"] as const;
const SESSION = [
  ...["id", "parent_session_id", "title", "created_at", "updated_at", "summary_message_id"],
  ...["prompt_tokens", "completion_tokens", "cost", "todos"],
] as const;

export function isCrush(reader: SqliteReader): boolean {
  return reader.has("sessions", "id", "parent_session_id", "prompt_tokens", "cost") &&
    reader.has("messages", "session_id", "role", "parts");
}

/**
 * Lists the sessions of a database, the most recently updated last.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function sessionFacts(path: string): StoredSession[] {
  using reader = new SqliteReader(path);
  if (!reader.has("sessions", "id")) return [];
  const columns = reader.select("sessions", ["id", "parent_session_id", "updated_at"]);
  const rows = reader.all(`SELECT ${columns} FROM sessions ORDER BY updated_at, id`);
  const sessions = rows.filter(({ id }) => id !== undefined).map(({ id, parent_session_id }) =>
    present({ id: String(id), parent_id: asName(parent_session_id) })
  );
  return withCutRows(reader, sessions);
}

/**
 * Opens the rows of a session: its own as `info`, each `message` with its parts, and `totals`.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openRows(session: AgentSession): SessionRows {
  return openedRows(session, (reader) => {
    if (!reader.has("sessions", "id")) return undefined;
    const columns = reader.select("sessions", SESSION);
    const info = reader.get(`SELECT ${columns} FROM sessions WHERE id = ?`, session.id);
    return info && rowsOf(reader, session.id, info);
  });
}

function rowsOf(reader: SqliteReader, id: string, info: Row): SessionRows {
  const order = messageOrder(reader, id);
  const summary = order.findIndex(({ id }) => id === info.summary_message_id);
  return {
    count: order.length + 2,
    at(number, sink): SessionRow | undefined {
      if (number === 0) return { value: { info }, size: 0 };
      const known = order[number - 1];
      if (known === undefined) {
        return { value: { totals: totalsOf(reader, id, info) }, weight: 0, size: 0 };
      }
      // A summary that failed is behind the one in force, or is the only one.
      const is_summary = number - 1 === summary ||
        (number - 1 < summary && known.is_summary_message === 1);
      const row = loadRow(reader, known, sink);
      return row && messageIn(row, is_summary, sink);
    },
    countRest: (sink) => reader.countOtherRows(sink, id, ["messages"]),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

/**
 * Reads a session's totals and last model. Crush adds a sub-agent's cost to the session that
 * started it; that cost is subtracted.
 */
function totalsOf(reader: SqliteReader, id: string, info: Row): Row {
  const inner = reader.has("sessions", "parent_session_id", "cost")
    ? reader.get("SELECT sum(cost) AS cost FROM sessions WHERE parent_session_id = ?", id)
    : undefined;
  const last = reader.has("messages", "session_id", "role", "model")
    ? reader.get(
      "SELECT model FROM messages WHERE session_id = ? AND role = 'assistant' AND model <> '' " +
        "ORDER BY rowid DESC LIMIT 1",
      id,
    )
    : undefined;
  const cost = asNumber(info.cost);
  const own = cost && Math.max(0, cost - (asNumber(inner?.cost) ?? 0));
  return { ...info, cost: own, model: last?.model };
}

function messageOrder(reader: SqliteReader, id: string): Row[] {
  if (!reader.has("messages", "id", "session_id", "parts")) return [];
  const columns = reader.select("messages", ["id", "created_at", "is_summary_message"]);
  const sql = `SELECT rowid AS row, ${columns} FROM messages WHERE session_id = ? ` +
    "ORDER BY created_at, rowid";
  return reader.all(sql, id);
}

function loadRow(reader: SqliteReader, { row }: Row, sink: RecordSink): Row | undefined {
  const sql = `SELECT rowid AS row, ${reader.select("messages", MESSAGE)} FROM messages ` +
    "WHERE rowid = ?";
  return reader.salvage(
    sink,
    `row ${row} of the table "messages"`,
    () => reader.get(sql, row ?? 0),
  );
}

function messageIn(row: Row, is_summary: boolean, sink: RecordSink): SessionRow | undefined {
  const parsed = parseJson(row.parts);
  if (!("value" in parsed) || !Array.isArray(parsed.value)) {
    const { code, detail } = "value" in parsed
      ? { code: "malformed-line" as const, detail: "is not a list" }
      : parsed;
    const about = `the column "parts" in row ${row.row} of the table "messages" ${detail}`;
    reportRow(sink, present({ code, detail: about, at: asNumber(row.row) }));
    return undefined;
  }
  const message = { ...row, parts: parsed.value, is_summary };
  return { value: { message }, size: String(row.parts).length };
}

export function messageCounts(path: string): Map<string, number> {
  using reader = new SqliteReader(path);
  if (!reader.has("messages", "session_id")) return new Map();
  const rows = reader.all("SELECT session_id, count(*) AS rows FROM messages GROUP BY session_id");
  return new Map(rows.map(({ session_id, rows }) => [String(session_id), Number(rows)]));
}
