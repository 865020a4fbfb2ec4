/**
 * A session in goose's database: tables `sessions`, `messages` and `usage_ledger`
 * (crates/goose/src/session/session_manager.rs, schema 17, aaif-goose/goose at 017176d). Older
 * schemas lack columns, and before 15 the ledger.
 */
import { parseCell, parseJson } from "../json_cell.ts";
import { asList, asName, asNumber, asObject, asText, present } from "../json_value.ts";
import { count } from "../source_account.ts";
import type { RecordSink } from "../source_record.ts";
import { reportRow, type Row, type SqliteReader } from "../sqlite_reader.ts";
import {
  type GooseInfo,
  type GooseMessage,
  type GooseSession,
  type GooseUsage,
  toMilliseconds,
} from "./goose_session.ts";
import { isOneSided, visibilityOf } from "./visibility.ts";

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
const TOTALS = [
  "provider_name",
  "model_config_json",
  "accumulated_input_tokens",
  "accumulated_output_tokens",
  "accumulated_cache_read_tokens",
  "accumulated_cache_write_tokens",
  "accumulated_cost",
] as const;
const LEDGER_COLUMNS = [
  "id",
  "created_timestamp",
  "model",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cost",
] as const;
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
    weight: 1,
  });
}

/** SQLite's `CURRENT_TIMESTAMP` is UTC and does not say so. */
export function utcTime(value: unknown): string | undefined {
  const text = asName(value);
  if (text === undefined) return undefined;
  return /^\d{4}-\d\d-\d\d[ T][\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : text;
}

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

function usageOf(reader: SqliteReader, id: string): GooseUsage[] {
  const rows = ledgerRows(reader, id) === 0 ? [] : reader.all(
    `SELECT ${reader.select("usage_ledger", LEDGER_COLUMNS)} FROM usage_ledger ` +
      "WHERE session_id = ? ORDER BY created_timestamp, id",
    id,
  );
  if (rows.length > 0) return rows.map(toUsage);
  const totals = reader.get(
    `SELECT ${reader.select("sessions", TOTALS)} FROM sessions WHERE id = ?`,
    id,
  );
  return totals === undefined ? [] : sessionUsage(totals);
}

function ledgerRows(reader: SqliteReader, id: string): number {
  if (!reader.has("usage_ledger", "id", "session_id", "created_timestamp")) return 0;
  const sql = "SELECT count(*) AS rows FROM usage_ledger WHERE session_id = ?";
  return asNumber(reader.get(sql, id)?.rows) ?? 0;
}

function toUsage(row: Row): GooseUsage {
  return present({
    id: String(row.id),
    created: toMilliseconds(row.created_timestamp),
    model: asName(row.model),
    input: asNumber(row.input_tokens),
    output: asNumber(row.output_tokens),
    cache_read: asNumber(row.cache_read_tokens),
    cache_write: asNumber(row.cache_write_tokens),
    cost: asNumber(row.cost),
  });
}

/** Without a ledger only the whole session's sum is known. */
function sessionUsage(row: Row): GooseUsage[] {
  const config = parseCell(row.model_config_json);
  const usage = present({
    input: asNumber(row.accumulated_input_tokens),
    output: asNumber(row.accumulated_output_tokens),
    cache_read: asNumber(row.accumulated_cache_read_tokens),
    cache_write: asNumber(row.accumulated_cache_write_tokens),
    cost: asNumber(row.accumulated_cost),
  });
  if (Object.keys(usage).length === 0) return [];
  const model = "value" in config ? asName(config.value.model_name) : undefined;
  return [{ id: "session", ...usage, ...present({ model, provider: asName(row.provider_name) }) }];
}
