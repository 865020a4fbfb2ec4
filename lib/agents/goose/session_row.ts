/**
 * The row of a session in goose's database (crates/goose/src/session/session_manager.rs, schema 17,
 * aaif-goose/goose at 017176d): `FromRow for Session`.
 */
import { asName, present } from "../../reading/json_value.ts";
import type { Row, SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import type { GooseInfo } from "./goose_entry.ts";

const SESSION_COLUMNS = [
  "id",
  "name",
  "description",
  "working_dir",
  "created_at",
  "updated_at",
  "archived_at",
  "parent_session_id",
  "session_type",
  "goose_mode",
] as const;

/** The rows of sessions, all or one, as infos. */
export function* sessionInfos(reader: SqliteReader, id?: string): Generator<GooseInfo> {
  if (!reader.has("sessions", "id")) return;
  const sql = `SELECT ${reader.select("sessions", SESSION_COLUMNS)} FROM sessions`;
  const rows = id === undefined ? reader.each(sql) : reader.each(`${sql} WHERE id = ?`, id);
  for (const row of rows) if (typeof row.id === "string") yield toInfo(row);
}

function toInfo(row: Row): GooseInfo {
  return present({
    id: String(row.id),
    // A name was called description before schema 4: `FromRow for Session`.
    name: asName(row.name) ?? asName(row.description),
    working_dir: asName(row.working_dir),
    created_at: utcTime(row.created_at),
    updated_at: utcTime(row.updated_at),
    archived_at: utcTime(row.archived_at),
    parent_id: asName(row.parent_session_id),
    type: asName(row.session_type),
    mode: asName(row.goose_mode),
  });
}

/** SQLite's `CURRENT_TIMESTAMP` is UTC and does not say so. */
export function utcTime(value: unknown): string | undefined {
  const text = asName(value);
  if (text === undefined) return undefined;
  return /^\d{4}-\d\d-\d\d[ T][\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : text;
}
