/**
 * Reads the rows of a session in goose's database: messages are in `messages`
 * (crates/goose/src/session/session_manager.rs, schema 17, aaif-goose/goose at 017176d). Older
 * schemas lack columns.
 */
import { asName, asNumber, asObject, parsedJson, present } from "../engine/json.ts";
import type { RecordSink } from "../engine/records/source_record.ts";
import type { SessionRow, SessionRows } from "../engine/sources/row_source.ts";
import { openedRows } from "../engine/sqlite/opened_rows.ts";
import type { Row, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import type { AgentSession } from "../contract/agent.ts";
import { compactionOf } from "./exchanges.ts";
import {
  type GooseCompaction,
  type GooseInfo,
  type GooseMessage,
  type GooseUsage,
  toMilliseconds,
} from "./goose_entry.ts";
import { isOneSided, messageIn, sessionInfos } from "./goose_rows.ts";

const MESSAGE_COLUMNS = [
  "id",
  "message_id",
  "role",
  "content_json",
  "created_timestamp",
  "metadata_json",
] as const;

/**
 * Opens the rows of a session: its own row, then its messages and usage, by time.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openRows(session: AgentSession): SessionRows {
  return openedRows(session, (reader) => {
    const [info] = sessionInfos(reader, session.id);
    return info && rowsOf(reader, info);
  });
}

function rowsOf(reader: SqliteReader, info: GooseInfo): SessionRows {
  const { id } = info;
  let is_lost = false;
  const usage = reader.salvage({ report: () => is_lost = true }, "", () => usageOf(reader, id));
  const messages = messageRows(reader, id);
  const order = inOrder(messages, usage ?? []);
  let hidden: { compaction: GooseCompaction | undefined } | undefined;
  return {
    count: order.length + 1,
    at(number, sink): SessionRow | undefined {
      const entry = order[number - 1];
      if (entry === undefined) return { value: { info }, size: 0 };
      if ("usage" in entry) return { value: { ...entry }, weight: entry.usage.weight, size: 0 };
      const row = loadRow(reader, entry.id, sink);
      if (row === undefined) return undefined;
      const { message, weight } = messageIn(row, sink);
      if (isOneSided(message)) {
        hidden ??= { compaction: compactionOf(messagesFromEnd(reader, messages)) };
        message.compaction = hidden.compaction;
      }
      return { value: { message }, weight, size: String(row.content_json).length };
    },
    countRest(sink): void {
      if (is_lost) reader.salvage(sink, "table usage_ledger", () => usageOf(reader, id));
      reader.countOtherRows(sink, id, ["messages", "usage_ledger"]);
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

interface MessageRow {
  id: number;
  created: number | undefined;
}

/**
 * Lists a session's message rows by time, then by row id. Times only have whole seconds
 * (`get_conversation`).
 */
function messageRows(reader: SqliteReader, id: string): MessageRow[] {
  if (!reader.has("messages", "id", "session_id", "role", "content_json")) return [];
  const order = reader.has("messages", "created_timestamp") ? "created_timestamp, id" : "id";
  const columns = reader.select("messages", ["id", "created_timestamp"]);
  const sql = `SELECT ${columns} FROM messages WHERE session_id = ? ORDER BY ${order}`;
  return reader.all(sql, id).flatMap((row) => {
    const id = asNumber(row.id);
    return id === undefined ? [] : [{ id, created: toMilliseconds(row.created_timestamp) }];
  });
}

/** Merges usage rows into messages by time. Usage rows without a time come last. */
function inOrder(
  messages: readonly MessageRow[],
  usage: readonly GooseUsage[],
): (MessageRow | { usage: GooseUsage })[] {
  const order: (MessageRow | { usage: GooseUsage })[] = [];
  let next = 0;
  for (const message of messages) {
    for (; (usage[next]?.created ?? Infinity) < (message.created ?? 0); next++) {
      order.push({ usage: usage[next] as GooseUsage });
    }
    order.push(message);
  }
  return [...order, ...usage.slice(next).map((usage) => ({ usage }))];
}

function loadRow(reader: SqliteReader, id: number, sink: RecordSink): Row | undefined {
  const sql = `SELECT ${reader.select("messages", MESSAGE_COLUMNS)} FROM messages WHERE id = ?`;
  return reader.salvage(sink, `row ${id} of the table "messages"`, () => reader.get(sql, id));
}

function* messagesFromEnd(
  reader: SqliteReader,
  rows: readonly MessageRow[],
): Generator<GooseMessage> {
  for (const { id } of rows.toReversed()) {
    const row = loadRow(reader, id, {});
    if (row !== undefined) yield messageIn(row, {}).message;
  }
}

// Reads the usage of a session's model calls. Since schema 15, each call has a row in
// `usage_ledger`. Before, the session's row has the sum of all calls
// (crates/goose/src/session/session_manager.rs, `record_usage_metrics`).

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

function usageOf(reader: SqliteReader, id: string): GooseUsage[] {
  const rows = ledgerRows(reader, id);
  if (rows.length > 0) return rows.map(toUsage);
  const totals = reader.get(
    `SELECT ${reader.select("sessions", TOTALS)} FROM sessions WHERE id = ?`,
    id,
  );
  return totals === undefined ? [] : sessionUsage(totals);
}

function ledgerRows(reader: SqliteReader, id: string): Row[] {
  if (!reader.has("usage_ledger", "id", "session_id", "created_timestamp")) return [];
  return reader.all(
    `SELECT ${reader.select("usage_ledger", LEDGER_COLUMNS)} FROM usage_ledger ` +
      "WHERE session_id = ? ORDER BY created_timestamp, id",
    id,
  );
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
    weight: 1,
  });
}

function sessionUsage(row: Row): GooseUsage[] {
  const usage = present({
    input: asNumber(row.accumulated_input_tokens),
    output: asNumber(row.accumulated_output_tokens),
    cache_read: asNumber(row.accumulated_cache_read_tokens),
    cache_write: asNumber(row.accumulated_cache_write_tokens),
    cost: asNumber(row.accumulated_cost),
  });
  if (Object.keys(usage).length === 0) return [];
  const model = asName(asObject(parsedJson(row.model_config_json)).model_name);
  return [{
    id: "session",
    weight: 0,
    ...usage,
    ...present({ model, provider: asName(row.provider_name) }),
  }];
}
