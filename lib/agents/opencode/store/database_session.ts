/**
 * Reads a session in a database of OpenCode 1.2 and later. In the tables `message` and `part`, the
 * column `data` is JSON. It is the message or part without its ids (1.18.34,
 * session/session.sql.ts).
 */
import type { RecordSink } from "../../engine/records/source_record.ts";
import { count } from "../../contract/source_account.ts";
import { asText, type Json } from "../../engine/json.ts";
import { parseCell } from "../../engine/sqlite/json_cell.ts";
import { reportRow, type Row, type SqliteReader } from "../../engine/sqlite/sqlite_reader.ts";
import type { OpenCodeSession, SessionInfo, StoredMessage, StoredPart } from "../stored_session.ts";

// Messages by time and id, parts by id: 1.18.34, session/message-v2.ts, `page` and `hydrate`.
const MESSAGES = "SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id";
const MESSAGE = "SELECT rowid AS at, data FROM message WHERE id = ?";
const PARTS = "SELECT rowid AS at, id, data FROM part WHERE message_id = ? ORDER BY id";
const LOST_PARTS = "SELECT count(*) AS rows FROM part WHERE session_id = ? " +
  "AND message_id NOT IN (SELECT id FROM message)";

/** Opens a session. Disposing the session closes `reader` too. */
export function openDatabaseSession(
  reader: SqliteReader,
  info: SessionInfo,
): OpenCodeSession {
  const hasMessages = reader.has("message", "id", "session_id", "time_created", "data");
  const hasParts = reader.has("part", "id", "message_id", "data");
  const ids = hasMessages ? reader.all(MESSAGES, info.id).map(({ id }) => String(id)) : [];
  const partsOf = (id: string, sink: RecordSink): StoredPart[] =>
    hasParts ? readParts(reader, id, sink) : [];
  return {
    unit: "rows",
    info,
    count: ids.length,
    load(index, sink = {}): StoredMessage | undefined {
      const id = ids[index];
      if (id === undefined) return undefined;
      const row = reader.salvage(sink, `message ${id}`, () => reader.get(MESSAGE, id));
      const fields = row === undefined ? undefined : parseRow("message", { id, ...row }, sink);
      const parts = partsOf(id, sink);
      const size = parts.reduce((sum, part) => sum + (part.size ?? 0), lengthOf(row));
      return { id, info: fields ?? {}, parts, weight: fields ? 1 : 0, size };
    },
    indexOf: (id) => indexIn(ids, id),
    countRest(sink): void {
      if (sink.account === undefined) return;
      // Rows that the agent does not reach: their message is gone.
      const lost = hasParts && reader.has("part", "session_id") && hasMessages
        ? reader.salvage(sink, "table part", () => reader.get(LOST_PARTS, info.id))?.rows
        : undefined;
      if (typeof lost === "number") count(sink.account, "dead", lost);
      reader.countOtherRows(sink, info.id, ["message", "part"]);
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

export function indexIn(ids: readonly string[], id: string | undefined): number | undefined {
  const index = id === undefined ? -1 : ids.indexOf(id);
  return index < 0 ? undefined : index;
}

function readParts(reader: SqliteReader, message_id: string, sink: RecordSink): StoredPart[] {
  const parts: StoredPart[] = [];
  const about = `the parts of message ${message_id}`;
  const rows = reader.salvage(sink, about, () => reader.all(PARTS, message_id)) ?? [];
  for (const row of rows) {
    const data = parseRow("part", row, sink);
    if (data === undefined) continue;
    parts.push({ id: asText(row.id) ?? "", data, weight: 1, size: lengthOf(row) });
  }
  return parts;
}

function lengthOf(row: Row | undefined): number {
  return String(row?.data).length;
}

/** Returns the object in the row's `data`. If there is none, reports it and returns undefined. */
export function parseRow(table: string, row: Row, sink: RecordSink): Json | undefined {
  const parsed = parseCell(row.data);
  if ("value" in parsed) return parsed.value;
  const { code, detail } = parsed;
  const at = typeof row.at === "number" ? row.at : 0;
  reportRow(sink, { code, at, detail: `row ${row.id} of the table "${table}" ${detail}` });
  return undefined;
}
