/**
 * The sessions in a file of goose.
 */
import { SessionError } from "../../event/session_error.ts";
import type { AgentSession } from "../../source/agent.ts";
import { headRecords } from "../../reading/records/head_records.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { present } from "../../reading/records/json_value.ts";
import { isSqlite } from "../../reading/sqlite/sqlite_file.ts";
import { SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import type { GooseInfo } from "./goose_session.ts";
import { isMessage, isMetadata, openLegacySession } from "./legacy_session.ts";
import { isDatabase } from "./open_session.ts";
import { sessionInfos } from "./session_row.ts";

/** Whether a file is goose's. */
export function recognizeStore(path: string, head: Uint8Array): boolean {
  if (isSqlite(head)) return holdsSessions(path);
  const records = headRecords(head).map(({ value }) => value);
  // Metadata alone, or a message with goose's own time and items.
  return records.some(isMetadata) ||
    records.some((value) =>
      isMessage(value) && value.uuid === undefined && value.type === undefined
    );
}

/** Its tables tell: they may lie anywhere in the file. */
function holdsSessions(path: string): boolean {
  try {
    using reader = new SqliteReader(path);
    return reader.has("sessions", "id", "working_dir") && reader.has("messages", "content_json");
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** The sessions in a file, the one that was written last at the end. */
export function sessionsIn(path: string): AgentSession[] {
  if (!isDatabase(path)) {
    using session = openLegacySession(path);
    return session.info === undefined ? [] : [toSession(path, session.info)];
  }
  using reader = new SqliteReader(path);
  const infos = withoutSubagents([...sessionInfos(reader)]);
  infos.sort((a, b) => writtenAt(a) - writtenAt(b));
  return infos.map((info) => toSession(path, info));
}

/** What locating needs of a session, and all that is remembered of it. */
export type LocatedInfo = Pick<
  GooseInfo,
  "id" | "working_dir" | "archived_at" | "parent_id" | "type"
>;

/** The sessions of a database, in any order, with those of sub-agents. */
export function databaseSessions(path: string): LocatedInfo[] {
  using reader = new SqliteReader(path);
  return [...sessionInfos(reader)].map(({ id, working_dir, archived_at, parent_id, type }) => ({
    id,
    ...present({ working_dir, archived_at, parent_id, type }),
  }));
}

/** Leaves out the sessions of sub-agents, which are threads of the one that started them. */
export function withoutSubagents<Info extends LocatedInfo>(infos: readonly Info[]): Info[] {
  const ids = new Set(infos.map(({ id }) => id));
  return infos.filter((info) => !isSubagent(info) || !ids.has(info.parent_id ?? ""));
}

/** Whether a session is a sub-agent's: session_manager.rs, `SessionType::SubAgent`. */
export function isSubagent({ id, parent_id, type }: LocatedInfo): boolean {
  return type === "sub_agent" && parent_id !== undefined && parent_id !== id;
}

function writtenAt({ updated_at, created_at }: GooseInfo): number {
  return Date.parse(isoTime(updated_at) ?? isoTime(created_at) ?? "") || 0;
}

/** A session that was found. */
export function toSession(
  path: string,
  { id, working_dir, archived_at }: LocatedInfo,
): AgentSession {
  const archived = archived_at === undefined ? undefined : true;
  return { agent: "goose", id, path, ...present({ cwd: working_dir, archived }) };
}
