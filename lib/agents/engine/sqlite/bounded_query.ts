/** Limits how much a query reads of a row. SQLite knows the length of a cell without reading it. */

/** The most bytes to read from a database at once. Longer texts would crash the process. */
export const SQLITE_BOUNDS = {
  cell_bytes: 64 * 1024 * 1024,
  row_bytes: 256 * 1024 * 1024,
  answer_bytes: 512 * 1024 * 1024,
};

/** The text that replaces a cell that is too long. */
export const LONG_CELL = `long cell ${crypto.randomUUID()}`;

/** A query that limits the size of cells. In a result row, the column `name` has the key `key`. */
export interface BoundedQuery {
  sql: string;
  columns: readonly { key: string; name: string }[];
}

const COLUMNS = /^SELECT ([^]*?)\sFROM\s/;
const COLUMN = /^([^]*?)(?: AS ("(?:[^"]|"")+"|\w+))?$/;
const PLAIN = /^(?:"(?:[^"]|"")+"|\w+)$/;

/**
 * Limits the length of each column's value. The limit does not apply to the cells that an
 * expression reads. The query must limit these cells itself, with `MOST_BYTES` as the limit.
 */
export function boundedQuery(given: string): BoundedQuery {
  const { cell_bytes, row_bytes } = SQLITE_BOUNDS;
  const sql = given.replaceAll("MOST_BYTES", String(cell_bytes));
  const [start = "", list = ""] = COLUMNS.exec(sql) ?? [];
  const columns = columnsOf(list);
  const most = Math.floor(Math.min(cell_bytes, row_bytes / columns.length));
  const cells = columns.map(({ cell, key, name }) =>
    key === name
      ? `${cell} AS "${name.replaceAll('"', '""')}"`
      : `CASE WHEN octet_length(${cell}) > ${most} THEN '${LONG_CELL}' ELSE ${cell} END AS ${key}`
  );
  return { sql: `SELECT ${cells.join(", ")} FROM ${sql.slice(start.length)}`, columns };
}

/** Splits a list of columns at commas outside of parentheses. */
function columnsOf(list: string): { cell: string; key: string; name: string }[] {
  const columns: string[] = [];
  let depth = 0;
  for (const piece of list.split(", ")) {
    if (depth > 0) columns.push(`${columns.pop()}, ${piece}`);
    else columns.push(piece);
    depth += piece.split("(").length - piece.split(")").length;
  }
  return columns.map((column, index) => {
    const [, cell = "", alias = cell] = COLUMN.exec(column) ?? [];
    const name = alias.replaceAll(/^"|"$/g, "").replaceAll('""', '"');
    // By its old name, ORDER BY would take the expression for the column.
    return { cell, name, key: PLAIN.test(cell) && cell !== "NULL" ? `c${index}` : name };
  });
}
