/**
 * Tells which sessions OpenCode's own list leaves out. It lists those of one project and directory,
 * without children (1.18, packages/opencode/src/session/session.ts, `list`). A project's id is the
 * hash of its first commit. It changes when a folder becomes a repository. Tried with 1.18.33.
 */
import { basename } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import { isFolderThere } from "../../file/presence.ts";
import { asText } from "../../reading/json_value.ts";
import { type Row, SqliteReader } from "../../reading/sqlite/sqlite_reader.ts";
import { isBelow } from "../../source/agent_roots.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import type { HiddenReason, ReadHiddenReason } from "../../source/visibility.ts";
import { PLAIN_ID } from "../../source/resume_command.ts";
import { TABLES } from "./find_sessions.ts";

/** The sessions and projects of a database. */
interface Index {
  sessions: ReadonlyMap<string, Row>;
  projects: readonly Row[];
}

/** Tells why a list leaves out a session. */
export function opencodeVisibility(_place: AgentPlace): ReadHiddenReason {
  const indexes = new Map<string, Index>();
  return ({ id, path }, { cwd }) => {
    if (!path.endsWith(".db")) {
      return { reason: "it is a file, and OpenCode from 1.2 on reads its database", commands: [] };
    }
    let index = indexes.get(path);
    if (index === undefined) indexes.set(path, index = readIndex(path));
    const row = index.sessions.get(id);
    if (row === undefined) return undefined;
    const reason = reasonOf(row, index, asText(row.directory) ?? cwd);
    if (reason === undefined) return otherChannel(id, path);
    // 1.18.33 fails in a session whose directory is gone. A copy belongs to another one.
    return isFolderThere(asText(row.directory) ?? "")
      ? { reason, copy_helps: true }
      : { reason, commands: [], copy_helps: true };
  };
}

/** Releases read `opencode.db` alone; other builds have a database of their channel. */
function otherChannel(id: string, path: string): HiddenReason | undefined {
  const name = basename(path);
  if (!/^opencode-.+\.db$/.test(name)) return undefined;
  const argv = ["env", `OPENCODE_DB=${path}`, "opencode", "--session", id] as const;
  const reason = `it is in the database of another channel: ${name}`;
  return { reason, commands: [{ argv, id_form: PLAIN_ID, in_directory: true }] };
}

function reasonOf(row: Row, { sessions, projects }: Index, cwd = ""): string | undefined {
  const { parent_id, project_id, time_archived } = row;
  if (time_archived !== undefined) return "it is archived";
  if (parent_id !== undefined && !sessions.has(String(parent_id))) {
    return "it is a subagent's, and the session that started it is gone";
  }
  if (!isFolderThere(cwd)) return `its directory is gone: ${cwd}`;
  const around = projects.filter(({ worktree }) => isAround(asText(worktree), cwd));
  const own = around.filter(({ id }) => id === project_id);
  const [newest] = around.sort((one, other) => lengthOf(other) - lengthOf(one) || age(other, one));
  if (newest === undefined || newest.id === project_id) return undefined;
  if (own.length > 0 && lengthOf(own[0]) === lengthOf(newest) && age(own[0], newest) >= 0) {
    return undefined;
  }
  return `it belongs to project ${project_id}, and its directory to project ${newest.id} now`;
}

function isAround(worktree: string | undefined, cwd: string): boolean {
  return worktree !== undefined && (worktree === cwd || isBelow(cwd, worktree));
}

function lengthOf(project: Row | undefined): number {
  return asText(project?.worktree)?.length ?? 0;
}

/** Returns a positive number if the first project was used later. */
function age(one: Row | undefined, other: Row | undefined): number {
  return Number(one?.time_updated ?? 0) - Number(other?.time_updated ?? 0);
}

function readIndex(path: string): Index {
  try {
    using reader = new SqliteReader(path);
    const columns = ["id", "project_id", "parent_id", "directory", "time_archived"];
    const sessions = TABLES.filter((table) => reader.has(table, "id", "directory"))
      .flatMap((table) => reader.all(`SELECT ${reader.select(table, columns)} FROM ${table}`));
    const projects = reader.has("project", "id", "worktree")
      ? reader.all(
        `SELECT ${reader.select("project", ["id", "worktree", "time_updated"])} FROM project`,
      )
      : [];
    return { sessions: new Map(sessions.map((row) => [String(row.id), row])), projects };
  } catch (error) {
    // Its sessions are shown with this error already.
    if (!(error instanceof SessionError)) throw error;
    return { sessions: new Map(), projects: [] };
  }
}
