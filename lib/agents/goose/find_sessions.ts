/** Recognizes goose's files and lists the sessions in them. */
import type { AgentSession } from "../contract/agent.ts";
import { readHeadRecords } from "../engine/records/file_edges.ts";
import { headRecords } from "../engine/records/head_records.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { asName, present } from "../engine/json.ts";
import { isSqlite } from "../engine/sqlite/sqlite_file.ts";
import { withCutRows } from "../engine/sqlite/opened_rows.ts";
import { isDatabaseWith, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import type { GooseInfo } from "./goose_entry.ts";
import { isDatabase } from "./goose_source.ts";
import { isMessage, isMetadata, legacyHead } from "./legacy_session.ts";
import { type LocatedInfo, toSession, withoutSubagents } from "./located_info.ts";
import { sessionInfos } from "./goose_rows.ts";

export function recognizeStore(path: string, head: Uint8Array): boolean {
  if (isSqlite(head)) {
    return isDatabaseWith(
      path,
      head,
      (reader) =>
        reader.has("sessions", "id", "working_dir") && reader.has("messages", "content_json"),
    );
  }
  const records = headRecords(head).map(({ value }) => value);
  // Metadata alone, or a message with goose's own time and items.
  return records.some(isMetadata) ||
    records.some((value) =>
      isMessage(value) && value.uuid === undefined && value.type === undefined
    );
}

/** Lists a file's sessions without sub-agents, the most recently written one last. */
export function sessionsIn(path: string): AgentSession[] {
  if (!isDatabase(path)) {
    return [toSession(path, legacyHead(path).info)];
  }
  using reader = new SqliteReader(path);
  const infos = withoutSubagents([...sessionInfos(reader)]);
  infos.sort((a, b) => writtenAt(a) - writtenAt(b));
  return infos.map((info) => toSession(path, info));
}

/** Lists all sessions of a database, including sub-agents, in no particular order. */
export function databaseSessions(path: string): LocatedInfo[] {
  using reader = new SqliteReader(path);
  const infos = [...sessionInfos(reader)];
  return withCutRows(
    reader,
    infos.map(({ id, working_dir, archived_at, parent_id, type }) => ({
      id,
      ...present({ working_dir, archived_at, parent_id, type }),
    })),
  );
}

function writtenAt({ updated_at, created_at }: GooseInfo): number {
  return Date.parse(isoTime(updated_at) ?? isoTime(created_at) ?? "") || 0;
}

export function directoryIn(path: string): string | null {
  const metadata = readHeadRecords(path, 4096).map(({ value }) => value).find(isMetadata);
  return asName(metadata?.working_dir) ?? null;
}
