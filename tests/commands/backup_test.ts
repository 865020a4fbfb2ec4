import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import { type CliResult, jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { keepPiSession } from "./_pi_session.ts";

function goOn(path: string, text: string): void {
  const message = { role: "user", content: [{ type: "text", text }] };
  const timestamp = "2026-11-21T20:05:00.000Z";
  const record = { type: "message", id: `r${text}`, parentId: "a1", timestamp, message };
  Deno.writeTextFileSync(path, JSON.stringify(record) + "\n", { append: true });
}

/** Finds the folder of the session whose id a command printed. */
async function folderOf(home: CliHome, stdout: string): Promise<string> {
  const { stdout: path } = await home.run(["path", stdout.slice(0, 36)]);
  return dirname(path.trim());
}

inHome.test("files of a session that lie elsewhere than its log are backed up with it, and nowhere else", async (home) => {
  const id = "01a10000-0000-4000-8000-000000000002";
  const project = join(home.path, ".qwen/projects/p");
  const fixture = new URL("../../testdata/agents/qwen/branches.jsonl", import.meta.url);
  for (const file of [`chats/${id}.jsonl`, `subagents/${id}/agent-x.jsonl`]) {
    Deno.mkdirSync(dirname(join(project, file)), { recursive: true });
    Deno.copyFileSync(fixture, join(project, file));
  }
  const { stdout } = await home.run(["backup", `qwen:${id}`]);
  const folder = await folderOf(home, stdout);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["lock", "source", "transcript_events.jsonl"]);
  assert.ok(Deno.statSync(join(folder, `source/above/subagents/${id}/agent-x.jsonl`)).isFile);
  await home.succeed(["doctor", stdout.slice(0, 36)]);
});

inHome.test("a backup of a session without a directory belongs to no project", async (home) => {
  const path = join(home.path, ".claude/projects/x/0a1b2c3d-0000-4000-8000-000000000001.jsonl");
  Deno.mkdirSync(dirname(path), { recursive: true });
  const message = { role: "user", content: "Where am I?" };
  const record = { type: "user", uuid: "u1", timestamp: "2026-11-21T20:05:00.000Z", message };
  Deno.writeTextFileSync(path, JSON.stringify(record) + "\n");
  const cwd = join(home.path, "project");
  Deno.mkdirSync(cwd);
  await home.succeed(["backup", "--agent", "claude", "--all"], { cwd });
  const ours = async (scope: string): Promise<Record<string, unknown>[]> =>
    jsonLines((await home.run(["list", "--agent", "reprise", scope, "--json"], { cwd })).stdout);
  assert.deepEqual(await ours("--here"), []);
  const [listed] = await ours("--all");
  assert.equal(listed?.cwd, Deno.realPathSync(home.path));
});

inHome.test("a backup stays when its agent deletes its file", async (home) => {
  const { ref, path } = keepPiSession(home);
  const before = snapshot(join(home.path, ".pi"));
  const original = Deno.readFileSync(path);
  const [theirs] = await home.runInOrder([["conversation", ref]]);
  const { stdout, stderr } = await home.succeed(["backup", ref]);
  assert.equal(stderr, `Backed up ${ref}: 1 file\n`);
  assert.equal(stdout.slice(36), ` ${ref}\n`);
  assert.deepEqual(snapshot(join(home.path, ".pi")), before);
  Deno.removeSync(path);
  const id = stdout.slice(0, 36);
  const [shown, resumed, ours] = await home.runInOrder([
    ["show", id],
    ["resume", id],
    ["conversation", id],
  ]);
  assert.match(shown?.stdout ?? "", /Asked of pi/);
  assert.equal(resumed?.status, 0, resumed?.stderr);
  assert.equal(ours?.stdout, theirs?.stdout);
  const kept = join(await folderOf(home, stdout), "source");
  const manifest = JSON.parse(Deno.readTextFileSync(join(kept, "manifest.json")));
  assert.deepEqual([manifest.agent, manifest.id], ["pi", "1111aaaa"]);
  assert.deepEqual(Deno.readFileSync(join(kept, manifest.files[0].name)), original);
});

