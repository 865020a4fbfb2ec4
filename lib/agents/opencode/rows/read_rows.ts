/** Reads the rows of a session and its subagents. Tables as in a database of OpenCode 1.18.33. */
import { joinBytes } from "../../../core/event/bytes.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { statSync } from "../../../core/platform/files.ts";
import { quoted } from "../../engine/sqlite/plain_tables.ts";
import { isSqliteFile, sizeOf, sqliteFiles } from "../../engine/sqlite/sqlite_file.ts";
import { openSqlite, sqliteError, type SqliteSource } from "../../engine/sqlite/sqlite_source.ts";
import type { AgentSession } from "../../contract/agent.ts";

/**
 * The tables whose rows belong to a session, in the order that their foreign keys require. `event`
 * is absent because it repeats these rows, and OpenCode's own import does not write it. The table
 * of shares is absent because its secrets must stay on this machine.
 */
export const OWNED_TABLES = ["message", "part", "todo"] as const;

/** Maximum bytes of a session's rows, which are held in memory. */
const MOST_BYTES = 128 * 1024 * 1024;

const TREE = "WITH RECURSIVE tree(id) AS (SELECT ?1 UNION SELECT session.id FROM session " +
  "JOIN tree ON session.parent_id = tree.id)";
const ORDER: Record<string, string> = {
  session: "id = ?1 DESC, time_created, id",
  message: "time_created, id",
  part: "id",
  todo: "session_id, position",
};

/** Returns the rows as JSON lines `[table, row]`. Returns undefined if `path` is not a database. */
export function readRows({ path, id }: AgentSession): Uint8Array | undefined {
  if (!isSqliteFile(path)) return undefined;
  const before = stateOf(path);
  using source = openSqlite(path);
  try {
    source.database.exec("BEGIN");
    const tables = tablesOf(source);
    refuseNewer(source, tables, { path, id });
    const lines: Uint8Array[] = [];
    let bytes = 0;
    const encoder = new TextEncoder();
    for (const table of ["session", ...OWNED_TABLES].filter((name) => tables.has(name))) {
      for (const row of rowsOf(source, table, id)) {
        const line = encoder.encode(`${JSON.stringify([table, plainRow(row, path)])}\n`);
        bytes += line.length;
        if (bytes > MOST_BYTES) throw unsendable(path, "its rows are larger than 128 MB");
        lines.push(line);
      }
    }
    // A file that no program has open is read without a lock.
    if (source.access === "immutable" && stateOf(path) !== before) {
      const message = "Cannot send session: the session changed while it was read; try again";
      throw new SessionError("changed", message, { path });
    }
    return joinBytes(lines);
  } catch (error) {
    throw sqliteError(error, path);
  }
}

function stateOf(path: string): string {
  const states = sqliteFiles(path).map((file) =>
    sizeOf(file) < 0 ? "" : `${sizeOf(file)} ${statSync(file).mtime?.getTime()}`
  );
  return states.join("\n");
}

function tablesOf({ database }: SqliteSource): Set<string> {
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return new Set(rows.map(({ name }) => String(name)));
}

/** Throws for a session that OpenCode 2 wrote. No client of that version was tested. */
function refuseNewer(
  { database }: SqliteSource,
  tables: ReadonlySet<string>,
  { path, id }: Pick<AgentSession, "path" | "id">,
): void {
  const has = (table: string, column: string): boolean =>
    tables.has(table) &&
    database.prepare(`SELECT 1 FROM ${table} WHERE ${column} = ?`).get(id) !== undefined;
  const is_known = has("session", "id") && !has("session_v2", "id") &&
    !has("session_message", "session_id");
  if (!is_known) throw unsendable(path, "OpenCode 2 wrote it");
}

function* rowsOf(
  { database }: SqliteSource,
  table: string,
  id: string,
): Generator<Record<string, unknown>> {
  const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(table)
    .map(({ name }) => quoted(String(name)));
  const key = table === "session" ? "id" : "session_id";
  const sql = `${TREE} SELECT ${columns.join(", ")} FROM ${table} WHERE ${key} IN tree ` +
    `ORDER BY ${ORDER[table]}`;
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  yield* statement.iterate(id);
}

function plainRow(row: Record<string, unknown>, path: string): Record<string, string | number> {
  const cells = Object.entries(row).flatMap(([name, value]): [string, string | number][] => {
    if (value === null) return [];
    if (typeof value === "string" || typeof value === "number") return [[name, value]];
    const number = typeof value === "bigint" ? Number(value) : Number.NaN;
    if (!Number.isSafeInteger(number)) {
      throw unsendable(path, `the column ${name} has a value that is neither a text nor a number`);
    }
    return [[name, number]];
  });
  return Object.fromEntries(cells);
}

function unsendable(path: string, reason: string): SessionError {
  return new SessionError("unsupported-source", `Cannot send session: ${reason}: ${path}`, {
    path,
  });
}
