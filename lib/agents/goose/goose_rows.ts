/** Reads rows of goose's database: messages, and the sessions that they belong to. */
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  type Json,
  parsedJson,
  present,
} from "../engine/json.ts";
import type { RecordSink } from "../engine/records/source_record.ts";
import { parseJson } from "../engine/sqlite/json_cell.ts";
import { reportRow, type Row, type SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import {
  type GooseInfo,
  type GooseMessage,
  toMilliseconds,
  type Visibility,
} from "./goose_entry.ts";

/**
 * Reads a row as a message. Damaged content is reported, and the message stays with empty content,
 * to keep the order.
 */
export function messageIn(
  row: Row,
  sink: RecordSink,
): { message: GooseMessage; weight: number } {
  const { role, message_id, created_timestamp, metadata_json } = row;
  const content = contentIn(row, sink);
  const message = {
    at: asNumber(row.id) ?? -1,
    id: asName(message_id) ?? String(row.id),
    role: asText(role) ?? "",
    created: toMilliseconds(created_timestamp),
    content: content ?? [],
    ...visibilityOf(metadata_json),
  };
  return { message, weight: content === undefined ? 0 : 1 };
}

function contentIn({ id, content_json }: Row, sink: RecordSink): Json[] | undefined {
  const parsed = parseJson(content_json);
  const content = "value" in parsed ? contentOf(parsed.value) : undefined;
  if (content !== undefined) return content;
  const { code, detail } = "value" in parsed
    ? { code: "malformed-line" as const, detail: "is not a list" }
    : parsed;
  const about = `the column "content_json" in row ${id} of the table "messages" ${detail}`;
  reportRow(sink, { code, detail: about, ...present({ at: asNumber(id) }) });
  return undefined;
}

/** Returns content items, undefined for other types. Early goose versions stored plain text. */
export function contentOf(value: unknown): Json[] | undefined {
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value) ? asList(value).map(asObject) : undefined;
}

// The row of a session in goose's database (crates/goose/src/session/session_manager.rs, schema 17,
// aaif-goose/goose at 017176d): `FromRow for Session`.

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

/** Returns a time as text. A time in the form of SQLite's `CURRENT_TIMESTAMP` is marked as UTC. */
export function utcTime(value: unknown): string | undefined {
  const text = asName(value);
  if (text === undefined) return undefined;
  return /^\d{4}-\d\d-\d\d[ T][\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : text;
}

// Reads the audience of a message from its `metadata`, `{userVisible, agentVisible, …}`. Both are
// true by default (conversation/message.rs, `MessageMetadata`).

/** Returns if user and model get a message, by default both. `metadata` may be JSON text. */
export function visibilityOf(metadata: unknown): Visibility {
  // Unreadable metadata counts as absent: session_manager.rs, `get_conversation`.
  const { userVisible, agentVisible } = asObject(parsedJson(metadata) ?? metadata);
  return { agent: agentVisible !== false, user: userVisible !== false };
}

export function isOneSided({ agent, user }: Visibility): boolean {
  return agent !== user;
}
