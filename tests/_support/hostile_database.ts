/** What a reader makes of a database that is made to hurt it: long cells, views, generated columns. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { isSqlite } from "../../lib/agents/engine/sqlite/sqlite_file.ts";
import { SQLITE_BOUNDS } from "../../lib/agents/engine/sqlite/bounded_query.ts";
import { type AgentCase, locateAll, makeHome, readAll } from "./agent_contract.ts";

const CELL_BYTES = 64 * 1024;
/** Never ends. */
const ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";

/** What a home tells: the texts of events, and what was said of damage. */
interface Told {
  events: string;
  found: string[];
}

/** The file of a case that is a database, if one is. */
export function databaseIn({ files }: AgentCase): [name: string, bytes: Uint8Array] | undefined {
  return Object.entries(files).find((entry): entry is [string, Uint8Array] =>
    entry[1] instanceof Uint8Array && isSqlite(entry[1])
  );
}

/** Changes the database of a home one way after the other, and reads the home after each. */
async function tell(
  { agent, files, variables }: AgentCase,
  changes: readonly ((database: DatabaseSync) => void)[],
): Promise<Told[]> {
  const [name, bytes] = databaseIn({ files } as AgentCase) ?? assert.fail();
  await using home = await makeHome(files, variables);
  const path = join(home.path, name);
  const told: Told[] = [];
  for (const change of changes) {
    Deno.writeFileSync(path, bytes);
    const database = new DatabaseSync(path);
    database.exec(
      "PRAGMA synchronous = off; PRAGMA journal_mode = memory; PRAGMA foreign_keys = off",
    );
    change(database);
    database.close();
    const one: Told = { events: "", found: [] };
    for (const session of await locateAll(agent, home.environment)) {
      try {
        const { events, found } = await readAll(agent, session, { unit: "rows" });
        const row = await agent.open(session).summarize();
        one.events += JSON.stringify([session.id, { ...row, bytes: 0 }, events])
          .replaceAll(home.path, "~");
        one.found.push(...found.map(({ code }) => code));
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        one.found.push(error.message);
      }
    }
    told.push(one);
  }
  return told;
}

/** The cells of a database with texts or blobs: a table, a column, a row. */
function cellsOf(bytes: Uint8Array): { table: string; column: string; row: number }[] {
  const path = Deno.makeTempFileSync();
  Deno.writeFileSync(path, bytes);
  const database = new DatabaseSync(path);
  const rows = (sql: string): string[] =>
    database.prepare(sql).all().map(({ name }) => String(name));
  const cells = rows(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
  )
    .flatMap((table) =>
      rows(`SELECT name FROM pragma_table_info('${table}')`).flatMap((column) => {
        const found = database.prepare(
          `SELECT rowid AS row FROM "${table}" WHERE typeof("${column}") IN ('text', 'blob')`,
        ).get();
        return found === undefined ? [] : [{ table, column, row: Number(found.row) }];
      })
    );
  database.close();
  Deno.removeSync(path);
  return cells;
}

/** Asserts that a reader goes on beside any long cell, and that none is lost without a word. */
export async function assertLongCellsReported(given: AgentCase): Promise<void> {
  const cells = cellsOf(databaseIn(given)?.[1] ?? assert.fail());
  const before = { ...SQLITE_BOUNDS };
  SQLITE_BOUNDS.cell_bytes = CELL_BYTES;
  try {
    const put =
      (length: number) =>
      ({ table, column, row }: typeof cells[number]) =>
      (database: DatabaseSync): void =>
        void database.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE rowid = ${row}`)
          .run("x".repeat(length));
    const [sound, ...long] = await tell(given, [() => {}, ...cells.map(put(CELL_BYTES + 1))]);
    const reported = long.map(({ events, found }) =>
      events === sound?.events || found.some((one) => /oversized-line|are larger than/.test(one))
    );
    // A column that nobody reads, a reference that leads nowhere, or a report.
    const others = cells.filter((_, index) => reported[index] === false);
    const short = await tell(given, others.map(put(1)));
    for (const [index, { events }] of long.entries()) {
      const cell = cells[index] ?? assert.fail();
      const what = `${cell.table}.${cell.column}`;
      assert.ok(!events.includes("x".repeat(CELL_BYTES)), what);
      const is_told = reported[index] || events === short[others.indexOf(cell)]?.events;
      assert.ok(is_told, what);
    }
    assert.ok(long.some(({ found }) => found.length > 0));
    assert.equal(sound?.found.includes("oversized-line"), false);
  } finally {
    Object.assign(SQLITE_BOUNDS, before);
  }
}

/** Asserts that nothing is computed by what a database defines. */
export async function assertNothingComputed(given: AgentCase): Promise<void> {
  const tables = [...new Set(cellsOf(databaseIn(given)?.[1] ?? assert.fail()).map((c) => c.table))];
  const replacing =
    (table: string, make: (columns: string[]) => string) => (database: DatabaseSync): void => {
      const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
      database.exec(`DROP TABLE "${table}"`);
      database.exec(make(columns.map(({ name }) => `"${name}"`)));
    };
  const told = await tell(
    given,
    tables.flatMap((table) => [
      replacing(table, (columns) => {
        const endless = columns.map((one) => `x AS ${one}`).join(", ");
        return `CREATE VIEW "${table}" AS SELECT ${endless} FROM (${ENDLESS}) WHERE x < 0`;
      }),
      replacing(table, (columns) => {
        const made = columns.map((one) => `${one} AS ('computed ' || hidden)`).join(", ");
        return `CREATE TABLE "${table}" (hidden, ${made}); INSERT INTO "${table}" VALUES (1)`;
      }),
    ]),
  );
  assert.doesNotMatch(JSON.stringify(told), /computed 1/);
}
