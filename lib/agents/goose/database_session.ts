/**
 * A session in goose's database: tables `sessions`, `messages` and `usage_ledger`
 * (crates/goose/src/session/session_manager.rs, schema 17, aaif-goose/goose at 017176d). Older
 * schemas lack columns, and before 15 the ledger.
 */
import type { DiagnosticCode } from "../../log/diagnostic.ts";
import { parseCell, parseJson } from "../json_cell.ts";
import { asList, asName, asNumber, asObject, asText, present } from "../json_value.ts";
import { count } from "../source_account.ts";
import type { RecordSink } from "../source_record.ts";
import type { Row, SqliteReader } from "../sqlite_reader.ts";
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
  const hasMessages = reader.has("messages", "id", "session_id", "role", "content_json");
  // By time and then by row, for times are in seconds: `get_conversation`.
  const keys = reader.has("messages", "created_timestamp") ? ["created_timestamp", "id"] : ["id"];
  const ask = (columns: readonly string[], direction = "ASC"): Iterable<Row> => {
    if (!hasMessages) return [];
    const order = keys.map((key) => `${key} ${direction}`).join(", ");
    const selected = reader.select("messages", columns);
    return reader.each(
      `SELECT ${selected} FROM messages WHERE session_id = ? ORDER BY ${order}`,
      id,
    );
  };
  return {
    unit: "rows",
    info,
    usage: usageOf(reader, id),
    lastHidden(): Promise<number> {
      let last = -1;
      let ordinal = 0;
      for (const row of ask(["metadata_json"])) {
        if (isOneSided(visibilityOf(row.metadata_json))) last = ordinal;
        ordinal++;
      }
      return Promise.resolve(last);
    },
    async *messages(sink): AsyncGenerator<GooseMessage[]> {
      let messages: GooseMessage[] = [];
      let ordinal = 0;
      for (const row of ask(MESSAGE_COLUMNS)) {
        messages.push(toMessage(row, ordinal++, sink));
        if (messages.length < BATCH) continue;
        yield messages;
        messages = [];
      }
      if (messages.length > 0) yield messages;
    },
    find(isWanted, which): GooseMessage | undefined {
      let ordinal = 0;
      for (const row of ask(MESSAGE_COLUMNS, which === "first" ? "ASC" : "DESC")) {
        // From the end the numbers are not known, only their order.
        const message = toMessage(row, which === "first" ? ordinal++ : 1e15 - ordinal++, {});
        if (isWanted(message)) return message;
      }
      return undefined;
    },
    countRest({ account }): void {
      count(account, "events", ledgerRows(reader, id));
      reader.countOtherRows(account, id, ["messages", "usage_ledger"]);
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

/** A message whose content is damaged keeps its place: the others' order depends on it. */
export function toMessage(row: Row, ordinal: number, sink: RecordSink): GooseMessage {
  const { role, message_id, created_timestamp, metadata_json } = row;
  const parsed = parseJson(row.content_json);
  const content = "value" in parsed ? contentOf(parsed.value) : undefined;
  const fault = "value" in parsed
    ? { code: "malformed-line", detail: "is no list" } as const
    : parsed;
  if (content === undefined) report(row, fault, sink);
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

function report(
  { id }: Row,
  { code, detail }: { code: DiagnosticCode; detail: string },
  { report, account }: RecordSink,
): void {
  const at = typeof id === "number" ? id : 0;
  // A database has rows, not bytes: one row at its number.
  const place = { offset: at, length: 1, line: at };
  report?.({ code, ...place, detail: `content of row ${id} of table messages ${detail}` });
  count(account, "damage", 1);
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