inHome.test("backup --agent takes what is new or has grown, and leaves alone what has not", async (home) => {
  const first = keepPiSession(home, "1111aaaa");
  keepPiSession(home, "2222bbbb");
  const statuses = async (...flags: string[]): Promise<string[]> => {
    const { status, stdout } = await home.run(["backup", "--agent", "pi", "--json", ...flags]);
    assert.equal(status, 0);
    return jsonLines(stdout).map((line) => {
      const { ref, status } = line as { ref: string; status: string };
      return `${ref} ${status}`;
    });
  };
  assert.deepEqual(await statuses("--dry-run"), [
    "pi:1111aaaa would-back-up",
    "pi:2222bbbb would-back-up",
  ]);
  assert.equal((await home.run(["list", "--agent", "reprise", "--all"])).stdout, "");
  assert.deepEqual(await statuses(), ["pi:1111aaaa backed-up", "pi:2222bbbb backed-up"]);
  assert.deepEqual(await statuses(), ["pi:1111aaaa unchanged", "pi:2222bbbb unchanged"]);
  assert.deepEqual(await statuses("--since", "2026-11-22"), []);
  goOn(first.path, "and on");
  assert.deepEqual(await statuses("--dry-run"), [
    "pi:1111aaaa would-back-up",
    "pi:2222bbbb unchanged",
  ]);
  const { stdout, stderr } = await home.run(["backup", "--agent", "pi", "--all"]);
  assert.equal(stderr, "Backed up 1 session of pi; unchanged since the last backup: 1\n");
  assert.match(stdout, /pi:1111aaaa\n/);
  // The older one is put away, not deleted.
  assert.equal(jsonLines((await home.run(["list", "--json"])).stdout).length, 2);
  const [older, ...more] = jsonLines(
    (await home.run(["list", "--archived", "--json"])).stdout,
  );
  assert.match((older as { title: string }).title, /Asked of pi/);
  assert.deepEqual(more, []);
});

inHome.test("keeps the fuller backup of a source that shrank in the list", async (home) => {
  const { ref, path } = keepPiSession(home);
  goOn(path, "and on");
  const whole = Deno.readFileSync(path);
  const backUp = async (): Promise<{ backup: Record<string, unknown>; stderr: string }> => {
    const { stdout, stderr } = await home.run(["backup", ref, "--json"]);
    return { backup: jsonLines<Record<string, unknown>>(stdout)[0] ?? {}, stderr };
  };
  const listed = async (...flags: string[]): Promise<unknown[]> =>
    jsonLines<{ ref: string }>(
      (await home.run(["list", "--agent", "reprise", "--json", ...flags])).stdout,
    )
      .map(({ ref }) => ref).sort();
  const full = await backUp();
  keepPiSession(home);
  const short = await backUp();
  const [a, b] = [full.backup["session_id"], short.backup["session_id"]];
  assert.deepEqual([short.backup["status"], short.backup["longer"]], ["backed-up", a]);
  assert.equal("replaces" in short.backup, false);
  assert.equal(
    short.stderr,
    `Backed up ${ref}: 1 file. The older backup has more records, so it stays in lists: ${a}\n`,
  );
  assert.deepEqual(await listed(), [a, b].sort());
  assert.deepEqual(await listed("--archived"), []);
  // As before: nothing to take back.
  Deno.writeFileSync(path, whole);
  const again = await backUp();
  assert.deepEqual([again.backup["status"], again.backup["session_id"]], ["unchanged", a]);
  assert.equal("taken_back" in again.backup, false);
});

