import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";

/** Commands that take a reference, with what else they need. */
const READERS = [
  ["show"],
  ["resume"],
  ["conversation"],
  ["path"],
  ["doctor"],
  ["repair", "--out", "clean.jsonl"],
];
const WRITERS = [["rename"], ["archive"], ["delete"], ["record", "--resume"]];

function withRef([name = "", ...rest]: readonly string[], ref: string): string[] {
  if (name === "record") return [name, ...rest, ref];
  return name === "rename" ? [name, ref, "Title"] : [name, ref, ...rest];
}

async function shown(home: CliHome, ref: string, cwd?: string): Promise<string> {
  const options = cwd === undefined ? {} : { cwd };
  const { status, stdout, stderr } = await home.run(["show", ref, "--json"], options);
  assert.deepEqual([status, stderr], [0, ""], ref);
  return jsonLines(stdout).map(({ content }) => content ?? "").join(" ").trim();
}

inHome.test("a session is named by its id, its first characters in any case, or a path", async (home) => {
  const { id, path, directory } = home.keep(sessionId("3f2a91c0"), [user("found")]);
  home.keep(sessionId("3f3b"), [user("another")]);
  const refs = [id, "3f2a", "3F2A91", path, directory, `${directory}/`, `${path}#2`, `${id}#1`];
  assert.deepEqual(await Promise.all(refs.map((ref) => shown(home, ref))), refs.map(() => "found"));
  const folder = join(directory, "..");
  assert.equal(await shown(home, "./transcript_events.jsonl", directory), "found");
  assert.equal(await shown(home, "transcript_events.jsonl", directory), "found");
  assert.equal(await shown(home, `.${directory.slice(folder.length)}`, folder), "found");
});

inHome.test("this directory's sessions come first, then all others", async (home) => {
  const other = join(home.path, "other");
  home.keep(sessionId("aaaa1"), [user("here")]);
  home.keep(sessionId("aaaa2"), [user("there")], { cwd: other });
  home.keep(sessionId("bbbb"), [user("only there")], { cwd: other });
  assert.equal(await shown(home, "aaaa"), "here");
  assert.equal(await shown(home, "aaaa2"), "there");
  assert.equal(await shown(home, "bbbb"), "only there");
});

inHome.test("a reference that fits several sessions is refused, and they are named", async (home) => {
  const one = home.keep(sessionId("aaaa1"), [user("one")]);
  const two = home.keep(sessionId("aaaa2"), [user("two")]);
  const lines = [...READERS, ...WRITERS].map((line) => withRef(line, "aaaa"));
  const results = await home.runAll(lines);
  for (const [index, { status, stdout, stderr }] of results.entries()) {
    assert.deepEqual([status, stdout], [1, ""], lines[index]?.join(" "));
    assert.match(
      stderr,
      /^reprise: Cannot choose session: "aaaa" matches 2 sessions: .*; type more of the id\n$/,
    );
    assert.ok(stderr.includes(one.id) && stderr.includes(two.id));
  }
});

inHome.test("no command takes a reference that cannot be, or that names nothing", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi")]);
  const refs: [string, RegExp][] = [
    ["", /reference is empty/],
    ["aaa", /at least 4 characters/],
    ["aa#1", /at least 4 characters/],
    ["#1", /reference is empty/],
    ["bbbb", /Cannot find session "bbbb"; see: reprise list --all/],
    ["codex", /Cannot find session "codex"; see: reprise list --agent codex --all/],
    [
      "app.ts",
      /"app.ts"; to list the sessions that changed this file: reprise list --file app.ts --all/,
    ],
    ["nobody:aaaa", /"nobody" is not an agent; known agents:/],
    [":aaaa", /"" is not an agent/],
    ["aa aa", /an id can contain letters/],
    ["*aaa", /an id can contain letters/],
    ["aaaa#x", /only an event number can follow #/],
    ["../../../etc/passwd-not", /no such file|give a session id/],
    ["missing.jsonl", /no such file|give a session id/],
    ["missing.db#3", /no such file|give a session id|not an event/],
  ];
  const lines = refs.flatMap(([ref]) => [["show"], ["rename"]].map((line) => withRef(line, ref)));
  const results = await home.runAll(lines);
  for (const [index, { status, stdout, stderr }] of results.entries()) {
    assert.deepEqual([status, stdout], [1, ""], lines[index]?.join(" "));
    assert.match(stderr, /^reprise: Cannot [^\n]*\n$/);
    assert.match(stderr, refs[Math.floor(index / 2)]?.[1] ?? /^$/);
  }
  assert.equal((await home.run(["list", "--json"])).stdout.includes('"title":"hi"'), true);
});

inHome.test("refuses an event in place of a session", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi"), assistant("there")]);
  const lines = [...READERS.slice(1), ...WRITERS].map((line) => withRef(line, "aaaa#2"));
  const results = await home.runAll(lines);
  for (const [index, { status, stdout, stderr }] of results.entries()) {
    assert.deepEqual([status, stdout], [1, ""], lines[index]?.join(" "));
    assert.match(
      stderr,
      /^reprise: Cannot use reference "aaaa#2": name the session only, without #EVENT\n$/,
    );
  }
});

inHome.test("another agent's session is neither deleted nor written", async (home) => {
  keepPiSession(home, "9111aaaa-2222");
  const changes = [["delete"], ["record", "--resume"]];
  for (const [ref, title] of [["claude:1234", "Claude Code"], ["9111", "pi"]] as const) {
    const lines = changes.map((line) => withRef(line, ref));
    for (const { status, stderr } of await home.runAll(lines)) {
      assert.equal(status, 1);
      const owned =
        `Cannot change session "${ref}": it belongs to ${title}\\. .* import .* archive`;
      assert.match(stderr, new RegExp(`^reprise: ${owned}`));
    }
  }
});

inHome.test("an agent that has no such session, or no reader, is told in words by every command", async (home) => {
  const lines = [...READERS, ["rename"], ["archive"]].map((line) => withRef(line, "claude:1234"));
  for (const { status, stdout, stderr } of await home.runAll(lines)) {
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, /^reprise: Cannot (find session|read sessions of) [^\n]*claude[^\n]*\n$/);
  }
  await assert.rejects(Deno.stat(home.store), Deno.errors.NotFound);
});
