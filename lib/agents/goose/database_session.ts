/**
 * A session in goose's database: its messages are the rows of `messages`
 * (crates/goose/src/session/session_manager.rs, schema 17, aaif-goose/goose at 017176d). Older
 * schemas lack columns.
 */
import { parseJson } from "../../reading/sqlite/json_cell.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  present,
} from "../../reading/records/json_value.ts";
import { count } from "../../source/source_account.ts";
import type { RecordSink } from "../../reading/records/source_record.ts";
import { reportRow, type Row, type SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import {
  type GooseInfo,
  type GooseMessage,
  type GooseSession,
  toMilliseconds,
} from "./goose_session.ts";
import { ledgerRows, usageOf } from "./usage_ledger.ts";
import { isOneSided, visibilityOf } from "./visibility.ts";

const MESSAGE_COLUMNS = [
  "id",
  "message_id",
  "role",
  "content_json",
  "created_timestamp",
  "metadata_json",
] as const;
/** Messages that are handed out at once. */
const BATCH = 64;

/** Opens a session; closing it closes the reader. */
export function openDatabaseSession(reader: SqliteReader, info: GooseInfo): GooseSession {
  const { id } = info;
  const rows = messageRows(reader, id);
  const load = (ordinal: number, sink: RecordSink): GooseMessage | undefined => {
    const row = rows[ordinal];
    return row === undefined ? undefined : loadMessage(reader, row, ordinal, sink);
  };
  return {
    unit: "rows",
    info,
    usage: reader.salvage({}, "", () => usageOf(reader, id)) ?? [],
    lastHidden: () => Promise.resolve(lastHidden(reader, rows)),
    async *messages(sink): AsyncGenerator<GooseMessage[]> {
      for (let start = 0; start < rows.length; start += BATCH) {
        const numbers = rows.slice(start, start + BATCH).map((_, index) => start + index);
        yield numbers.flatMap((ordinal) => load(ordinal, sink) ?? []);
      }
    },
    find(isWanted, which): GooseMessage | undefined {
      for (let step = 0; step < rows.length; step++) {
        const message = load(which === "first" ? step : rows.length - 1 - step, {});
        if (message !== undefined && isWanted(message)) return message;
      }
      return undefined;
    },
    countRest(sink): void {
      const ledger = reader.salvage(sink, "table usage_ledger", () => ledgerRows(reader, id));
      count(sink.account, "events", ledger ?? 0);
      reader.countOtherRows(sink, id, ["messages", "usage_ledger"]);
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

/** The numbers of a session's rows: by time and then by row, for times are in seconds (`get_conversation`). */
function messageRows(reader: SqliteReader, id: string): number[] {
  if (!reader.has("messages", "id", "session_id", "role", "content_json")) return [];
  const order = reader.has("messages", "created_timestamp") ? "created_timestamp, id" : "id";
  const sql = `SELECT id FROM messages WHERE session_id = ? ORDER BY ${order}`;
  return reader.all(sql, id).flatMap((row) => asNumber(row.id) ?? []);
}

function loadMessage(
  reader: SqliteReader,
  id: number,
  ordinal: number,
  sink: RecordSink,
): GooseMessage | undefined {
  const sql = `SELECT ${reader.select("messages", MESSAGE_COLUMNS)} FROM messages WHERE id = ?`;
  const row = reader.salvage(sink, `row ${id} of table messages`, () => reader.get(sql, id));
  return row === undefined ? undefined : toMessage(row, ordinal, sink);
}

function lastHidden(reader: SqliteReader, rows: readonly number[]): number {
  if (!reader.has("messages", "metadata_json")) return -1;
  const sql = "SELECT metadata_json FROM messages WHERE id = ?";
  return rows.findLastIndex((id) => {
    const row = reader.salvage({}, "", () => reader.get(sql, id));
    return isOneSided(visibilityOf(row?.metadata_json));
  });
}

/** A message whose content is damaged keeps its place: the others' order depends on it. */
export function toMessage(row: Row, ordinal: number, sink: RecordSink): GooseMessage {
  const { role, message_id, created_timestamp, metadata_json } = row;
  const parsed = parseJson(row.content_json);
  const content = "value" in parsed ? contentOf(parsed.value) : undefined;
  if (content === undefined) {
    const { code, detail } = "value" in parsed
      ? { code: "malformed-line" as const, detail: "is no list" }
      : parsed;
    const about = `content of row ${row.id} of table messages ${detail}`;
    reportRow(sink, { code, detail: about, ...present({ at: asNumber(row.id) }) });
  }
  return {
    ordinal,
    id: asName(message_id) ?? String(row.id),
    role: asText(role) ?? "",
    created: toMilliseconds(created_timestamp),
    content: content ?? [],
    weight: content === undefined ? 0 : 1,
    ...visibilityOf(metadata_json),
  };
}

/** A list of items; the first versions' plain text is taken for one. */
export function contentOf(value: unknown): Readonly<Record<string, unknown>>[] | undefined {
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value) ? asList(value).map(asObject) : undefined;
}
