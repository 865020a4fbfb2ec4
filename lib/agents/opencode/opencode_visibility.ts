/**
 * Tells which sessions OpenCode's list leaves out. The list has the sessions of one project and
 * folder, without children (1.18, packages/opencode/src/session/session.ts, `list`). A project's id
 * is the hash of its first commit, so it changes when a folder becomes a repository. The screen
 * gets the last 30 days, and at most 100 sessions, subagents included. Tried with 1.18.33.
 */
import { basename } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { directoryAbsence } from "../../core/workspace/session_directory.ts";
import { asList, asNumber, asText, parsedJson } from "../engine/json.ts";
import { type Row, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import { isBelow } from "../contract/agent_roots.ts";
import type { HiddenReason, ReadHiddenReason, VisiblePlace } from "../contract/visibility.ts";
import { PLAIN_ID } from "../contract/resume_command.ts";
import { TABLES } from "./find_sessions.ts";

interface Index {
  sessions: ReadonlyMap<string, Row>;
  trees: readonly WorkTree[];
}

/** A directory of a project: the main work tree, or another work tree of its repository. */
interface WorkTree {
  id: unknown;
  path: string;
  used: number;
}

const LISTED_DAYS = 30;
const MOST_LISTED = 100;
const DAY_MS = 86_400_000;

export function opencodeVisibility({ now }: VisiblePlace): ReadHiddenReason {
  const indexes = new Map<string, Index>();
  return ({ id, path }, { cwd }) => {
    if (!path.endsWith(".db")) {
      return {
        reason:
          "the session is stored in a file, but OpenCode 1.2 and later read only the database",
        commands: [],
      };
    }
    let index = indexes.get(path);
    if (index === undefined) indexes.set(path, index = readIndex(path));
    const row = index.sessions.get(id);
    if (row === undefined) return undefined;
    const reason = reasonOf(row, index, asText(row.directory) ?? cwd);
    if (reason === undefined) return otherChannel(id, path) ?? unlisted(row, index, now);
    // 1.18.33 fails in a session whose directory is gone. A copy belongs to another one.
    return directoryAbsence(asText(row.directory) ?? "") === undefined
      ? { reason, copy_helps: true }
      : { reason, commands: [], copy_helps: true };
  };
}

/** Returns a reason if the database is not a release's. Releases read only `opencode.db`. */
function otherChannel(id: string, path: string): HiddenReason | undefined {
  const name = basename(path);
  if (!/^opencode-.+\.db$/.test(name)) return undefined;
  const argv = ["env", `OPENCODE_DB=${path}`, "opencode", "--session", id] as const;
  const reason = `the session is in the database of another release channel of OpenCode: ${name}`;
  return { reason, commands: [{ argv, id_form: PLAIN_ID, in_directory: true }] };
}

function unlisted(row: Row, { sessions }: Index, now: number): HiddenReason | undefined {
  const updated = asNumber(row.time_updated);
  if (row.parent_id !== undefined || updated === undefined) return undefined;
  if (updated < now - LISTED_DAYS * DAY_MS) {
    return {
      reason: `the session has not changed for ${LISTED_DAYS} days, ` +
        "so OpenCode's screen finds it only by a search",
    };
  }
  const directory = asText(row.directory) ?? "";
  const newer = sessions.values().filter((one) =>
    one.project_id === row.project_id && (asNumber(one.time_updated) ?? 0) > updated &&
    (one.directory === directory || isBelow(String(one.directory), directory))
  );
  if (newer.take(MOST_LISTED).toArray().length < MOST_LISTED) return undefined;
  return {
    reason: `${MOST_LISTED} sessions of this directory are newer, ` +
      "so OpenCode's screen finds it only by a search",
  };
}

function reasonOf(row: Row, { sessions, trees }: Index, cwd = ""): string | undefined {
  const { parent_id, project_id, time_archived } = row;
  if (time_archived !== undefined) return "the session is archived";
  if (parent_id !== undefined && !sessions.has(String(parent_id))) {
    return "the session belongs to a subagent whose parent session no longer exists";
  }
  const absence = directoryAbsence(cwd);
  if (absence !== undefined) return `the session's directory is ${absence}: ${cwd}`;
  const [nearest] = trees.filter(({ path }) => path === cwd || isBelow(cwd, path))
    .sort((one, other) =>
      other.path.length - one.path.length || other.used - one.used ||
      Number(other.id === project_id) - Number(one.id === project_id)
    );
  if (nearest === undefined || nearest.id === project_id) return undefined;
  return `the session is recorded under project ${project_id}, ` +
    `but the session's directory is now in project ${nearest.id}`;
}

const PROJECT_COLUMNS = ["id", "worktree", "sandboxes", "time_updated"];

function treesOf({ id, worktree, sandboxes, time_updated }: Row): WorkTree[] {
  return [worktree, ...asList(parsedJson(sandboxes))].flatMap((path) =>
    typeof path === "string" ? { id, path, used: Number(time_updated ?? 0) } : []
  );
}

function readIndex(path: string): Index {
  try {
    using reader = new SqliteReader(path);
    const columns = [
      ...["id", "project_id", "parent_id", "directory", "time_archived", "time_updated"],
    ];
    const sessions = TABLES.filter((table) => reader.has(table, "id", "directory"))
      .flatMap((table) => reader.all(`SELECT ${reader.select(table, columns)} FROM ${table}`));
    const projects = reader.has("project", "id", "worktree")
      ? reader.all(`SELECT ${reader.select("project", PROJECT_COLUMNS)} FROM project`)
      : [];
    return {
      sessions: new Map(sessions.map((row) => [String(row.id), row])),
      trees: projects.flatMap(treesOf),
    };
  } catch (error) {
    // Its sessions are shown with this error already.
    if (!(error instanceof SessionError)) throw error;
    return { sessions: new Map(), trees: [] };
  }
}