inHome.test("a copy that was put away is taken back where its source is as it was then", async (home) => {
  const { ref, path } = keepPiSession(home);
  const run = async (...args: string[]): Promise<CliResult> => await home.run(args);
  const before = Deno.readFileSync(path);
  const first = (await run("backup", ref)).stdout.slice(0, 36);
  goOn(path, "and on");
  assert.match(
    (await run("backup", ref)).stderr,
    new RegExp(`The older backup is now archived: ${first}`),
  );
  Deno.writeFileSync(path, before);
  const many = await run("backup", "--agent", "pi");
  assert.equal(many.stdout, `${first} ${ref}\n`);
  assert.match(
    many.stderr,
    /^No new backup of pi:1111aaaa: the session is in an earlier state again, and that state is already backed up$/m,
  );
  assert.equal(jsonLines((await run("list", "--archived", "--json")).stdout).length, 0);
  assert.equal(
    (await run("backup", ref)).stderr,
    `Unchanged since the last backup: ${ref}\n`,
  );
});

inHome.test("a copy that its owner put away stays away as long as its source is the same", async (home) => {
  const { ref } = keepPiSession(home);
  const { stdout } = await home.run(["backup", ref]);
  assert.equal((await home.run(["archive", stdout.slice(0, 36)])).status, 0);
  const again = await home.run(["backup", ref]);
  assert.equal(again.stderr, `Unchanged since the last backup: ${ref}\n`);
  assert.equal(jsonLines((await home.run(["list", "--archived", "--json"])).stdout).length, 1);
});

inHome.test("an older one that somebody went on with is not put away", async (home) => {
  const { ref, path } = keepPiSession(home);
  const { stdout } = await home.run(["backup", ref]);
  const id = stdout.slice(0, 36);
  assert.equal((await home.run(["rename", id, "Mine now"])).status, 0);
  goOn(path, "and on");
  const again = await home.run(["backup", ref]);
  assert.equal(again.stderr, `Backed up ${ref}: 1 file\n`);
  assert.match((await home.run(["list"])).stdout, /Mine now/);
});

inHome.test("a session that was only imported is backed up all the same", async (home) => {
  const { ref } = keepPiSession(home);
  const [imported, backup, again] = await home.runInOrder([
    ["import", ref],
    ["backup", ref],
    ["import", ref],
  ]);
  assert.equal(backup?.status, 0, backup?.stderr);
  assert.notEqual(backup?.stdout.slice(0, 36), imported?.stdout.trim());
  // A backup counts as an import, too.
  assert.match(again?.stderr ?? "", /^Imported already/);
});

inHome.test("one that cannot be backed up does not stop the others", async (home) => {
  const { path } = keepPiSession(home, "1111aaaa");
  keepPiSession(home, "2222bbbb");
  const elsewhere = join(home.path, "elsewhere");
  Deno.writeTextFileSync(
    path,
    Deno.readTextFileSync(path).replace(JSON.stringify(home.work), JSON.stringify(elsewhere)),
  );
  // No folder can be made where a file is.
  const namespace = join(home.store, "sessions", namespaceOf(elsewhere));
  Deno.mkdirSync(dirname(namespace), { recursive: true, mode: 0o700 });
  Deno.writeTextFileSync(namespace, "");
  const everything = ["backup", "--agent", "pi", "--all", "--json"];
  const first = await home.run(everything);
  assert.equal(first.status, 1);
  const told = jsonLines<{ ref: string; status: string; error?: string }>(first.stdout);
  assert.deepEqual(told.map(({ ref, status }) => `${ref} ${status}`), [
    "pi:1111aaaa failed",
    "pi:2222bbbb backed-up",
  ]);
  assert.match(told[0]?.error ?? "", /^Cannot use store: /);
  assert.match(first.stderr, /pi:1111aaaa: Cannot use store/);
  assert.match(first.stderr, /Backed up 1 session of pi; failed: 1\n$/);
  Deno.removeSync(namespace);
  const second = await home.run(everything);
  assert.equal(second.status, 0);
  assert.deepEqual(jsonLines<{ status: string }>(second.stdout).map(({ status }) => status), [
    "backed-up",
    "unchanged",
  ]);
});

