import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inHome } from "../_support/cli_home.ts";
import { isHarmless } from "../text/render/_harmless.ts";
import { HOSTILE_NAME, hostileLog } from "./_hostile.ts";

inHome.test("a session in a database is recognized again by what it says", async (home) => {
  const path = join(home.path, ".local", "share", "goose", "sessions", "sessions.db");
  Deno.mkdirSync(dirname(path), { recursive: true });
  const schema = new URL("../../testdata/agents/goose/schema_17.sql", import.meta.url);
  const database = new DatabaseSync(path);
  database.exec(Deno.readTextFileSync(schema));
  database.exec(`INSERT INTO sessions (id, working_dir) VALUES ('20261121_1', '${home.work}')`);
  const say = (text: string): void =>
    database.exec(
      "INSERT INTO messages (session_id, message_id, role, content_json, created_timestamp) VALUES " +
        `('20261121_1', 'm${text}', 'user', '[{"type":"text","text":"${text}"}]', 1795293411)`,
    );
  const imported = () => home.succeed(["import", "goose:20261121_1"]);
  say("One");
  const first = await imported();
  assert.match(first.stderr, /The source: \d+ rows = /);
  assert.equal((await imported()).stdout, first.stdout);
  say("Two");
  const grown = await imported();
  database.close();
  assert.notEqual(grown.stdout, first.stdout);
  assert.match((await home.run(["show", grown.stdout.trim()])).stdout, /Two/);
});

inHome.test("no hostile text of a source reaches the terminal", async (home) => {
  const path = join(home.path, `${HOSTILE_NAME}.jsonl`);
  Deno.writeFileSync(path, hostileLog());
  const results = await home.runInOrder([
    ...[["import", path], ["import", path], ["import", path, "--again", "--json"]],
    ...[["backup", path], ["list", "--all", "--archived"]],
  ]);
  for (const [index, { status, stdout, stderr }] of results.entries()) {
    assert.equal(status, 0, stderr);
    assert.ok(stdout.length > 0);
    for (const line of `${stdout}\n${stderr}`.split("\n")) assert.ok(isHarmless(line), `${index}`);
  }
});
