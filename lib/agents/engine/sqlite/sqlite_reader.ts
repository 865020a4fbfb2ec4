/**
 * Queries another agent's database of any version. Columns may be missing, cells may hold anything,
 * and pages may be damaged.
 */
import type { StatementSync } from "node:sqlite";
import { SessionError } from "../../../core/event/session_error.ts";
import type { DiagnosticCode } from "../../../core/log/diagnostic.ts";
import { count, countSide } from "../../contract/source_account.ts";
import type { RecordSink } from "../records/source_record.ts";
import { type BoundedQuery, boundedQuery, LONG_CELL, SQLITE_BOUNDS } from "./bounded_query.ts";
import { parseCell } from "./json_cell.ts";
import { isSqlite, sizeOf } from "./sqlite_file.ts";
import { quoted } from "./plain_tables.ts";
import { openSqlite, sqliteError, type SqliteSource } from "./sqlite_source.ts";

/** A row's cells by column name: texts, numbers, or undefined for NULL. */
export type Row = Readonly<Record<string, string | number | undefined>>;

type Parameter = string | number;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const INFO = "SELECT name FROM pragma_table_info(?)";
const FEW_ROWS = 4096;
const ROW_BYTES = 64;
interface Query extends Pick<BoundedQuery, "columns"> {
  statement: StatementSync;
}

/** A database opened for reading. Its methods throw only `SessionError`. */
export class SqliteReader implements Disposable {
  readonly path: string;
  readonly #source: SqliteSource;
  readonly #queries = new Map<string, Query>();
  readonly #columns = new Map<string, ReadonlySet<string>>();
  /**
   * Number of rows returned without cells that were too large. `#dropped_rows` counts rows left out
   * as a whole.
   */
  #cut_rows = 0;
  #dropped_rows = 0;
  #drops = false;
  /** True if no result can exceed `answer_bytes`. Undefined until the files are measured. */
  #is_small: boolean | undefined;

  /** @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source` */
  constructor(path: string) {
    this.path = path;
    this.#source = openSqlite(path);
  }

  columns(table: string): ReadonlySet<string> {
    const known = this.#columns.get(table);
    if (known !== undefined) return known;
    const rows = this.#ask(() => this.#source.database.prepare(INFO).all(table));
    const columns = new Set(rows.map(({ name }) => String(name)));
    this.#columns.set(table, columns);
    return columns;
  }

  has(table: string, ...columns: string[]): boolean {
    const known = this.columns(table);
    return known.size > 0 && columns.every((column) => known.has(column));
  }

  /** Returns a column list for SELECT, with `NULL AS …` for columns that the table lacks. */
  select(table: string, columns: readonly string[]): string {
    const known = this.columns(table);
    return columns.map((name) => known.has(name) ? quoted(name) : `NULL AS ${quoted(name)}`)
      .join(", ");
  }

