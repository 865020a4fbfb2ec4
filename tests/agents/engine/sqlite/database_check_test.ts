import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { checkInTime } from "../../../../lib/agents/engine/sqlite/database_check.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

// Slow: an expression of an index that takes a second is given a part of it.
inDirectory.test("the check of a database ends when its time is up", async (directory) => {
  const path = join(directory, "slow.db");
  using database = new DatabaseSync(path);
  database.exec(
    "CREATE TABLE slow (row INTEGER); CREATE INDEX computed " +
      "ON slow (length(replace(hex(zeroblob(0000001)), 0, 11)) > row / 1000); " +
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) " +
      "INSERT INTO slow SELECT i FROM n",
  );
  database.close();
  assert.deepEqual(await checkInTime(path), []);
  const bytes = Deno.readFileSync(path);
  const at = new TextDecoder("latin1").decode(bytes).indexOf("0000001");
  // SQLite itself would compute the index now.
  bytes[at] = "4".charCodeAt(0);
  Deno.writeFileSync(path, bytes);
  await assert.rejects(checkInTime(path, 300), {
    code: "too-large",
    message: `Cannot check database: SQLite did not finish the check within 0.3 s: ${path}`,
  });
});
