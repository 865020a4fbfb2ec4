/**
 * The rows of a session in goose's database: its messages are those of `messages`
 * (crates/goose/src/session/session_manager.rs, schema 17, aaif-goose/goose at 017176d). Older
 * schemas lack columns.
 */
import { SessionError } from "../../event/session_error.ts";
import type { AgentSession } from "../../source/agent.ts";
import { asNumber } from "../../reading/json_value.ts";
import type { RecordSink } from "../../reading/records/source_record.ts";
import type { SessionRow, SessionRows } from "../../reading/sources/row_source.ts";
import { type Row, SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import { compactionOf } from "./compaction.ts";
import {
  type GooseCompaction,
  type GooseInfo,
  type GooseMessage,
  type GooseUsage,
  toMilliseconds,
} from "./goose_entry.ts";
import { messageIn } from "./message_row.ts";
import { sessionInfos } from "./session_row.ts";
import { usageOf } from "./usage_ledger.ts";
import { isOneSided } from "./visibility.ts";

const MESSAGE_COLUMNS = [
  "id",
  "message_id",
  "role",
  "content_json",
  "created_timestamp",
  "metadata_json",
] as const;

/**
 * Opens the rows of a session: its own one, its messages, and its usage before the first message that
 * is later.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openRows({ path, id }: AgentSession): SessionRows {
  const reader = new SqliteReader(path);
  try {
    const [info] = sessionInfos(reader, id);
    if (info !== undefined) return rowsOf(reader, info);
    const message = `Cannot read session: ${id} is not in the database: ${path}`;
    throw new SessionError("not-found", message, { path, ref: id });
  } catch (error) {
    reader[Symbol.dispose]();
    throw error;
  }
}

function rowsOf(reader: SqliteReader, info: GooseInfo): SessionRows {
  const { id } = info;
  const usage = reader.salvage({}, "", () => usageOf(reader, id));
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
      if (usage === undefined) {
        reader.salvage(sink, "table usage_ledger", () => usageOf(reader, id));
      }
      reader.countOtherRows(sink, id, ["messages", "usage_ledger"]);
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

/** A row of a message that was not read yet. */
interface MessageRow {
  id: number;
  created: number | undefined;
}

/** The rows of a session's messages: by time and then by row, for times are in seconds (`get_conversation`). */
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

/** Puts what each call took before the first message that is later; what has no time is last. */
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
  return reader.salvage(sink, `row ${id} of table messages`, () => reader.get(sql, id));
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
