/**
 * Reads the rows of Hermes' database (hermes_state_common.py `SCHEMA_SQL`, up to version 30). Older
 * versions lack columns, and the first versions lack the table of sessions. Times are in seconds.
 */
import { asName, asNumber, asObject, present } from "../engine/json.ts";
import type { SessionRow, SessionRows } from "../engine/sources/row_source.ts";
import { parseCell } from "../engine/sqlite/json_cell.ts";
import { openedRows, withCutRows } from "../engine/sqlite/opened_rows.ts";
import type { Row, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import { SqliteReader as Reader } from "../engine/sqlite/sqlite_reader.ts";
import type { StoredSession } from "../engine/sqlite/stored_sessions.ts";
import type { AgentSession } from "../contract/agent.ts";

const SESSION = [
  ...["id", "source", "title", "display_name", "model", "cwd", "git_branch", "started_at"],
  ...["parent_session_id", "end_reason", "archived", "system_prompt", "system_prompt_hash"],
  ...["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"],
  ...["reasoning_tokens", "estimated_cost_usd", "actual_cost_usd", "model_config", "ended_at"],
] as const;
const MESSAGE = [
  ...["id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp"],
  ...["finish_reason", "reasoning", "reasoning_content", "reasoning_details"],
  ...["codex_reasoning_items", "codex_message_items", "active", "compacted", "display_kind"],
] as const;

/** End reasons of a session that a later session continues. The later session is no subagent. */
const GOES_ON: ReadonlySet<unknown> = new Set([
  ...["branched", "compression", "session_reset", "session_switch", "idle", "daily", "suspended"],
  ...["resume_pending_expired", "new_session"],
]);

export function isHermes(reader: SqliteReader): boolean {
  return reader.has("messages", "session_id", "role", "content", "tool_call_id", "tool_name") &&
    reader.has("messages", "timestamp", "finish_reason");
}

/**
 * Lists a database's sessions in row order. Sessions that only the messages name come last.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function sessionFacts(path: string): StoredSession[] {
  using reader = new Reader(path);
  const rows = reader.has("sessions", "id")
    ? reader.all(`SELECT ${reader.select("sessions", SESSION)} FROM sessions ORDER BY rowid`)
    : [];
  const ended = new Map(rows.map(({ id, end_reason }) => [id, end_reason]));
  const known = rows.flatMap((row) => row.id === undefined ? [] : [factsOf(row, ended)]);
  const ids = new Set(known.map(({ id }) => id));
  const others = reader.has("messages", "session_id")
    ? reader.all("SELECT session_id FROM messages GROUP BY session_id")
    : [];
  const unknown = others.map(({ session_id }) => String(session_id)).filter((id) => !ids.has(id));
  return withCutRows(reader, [...known, ...unknown.map((id) => ({ id }))]);
}

function factsOf(row: Row, ended: ReadonlyMap<unknown, unknown>): StoredSession {
  return present({
    id: String(row.id),
    cwd: asName(row.cwd),
    archived: row.archived === 1 ? true : undefined,
    parent_id: isSubagent(row, ended) ? asName(row.parent_session_id) : undefined,
  });
}

/** True for a session that another session started as a subagent (`_ephemeral_child_sql`). */
function isSubagent(
  { parent_session_id, model_config }: Row,
  ended: ReadonlyMap<unknown, unknown>,
): boolean {
  const parsed = parseCell(model_config);
  const { _branched_from, _reset_from, _delegate_from } = "value" in parsed
    ? asObject(parsed.value)
    : {};
  if (_delegate_from === parent_session_id && asName(_delegate_from) !== undefined) return true;
  if (_branched_from !== undefined || _reset_from !== undefined) return false;
  return !GOES_ON.has(ended.get(parent_session_id));
}

/**
 * Opens the rows of a session: its own row as `info`, each `message`, and its token `totals`.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openRows(session: AgentSession): SessionRows {
  return openedRows(session, (reader) => {
    const info = reader.has("sessions", "id")
      ? reader.get(
        `SELECT ${reader.select("sessions", SESSION)} FROM sessions WHERE id = ?`,
        session.id,
      )
      : undefined;
    const order = messageOrder(reader, session.id);
    if (info === undefined && order.length === 0) return undefined;
    return rowsOf(reader, session.id, info, order);
  });
}

/** A message's row number, and who gets the message: the user, the model, or both. */
interface Placed {
  row: number;
  audience: "user" | "model" | undefined;
}

function rowsOf(
  reader: SqliteReader,
  id: string,
  info: Row | undefined,
  order: readonly Placed[],
): SessionRows {
  const weight = info === undefined ? 0 : 1;
  return {
    count: order.length + 2,
    at(number, sink): SessionRow | undefined {
      if (number === 0) return { value: { info: headOf(reader, id, info) }, weight, size: 0 };
      const placed = order[number - 1];
      if (placed === undefined) return { value: { totals: info ?? {} }, weight: 0, size: 0 };
      const sql = `SELECT ${reader.select("messages", MESSAGE)} FROM messages WHERE rowid = ?`;
      const message = reader.salvage(
        sink,
        `row ${placed.row} of the table "messages"`,
        () => reader.get(sql, placed.row),
      );
      if (message === undefined) return undefined;
      const content = message.content === "" ? textAt(reader, placed.row) : message.content;
      const size = Object.values({ ...message, content }).reduce<number>(
        (sum, cell) => sum + (typeof cell === "string" ? cell.length : 0),
        0,
      );
      return { value: { message: { ...message, content }, audience: placed.audience }, size };
    },
    countRest: (sink) => reader.countOtherRows(sink, id, ["messages"]),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

const decoder = new TextDecoder();

/** Reads a message's content as bytes. SQLite ends a text at NUL, even at its beginning. */
function textAt(reader: SqliteReader, row: number): string {
  const sql = "SELECT CAST(content AS BLOB) FROM messages WHERE rowid = ?";
  return decoder.decode(reader.bytes(sql, row));
}

/** Returns a session's row with the system prompt, which later versions store in another table. */
function headOf(reader: SqliteReader, id: string, info: Row | undefined): Row {
  if (info === undefined) {
    const sql = "SELECT min(timestamp) AS started_at FROM messages WHERE session_id = ?";
    return reader.get(sql, id) ?? {};
  }
  const hash = info.system_prompt_hash;
  if (hash === undefined || hash === null || info.system_prompt) return info;
  for (const column of ["prompt", "content", "system_prompt", "text"]) {
    for (const key of ["hash", "prompt_hash", "system_prompt_hash"]) {
      if (!reader.has("system_prompts", key, column)) continue;
      const sql = `SELECT "${column}" AS text FROM system_prompts WHERE "${key}" = ?`;
      return { ...info, system_prompt: reader.get(sql, hash)?.text };
    }
  }
  return info;
}

/**
 * Lists a session's messages in the order of writing. A compaction marks all messages as inactive.
 * The messages that it keeps are written a second time at the end, for the model alone.
 */
function messageOrder(reader: SqliteReader, id: string): Placed[] {
  if (!reader.has("messages", "session_id")) return [];
  const flags = reader.select("messages", ["active", "compacted"]);
  const rows = reader.all(
    `SELECT rowid AS row, ${flags} FROM messages WHERE session_id = ? ORDER BY rowid`,
    id,
  );
  const is_compacted = rows.some(({ compacted, active }) => compacted === 1 && active === 0);
  const repeated = is_compacted ? repeatedRows(reader, id) : new Set();
  return rows.map(({ row, active }) => ({
    row: asNumber(row) ?? 0,
    audience: active === 0 ? "user" : repeated.has(row) ? "model" : undefined,
  }));
}

function repeatedRows(reader: SqliteReader, id: string): Set<unknown> {
  const fields = reader.select("messages", [
    ...["active", "compacted", "role", "content", "tool_calls", "tool_call_id"],
  ]);
  const rows = reader.all(
    `SELECT rowid AS row, ${fields} FROM messages WHERE session_id = ? ORDER BY rowid`,
    id,
  );
  const keyOf = ({ role, content, tool_calls, tool_call_id }: Row): string =>
    JSON.stringify([role, content, tool_calls, tool_call_id]);
  const before = new Set(rows.filter(({ active }) => active === 0).map(keyOf));
  return new Set(
    rows.filter((row) => row.active !== 0 && before.has(keyOf(row))).map(({ row }) => row),
  );
}

export function messageCounts(path: string): Map<string, number> {
  using reader = new Reader(path);
  if (!reader.has("messages", "session_id")) return new Map();
  const rows = reader.all("SELECT session_id, count(*) AS rows FROM messages GROUP BY session_id");
  return new Map(rows.map(({ session_id, rows }) => [String(session_id), Number(rows)]));
}
