/** Reads single cells of another agent's database, so that they can be replaced one by one. */
import { quoted } from "./plain_tables.ts";
import { openSqlite, sqliteError } from "./sqlite_source.ts";

export type CellContent = string | Uint8Array;

export interface CellPlace {
  table: string;
  /** The row's primary key. Empty if the table has none, or if JSON cannot hold its values. */
  key: [column: string, value: string | number | null][];
  column: string;
}

export interface DatabaseCell extends CellPlace {
  content: CellContent;
  /** True if a cell of the row equals one of the session ids given to {@linkcode databaseCells}. */
  is_own: boolean;
}

const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' " +
  "AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
const COLUMNS = "SELECT name, pk FROM pragma_table_info(?)";

/**
 * Yields the text and binary cells of all tables, except cells of primary keys.
 *
 * @param ids Ids of sessions. A row with one of these ids in a cell belongs to a session.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function* databaseCells(path: string, ids: ReadonlySet<string>): Generator<DatabaseCell> {
  using source = openSqlite(path);
  const { database } = source;
  try {
    for (const { name } of database.prepare(TABLES).all()) {
      const table = String(name);
      const columns = database.prepare(COLUMNS).all(table)
        .map(({ name, pk }) => ({ name: String(name), is_key: Number(pk) > 0 }));
      const names = columns.map(({ name }) => quoted(name)).join(", ");
      const rows = database.prepare(`SELECT ${names} FROM ${quoted(table)}`);
      rows.setReadBigInts(true);
      for (const row of rows.iterate()) {
        const is_own = Object.values(row).some((one) => typeof one === "string" && ids.has(one));
        const key = columns.filter(({ is_key }) => is_key).map(({ name }) => [name, row[name]]);
        for (const { name: column, is_key } of columns) {
          const content = row[column];
          if (is_key || typeof content !== "string" && !(content instanceof Uint8Array)) continue;
          yield { table, key: plainKey(key), column, content, is_own };
        }
      }
    }
  } catch (error) {
    throw sqliteError(error, path);
  }
}

function plainKey(key: readonly unknown[][]): CellPlace["key"] {
  const plain = key.map(([name, value]): CellPlace["key"][number] | undefined => {
    const number = typeof value === "bigint" ? Number(value) : value;
    const fits = typeof number === "string" || number === null || Number.isSafeInteger(number);
    return fits ? [String(name), number as string | number | null] : undefined;
  });
  return plain.every((one) => one !== undefined) ? plain : [];
}

export function cellCondition(
  { key, column }: CellPlace,
  content: CellContent,
): { where: string; values: (string | number | null | Uint8Array)[] } {
  const found: [string, string | number | null | Uint8Array][] = [...key, [column, content]];
  return {
    where: found.map(([name]) => `${quoted(name)} IS ?`).join(" AND "),
    values: found.map(([, value]) => value),
  };
}
