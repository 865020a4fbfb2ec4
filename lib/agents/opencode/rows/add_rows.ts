/** Adds the rows of a session from another machine to OpenCode's database. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SessionError } from "../../../core/event/session_error.ts";
import { changeDatabase, isConflict } from "../../engine/sqlite/database_change.ts";
import { quoted } from "../../engine/sqlite/plain_tables.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type { SentRows } from "../../contract/session_rows.ts";
import { databases } from "../locate.ts";
import { parseSentRows, type SentRow } from "./sent_rows.ts";

const TITLE = "OpenCode";
/** OpenCode's project id for directories outside of git. */
const GLOBAL = "global";

/** Adds rows in one transaction, as `opencode import` does. Returns a function to remove them. */
export function addRows(place: AgentPlace, sent: SentRows): () => void {
  const [path] = databases(place);
  if (path === undefined) {
    const message = "Cannot take the sent session: OpenCode has no database here yet. " +
      "Start opencode once, and try again";
    throw new SessionError("not-found", message, { path: place.folder });
  }
  const rows = parseSentRows(sent);
  changeDatabase(path, TITLE, (database) => {
    addGlobalProject(database);
    for (const { table, row } of rows) {
      const project = table === "session" ? { project_id: GLOBAL } : {};
      insertRow(database, path, { table, row: { ...row, ...project } });
    }
  });
  return () =>
    changeDatabase(path, TITLE, (database) => {
      for (const { table, row } of rows.toReversed()) {
        if (table === "todo") {
          database.prepare("DELETE FROM todo WHERE session_id = ?").run(row.session_id ?? null);
        } else database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(row.id ?? null);
      }
    });
}

/**
 * Adds the project for directories outside of git. When OpenCode starts in a directory, it moves
 * the sessions of the directory to the directory's project (1.18.33, src/project/project.ts).
 */
function addGlobalProject(database: DatabaseSync): void {
  const now = Date.now();
  database.prepare(
    "INSERT OR IGNORE INTO project (id, worktree, sandboxes, time_created, time_updated) " +
      "VALUES (?, '/', '[]', ?, ?)",
  ).run(GLOBAL, now, now);
}

function insertRow(database: DatabaseSync, path: string, { table, row }: SentRow): void {
  const names = Object.keys(row);
  const known = database.prepare("SELECT name FROM pragma_table_info(?)").all(table);
  const columns = new Set(known.map(({ name }) => String(name)));
  const missing = names.find((name) => !columns.has(name));
  if (missing !== undefined) {
    const message = "Cannot take the sent session: another version of OpenCode wrote it, and the " +
      `table ${table} has no column ${missing} here. Update OpenCode on both machines: ${path}`;
    throw new SessionError("unsupported-version", message, { path });
  }
  const places = names.map(() => "?").join(", ");
  const sql = `INSERT INTO ${table} (${names.map(quoted).join(", ")}) VALUES (${places})`;
  try {
    database.prepare(sql).run(...Object.values(row));
  } catch (error) {
    if (!isConflict(error)) throw error;
    const message = `Cannot take the sent session: OpenCode's database has another ${table} with ` +
      `the id ${row.id}, or refuses the row. Nothing was changed: ${path}`;
    throw new SessionError("changed", message, { path }, error);
  }
}

/**
 * Writes the rows of a received session to a new database, and returns the session's path. The
 * columns have no types, because the rows can be of any OpenCode version.
 */
export function stageRows(folder: string, sent: SentRows): string {
  const path = join(folder, "opencode.db");
  const rows = parseSentRows(sent);
  using database = new DatabaseSync(path);
  database.exec("BEGIN");
  for (const [table, of_table] of Map.groupBy(rows, ({ table }) => table)) {
    const columns = new Set(of_table.flatMap(({ row }) => Object.keys(row)));
    database.exec(`CREATE TABLE ${table} (${[...columns].map(quoted).join(", ")})`);
    for (const row of of_table) insertRow(database, path, row);
  }
  database.exec("COMMIT");
  return `${path}~${sent.id}`;
}
