/**
 * Reads a chat of Cursor's CLI: a database of blobs, each named by its hash. `meta` names the root
 * blob, a protobuf message that lists the messages, which are JSON. Cursor's source is not public.
 * The format is that of chats from 2025-10 to 2026-10, as other programs that read chats describe
 * it.
 */
import { Buffer } from "node:buffer";
import { dirname, join } from "node:path";
import { pathInUrl } from "../engine/files/file_url.ts";
import { readJsonObject } from "../engine/files/folder.ts";
import { asName, asText, type Json, parsedObject } from "../engine/json.ts";
import { bytesFields } from "../engine/protobuf_fields.ts";
import type { SessionRow } from "../engine/sources/row_source.ts";
import type { ListedMessages } from "../engine/sqlite/listed_rows.ts";
import { readDocument, type SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import type { Head } from "./message_events.ts";

export function holdsChat(reader: SqliteReader): boolean {
  return reader.has("blobs", "id", "data") && reader.has("meta", "key", "value");
}

/** Query for the ids of blobs that begin like a JSON object, or are too long to check. */
const MESSAGES = "SELECT id FROM blobs WHERE CASE WHEN octet_length(data) <= MOST_BYTES " +
  "THEN hex(substr(data, 1, 1)) ELSE '7B' END = '7B' ORDER BY rowid";

export function chatMessages(reader: SqliteReader): ListedMessages {
  const [meta] =
    reader.salvage({}, "", () => reader.all("SELECT value FROM meta WHERE key = '0'")) ??
      [];
  // JSON in hexadecimal.
  const facts = parsedObject(Buffer.from(String(meta?.value), "hex").toString()) ?? {};
  const root = blobOf(reader, asText(facts.latestRootBlobId) ?? "");
  const all = reader
    .all(MESSAGES)
    .map(({ id }) => String(id));
  const { blobs } = reader.get("SELECT count(*) AS blobs FROM blobs") ?? {};
  return {
    head: () => headOf(reader.path, facts, root),
    listed: [...messagesBelow(reader, root, new Set(all))],
    all,
    read(id, sink): Omit<SessionRow, "size"> | undefined {
      const sql = "SELECT data FROM blobs WHERE id = ?";
      const line = readDocument(reader, sink, `blob ${id}`, sql, id);
      return line && { value: { id, line } };
    },
    others: Number(blobs) - all.length,
  };
}

function blobOf(reader: SqliteReader, id: string): Uint8Array {
  const sql = "SELECT data FROM blobs WHERE id = ?";
  return reader.salvage({}, "", () => reader.bytes(sql, id)) ?? new Uint8Array();
}

/** Yields message ids that a blob lists. Field 1 has hashes of messages and of nested lists. */
function* messagesBelow(
  reader: SqliteReader,
  blob: Uint8Array,
  messages: ReadonlySet<string>,
  seen: Set<string> = new Set(),
): Generator<string> {
  for (const { number, value } of bytesFields(blob)) {
    const id = Buffer.from(value).toString("hex");
    if (number !== 1 || value.length !== 32 || seen.has(id)) continue;
    seen.add(id);
    if (messages.has(id)) yield id;
    else yield* messagesBelow(reader, blobOf(reader, id), messages, seen);
  }
}

/**
 * Returns a chat's title, times, directory and model. Field 9 of the root is the directory's URL.
 */
function headOf(path: string, meta: Json, root: Uint8Array): Head {
  const beside = readJsonObject(join(dirname(path), "meta.json"));
  const place = [...bytesFields(root)].find(({ number }) => number === 9)?.value;
  return {
    title: asName(meta.name) ?? asName(beside.title),
    created_at: meta.createdAt ?? beside.createdAtMs,
    updated_at: beside.updatedAtMs,
    cwd: place && pathInUrl(Buffer.from(place).toString()),
    model: asName(meta.lastUsedModel),
    mode: asName(meta.mode),
  };
}
