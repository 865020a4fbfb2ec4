/**
 * Queries another agent's database of any version. Columns may be missing, cells may hold anything,
 * and pages may be damaged.
 */
import type { StatementSync } from "node:sqlite";
import { SessionError } from "../../event/session_error.ts";
import type { DiagnosticCode } from "../../log/diagnostic.ts";
import type { DatabaseCheck } from "../../source/session_repair.ts";
import { count, countSide } from "../../source/source_account.ts";
import type { RecordSink } from "../records/source_record.ts";
import { parseCell } from "./json_cell.ts";
import { isSqlite, isSqliteFile } from "./sqlite_file.ts";
import { openSqlite, sqliteError, type SqliteSource } from "./sqlite_source.ts";

/** A row by column: texts, numbers, or nothing. */
export type Row = Readonly<Record<string, string | number | undefined>>;

type Parameter = string | number;

const decoder = new TextDecoder();

/** A database that is open to read; every method throws `SessionError` alone. */
export class SqliteReader implements Disposable {
  readonly path: string;
  readonly #source: SqliteSource;
  readonly #statements = new Map<string, StatementSync>();
  readonly #columns = new Map<string, ReadonlySet<string>>();

  /** @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source` */
  constructor(path: string) {
    this.path = path;
    this.#source = openSqlite(path);
  }

  columns(table: string): ReadonlySet<string> {
    const known = this.#columns.get(table);
    if (known !== undefined) return known;
    const rows = this.all(`SELECT name FROM pragma_table_info(?)`, table);
    const columns = new Set(rows.map(({ name }) => String(name)));
    this.#columns.set(table, columns);
    return columns;
  }

  /** True if a table is there and has these columns. */
  has(table: string, ...columns: string[]): boolean {
    const known = this.columns(table);
    return known.size > 0 && columns.every((column) => known.has(column));
  }

  /** Returns the columns to select: names that the table has, and `NULL AS …` for others. */
  select(table: string, columns: readonly string[]): string {
    const known = this.columns(table);
    return columns.map((name) => known.has(name) ? quoted(name) : `NULL AS ${quoted(name)}`)
      .join(", ");
  }

  /** Returns the first row of a query. */
  get(sql: string, ...parameters: Parameter[]): Row | undefined {
    return this.#ask(() => {
      const row = this.#prepare(sql).get(...parameters);
      return row === undefined ? undefined : toRow(row);
    });
  }

  /** Returns all rows of a query with a small answer. */
  all(sql: string, ...parameters: Parameter[]): Row[] {
    return this.#ask(() => this.#prepare(sql).all(...parameters).map(toRow));
  }

  /**
   * Queries some rows. If their pages are damaged, this is reported as one damaged row, and other
   * queries still work.
   */
  salvage<Answer>(sink: RecordSink, about: string, question: () => Answer): Answer | undefined {
    try {
      return question();
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== "unsupported-source") throw error;
      reportRow(sink, { code: "malformed-line", detail: `${about} cannot be read` });
      return undefined;
    }
  }

  /** Yields the rows of a query one at a time. Leaving early closes the query. */
  *each(sql: string, ...parameters: Parameter[]): Generator<Row> {
    // Not from the cache: the same question may be under way already.
    const rows = this.#ask(() => this.#fresh(sql).iterate(...parameters));
    try {
      for (;;) {
        const next = this.#ask(() => rows.next());
        if (next.done) return;
        yield toRow(next.value);
      }
    } finally {
      rows.return?.();
    }
  }

  /**
   * Counts the rows of all tables but `except` that have an id in `session_id` or `aggregate_id`.
   * They are side rows, by table.
   */
  countOtherRows(sink: RecordSink, id: string, except: readonly string[]): void {
    if (sink.account === undefined) return;
    for (const { name } of this.all(TABLES)) {
      const table = String(name);
      const column = ["session_id", "aggregate_id"].find((key) => this.has(table, key));
      if (column === undefined || except.includes(table)) continue;
      const sql = `SELECT count(*) AS rows FROM ${quoted(table)} WHERE ${column} = ?`;
      const { rows } = this.salvage(sink, `table ${table}`, () => this.get(sql, id)) ?? {};
      if (typeof rows === "number" && rows > 0) countSide(sink.account, table, rows);
    }
  }

  [Symbol.dispose](): void {
    this.#source.close();
  }

  #fresh(sql: string): StatementSync {
    const statement = this.#source.database.prepare(sql);
    // As numbers, those over 2^53 throw.
    statement.setReadBigInts(true);
    return statement;
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#fresh(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #ask<Answer>(question: () => Answer): Answer {
    try {
      return question();
    } catch (error) {
      throw sqliteError(error, this.path);
    }
  }
}

