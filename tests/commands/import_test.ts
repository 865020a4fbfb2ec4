import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, logOf, user } from "../_support/log_bytes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { isHarmless } from "../text/render/_harmless.ts";
import { HOSTILE_NAME, hostileLog } from "./_hostile.ts";
import { keepPiSession } from "./_pi_session.ts";

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\n$/;

/** Goes on with a session in its own agent. */
function goOn(path: string, text: string): void {
  const message = { role: "user", content: [{ type: "text", text }] };
  const timestamp = "2026-11-21T20:05:00.000Z";
  const record = { type: "message", id: `r${text}`, parentId: "a1", timestamp, message };
  Deno.writeTextFileSync(path, JSON.stringify(record) + "\n", { append: true });
}

inHome.test("import makes a session of ours, and says where each byte went", async (home) => {
  const { ref, path } = keepPiSession(home);
  const before = snapshot(join(home.path, ".pi"));
  const { stdout, stderr } = await home.succeed(["import", ref]);
  assert.match(stdout, ID);
  assert.match(
    stderr,
    /^Imported pi:1111aaaa: 3 events\nThe source: (\d+) bytes = \1 of events \+ 0 /,
  );
  assert.equal(Number(/(\d+) bytes/.exec(stderr)?.[1]), Deno.statSync(path).size);
  assert.deepEqual(snapshot(join(home.path, ".pi")), before);
  const id = stdout.trim();
  assert.match((await home.run(["show", id])).stdout, /Asked of pi/);
  assert.match(
    (await home.run(["list", "--agent", "reprise"])).stdout,
    new RegExp(`^${id.slice(0, 8)}.*Asked of pi`, "m"),
  );
  const [theirs, ours] = await home.runAll([
    ["conversation", ref],
    ["conversation", id],
  ]);
  assert.equal(ours?.stdout, theirs?.stdout);
});

inHome.test("importing it again tells of the one that is there, unless it has grown", async (home) => {
  const { ref, path } = keepPiSession(home);
  const [first, same] = await home.runInOrder([["import", ref], ["import", path]]);
  assert.deepEqual([same?.status, same?.stdout], [0, first?.stdout]);
  assert.match(
    same?.stderr ?? "",
    /^Imported already on \d{4}-\d\d-\d\d, and the original has not changed since: /,
  );
  const [forced] = await home.runInOrder([["import", ref, "--again"]]);
  assert.notEqual(forced?.stdout, first?.stdout);
  // Only its time is new: what it says is the same.
  Deno.utimeSync(path, new Date(), new Date("2026-11-22T03:00:00Z"));
  const [touched] = await home.runInOrder([["import", ref]]);
  assert.equal(touched?.stdout, forced?.stdout);
  goOn(path, "and on");
  const [grown] = await home.runInOrder([["import", ref]]);
  assert.equal(grown?.status, 0);
  assert.ok(![first?.stdout, forced?.stdout].includes(grown?.stdout));
  assert.match(
    grown?.stderr ?? "",
    new RegExp(`This session was also imported earlier, as ${forced?.stdout.trim()}`),
  );
  assert.match((await home.run(["show", grown?.stdout.trim() ?? ""])).stdout, /and on/);
});

inHome.test("marks that were given here come along, and those that were taken back do not", async (home) => {
  const { ref, path } = keepPiSession(home);
  const timestamp = "2026-11-21T20:05:00.000Z";
  const info = { type: "session_info", id: "i1", parentId: "a1", timestamp, name: "Of the agent" };
  Deno.writeTextFileSync(path, JSON.stringify(info) + "\n", { append: true });
  const [, , , given, , , taken] = await home.runInOrder([
    ["rename", ref, "Given here"],
    ["tag", ref, "bug"],
    ["pin", ref],
    ["import", ref],
    ["rename", ref, ""],
    ["pin", ref, "--undo"],
    ["import", ref, "--again"],
  ]);
  assert.match(given?.stderr ?? "", /^Also copied from the original session: tags, pinned$/m);
  assert.match(taken?.stderr ?? "", /^Also copied from the original session: tags$/m);
  const { stdout } = await home.run(["list", "--agent", "reprise", "--json"]);
  const rows = stdout.trim().split("\n").map((line) => JSON.parse(line));
  const titles = new Map(rows.map(({ ref, title }) => [ref, title]));
  const marksOf = (id = ""): unknown[] =>
    rows.filter(({ ref }) => ref === id.trim()).map(({ tags, pinned }) => [tags, pinned]);
  assert.deepEqual(marksOf(given?.stdout), [[["bug"], true]]);
  assert.deepEqual(marksOf(taken?.stdout), [[["bug"], undefined]]);
  assert.equal(titles.get(given?.stdout.trim()), "Given here");
  assert.equal(titles.get(taken?.stdout.trim()), "Of the agent");
});

inHome.test("import --json is one object, with the account", async (home) => {
  const { ref, path } = keepPiSession(home);
  const [first, second] = await home.runInOrder([
    ["import", ref, "--json", "--title", "Of pi"],
    ["import", ref, "--json"],
  ]);
  const made = JSON.parse(first?.stdout ?? "");
  assert.equal(made.status, "imported");
  assert.deepEqual(made.written.account, {
    ...{ unit: "bytes", total: Deno.statSync(path).size, events: Deno.statSync(path).size },
    ...{ side: {}, dead: 0, damage: 0, blank: 0 },
  });
  assert.equal(made.imported_from.agent, "pi");
  assert.equal(made.imported_from.bytes, Deno.statSync(path).size);
  const told = JSON.parse(second?.stdout ?? "");
  assert.deepEqual([told.status, told.session_id], ["unchanged", made.session_id]);
  assert.match((await home.run(["list"])).stdout, /Of pi/);
});

