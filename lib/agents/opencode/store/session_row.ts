/**
 * Reads a session's row. The columns of `session` are from a database of OpenCode 1.18.34. The
 * columns of `session_v2` are from 2.0.3, as shown in getagentseal/codeburn issue 1293.
 */
import { asName, asNumber, asObject, type Json, parsedJson, present } from "../../engine/json.ts";
import type { Row, SqliteReader } from "../../engine/sqlite/sqlite_reader.ts";
import type { SessionInfo } from "../stored_session.ts";

/** The table of sessions in OpenCode 1 or 2. Both tables have the `COLUMNS`. */
export type SessionTable = "session" | "session_v2";

const COLUMNS = [
  "id",
  "parent_id",
  "fork_session_id",
  "directory",
  "title",
  "version",
  "revert",
  "time_created",
  "time_updated",
  "time_archived",
] as const;

/** Yields a table's sessions in no set order. Skips rows whose id is not a text. */
export function* sessionRows(reader: SqliteReader, table: SessionTable): Generator<SessionInfo> {
  if (!reader.has(table, "id")) return;
  for (const row of reader.each(`SELECT ${reader.select(table, COLUMNS)} FROM ${table}`)) {
    if (typeof row.id === "string") yield toInfo(row);
  }
}

export function childRows(
  reader: SqliteReader,
  table: SessionTable,
  parent_id: string,
): SessionInfo[] {
  if (!reader.has(table, "id", "parent_id")) return [];
  const sql = `SELECT ${reader.select(table, COLUMNS)} FROM ${table} WHERE parent_id = ?`;
  const infos = reader.all(sql, parent_id).filter(({ id }) => typeof id === "string").map(toInfo);
  return infos.sort((a, b) => (a.created ?? 0) - (b.created ?? 0));
}

export function sessionRow(
  reader: SqliteReader,
  table: SessionTable,
  id: string,
): SessionInfo | undefined {
  if (!reader.has(table, "id")) return undefined;
  const row = reader.get(`SELECT ${reader.select(table, COLUMNS)} FROM ${table} WHERE id = ?`, id);
  return row === undefined ? undefined : toInfo(row);
}

function toInfo(row: Row): SessionInfo {
  return present({
    id: String(row.id),
    parent_id: asName(row.parent_id),
    fork_of: asName(row.fork_session_id),
    directory: asName(row.directory),
    title: asName(row.title),
    version: asName(row.version),
    created: asNumber(row.time_created),
    updated: asNumber(row.time_updated),
    archived: asNumber(row.time_archived),
    revert: revertOf(row.revert),
    weight: 1,
  });
}

/** Parses JSON `{messageID, partID?, snapshot?, diff?}` (OpenCode 1.18.34, session/session.ts). */
function revertOf(value: unknown): SessionInfo["revert"] {
  const { messageID, partID } = asObject(parsedJson(value) ?? value);
  const message_id = asName(messageID);
  return message_id === undefined ? undefined : present({ message_id, part_id: asName(partID) });
}

// A session's own JSON, as its file before 1.2 and an export have it (`Session.Info`, OpenCode
// 1.18.34, session/session.ts).

export function toSessionInfo(id: string, fields: Json, weight: number): SessionInfo {
  const time = asObject(fields.time);
  return present({
    id,
    parent_id: asName(fields.parentID),
    directory: asName(fields.directory),
    title: asName(fields.title),
    version: asName(fields.version),
    created: asNumber(time.created),
    updated: asNumber(time.updated),
    archived: asNumber(time.archived),
    revert: revertOf(fields.revert),
    weight,
  });
}

export function isSessionJson(value: unknown): boolean {
  const { id, role, time, title, version, projectID, directory } = asObject(value);
  if (asName(id) === undefined || role !== undefined || typeof title !== "string") return false;
  if (asNumber(asObject(time).created) === undefined) return false;
  return [version, projectID, directory].some((field) => typeof field === "string");
}
