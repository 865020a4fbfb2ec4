import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { hiddenIn } from "../../_support/hidden_in.ts";
import { databaseBytes } from "../../_support/database_bytes.ts";
import { conversations, USER } from "./_store.ts";

const REASON = "the lists of Cursor's editor do not show this conversation";

/** Adds an item to the state of an editor or of a workspace. */
function putItem(database: DatabaseSync, key: string, ids: readonly string[]): void {
  database.exec("CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE, value BLOB)");
  const value = JSON.stringify({ allComposers: ids.map((composerId) => ({ composerId })) });
  database.prepare("INSERT INTO ItemTable VALUES (?, ?)").run(key, value);
}

/** Makes the editor's database, with a list of all conversations if ids are given. */
function makeStore(home: CliHome, listed?: readonly string[]): void {
  const path = join(home.path, USER, "globalStorage/state.vscdb");
  Deno.mkdirSync(dirname(path), { recursive: true });
  const change = (database: DatabaseSync): void => {
    if (listed !== undefined) putItem(database, "composer.composerHeaders", listed);
  };
  Deno.writeFileSync(path, conversations(change));
}

/** The ids of all conversations that Reprise lists. */
async function idsIn(home: CliHome): Promise<string[]> {
  const { stdout } = await home.succeed(["list", "--agent", "cursor", "--all", "--json"]);
  return stdout.trim().split("\n").map((line) => JSON.parse(line).session_id);
}

inHome.test("Cursor's list leaves out conversations that are in none of its lists", async (home) => {
  makeStore(home);
  const [first = "", second = "", ...more] = await idsIn(home);
  assert.ok(more.length > 0);
  const workspace = join(home.path, USER, "workspaceStorage/one");
  Deno.mkdirSync(workspace, { recursive: true });
  const own = databaseBytes((database) => putItem(database, "composer.composerData", [second]));
  Deno.writeFileSync(join(workspace, "state.vscdb"), own);
  makeStore(home, [first]);
  const { sessions, hidden } = await hiddenIn(home, "cursor");
  assert.equal(sessions, 2 + more.length);
  assert.deepEqual(hidden.toSorted(), more.toSorted().map((id) => [id, REASON]));
});

inHome.test("conversations of Cursor are not told as hidden where no list is", async (home) => {
  makeStore(home);
  assert.deepEqual((await hiddenIn(home, "cursor")).hidden, []);
});
