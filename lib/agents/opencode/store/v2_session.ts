/**
 * Reads a session of OpenCode 2: one row a message in `session_message`, ordered by `seq`. The
 * column `data` is the JSON of the message without id and type. The schema is `Session.Message.*`
 * in the bundle of 1.18.34, which ships it beside its own.
 */
import type { RecordSink } from "../../../reading/records/source_record.ts";
import { asText } from "../../../reading/json_value.ts";
import type { SqliteReader } from "../../../reading/sqlite/sqlite_reader.ts";
import type { SessionInfo, StoredMessage, StoredSession } from "../stored_session.ts";
import { indexIn, parseRow } from "./database_session.ts";
import { toStoredMessage } from "./v2_message.ts";

const MESSAGES = "SELECT id, type FROM session_message WHERE session_id = ? ORDER BY seq, id";
const MESSAGE = "SELECT rowid AS at, id, type, data FROM session_message WHERE id = ?";
const COUNT = "SELECT count(*) AS rows FROM session_message WHERE session_id = ?";

/** How many messages of this kind a session has. */
export function countV2Messages(reader: SqliteReader, id: string): number {
  if (!reader.has("session_message", "id", "session_id", "type", "seq", "data")) return 0;
  const rows = reader.get(COUNT, id)?.rows;
  return typeof rows === "number" ? rows : 0;
}

/** Opens a session; closing it closes the reader. */
export function openV2Session(reader: SqliteReader, info: SessionInfo): StoredSession {
  const rows = countV2Messages(reader, info.id) === 0 ? [] : reader.all(MESSAGES, info.id);
  const ids = rows.map(({ id }) => String(id));
  return {
    unit: "rows",
    info,
    count: ids.length,
    load(index, sink: RecordSink = {}): StoredMessage | undefined {
      const id = ids[index];
      const row = id === undefined
        ? undefined
        : reader.salvage(sink, `message ${id}`, () => reader.get(MESSAGE, id));
      const data = row === undefined ? undefined : parseRow("session_message", row, sink);
      if (id === undefined || data === undefined) return undefined;
      return toStoredMessage(id, asText(row?.type) ?? "", data);
    },
    indexOf: (id) => indexIn(ids, id),
    countRest: (sink) => reader.countOtherRows(sink, info.id, ["session_message"]),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}