inHome.test("backup takes a session or an agent, not both", async (home) => {
  const { ref } = keepPiSession(home);
  home.keep(sessionId("aaaa"), [user("ours")]);
  const lines: [string[], number, RegExp][] = [
    [["backup"], 2, /Give a session, --agent or --watch/],
    [["backup", ref, "--agent", "pi"], 2, /Give a session, --agent or --watch/],
    [["backup", ref, "--all"], 2, /--all and --since need --agent/],
    [["backup", "aaaa"], 1, /Cannot back up session "aaaa": the session is already in this store/],
    [
      ["backup", "--agent", "nobody"],
      2,
      /Cannot use "nobody" for --agent <name>\. All choices: reprise list --agents/,
    ],
    [["backup", "pi:none"], 1, /Cannot find session "pi:none"/],
    [
      ["backup", "--agent", "codex"],
      0,
      /^Backed up 0 .*\nTo back up the sessions of all projects: .*backup --agent codex --all$/m,
    ],
    [["backup", "--help"], 0, /^$/],
  ];
  const results = await home.runInOrder(lines.map(([args]) => args));
  for (const [index, [args, status, message]] of lines.entries()) {
    assert.equal(results[index]?.status, status, args.join(" "));
    assert.match(results[index]?.stderr ?? "", message);
  }
});

inHome.test("a copy that is left out of the list of all takes no other session's place", async (home) => {
  const own = sessionId("aaaa");
  home.keep(own, [user("Ours")]);
  const { ref } = keepPiSession(home);
  const [backup] = await home.runInOrder([["backup", ref]]);
  const copy = backup?.stdout.slice(0, 36) ?? "";
  // Now it is the last that was updated.
  await home.runInOrder([["archive", copy], ["archive", "--undo", copy]]);
  const [all, few] = await home.runInOrder([
    ["list", "--agent", "all", "--json"],
    ["list", "--agent", "all", "-n", "1", "--json"],
  ]);
  const refs = [all, few].map((result) =>
    jsonLines<{ ref: string }>(result?.stdout ?? "").map(({ ref }) => ref)
  );
  assert.deepEqual(refs, [[own, ref], [own]]);
});

inHome.test("a copy that says nothing more than its original is listed and found once", async (home) => {
  const { ref, path } = keepPiSession(home);
  const found = async (): Promise<[string[], string[]]> => {
    const [list, search] = await home.runInOrder([
      ["list", "--agent", "all", "--json"],
      ["search", "Asked", "--json"],
    ]);
    return [list, search].map((result) =>
      jsonLines<{ ref: string }>(result?.stdout ?? "").map(({ ref }) => ref).sort()
    ) as [string[], string[]];
  };
  assert.deepEqual(await found(), [[ref], [ref]]);
  const [backup] = await home.runInOrder([["backup", ref]]);
  const id = backup?.stdout.slice(0, 36) ?? "";
  assert.deepEqual(await found(), [[ref], [ref]]);
  assert.equal(
    (await home.run(["list", "--agent", "reprise", "--json"])).stdout.includes(id),
    true,
  );
  const own = await home.run(["search", "Asked", "--agent", "reprise", "--json"]);
  assert.match(own.stdout, new RegExp(id));

  // Archived, the original is in another list than its copy.
  await home.runInOrder([["archive", ref]]);
  assert.deepEqual((await found())[0], [id]);
  await home.runInOrder([["archive", "--undo", ref]]);

  const original = Deno.readFileSync(path);
  goOn(path, "and on");
  assert.deepEqual(await found(), [[ref], [ref]]);
  Deno.removeSync(path);
  assert.deepEqual(await found(), [[id], [id]]);

  // Written anew, it may say something else; and what was gone on with is a session of its own.
  Deno.writeFileSync(path, original);
  assert.deepEqual(await found(), [[ref], [ref]]);
  const text = new TextDecoder().decode(original);
  Deno.writeTextFileSync(path, text.replaceAll("Asked", "Anted"));
  assert.deepEqual((await found())[0], [id, ref]);
  Deno.writeFileSync(path, original);
  Deno.utimeSync(path, new Date("2026-11-21"), new Date("2026-11-21"));
  assert.deepEqual(await found(), [[ref], [ref]]);
  await home.runInOrder([["rename", id, "Mine"]]);
  assert.deepEqual(await found(), [[id], [id]]);
});
