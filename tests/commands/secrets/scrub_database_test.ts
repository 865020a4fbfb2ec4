import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { jsonLines } from "../../_support/cli.ts";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { forEachCrash } from "../../_support/crash_states.ts";
import { insert } from "../../_support/database_bytes.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { leaksBelow, leaksIn, type Planted } from "../../_support/planted_secrets.ts";
import { databaseOf, type Exported } from "../../agents/opencode/_store.ts";

const TOKEN: Planted = {
  kind: "github-token",
  secret: `ghp_${"aB3dE5fG7hJ9kL1m".repeat(3).slice(0, 36)}`,
};
/** Known by its name alone, with characters that are escaped in JSON. */
const NAMED: Planted = { kind: "password", secret: `p"7f3k9d2/+\\Zq48213` };
const PLANTED = [TOKEN, NAMED];
const REF = "opencode:ses_scrubbed1";
const WRITE = ["secrets", REF, "--scrub", "--write"];
const ROOT = ".local/share/opencode";

function session(id: string, texts: readonly string[], parentID?: string): Exported {
  const time = { created: 1_760_000_000_000, updated: 1_760_000_001_000 };
  return {
    info: {
      id,
      projectID: "global",
      directory: "/w",
      title: texts[0],
      version: "1.18.34",
      parentID,
      time,
    },
    messages: texts.map((text, index) => ({
      info: {
        id: `msg_${id}_${index}`,
        sessionID: id,
        role: index % 2 ? "assistant" : "user",
        time,
      },
      parts: [{ id: `prt_${id}_${index}`, type: "text", text }],
    })),
  };
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
  const path = pathOf(home);
  Deno.mkdirSync(join(home.path, ROOT, "tool-output"), { recursive: true });
  Deno.mkdirSync(join(home.path, ROOT, "storage/session_diff"), { recursive: true });
  Deno.mkdirSync(join(home.path, ".local/state/opencode"), { recursive: true });
  Deno.writeFileSync(path, databaseOf(session("ses_scrubbed1", texts), child, other));
  using database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = wal");
  insert(database, "event", {
    ...{ id: "evt_1", aggregate_id: "ses_scrubbed1", seq: 1, type: "message.updated.1" },
    data: JSON.stringify({ text: `again ${token}` }),
  });
  insert(database, "todo", { session_id: "ses_scrubbed1", content: `use ${token}`, position: 0 });
  // What was deleted stays in free pages.
  const gone = {
    ...{ id: "prt_gone", message_id: "m", session_id: "ses_scrubbed1" },
    time_created: 1,
    time_updated: 1,
  };
  insert(database, "part", { ...gone, data: JSON.stringify({ text: token.repeat(400) }) });
  database.exec("DELETE FROM part WHERE id = 'prt_gone'");
  const files: Record<string, string> = {
    [`${ROOT}/tool-output/tool_0123456789`]: `NPM=${token}\n`,
    [`${ROOT}/tool-output/tool_9999999999`]: "of another session\n",
    [`${ROOT}/storage/session_diff/ses_scrubbed1.json`]: JSON.stringify([{ before: token }]),
    ".local/state/opencode/prompt-history.jsonl": `${
      JSON.stringify({ input: `deploy ${token}` })
    }\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    Deno.writeTextFileSync(join(home.path, name), text);
  }
}

/** Returns the rows of all tables. */
function rowsOf(home: CliHome): unknown[] {
  using database = new DatabaseSync(pathOf(home));
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  return tables.map(({ name }) => database.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all());
}

async function makeKey(home: CliHome): Promise<string[]> {
  const path = join(home.path, "key.txt");
  await home.succeed(["key", "new", "--out", path]);
  return ["--identity", path];
}

inHome.test("a scrub of a session in OpenCode's database leaves no secret in any page, and undo brings each cell back", async (home) => {
  plant(home);
  const before = rowsOf(home);
  assert.ok(leaksIn(pathOf(home), PLANTED).length > 4);
  const key = await makeKey(home);
  const dry = await home.run(["secrets", REF, "--scrub", "--json"]);
  const [told] = jsonLines(dry.stdout);
  assert.deepEqual([dry.status, told?.databases], [1, []]);
  assert.deepEqual(rowsOf(home), before);
  const { stdout } = await home.succeed([...WRITE, ...key]);
  assert.match(stdout, /opencode\.db\n.*github-token/);
  assert.deepEqual(leaksBelow(home.path, PLANTED), []);
  const after = rowsOf(home);
  assert.match(JSON.stringify(after), /\[scrubbed:github-token:[0-9a-f]{4}\]/);
  const { stdout: other } = await home.succeed(["show", "opencode:ses_other1", "--json"]);
  assert.match(other, /nothing here/);
  const { stdout: shown } = await home.succeed(["show", REF, "--json"]);
  assert.match(shown, /\[scrubbed:password:[0-9a-f]{4}\]/);
  // OpenCode goes on in another session: undo concerns the cells alone.
  {
    using database = new DatabaseSync(pathOf(home));
    database.exec("UPDATE session SET title = 'later' WHERE id = 'ses_other1'");
  }
  await home.succeed(["secrets", REF, "--scrub", "--undo", ...key]);
  const later = JSON.stringify(before).replace('"title":"nothing here"', '"title":"later"');
  assert.equal(JSON.stringify(rowsOf(home)), later);
});

inHome.test("a scrub is refused while a program has OpenCode's database open, and changes nothing", async (home) => {
  plant(home);
  const before = rowsOf(home);
  {
    using client = new DatabaseSync(pathOf(home));
    client.prepare("SELECT count(*) FROM session").get();
    const { status, stderr } = await home.run([...WRITE, "--no-original"]);
    assert.equal(status, 1);
    assert.match(stderr, /a program has its database open; quit OpenCode first/);
    assert.match(stderr, /opencode\.db/);
  }
  assert.deepEqual(rowsOf(home), before);
  assert.ok(leaksBelow(home.path, PLANTED).some((leak) => leak.includes("tool_0123456789")));
  assert.deepEqual(filesBelow(home.path).filter((path) => path.includes("reprise-scrub")), []);
  await home.succeed([...WRITE, "--no-original"]);
  assert.deepEqual(leaksBelow(home.path, PLANTED), []);
});

inHome.test("a scrub names a database in which other sessions have the secret, and one whose triggers it does not know", async (home) => {
  plant(home);
  {
    using database = new DatabaseSync(pathOf(home));
    database.exec(
      `UPDATE part SET data = '{"type":"text","text":"${TOKEN.secret}"}' WHERE session_id = 'ses_other1'`,
    );
  }
  const { stdout } = await home.succeed([...WRITE, "--no-original"]);
  assert.match(
    stdout,
    /Not touched:\n {2}other sessions with some of these secrets in .*opencode\.db/,
  );
  assert.ok(leaksIn(pathOf(home), [TOKEN]).length > 0);
  {
    using database = new DatabaseSync(pathOf(home));
    database.exec("CREATE TRIGGER more AFTER UPDATE ON part BEGIN DELETE FROM message; END");
  }
  const { status, stderr } = await home.run([
    "secrets",
    "opencode:ses_other1",
    "--scrub",
    "--write",
    "--no-original",
  ]);
  assert.deepEqual([status, /it has a trigger|has a trigger/.test(stderr)], [1, true], stderr);
});

// Slow: the home is made again as each kill leaves it.
inHome.test("whatever call a kill precedes, OpenCode's rows are old or new, and the next run finishes", async (home) => {
  plant(home);
  const key = await makeKey(home);
  const before = JSON.stringify(rowsOf(home));
  let [seen, checked] = [0, 0];
  const every = Math.ceil(36 / roundsOf(36, 5));
  await forEachCrash(
    home.path,
    () => home.run([...WRITE, ...key]),
    () => undefined,
    async (_, call) => {
      if (seen++ % every !== 0) return;
      checked++;
      const rows = JSON.stringify(rowsOf(home));
      assert.ok(rows === before || !rows.includes(TOKEN.secret), call);
      await home.succeed([...WRITE, ...key]);
      assert.deepEqual(leaksBelow(home.path, PLANTED), [], call);
      await home.succeed(["secrets", REF, "--scrub", "--undo", ...key]);
      assert.equal(JSON.stringify(rowsOf(home)), before, call);
    },
  );
  assert.ok(seen >= 10 && checked > 3, `${checked} of ${seen}`);
});