  /** Returns the first row. Undefined if there is none, or in a `salvage` call if too large. */
  get(sql: string, ...parameters: Parameter[]): Row | undefined {
    return this.#ask(() => {
      const { statement, columns } = this.#prepare(sql);
      const row = statement.get(...parameters);
      return row === undefined ? undefined : this.#toRow(row, columns);
    });
  }

  /** Returns the first row's first cell, empty for NULL. Undefined if absent or too large. */
  bytes(sql: string, ...parameters: Parameter[]): Uint8Array | undefined {
    return this.#ask(() => {
      const row = this.#prepare(sql).statement.get(...parameters);
      if (row === undefined) return undefined;
      const [cell] = Object.values(row);
      if (cell === LONG_CELL) return this.#leaveOut();
      return cell instanceof Uint8Array ? cell : encoder.encode(String(toCell(cell) ?? ""));
    });
  }

  all(sql: string, ...parameters: Parameter[]): Row[] {
    const few = this.#few(sql, parameters);
    return few ?? [...this.each(sql, ...parameters)];
  }

  /** Returns a short result in one call, twice as fast as a loop. Undefined if it may be long. */
  #few(sql: string, parameters: Parameter[]): Row[] | undefined {
    this.#is_small ??= sizeOf(this.path) + sizeOf(`${this.path}-wal`) <= SQLITE_BOUNDS.answer_bytes;
    if (!this.#is_small) return undefined;
    const few = sql.includes(" LIMIT ") ? sql : `${sql} LIMIT ${FEW_ROWS}`;
    const { statement, columns } = this.#ask(() => this.#prepare(few));
    const found = this.#ask(() => statement.all(...parameters));
    if (found.length === FEW_ROWS) return undefined;
    const rows: Row[] = [];
    for (const cells of found) {
      const row = this.#toRow(cells, columns);
      if (row !== undefined) rows.push(row);
    }
    return rows;
  }

  /**
   * Runs a query. If the query meets damage, reports one damaged row and returns undefined. Rows
   * that are too large are reported and left out.
   */
  salvage<Answer>(sink: RecordSink, about: string, question: () => Answer): Answer | undefined {
    this.#drops = true;
    try {
      return question();
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== "unsupported-source") throw error;
      reportRow(sink, { code: "malformed-line", detail: `${about} cannot be read` });
      return undefined;
    } finally {
      this.#drops = false;
      for (; this.#dropped_rows > 0; this.#dropped_rows--) reportLong(sink, about);
    }
  }

  /** True if a row lacks a cell that was too large, and `reportCutRows` has not reported it. */
  get has_cut_rows(): boolean {
    return this.#cut_rows > 0;
  }

  reportCutRows(sink: RecordSink): void {
    for (; this.#cut_rows > 0; this.#cut_rows--) {
      reportLong(sink, "a row of the session in the database");
    }
  }

  /** Yields a query's rows, up to `answer_bytes` in all. Leaving the loop closes the query. */
  *each(sql: string, ...parameters: Parameter[]): Generator<Row> {
    // Not from the cache, because the same query may already be running.
    const { statement, columns } = this.#ask(() => this.#fresh(sql));
    const rows = this.#ask(() => statement.iterate(...parameters));
    let left = SQLITE_BOUNDS.answer_bytes;
    try {
      for (;;) {
        const next = this.#ask(() => rows.next());
        if (next.done) return;
        left -= bytesOf(next.value);
        if (left < 0) return this.#leaveOut();
        const row = this.#toRow(next.value, columns);
        if (row !== undefined) yield row;
      }
    } finally {
      rows.return?.();
    }
  }

  /** Returns the cells as a row. Undefined if a cell is too large and `salvage` is running. */
  #toRow(cells: Record<string, unknown>, columns: BoundedQuery["columns"]): Row | undefined {
    const row: Record<string, string | number | undefined> = {};
    let is_long = false;
    for (const { key, name } of columns) {
      const cell = cells[key];
      if (cell === LONG_CELL) is_long = true;
      else row[name] = toCell(cell);
    }
    if (is_long) this.#leaveOut();
    return is_long && this.#drops ? undefined : row;
  }

  #leaveOut(): undefined {
    if (this.#drops) this.#dropped_rows++;
    else this.#cut_rows++;
  }

  /**
   * Counts the rows of a session in all tables except `except`, by table. A row belongs to the
   * session if its `session_id` or `aggregate_id` is `id`.
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

  #fresh(given: string): Query {
    const { sql, columns } = boundedQuery(given);
    const statement = this.#source.database.prepare(sql);
    // As numbers, integers over 2^53 would throw.
    statement.setReadBigInts(true);
    return { statement, columns };
  }

  #prepare(sql: string): Query {
    const known = this.#queries.get(sql);
    if (known !== undefined) return known;
    const query = this.#fresh(sql);
    this.#queries.set(sql, query);
    return query;
  }

  #ask<Answer>(question: () => Answer): Answer {
    try {
      return question();
    } catch (error) {
      throw sqliteError(error, this.path);
    }
  }
}

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
  at?: number;
}

/** Reports and counts a damaged row. The report's position is the row's number, its length is 1. */
export function reportRow(
  { report, account }: RecordSink,
  { code, detail, at = 0 }: RowFault,
): void {
  report?.({ code, offset: at, length: 1, line: at, detail });
  count(account, "damage", 1);
}

function reportLong(sink: RecordSink, about: string): void {
  const most = `${SQLITE_BOUNDS.cell_bytes / 1024 / 1024} MiB`;
  reportRow(sink, { code: "oversized-line", detail: `${about} is larger than ${most}` });
}

/**
 * Query for ordinary tables. Virtual tables need modules that may be missing. Their content is in
 * ordinary tables.
 */
const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' " +
  "AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name";

function bytesOf(cells: Record<string, unknown>): number {
  let size = ROW_BYTES;
  for (const name in cells) {
    const cell = cells[name];
    if (typeof cell === "string" || cell instanceof Uint8Array) size += cell.length;
  }
  return size;
}

function toCell(value: unknown): string | number | undefined {
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? decoder.decode(value) : undefined;
}
