import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  isSqlite,
  isSqliteFile,
  sqliteFiles,
} from "../../../../lib/agents/engine/sqlite/sqlite_file.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

inDirectory.test("a database is told by its first bytes, whatever its name", (directory) => {
  const path = join(directory, "sessions");
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE t (a)");
  database.close();
  assert.ok(isSqliteFile(path));
  assert.ok(isSqlite(Deno.readFileSync(path)));
  const other = join(directory, "sessions.db");
  for (const text of ["", "SQLite format 3", "SQLite format 4\0", " SQLite format 3\0"]) {
    Deno.writeTextFileSync(other, text);
    assert.ok(!isSqliteFile(other), text);
  }
  assert.ok(!isSqliteFile(directory));
  assert.throws(() => isSqliteFile(join(directory, "none")), SessionError);
  return Promise.resolve();
});

Deno.test("sqliteFiles names a database and the files that its writers left beside it", () => {
  assert.deepEqual(sqliteFiles("/a.db"), ["/a.db", "/a.db-wal", "/a.db-journal"]);
});
