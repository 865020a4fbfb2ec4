import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type CliHome, inHome } from "../_support/cli_home.ts";
import { databaseOf, exported } from "../agents/opencode/_store.ts";

const ID = "3f2a91c0-2222-4333-8444-555555555555";

/** Puts a session of Claude Code into a root. */
function put(root: string, prompt: string, { id = ID, cwd = "/w" } = {}): string {
  const path = join(root, "projects", cwd.replace(/[^a-zA-Z0-9]/g, "-"), `${id}.jsonl`);
  Deno.mkdirSync(dirname(path), { recursive: true });
  const record = {
    ...{ type: "user", uuid: "u1", parentUuid: null, isSidechain: false, sessionId: id, cwd },
    ...{ timestamp: "2026-11-21T20:00:00.000Z", version: "2.1.330" },
    message: { role: "user", content: prompt },
  };
  Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`);
  return path;
}

async function listed(home: CliHome, env: Record<string, string> = {}): Promise<string[][]> {
  const { stdout } = await home.run(["list", "--all", "--json"], { env });
  const rows = stdout.trim().split("\n").filter((line) => line !== "");
  return rows.map((line) =>
    JSON.parse(line) as { title: string; first_user_message: string; ref: string }
  )
    .map(({ first_user_message, ref }) => [first_user_message, ref]).sort();
}

inHome.test("the setting adds roots to an agent's own, and unset takes them back", async (home) => {
  put(join(home.path, ".claude"), "at home");
  put(join(home.path, ".claude-work"), "at work", { id: ID.replace("3f", "4f") });
  const set = ["config", "set", "agents.claude.roots", "~/.claude-work,other"];
  const { status, stderr } = await home.run(set);
  assert.deepEqual([status, stderr], [
    0,
    `reprise: ${join(home.work, "other")} does not exist yet\n`,
  ]);
  const paths = `${join(home.path, ".claude-work")},${join(home.work, "other")}`;
  const [get, list] = await home.runAll([["config", "get", set[2] ?? ""], ["config", "list"]]);
  assert.equal(get?.stdout, `${paths}\n`);
  assert.match(list?.stdout ?? "", /^agents\.claude\.roots = .*\.claude-work,/m);
  put(join(home.work, "other"), "elsewhere", { id: ID.replace("3f", "5f") });
  assert.deepEqual((await listed(home)).map(([prompt]) => prompt), [
    "at home",
    "at work",
    "elsewhere",
  ]);
  assert.match((await home.run(["show", "claude:4f2a"])).stdout, /at work/);
  await home.run(["config", "unset", "agents.claude.roots"]);
  assert.deepEqual((await listed(home)).map(([prompt]) => prompt), ["at home"]);
  const wrong = await home.run(["config", "set", "agents.nobody.roots", "/x"]);
  assert.match(
    wrong.stderr,
    /Unknown agent "nobody" in setting "agents\.nobody\.roots"\. See: reprise list --agents\n$/,
  );
});

inHome.test("CLAUDE_CONFIG_DIR may be a list, and CLAUDE_CONFIG_DIRS adds folders", async (home) => {
  const [one = "", two = "", three = ""] = ["one", "two", "three"].map((name, index) => {
    put(join(home.path, name), name, { id: ID.replace("3f", `${index}f`) });
    return join(home.path, name);
  });
  put(join(home.path, ".claude"), "at home");
  const prompts = async (env: Record<string, string>): Promise<unknown> =>
    (await listed(home, env)).map(([prompt]) => prompt);
  assert.deepEqual(await prompts({}), ["at home"]);
  assert.deepEqual(await prompts({ CLAUDE_CONFIG_DIR: `${one},${two}` }), ["one", "two"]);
  assert.deepEqual(await prompts({ CLAUDE_CONFIG_DIRS: `${two}, ${three}` }), [
    "at home",
    "three",
    "two",
  ]);
  assert.deepEqual(await prompts({ CLAUDE_CONFIG_DIR: one, CLAUDE_CONFIG_DIRS: `${one},${two}` }), [
    "one",
    "two",
  ]);
});

inHome.test("two roots with one id are two sessions, and each has its own reference", async (home) => {
  const first = put(join(home.path, ".claude"), "first");
  const work = join(home.path, ".claude-work");
  const second = put(work, "second");
  await home.run(["config", "set", "agents.claude.roots", work]);
  const both = [["first", `claude:${ID}`], ["second", second]];
  assert.deepEqual(await listed(home), both);
  assert.deepEqual(await listed(home), both, "from the cache");
  for (const [prompt = "", ref = ""] of both) {
    assert.match((await home.run(["show", ref])).stdout, new RegExp(prompt));
  }
  for (const ref of ["3f2a91c0", ID, "claude:3f2a"]) {
    const { status, stderr } = await home.run(["show", ref]);
    assert.equal(status, 1);
    const advice = "give one of these references";
    assert.ok(stderr.includes(`matches 2 sessions: claude:${ID}, ${second}; ${advice}`), stderr);
  }
  // Without the first, the second has the id for itself: no cache may tell otherwise.
  Deno.removeSync(first);
  assert.deepEqual(await listed(home), [["second", `claude:${ID}`]]);
});

inHome.test("list tells the root of each session, and lists those of one root", async (home) => {
  put(join(home.path, ".claude"), "first");
  const work = join(home.path, ".claude-work");
  const rootsOf = async (...words: string[]): Promise<unknown[]> => {
    const { stdout } = await home.run(["list", "--all", "--json", ...words]);
    return stdout.trim().split("\n").filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { root?: string }).root).sort();
  };
  assert.deepEqual(await rootsOf(), [undefined], "of one root nothing is to be told");
  put(work, "second");
  put(work, "third", { id: ID.replace("3f", "4f") });
  await home.run(["config", "set", "agents.claude.roots", work]);
  assert.deepEqual(await rootsOf(), [join(home.path, ".claude"), work, work]);
  assert.deepEqual(await rootsOf("--root", work), [work, work]);
  assert.deepEqual(await rootsOf("--root", work, "-n", "1"), [work]);
  assert.deepEqual(await rootsOf("--root", join(home.path, ".claude"), "--no-cache"), [
    join(home.path, ".claude"),
  ]);
});

inHome.test("two databases with one id are two sessions, and each has its own reference", async (home) => {
  const [mine, other] = [exported("small"), exported("small")];
  other.info = { ...other.info, title: "The other one" };
  const work = join(home.path, "work");
  const paths = [join(home.path, ".local/share/opencode"), work].map((folder, index) => {
    Deno.mkdirSync(folder, { recursive: true });
    const path = join(folder, "opencode.db");
    Deno.writeFileSync(path, databaseOf(...index === 0 ? [mine] : [other, exported("compaction")]));
    return path;
  });
  await home.run(["config", "set", "agents.opencode.roots", work]);
  const refs = (await listed(home)).map(([, ref]) => ref).sort();
  const second = `${paths[1]}~ses_small`;
  assert.deepEqual(refs, [second, "opencode:ses_compaction", "opencode:ses_small"].sort());
  const [shown, first] = await home.runAll([["show", second], ["show", "opencode:ses_small"]]);
  assert.match(shown?.stdout ?? "", /The other one/);
  assert.doesNotMatch(first?.stdout ?? "", /The other one/);
  assert.equal(first?.status, 0);
  const { stderr } = await home.run(["show", "ses_small"]);
  const advice = "give one of these references";
  const message = `matches 2 sessions: opencode:ses_small, ${second}; ${advice}`;
  assert.ok(stderr.includes(message), stderr);
  const told = await home.run(["show", `${paths[1]}~ses_smal`]);
  assert.deepEqual(told.status, 1, "a part of an id is a thread's, and there is none");
});

inHome.test("backs up two sessions with one id separately", async (home) => {
  const work = join(home.path, ".claude-work");
  put(join(home.path, ".claude"), "first");
  put(work, "second");
  await home.run(["config", "set", "agents.claude.roots", work]);
  const backup = ["backup", "--agent", "claude", "--all"];
  for (const told of [/Backed up 2 sessions/, /unchanged since the last backup: 2/]) {
    const { stdout, stderr } = await home.run(backup);
    assert.match(stdout + stderr, told);
  }
});

inHome.test("a session is deleted by the settings of its own root", async (home) => {
  const work = join(home.path, ".claude-work");
  const old = new Date(Date.now() - 6 * 86_400_000);
  for (
    const [root, id] of [[join(home.path, ".claude"), ID], [work, ID.replace("3f", "4f")]] as const
  ) {
    Deno.utimeSync(put(root, "x", { id, cwd: home.work }), old, old);
  }
  const settings = join(work, "settings.json");
  Deno.writeTextFileSync(settings, JSON.stringify({ cleanupPeriodDays: 7 }));
  await home.run(["config", "set", "agents.claude.roots", work]);
  const { stderr } = await home.run(["list"]);
  assert.match(
    stderr,
    /claude will delete 1 of these sessions .*cleanupPeriodDays is 7 days in ~?.*work/,
  );
});
