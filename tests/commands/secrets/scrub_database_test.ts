import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { jsonLines } from "../../_support/cli.ts";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { insert } from "../../_support/database_bytes.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { leaksBelow, leaksIn, type Planted } from "../../_support/planted_secrets.ts";
import { databaseOf, type Exported } from "../../agents/opencode/_store.ts";
import { assertScrubbed, killScrub, scrubWords } from "./_scrub.ts";

const TOKEN: Planted = {
  kind: "github-token",
  secret: `ghp_${"aB3dE5fG7hJ9kL1m".repeat(3).slice(0, 36)}`,
};
/** Known by its name alone, with characters that are escaped in JSON. */
const NAMED: Planted = { kind: "password", secret: `p"7f3k9d2/+\\Zq48213` };
const PLANTED = [TOKEN, NAMED];
const REF = "opencode:ses_scrubbed1";
const WRITE = ["--scrub", "--write", "--no-original"];
const ROOT = ".local/share/opencode";

function session(id: string, texts: readonly string[], parentID?: string): Exported {
  const time = { created: 1_760_000_000_000, updated: 1_760_000_001_000 };
  const messages = texts.map((text, index) => {
    const role = index % 2 ? "assistant" : "user";
    const info = { id: `msg_${id}_${index}`, sessionID: id, role, time };
    return { info, parts: [{ id: `prt_${id}_${index}`, type: "text", text }] };
  });
  const place = { projectID: "global", directory: "/w" };
  return { info: { id, ...place, title: texts[0], version: "1.18.34", parentID, time }, messages };
}

function pathOf(home: CliHome): string {
  return join(home.path, ROOT, "opencode.db");
}

