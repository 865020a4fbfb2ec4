import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { SqliteReader } from "../../../../lib/agents/engine/sqlite/sqlite_reader.ts";

/** Makes a database with SQL, and asks it. */
function asked<Answer>(
  sql: string,
  ask: (reader: SqliteReader) => Answer,
  change: (bytes: string) => string = (bytes) => bytes,
): Answer {
  const path = Deno.makeTempFileSync({ suffix: ".db" });
  try {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
    const bytes = Deno.readFileSync(path);
    Deno.writeFileSync(path, Buffer.from(change(Buffer.from(bytes).toString("latin1")), "latin1"));
    using reader = new SqliteReader(path);
    return ask(reader);
  } finally {
    Deno.removeSync(path);
  }
}

const VIEW = "CREATE VIEW session AS SELECT 1 AS id";
/** Views of one another: each doubles what a query must know before it runs. */
const BOMB = Array.from(
  { length: 60 },
  (_, at) => `CREATE VIEW v${at + 1} AS SELECT a.x FROM v${at} AS a JOIN v${at} AS b;`,
);

Deno.test("plain tables are read, and what a database computes is not", () => {
  const sql = `CREATE TABLE t (id TEXT PRIMARY KEY, text); INSERT INTO t VALUES ('a', 'kept');
    CREATE INDEX i ON t (length(text)); CREATE VIRTUAL TABLE words USING fts5(text);
    CREATE TABLE v0 (x); ${BOMB.join("\n")} CREATE VIEW "a ""view""" AS SELECT 1 AS x;
    CREATE TABLE made (id TEXT PRIMARY KEY, twice AS /* ( */ (id || id)) WITHOUT ROWID;
    INSERT INTO made VALUES ('b');`;
  asked(sql, (reader) => {
    assert.deepEqual(reader.all("SELECT rowid AS at, text FROM t WHERE length(text) > 1"), [
      { at: 1, text: "kept" },
    ]);
    for (const name of ["words", "v60", 'a "view"']) {
      assert.deepEqual(reader.has(name, "x") || reader.has(name, "text"), false, name);
    }
    assert.ok(reader.has("made", "id") && !reader.has("made", "twice"));
    assert.deepEqual(reader.all("SELECT id FROM made"), [{ id: "b" }]);
    assert.throws(() => reader.all("SELECT x FROM v60"), SessionError);
    assert.throws(() => reader.all("SELECT twice FROM made"), SessionError);
  });
});

Deno.test("a schema that hides a view under another name is refused", () => {
  const hidden = (bytes: string): string =>
    bytes.replace("viewsessionsession", "viewsessiomsession");
  assert.ok(asked(VIEW, (reader) => !reader.has("session", "id")));
  assert.throws(() => asked(VIEW, (reader) => reader.has("session", "id"), hidden), SessionError);
});
