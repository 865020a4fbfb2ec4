/**
 * Reads the usage of a session's model calls. Since schema 15 each has a row in `usage_ledger`;
 * before, the session's row has their sum (crates/goose/src/session/session_manager.rs,
 * `record_usage_metrics`).
 */
import { parseCell } from "../../reading/sqlite/json_cell.ts";
import { asName, asNumber, present } from "../../reading/json_value.ts";
import type { Row, SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import { type GooseUsage, toMilliseconds } from "./goose_entry.ts";

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

/** What the calls of a session took. */
export function usageOf(reader: SqliteReader, id: string): GooseUsage[] {
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
  return [{
    id: "session",
    weight: 0,
    ...usage,
    ...present({ model, provider: asName(row.provider_name) }),
  }];
}
