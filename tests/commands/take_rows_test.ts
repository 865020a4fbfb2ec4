import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CliHome } from "../_support/cli_home.ts";
import { stateOf } from "../_support/crash_states.ts";
import { insert } from "../_support/database_bytes.ts";
import { testsWith } from "../_support/tests_in.ts";
import { databaseOf, type Exported } from "../agents/opencode/_store.ts";
import { BundleKey, plainPieces } from "../features/backup/bundle/_bundles.ts";

const ID = "ses_sent1";
const CHILD = "ses_sent1child";
const REF = `opencode:${ID}`;
const FOLDER = ".local/share/opencode";

function session(id: string, directory: string, texts: string[], parentID?: string): Exported {
  const time = { created: 1_760_000_000_000, updated: 1_760_000_001_000 };
  const path = { cwd: join(directory, "sub"), root: directory };
  return {
    info: {
      ...{ id, projectID: "p1", directory, title: texts[0], version: "1.18.33", parentID, time },
      revert: { messageID: `msg_${id}_9`, snapshot: "--index-output=/tmp/x" },
    },
    messages: texts.map((text, index) => ({
      info: {
        ...{ id: `msg_${id}_${index}`, sessionID: id, time },
        ...(index % 2 ? { role: "assistant", path } : { role: "user" }),
      },
      parts: [
        { id: `prt_${id}_${index}_0`, type: "step-start", snapshot: "--output=/tmp/x" },
        { id: `prt_${id}_${index}_1`, type: "text", text },
        ...(index % 2
          ? [{ id: `prt_${id}_${index}_2`, type: "patch", hash: "5f3a", files: [`${directory}/a`] }]
          : []),
      ],
    })),
  };
}

/** Two homes with OpenCode: one has a session with a subagent, and another session. */
class TwoHomes implements AsyncDisposable {
  readonly from = new CliHome();
  readonly to = new CliHome();
  readonly file = join(this.to.path, "talk.reprise");
  readonly key = BundleKey.in(this.to.path);

  constructor() {
    const sent = session(ID, this.from.work, ["Hello there", "I see “ünïcode”", "Go on", "Done"]);
    const child = session(CHILD, this.from.work, ["Look it up"], ID);
    const other = session("ses_other1", this.from.work, ["Another talk"]);
    for (
      const [home, bytes] of [
        [this.from, databaseOf(sent, child, other)],
        [this.to, databaseOf()],
      ] as const
    ) {
      Deno.mkdirSync(join(home.path, FOLDER), { recursive: true });
      Deno.writeFileSync(databasePath(home), bytes);
    }
    using database = new DatabaseSync(databasePath(this.from));
    insert(database, "todo", { session_id: ID, content: "mend it", position: 0 });
    const rules = [{ permission: "*", action: "allow" }, { permission: "edit", action: "deny" }];
    database.prepare("UPDATE session SET permission = ?, share_url = 'x', workspace_id = 'w'")
      .run(JSON.stringify(rules));
  }

  /** Sends the session, which changes nothing where it is sent from. */
  static async sent(): Promise<TwoHomes> {
    const homes = new TwoHomes();
    const { from, file } = homes;
    const before = stateOf(join(from.path, FOLDER));
    const { recipient } = await homes.key;
    await from.succeed(["send", REF, "--to", recipient, "--out", file, "--yes"]);
    assert.deepEqual(stateOf(join(from.path, FOLDER)), before);
    return homes;
  }

  async take(...args: string[]): ReturnType<CliHome["run"]> {
    const { path } = await this.key;
    const words = ["take", this.file, "--identity", path, "--yes", "--here"];
    return await this.to.run([...words, ...args]);
  }

