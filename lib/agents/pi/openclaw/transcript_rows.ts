/**
 * Reads the entries of a session in OpenClaw's database, either on the active branch or off it.
 * Each row of `transcript_events` holds one line of the older files (2026.9.6, schema 23).
 */
import { asName, asNumber, asObject, present } from "../../engine/json.ts";
import type { RecordSink } from "../../engine/records/source_record.ts";
import type { SessionRow, SessionRows } from "../../engine/sources/row_source.ts";
import { parseCell } from "../../engine/sqlite/json_cell.ts";
import { openedRows, withCutRows } from "../../engine/sqlite/opened_rows.ts";
import { reportRow, SqliteReader } from "../../engine/sqlite/sqlite_reader.ts";
import { zstdText } from "../../engine/sqlite/zstd_cell.ts";
import type { StoredSession } from "../../engine/sqlite/stored_sessions.ts";
import type { AgentSession } from "../../contract/agent.ts";
import { count } from "../../contract/source_account.ts";

const EVENTS = "transcript_events";
const WINDOWS = "session_windows";

export interface ListedSession extends StoredSession {
  title?: string;
}

export function hasSessions(reader: SqliteReader): boolean {
  return reader.has(EVENTS, "session_id", "seq", "event_json") && reader.has(WINDOWS, "session_id");
}

export function listedSessions(path: string): ListedSession[] {
  using reader = new SqliteReader(path);
  if (!hasSessions(reader)) return [];
  const order = reader.has(WINDOWS, "updated_at") ? "updated_at, session_id" : "session_id";
  const rows = reader.all(
    `SELECT ${reader.select(WINDOWS, ["session_id", "session_key"])} FROM ${WINDOWS} AS w ` +
      `WHERE EXISTS (SELECT 1 FROM ${EVENTS} AS e WHERE e.session_id = w.session_id) ` +
      `ORDER BY ${order}`,
  );
  const sessions = rows.filter(({ session_id }) => session_id !== undefined)
    .map(({ session_id, session_key }) => ({
      id: String(session_id),
      ...nodeOf(reader, session_key, session_id),
    }));
  return withCutRows(reader, sessions);
}

/** Returns the title and archived state of node `key`. Empty if `id` is not its current session. */
function nodeOf(reader: SqliteReader, key: unknown, id: unknown): Omit<ListedSession, "id"> {
  if (typeof key !== "string" || !reader.has("session_nodes", "session_key")) return {};
  const columns = reader.select("session_nodes", [
    ...["current_session_id", "label", "display_name", "archived_at"],
  ]);
  const row = reader.get(`SELECT ${columns} FROM session_nodes WHERE session_key = ?`, key) ?? {};
  if (row.current_session_id !== undefined && row.current_session_id !== id) return {};
  const archived = asNumber(row.archived_at) === undefined ? undefined : true;
  return present({ title: asName(row.label) ?? asName(row.display_name), archived });
}

/** `active` has the `seq` of each row on the active branch, and `others` of all other rows. */
interface Branches {
  active: number[];
  others: number[];
}

/**
 * Opens the rows of a session.
 *
 * @param others True for the rows that are not on the active branch.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openRows({ path, id }: AgentSession, others = false): SessionRows {
  return openedRows({ path, id }, (reader) => {
    const branches = branchesOf(reader, id);
    if (branches.active.length === 0 && branches.others.length === 0) return undefined;
    const numbers = others ? branches.others : branches.active;
    return {
      count: numbers.length,
      at: (number, sink) => rowAt(reader, id, numbers[number], sink),
      countRest(sink): void {
        if (!others) count(sink.account, "dead", branches.others.length);
        reader.countOtherRows(sink, id, [EVENTS]);
      },
      [Symbol.dispose]: () => reader[Symbol.dispose](),
    };
  });
}

/** Returns the first row's id and the row count off the active branch. Undefined if no rows. */
export function otherBranch({ path, id }: AgentSession): { id: string; count: number } | undefined {
  using reader = new SqliteReader(path);
  const { others: [first], others } = branchesOf(reader, id);
  if (first === undefined) return undefined;
  const { value } = rowAt(reader, id, first, {}) ?? {};
  return { id: asName(value?.id) ?? `#${first}`, count: others.length };
}

function rowAt(
  reader: SqliteReader,
  id: string,
  seq: number | undefined,
  sink: RecordSink,
): SessionRow | undefined {
  if (seq === undefined) return undefined;
  // Since 2026.9.6, a large one is compressed, and `event_json` is NULL.
  const is_zstd = reader.has(EVENTS, "event_zstd");
  const sqlOf = (column: string): string =>
    `SELECT ${column} FROM ${EVENTS} WHERE session_id = ? AND seq = ?`;
  const cell = reader.salvage(sink, `entry ${seq}`, () => {
    const row = reader.get(sqlOf("event_json"), id, seq);
    if (row === undefined) return undefined;
    if (row.event_json !== undefined || !is_zstd) return { text: row.event_json };
    const bytes = reader.bytes(sqlOf("event_zstd"), id, seq);
    return bytes && { text: zstdText(bytes) };
  });
  if (cell === undefined) return undefined;
  const { text } = cell;
  const parsed = parseCell(text);
  if ("value" in parsed) return { value: parsed.value, weight: 1, size: String(text).length };
  reportRow(sink, { code: parsed.code, detail: `entry ${seq} ${parsed.detail}`, at: seq });
  return undefined;
}

/** The type of the header, an entry that belongs to every branch. */
const HEADER = "session";

function branchesOf(reader: SqliteReader, id: string): Branches {
  if (!hasSessions(reader)) return { active: [], others: [] };
  const all = reader.all(`SELECT seq FROM ${EVENTS} WHERE session_id = ? ORDER BY seq`, id)
    .map(({ seq }) => Number(seq));
  const table = "transcript_event_identities";
  if (!reader.has(table, "session_id", "event_id", "seq", "event_type", "parent_id")) {
    return { active: all, others: [] };
  }
  const known = reader.all(
    `SELECT event_id, seq, event_type, parent_id FROM ${table} WHERE session_id = ? ORDER BY seq`,
    id,
  );
  const entries = new Map(known.map((row) => [String(row.event_id), row]));
  const on = new Set<number>();
  let at = known.at(-1);
  for (let left = known.length; at !== undefined && left > 0; left--) {
    on.add(Number(at.seq));
    // A leaf goes on from the entry that it chooses.
    const parent = at.event_type === "leaf"
      ? asName(asObject(rowAt(reader, id, Number(at.seq), {})?.value).targetId)
      : at.parent_id;
    at = entries.get(String(parent));
  }
  const beside = new Set(
    known.filter(({ seq, event_type }) => event_type !== HEADER && !on.has(Number(seq)))
      .map(({ seq }) => Number(seq)),
  );
  return {
    active: all.filter((seq) => !beside.has(seq)),
    others: all.filter((seq) => beside.has(seq)),
  };
}