inHome.test("a branch is imported beside the live one", async (home) => {
  const { ref, path } = keepPiSession(home);
  goOn(path, "one way");
  goOn(path, "other way");
  const [live, branch, again] = await home.runInOrder([
    ["import", ref],
    ["import", ref, "--thread", "rone way"],
    ["import", ref, "--thread", "rone way"],
  ]);
  assert.notEqual(live?.stdout, branch?.stdout);
  assert.equal(again?.stdout, branch?.stdout);
  const [one, other] = await home.runInOrder([
    ["show", branch?.stdout.trim() ?? ""],
    ["show", live?.stdout.trim() ?? ""],
  ]);
  assert.match(one?.stdout ?? "", /one way/);
  assert.doesNotMatch(one?.stdout ?? "", /other way/);
  assert.match(other?.stdout ?? "", /other way/);
});

inHome.test("a log of another store is imported under a new id; one of this store is not", async (home) => {
  const id = sessionId("aaaa");
  const { path } = home.keep(id, [user("Hello"), assistant("Hi!")]);
  // A folder that is named like the store's own is none of it.
  const elsewhere = join(home.store, "sessions-of-old", "elsewhere.jsonl");
  Deno.mkdirSync(dirname(elsewhere));
  Deno.copyFileSync(path, elsewhere);
  const [own, byPath, copy] = await home.runInOrder([
    ["import", "aaaa"],
    ["import", path],
    ["import", elsewhere],
  ]);
  for (const refused of [own, byPath]) {
    assert.equal(refused?.status, 1);
    assert.match(
      refused?.stderr ?? "",
      /the session is already in this store; to copy it: reprise fork/,
    );
  }
  assert.equal(copy?.status, 0, copy?.stderr);
  assert.match(copy?.stdout ?? "", ID);
  assert.notEqual(copy?.stdout.trim(), id);
  const { size } = Deno.statSync(elsewhere);
  assert.match(copy?.stderr ?? "", new RegExp(`The source: ${size} bytes = ${size} of events`));
  const [theirs, ours] = await home.runInOrder([
    ["conversation", "aaaa"],
    ["conversation", copy?.stdout.trim() ?? ""],
  ]);
  assert.equal(ours?.stdout, theirs?.stdout);
});

inHome.test("damage in a source is told, and the rest is imported", async (home) => {
  const path = join(home.path, "damaged.jsonl");
  Deno.writeFileSync(path, logOf([user("Hello")]));
  Deno.writeTextFileSync(path, "noise\n", { append: true });
  const { stderr } = await home.succeed(["import", path]);
  assert.match(stderr, /\+ 6 of damage \+ 0 blank\n/);
  assert.match(stderr, /1 malformed-line/);
});

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
  say("One");
  const run = (...args: string[]): ReturnType<typeof home.run> => home.run(args);
  const first = await run("import", "goose:20261121_1");
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stderr, /The source: \d+ rows = /);
  assert.equal((await run("import", "goose:20261121_1")).stdout, first.stdout);
  say("Two");
  const grown = await run("import", "goose:20261121_1");
  database.close();
  assert.notEqual(grown.stdout, first.stdout);
  assert.match((await run("show", grown.stdout.trim())).stdout, /Two/);
});

inHome.test("no hostile text of a source reaches the terminal", async (home) => {
  const path = join(home.path, `${HOSTILE_NAME}.jsonl`);
  Deno.writeFileSync(path, hostileLog());
  const lines = [["import", path], ["import", path], ["import", path, "--again", "--json"]];
  const results = await home.runInOrder([...lines, ["backup", path], [
    "list",
    "--all",
    "--archived",
  ]]);
  for (const [index, { status, stdout, stderr }] of results.entries()) {
    assert.equal(status, 0, stderr);
    assert.ok(stdout.length > 0);
    for (const line of `${stdout}\n${stderr}`.split("\n")) assert.ok(isHarmless(line), `${index}`);
  }
});

inHome.test("refuses invalid imports with a message", async (home) => {
  const notes = join(home.path, "notes.jsonl");
  Deno.writeTextFileSync(notes, "just text\n");
  const empty = join(home.path, "empty.jsonl");
  Deno.writeTextFileSync(empty, "");
  const { ref } = keepPiSession(home);
  const document = join(home.path, "session.json");
  const { stdout: exported } = await home.run(["export", ref, "--format", "json"]);
  assert.match(exported, /^\{"summary":/);
  Deno.writeTextFileSync(document, exported);
  const lines: [string[], number, RegExp][] = [
    [
      ["import", document],
      1,
      /the file is a JSON export, and Reprise reads only JSONL exports.*--format jsonl/,
    ],
    [["import", "."], 1, /the path is a directory, not a session; name a file/],
    [["import"], 2, /Missing argument: ref/],
    [["import", ref, "--wrong"], 2, /Unknown flag --wrong/],
    [["import", "pi:none"], 1, /Cannot find session "pi:none"/],
    [["import", notes], 1, /belongs to no known agent/],
    [["import", empty], 1, /the session has no events/],
    [["import", `${ref}#2`], 1, /without #EVENT/],
    [["import", "--help"], 0, /^$/],
  ];
  const results = await home.runInOrder(lines.map(([args]) => args));
  for (const [index, [args, status, message]] of lines.entries()) {
    assert.equal(results[index]?.status, status, args.join(" "));
    assert.match(results[index]?.stderr ?? "", message);
  }
  assert.equal((await home.run(["list", "--agent", "reprise", "--all"])).stdout, "");
});
