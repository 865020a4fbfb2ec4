/**
 * Hides the views and generated columns of another agent's database from queries. Other programs
 * wrote their expressions, and evaluating them may never end.
 */
import type { DatabaseSync } from "node:sqlite";

/** Query for all objects except ordinary indexes and triggers, which no SELECT statement runs. */
const OBJECTS = `SELECT name, type, substr(sql, 1, 100000) AS sql FROM sqlite_schema
  WHERE NOT ifnull(CASE type
    WHEN 'index' THEN sql IS NULL OR sql LIKE 'CREATE INDEX %' OR sql LIKE 'CREATE UNIQUE INDEX %'
    WHEN 'trigger' THEN sql LIKE 'CREATE TRIGGER %' END, 0)`;

/** Matches the expression of a generated column. */
const GENERATES = /\bAS\b(?:\s|\/\*[^]*?\*\/|--[^\n]*\n)*(?:\(|$)/i;
const LONGEST = 100_000;

/** Matches the name of a view or virtual table in its SQL. */
const NAME =
  /^CREATE (?:VIEW|VIRTUAL TABLE) (?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|`((?:[^`]|``)*)`|\[([^\]]*)\]|([^\s("'`[]+))/i;

/**
 * Hides views, virtual tables and generated columns behind temporary views with the same names.
 * Must run before any other query.
 *
 * @returns False if an object's name differs from the name in its SQL.
 * @throws The error of SQLite.
 */
export function hideComputed(database: DatabaseSync): boolean {
  const hide = (name: string, select: string): void =>
    database.exec(`PRAGMA temp_store = memory; CREATE TEMP VIEW ${quoted(name)} AS ${select}`);
  const tables: { name: string; sql: string }[] = [];
  for (const cells of database.prepare(OBJECTS).all()) {
    const [name, sql] = [String(cells.name), String(cells.sql)];
    if (cells.type === "table" && /^CREATE TABLE /i.test(sql)) {
      if (sql.length >= LONGEST || GENERATES.test(sql)) tables.push({ name, sql });
      continue;
    }
    const made = NAME.exec(sql)?.slice(1).find((one) => one !== undefined);
    if (made === undefined || unescaped(made) !== unescaped(name)) return false;
    hide(name, "SELECT NULL AS hidden WHERE 0");
  }
  for (const { name, sql } of tables) {
    const columns = database.prepare("SELECT name, hidden FROM pragma_table_xinfo(?)").all(name);
    if (columns.every(({ hidden }) => Number(hidden) === 0)) continue;
    const plain = columns.filter(({ hidden }) => Number(hidden) === 0)
      .map(({ name }) => quoted(String(name)));
    const known = /WITHOUT\s+ROWID/i.test(sql) ? plain : ["rowid AS rowid", ...plain];
    hide(name, `SELECT ${known.join(", ")} FROM main.${quoted(name)}`);
  }
  return true;
}

function unescaped(name: string): string {
  return name.replaceAll(/(["'`])\1/g, "$1").toLowerCase();
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
