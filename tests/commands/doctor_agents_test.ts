import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome } from "../_support/cli_home.ts";

const ID = "11111111-2222-4333-8444-555555555555";
const DAY_MS = 86_400_000;

/** Puts a session of Claude Code of a directory that is gone into a home. */
function putMoved(home: CliHome): string {
  const cwd = join(home.path, "gone");
  const slug = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  const path = join(home.path, ".claude/projects", slug, `${ID}.jsonl`);
  Deno.mkdirSync(dirname(path), { recursive: true });
  const common = { isSidechain: false, sessionId: ID, cwd, version: "2.1.330" };
  const time = (second: number): string => `2026-11-21T20:00:0${second}.000Z`;
  const lines = [
    {
      ...{ type: "user", uuid: "u1", parentUuid: null, timestamp: time(0) },
      ...common,
      message: { role: "user", content: "Mend it" },
    },
    {
      ...{ type: "assistant", uuid: "a1", parentUuid: "u1", timestamp: time(1) },
      ...common,
      message: { id: "m1", role: "assistant", content: [{ type: "text", text: "Mended" }] },
    },
  ];
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return path;
}

inHome.test("doctor agents tells what is hidden, how to open it, what is deleted next, and the room", async (home) => {
  const path = putMoved(home);
  const old = new Date(Date.now() - 29 * DAY_MS);
  Deno.utimeSync(path, old, old);
  const beside = join(dirname(path), ID, "tool-results", "t1.txt");
  Deno.mkdirSync(dirname(beside), { recursive: true });
  Deno.writeTextFileSync(beside, "r".repeat(2000));
  const snapshot = join(home.path, ".claude/file-history", ID, "abc@v1");
  Deno.mkdirSync(dirname(snapshot), { recursive: true });
  Deno.writeTextFileSync(snapshot, "s".repeat(3000));
  const { stdout } = await home.succeed(["doctor", "agents"]);
  const bytes = Deno.statSync(path).size;
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines[0], `Claude Code: 1 session, ${((bytes + 5000) / 1000).toFixed(1)} KB`);
  assert.match(lines[1] ?? "", /^ {2}by age {3}(?:under|over) \d+ days: 1 session, /);
  assert.equal(
    lines[2],
    `  by part  sessions: ${bytes} B; other files (subagents and long tool results): 2.0 KB; ` +
      "snapshots: 3.0 KB",
  );
  assert.match(
    lines[3] ?? "",
    /^ {2}deletes {2}after 30 days \(cleanupPeriodDays, by default\)$/,
  );
  assert.match(lines[4] ?? "", /^ {2}next {5}claude:11111111 on [\d-]+; 1 within 3 days$/);
  assert.deepEqual(lines.slice(5), [
    "  hidden   1 of 1 sessions are missing from Claude Code's own list",
    `    the session's directory is gone: ${join(home.path, "gone")}`,
    "      claude:11111111  Mend it",
    `        claude --resume ${ID}`,
    "      to list this session again: reprise doctor agents --fix claude:11111111 --cwd DIR " +
    "(DIR: the directory in which the agent should list the session)",
  ]);
});