  async refuse(message: RegExp, name?: string): Promise<void> {
    const { status, stderr } = await this.take();
    assert.equal(status, 1, `${name}: ${stderr}`);
    assert.match(stderr, message, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.from[Symbol.asyncDispose]();
    await this.to[Symbol.asyncDispose]();
  }
}

function databasePath(home: CliHome): string {
  return join(home.path, FOLDER, "opencode.db");
}

const onSent = testsWith(TwoHomes.sent);

/** Returns the rows of all tables. */
function rowsOf(home: CliHome): Record<string, Record<string, unknown>[]> {
  using database = new DatabaseSync(databasePath(home), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1");
  return Object.fromEntries(
    tables.all().map(({ name }) => [
      String(name),
      database.prepare(`SELECT * FROM "${name}" ORDER BY 1`).all().map((row) => ({ ...row })),
    ]),
  );
}

// Two homes, and a database that is written: 0.6 s.
onSent.test("take adds the rows of a session of OpenCode and of its subagents, and changes no others", async (homes) => {
  const { status, stdout, stderr } = await homes.take();
  assert.equal(status, 0, stderr);
  assert.match(stderr, / {2}rows: {6}of the agent's database, /);
  assert.match(stdout, /opencode --session ses_sent1\n$/);
  const [sent, taken] = [rowsOf(homes.from), rowsOf(homes.to)];
  const isSent = ({ id, session_id }: Record<string, unknown>): boolean =>
    id !== "ses_other1" && session_id !== "ses_other1";
  const { work: old } = homes.from;
  const moved = (text: unknown): string => String(text).replaceAll(old, homes.to.work);
  assert.deepEqual(
    taken.session,
    sent.session?.filter(isSent).map((row) => ({
      ...row,
      ...{ project_id: "global", workspace_id: null, share_url: null },
      permission: `[{"permission":"edit","action":"deny"}]`,
      directory: homes.to.work,
      revert: JSON.stringify({ messageID: `msg_${row.id}_9` }),
    })),
  );
  assert.deepEqual(
    taken.message,
    sent.message?.filter(isSent).map((row) => ({ ...row, data: moved(row.data) })),
  );
  assert.deepEqual(
    taken.part,
    sent.part?.filter(isSent).map((row) => ({
      ...row,
      data: String(row.data).replace(/"files":\[[^\]]*\]/, `"files":[]`)
        .replace(/,"snapshot":"[^"]*"/, ""),
    })),
  );
  assert.deepEqual(taken.todo, sent.todo);
  assert.deepEqual(taken.project?.map(({ id, worktree }) => [id, worktree]), [["global", "/"]]);
  const [before, after] = [
    await homes.from.succeed(["conversation", REF]),
    await homes.to.succeed(["conversation", REF]),
  ];
  assert.equal(after.stdout, before.stdout);
  await homes.refuse(/opencode:ses_sent1 is already on this machine, and was not changed/);
  assert.deepEqual(rowsOf(homes.to), taken);
});

onSent.test("take --in hands a session of OpenCode over to another agent, and leaves its database as it is", async (homes) => {
  Deno.mkdirSync(join(homes.to.path, ".claude"));
  const before = stateOf(join(homes.to.path, FOLDER));
  const { status, stderr } = await homes.take("--in", "claude");
  assert.equal(status, 0, stderr);
  assert.deepEqual(stateOf(join(homes.to.path, FOLDER)), before);
  const { stdout } = await homes.to.succeed(["list", "--agent", "claude", "--json"]);
  const { stdout: told } = await homes.to.succeed(["conversation", JSON.parse(stdout).ref]);
  assert.match(told, /Hello there/);
});

onSent.test("take adds no row of OpenCode where an id is taken, a trigger runs or a column is missing", async (homes) => {
  const cases: [sql: string, message: RegExp][] = [
    [
      `INSERT INTO message VALUES ('msg_${ID}_3', 'ses_mine', 1, 1, '{}')`,
      /database has another message with the id msg_ses_sent1_3/,
    ],
    [
      "CREATE TRIGGER spy AFTER INSERT ON part BEGIN DELETE FROM session; END",
      /database has a trigger or a virtual table \(spy\)/,
    ],
    ["ALTER TABLE session DROP COLUMN permission", /session has no column permission here/],
  ];
  for (const [sql, message] of cases) {
    Deno.writeFileSync(databasePath(homes.to), databaseOf());
    using database = new DatabaseSync(databasePath(homes.to));
    database.exec(sql);
    database.close();
    const before = rowsOf(homes.to);
    await homes.refuse(message, sql);
    assert.deepEqual(rowsOf(homes.to), before, sql);
  }
  Deno.removeSync(databasePath(homes.to));
  await homes.refuse(/OpenCode has no database here yet\. Start opencode once/);
});

// Slow: for two seconds, another client may end its writing.
onSent.test("take waits while OpenCode writes, and adds rows while it has the database open", async (homes) => {
  using open = new DatabaseSync(databasePath(homes.to));
  open.exec("PRAGMA journal_mode = wal; BEGIN IMMEDIATE");
  insert(open, "session", {
    ...{ id: "ses_mine", project_id: "p1", slug: "s", directory: "/w", title: "Mine" },
    ...{ version: "1", time_created: 1, time_updated: 1 },
  });
  await homes.refuse(/OpenCode is writing to its database; try again/);
  open.exec("COMMIT");
  const { status, stderr } = await homes.take();
  assert.equal(status, 0, stderr);
  const ids = open.prepare("SELECT id FROM session ORDER BY id").all().map(({ id }) => id);
  assert.deepEqual(ids, ["ses_mine", ID, CHILD]);
});

onSent.test("take of rows that belong to another session leaves nothing", async (homes) => {
  const head = ["session", { id: ID, slug: "s", directory: "/old", title: "T", version: "1" }];
  const message = (cells: object): unknown[] => ["message", { id: "msg_1", data: "{}", ...cells }];
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`c${at}`, at]));
  const hostile: Record<string, unknown[][]> = {
    "another session": [["session", { id: "ses_mine" }]],
    "a session beside": [head, ["session", { id: "ses_mine", parent_id: "ses_yours" }]],
    "a message of another": [head, message({ session_id: "ses_mine" })],
    "a part of another": [head, ["part", { id: "prt_1", message_id: "m", session_id: ID }]],
    "another table": [head, ["credential", { id: "c", session_id: ID }]],
    "a name as code": [head, message({ session_id: ID, "data) --": "x" })],
    "too many cells": [head, message({ session_id: ID, ...many })],
    "no cell": [head, message({ session_id: ID, data: {} })],
    "no rows": [],
  };
  const [before, key] = [rowsOf(homes.to), await homes.key];
  for (const [name, rows] of Object.entries(hostile)) {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    const part = { kind: "rows", name: "session.jsonl", text };
    const fields = { format: 2, agent: "opencode", id: ID, cwd_folder: undefined };
    Deno.writeFileSync(homes.file, await key.seal(plainPieces([part], fields)));
    await homes.refuse(/reprise: Cannot take the sent session: it has /, name);
    assert.deepEqual(rowsOf(homes.to), before, name);
    const of_claude = plainPieces([part], { ...fields, agent: "claude" });
    Deno.writeFileSync(homes.file, await key.seal(of_claude));
    await homes.refuse(/its agent has no database for sessions here/, name);
  }
});

onSent.test("send names the whole outputs of tools that a bundle does not have", async (homes) => {
  const folder = join(homes.from.path, FOLDER, "tool-output");
  Deno.mkdirSync(folder);
  for (const name of ["tool_f3a1", "tool_0000"]) Deno.writeTextFileSync(join(folder, name), "all");
  using database = new DatabaseSync(databasePath(homes.from));
  const text = JSON.stringify({ type: "text", text: `Full output: ${folder}/tool_f3a1` });
  database.prepare("UPDATE part SET data = ? WHERE id = ?").run(text, `prt_${ID}_1_1`);
  const send = ["send", REF, "--to", (await homes.key).recipient, "--dry-run"];
  const { stderr } = await homes.from.succeed(send);
  const told = stderr.split("\n").filter((line) => line.includes("tool-output"));
  assert.deepEqual(told, [
    `  left out:  ${folder}/tool_f3a1 (the session has the beginning of this output)`,
  ]);
});