/**
 * Opens a session's rows in a database, which stays open with them.
 *
 * @param open Returns the rows; undefined where the database has no such session.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openedRows<Rows>(
  { path, id }: { path: string; id: string },
  open: (reader: SqliteReader) => Rows | undefined,
): Rows {
  const reader = new SqliteReader(path);
  try {
    const rows = open(reader);
    if (rows !== undefined) return rows;
    const message = `Cannot read session: ${id} is not in the database: ${path}`;
    throw new SessionError("not-found", message, { path, ref: id });
  } catch (error) {
    reader[Symbol.dispose]();
    throw error;
  }
}

/**
 * True for a database whose tables pass a test: they may lie anywhere in the file.
 *
 * @param head The first bytes of the file.
 */
export function isDatabaseWith(
  path: string,
  head: Uint8Array,
  test: (reader: SqliteReader) => boolean,
): boolean {
  if (!isSqlite(head)) return false;
  try {
    using reader = new SqliteReader(path);
    return test(reader);
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/**
 * Reads the JSON object that the first column of a query holds as text. A damaged one is reported.
 *
 * @param about The row's name in the report.
 */
export function readDocument(
  reader: SqliteReader,
  sink: RecordSink,
  about: string,
  sql: string,
  ...parameters: Parameter[]
): Record<string, unknown> | undefined {
  const row = reader.salvage(sink, about, () => reader.get(sql, ...parameters));
  if (row === undefined) return undefined;
  const parsed = parseCell(Object.values(row)[0]);
  if ("value" in parsed) return parsed.value;
  reportRow(sink, { code: parsed.code, detail: `${about} ${parsed.detail}` });
  return undefined;
}

interface RowFault {
  code: DiagnosticCode;
  detail: string;
  /** Number of the row, where it is known. */
  at?: number;
}

/** Reports a damaged row. A database has rows, not bytes: its place is one row at its number. */
export function reportRow(
  { report, account }: RecordSink,
  { code, detail, at = 0 }: RowFault,
): void {
  report?.({ code, offset: at, length: 1, line: at, detail });
  count(account, "damage", 1);
}

/** Virtual tables need modules that are not here; their content lies in other tables. */
const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' " +
  "AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name";

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function toRow(cells: Record<string, unknown>): Row {
  const row: Record<string, string | number | undefined> = {};
  for (const name in cells) row[name] = toCell(cells[name]);
  return row;
}

function toCell(value: unknown): string | number | undefined {
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? decoder.decode(value) : undefined;
}

const MOST_FAULTS = 100;
const SOUND = "ok";

export const databaseCheck: DatabaseCheck = {
  kind: "database",
  check: (path) => Promise.resolve().then(() => checkFile(path)),
};

function checkFile(path: string): string[] {
  if (!isSqliteFile(path)) {
    const message =
      "Cannot repair session: it is no database, and no repair of such files is known: " +
      path;
    throw new SessionError("unsupported-source", message, { path });
  }
  try {
    using reader = new SqliteReader(path);
    const rows = reader.all(`PRAGMA integrity_check(${MOST_FAULTS})`);
    return rows.flatMap((row) => Object.values(row).map(String)).filter((text) => text !== SOUND);
  } catch (error) {
    // So damaged that it cannot even be checked.
    if (!(error instanceof SessionError) || error.code !== "unsupported-source") throw error;
    return [error.message];
  }
}