/** Makes OpenCode's database with a session, its subagent and another session. */
function plant(home: CliHome): void {
  const [{ secret: token }, { secret: password }] = [TOKEN, NAMED];
  const texts = [
    `deploy with ${token}`,
    `DB_PASSWORD='${password}' is set`,
    `then ${JSON.stringify(JSON.stringify({ deep: [password, token] }))} and ${
      btoa(`xy${token} tail`)
    }`,
    `it said (${password}), see tool-output/tool_0123456789`,
  ];
  const child = session("ses_child1", [`as ${token} said`], "ses_scrubbed1");
  const other = session("ses_other1", ["nothing here"]);
  const files: Record<string, string | Uint8Array> = {
    [`${ROOT}/opencode.db`]: databaseOf(session("ses_scrubbed1", texts), child, other),
    [`${ROOT}/tool-output/tool_0123456789`]: `NPM=${token}\n`,
    [`${ROOT}/tool-output/tool_9999999999`]: "of another session\n",
    [`${ROOT}/storage/session_diff/ses_scrubbed1.json`]: JSON.stringify([{ before: token }]),
    ".local/state/opencode/prompt-history.jsonl": `{"input":"deploy ${token}"}\n`,
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(home.path, name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(path, content);
    else Deno.writeFileSync(path, content);
  }
  using database = new DatabaseSync(pathOf(home));
  database.exec("PRAGMA journal_mode = wal");
  const of = { session_id: "ses_scrubbed1" };
  const event = { id: "evt_1", aggregate_id: "ses_scrubbed1", seq: 1, type: "message.updated.1" };
  insert(database, "event", { ...event, data: JSON.stringify({ text: `again ${token}` }) });
  insert(database, "todo", { ...of, content: `use ${token}`, position: 0 });
  // What was deleted stays in free pages.
  const gone = { ...of, id: "prt_gone", message_id: "m", time_created: 1, time_updated: 1 };
  insert(database, "part", { ...gone, data: JSON.stringify({ text: token.repeat(400) }) });
  database.exec("DELETE FROM part WHERE id = 'prt_gone'");
}

/** Changes OpenCode's database. */
function change(home: CliHome, statement: string): void {
  using database = new DatabaseSync(pathOf(home));
  database.exec(statement);
}

/** Returns the rows of all tables. */
function rowsOf(home: CliHome): unknown[] {
  using database = new DatabaseSync(pathOf(home));
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return tables.map(({ name }) => database.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all());
}

inHome.test("a scrub of a session in OpenCode's database leaves no secret in any page, and undo brings each cell back", async (home) => {
  plant(home);
  const before = rowsOf(home);
  assert.ok(leaksIn(pathOf(home), PLANTED).length > 4);
  const { write, undo } = await scrubWords(home, REF);
  const dry = await home.run(["secrets", REF, "--scrub", "--json"]);
  const [told] = jsonLines(dry.stdout);
  assert.deepEqual([dry.status, told?.databases], [1, []]);
  assert.deepEqual(rowsOf(home), before);
  const { stdout } = await home.succeed(write);
  assert.match(stdout, /opencode\.db\n.*github-token/);
  assertScrubbed(home, PLANTED);
  const after = rowsOf(home);
  assert.match(JSON.stringify(after), /\[scrubbed:github-token:[0-9a-f]{4}\]/);
  const { stdout: other } = await home.succeed(["show", "opencode:ses_other1", "--json"]);
  assert.match(other, /nothing here/);
  const { stdout: shown } = await home.succeed(["show", REF, "--json"]);
  assert.match(shown, /\[scrubbed:password:[0-9a-f]{4}\]/);
  // OpenCode goes on in another session: undo concerns the cells alone.
  change(home, "UPDATE session SET title = 'later' WHERE id = 'ses_other1'");
  await home.succeed(undo);
  const later = JSON.stringify(before).replace('"title":"nothing here"', '"title":"later"');
  assert.equal(JSON.stringify(rowsOf(home)), later);
});

inHome.test("a scrub is refused while a program has OpenCode's database open, and changes nothing", async (home) => {
  plant(home);
  const before = rowsOf(home);
  {
    using client = new DatabaseSync(pathOf(home));
    client.prepare("SELECT count(*) FROM session").get();
    const { status, stderr } = await home.run(["secrets", REF, ...WRITE]);
    assert.match(
      `${status} ${stderr}`,
      /^1 .*a program has its database open; quit OpenCode first.*opencode\.db/,
    );
  }
  assert.deepEqual(rowsOf(home), before);
  assert.ok(leaksBelow(home.path, PLANTED).some((leak) => leak.includes("tool_0123456789")));
  assert.deepEqual(filesBelow(home.path).filter((path) => path.includes("reprise-scrub")), []);
  await home.succeed(["secrets", REF, ...WRITE]);
  assertScrubbed(home, PLANTED);
});

inHome.test("a scrub names a database in which other sessions have the secret, and one whose triggers it does not know", async (home) => {
  plant(home);
  const data = JSON.stringify({ type: "text", text: TOKEN.secret });
  change(home, `UPDATE part SET data = '${data}' WHERE session_id = 'ses_other1'`);
  const { stdout } = await home.succeed(["secrets", REF, ...WRITE]);
  assert.match(
    stdout,
    /Not touched:\n {2}other sessions with some of these secrets in .*opencode\.db/,
  );
  assert.ok(leaksIn(pathOf(home), [TOKEN]).length > 0);
  change(home, "CREATE TRIGGER more AFTER UPDATE ON part BEGIN DELETE FROM message; END");
  const { status, stderr } = await home.run(["secrets", "opencode:ses_other1", ...WRITE]);
  assert.match(`${status} ${stderr}`, /^1 .*has a trigger/);
});

// Slow: the home is made again as each kill leaves it.
inHome.test("whatever call a kill precedes, OpenCode's rows are old or new, and the next run finishes", async (home) => {
  plant(home);
  const before = JSON.stringify(rowsOf(home));
  const calls = await killScrub(home, REF, PLANTED, (when, call) => {
    const rows = JSON.stringify(rowsOf(home));
    const is_new = when === "killed" && !rows.includes(TOKEN.secret);
    assert.ok(rows === before || is_new, `${when} ${call}`);
  });
  assert.ok(calls >= 10, `${calls}`);
});