inHome.test("doctor agents --fix writes a copy for a directory that is there, and --undo removes it", async (home) => {
  const path = putMoved(home);
  const before = await Deno.readTextFile(path);
  const fix = ["doctor", "agents", "--fix", "claude:1111", "--cwd", home.work];
  const dry = await home.run(fix);
  assert.deepEqual([dry.status, dry.stdout], [0, ""]);
  assert.match(dry.stderr, /does not list .*: the session's directory is gone/);
  assert.match(dry.stderr, /Nothing was written\.\nTo write the copy, add --write\n$/);
  const done = await home.run([...fix, "--write"]);
  assert.equal(done.status, 0);
  const [, id = ""] = /claude --resume ([0-9a-f-]{36})\n$/.exec(done.stdout) ?? [];
  assert.equal(done.stdout, `cd ${home.work} && claude --resume ${id}\n`);
  const listed = await home.run(["doctor", "agents", "claude", "--json"]);
  const [found] = jsonLines(listed.stdout);
  assert.equal(found?.sessions, 2);
  assert.deepEqual(found?.hidden, []);
  const once = await home.run([...fix, "--write"]);
  assert.deepEqual([once.status, once.stdout], [0, ""]);
  assert.ok(
    once.stderr.endsWith(`Claude Code already lists a copy of the session: claude:${id}\n`),
  );
  const shown = await home.run(["show", `claude:${id}`, "--json"]);
  assert.match(shown.stdout, /Mend it/);
  assert.match(shown.stdout, /Mended/);
  const again = await home.run(["doctor", "agents", "--fix", `claude:${id}`]);
  assert.match(again.stderr, /^Claude Code lists claude:[0-9a-f-]+ already\n$/);
  assert.equal((await home.run(["doctor", "agents", "--undo", id])).status, 0);
  assert.equal((await home.run(["show", `claude:${id}`])).status, 1);
  const undone = await home.run(["doctor", "agents", "claude", "--json"]);
  assert.equal((jsonLines(undone.stdout)[0]?.hidden as unknown[]).length, 1);
  // What was said since is in no copy.
  assert.equal((await home.run([...fix, "--write"])).status, 0);
  await Deno.writeTextFile(path, before + before.replaceAll("u1", "u2").replaceAll("a1", "a2"));
  const longer = await home.run(["doctor", "agents", "claude", "--json"]);
  assert.equal((jsonLines(longer.stdout)[0]?.hidden as unknown[]).length, 1);
  await Deno.writeTextFile(path, before);
  assert.equal(await Deno.readTextFile(path), before);
});

inHome.test("doctor agents --fix asks for a directory, and refuses what it cannot do", async (home) => {
  putMoved(home);
  const gone = await home.run(["doctor", "agents", "--fix", "claude:1111", "--write"]);
  assert.equal(gone.status, 1);
  assert.match(gone.stderr, /directory \(.*\) is gone; name another directory with --cwd/);
  const own = await home.run(["record"], {
    stdin: '{"kind":"user_message","payload":{"content":"hi"}}\n',
  });
  const unknown = await home.run(["doctor", "agents", "--fix", own.stdout.trim()]);
  assert.equal(unknown.status, 1);
  const missing = await home.run(["doctor", "agents", "--fix", "claude:abcd"]);
  assert.equal(missing.status, 1);
  for (
    const words of [
      ["--write"],
      ["--cwd", "x"],
      ["claude", "--fix", "claude:1111"],
      ["--fix", "claude:1111", "--json"],
      ["nobody"],
    ]
  ) assert.equal((await home.run(["doctor", "agents", ...words])).status, 2, words.join(" "));
});

inHome.test("doctor agents --content tells what the sessions hold", async (home) => {
  putMoved(home);
  const [text, json] = await home.runAll([
    ["doctor", "agents", "--content"],
    ["doctor", "agents", "--content", "--json"],
  ]);
  assert.match(
    text?.stdout ?? "",
    /^ {2}content {2}prompts: \d+ B; answers: \d+ B; others: \d+ B; other record data: \d+ B$/m,
  );
  const [found] = jsonLines(json?.stdout ?? "");
  const [prompts] = found?.content as { kind: string; bytes: number }[];
  assert.deepEqual(prompts, { kind: "prompts", bytes: '{"content":"Mend it"}'.length });
});

inHome.test("doctor agents says that there is nothing, and names all sessions of a reason on demand", async (home) => {
  const none = await home.run(["doctor", "agents"]);
  assert.deepEqual([none.stdout, none.stderr], ["", "No agent has sessions on this machine\n"]);
  const unread = [".kimi/sessions", ".grok/sessions/w/s1"].map((path) => join(home.path, path));
  for (const path of unread) Deno.mkdirSync(path, { recursive: true });
  Deno.writeTextFileSync(join(unread[1] ?? "", "chat_history.jsonl"), "{}\n");
  const { stdout } = await home.run(["doctor", "agents"]);
  const titles = ["kimi-cli", "Grok Build"];
  const lines = unread.map((path, at) => `Found, not read: ${path} (${titles[at]})\n`);
  assert.equal(stdout, lines.join(""));
  const path = putMoved(home);
  const text = await Deno.readTextFile(path);
  for (const digit of ["2", "3", "4", "5"]) {
    const id = ID.replace("11111111", digit.repeat(8));
    Deno.writeTextFileSync(path.replace(ID, id), text.replaceAll(ID, id));
  }
  const [few, all] = await home.runAll([["doctor", "agents"], ["doctor", "agents", "-a"]]);
  assert.match(few?.stdout ?? "", /\(5 sessions\)[\s\S]*and 2 more; to show all: --all/);
  assert.equal(all?.stdout.match(/Mend it/g)?.length, 5);
});
