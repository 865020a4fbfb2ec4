import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { run } from "../../commands/_run.ts";
import { answeringContext } from "../_support/answering.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { testsWith } from "../_support/tests_in.ts";

const inChangedHome = testsWith(changedHome);

/** A call that succeeded, with its input. */
function call(call_id: string, input: unknown): NewEvent[] {
  return [
    {
      kind: "assistant_message",
      payload: { content: [{ type: "tool_call", call_id, name: "edit", input }] },
    },
    { kind: "tool_end", payload: { call_id, name: "edit", status: "ok", output: "Done" } },
  ];
}

/** A home with a session that wrote, edited and wrote again; its work tree is as it left it. */
class FilesHome extends CliHome {
  write(name: string, text: string | Uint8Array): void {
    const path = join(this.work, name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    if (typeof text === "string") Deno.writeTextFileSync(path, text);
    else Deno.writeFileSync(path, text);
  }

  read(name: string): string {
    return Deno.readTextFileSync(join(this.work, name));
  }

  has(name: string): boolean {
    try {
      Deno.lstatSync(join(this.work, name));
      return true;
    } catch {
      return false;
    }
  }

  /** Keeps a session whose calls are events 4, 6, 8 … */
  calls(prefix: string, inputs: readonly unknown[]): void {
    this.keep(sessionId(prefix), [
      user("change it"),
      ...inputs.flatMap((input, index) => call(`c${index}`, input)),
    ]);
  }
}

/** Files after event 4: `a.ts` is one; after 6: two; after 8: `b/new.ts` too. */
function changedHome(): FilesHome {
  const home = new FilesHome();
  home.calls("aaaa", [
    { path: "a.ts", content: "one\nsame\n" },
    { path: join(home.work, "a.ts"), old_text: "one", new_text: "two" },
    { path: "b/new.ts", content: "new\n" },
  ]);
  home.write("a.ts", "two\nsame\n");
  home.write("b/new.ts", "new\n");
  return home;
}

inChangedHome.test("files lists what a session changed, as of an event", async (home) => {
  const [all, early, json] = await home.runAll([
    ["files", "aaaa"],
    ["files", "aaaa#4"],
    ["files", "aaaa#6", "--json"],
  ]);
  assert.equal(all?.status, 0);
  assert.match(all?.stdout ?? "", /^proven +\+3 +-1 +2 +a\.ts$/m);
  assert.match(all?.stdout ?? "", /^proven +\+1 +-0 +1 +b\/new\.ts$/m);
  assert.match(early?.stdout ?? "", /^proven +\+2 +-0 +1 +a\.ts$/m);
  const [first, second] = jsonLines(json?.stdout ?? "");
  assert.deepEqual([first?.grade, first?.changes, first?.seq], ["proven", 2, 6]);
  assert.equal(second?.changes, 0);
});

Deno.test("files of the last turn and of a range begin where these begin", async () => {
  await using home = new FilesHome();
  home.keep(sessionId("aaaa"), [
    user("first"),
    ...call("c1", { path: "a.ts", content: "one\n" }),
    ...call("c2", { path: "b.ts", content: "b\n" }),
    user("second"),
    ...call("c3", { path: "a.ts", old_text: "one", new_text: "two" }),
    ...call("c4", { path: "c.ts", content: "c\n" }),
  ]);
  const rows = async (...args: string[]): Promise<unknown[]> => {
    const { stdout, status } = await home.run(["files", ...args, "--json"]);
    assert.equal(status, 0);
    return jsonLines<Record<string, unknown>>(stdout)
      .map(({ path, changes, from, seq }) => [path, changes, from, seq]);
  };
  const path = (name: string): string => join(home.work, name);
  const turn = [[path("a.ts"), 1, 7, 11], [path("c.ts"), 1, 7, 11]];
  assert.deepEqual(await rows("aaaa", "--last-turn"), turn);
  assert.deepEqual(await rows("aaaa", "--range", "7.."), turn);
  assert.deepEqual(await rows("aaaa#6", "--last-turn"), [
    [path("a.ts"), 1, 2, 6],
    [path("b.ts"), 1, 2, 6],
  ]);
  assert.deepEqual(await rows("aaaa", "--range", "5..9"), [
    [path("a.ts"), 1, 5, 9],
    [path("b.ts"), 1, 5, 9],
  ]);
  const [patch, none, odd, many] = await home.runAll([
    ["files", "aaaa", "--last-turn", "--diff"],
    ["files", "aaaa", "--range", "7..8"],
    ["files", "aaaa", "--range", "9..5"],
    ["files", "aaaa", "--range", "1..99"],
  ]);
  assert.match(patch?.stdout ?? "", /^-one\n\+two$/m);
  assert.doesNotMatch(patch?.stdout ?? "", /b\.ts/);
  assert.match(none?.stderr ?? "", /events 7 to 8 of the session changed no file/i);
  assert.equal(odd?.status, 2);
  assert.match(odd?.stderr ?? "", /Give two event numbers, such as 40\.\.52/);
  assert.match(many?.stderr ?? "", /Cannot find event 99/);
});

Deno.test("files --diff is a patch of what the session did up to the event", async () => {
  await using home = new FilesHome();
  home.calls("aaaa", [
    { path: "a.ts", content: "one\n" },
    { path: "a.ts", old_text: "one", new_text: "two" },
    { path: "c.ts", old_text: "x", new_text: "y" },
    { path: "/elsewhere/d.ts", old_text: "x", new_text: "y" },
  ]);
  const { stdout } = await home.run(["files", "aaaa#6", "--diff"]);
  // Nothing tells what the first write replaced.
  const changes = ["@@ recorded change @@", "+one", "@@ recorded change @@", "-one", "+two", ""];
  assert.equal(stdout, `--- a/a.ts\n+++ b/a.ts\n${changes.join("\n")}`);
  const last = await home.run(["files", "aaaa", "--diff"]);
  assert.match(last.stdout, /^--- a\/c\.ts\n\+\+\+ b\/c\.ts\n@@ recorded change @@\n-x\n\+y$/m);
  assert.match(last.stdout, /^--- a\/elsewhere\/d\.ts\n\+\+\+ b\/elsewhere\/d\.ts$/m);
});

inChangedHome.test("files --out writes the files of the event into an empty directory alone", async (home) => {
  const out = join(home.path, "out");
  const { status } = await home.run(["files", "aaaa#4", "--out", out]);
  assert.deepEqual([status, Deno.readTextFileSync(join(out, "a.ts"))], [1, "one\nsame\n"]);
  const again = await home.run(["files", "aaaa", "--out", out]);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /is not an empty directory/);
  assert.equal(Deno.readTextFileSync(join(out, "a.ts")), "one\nsame\n");
  const whole = await home.run(["files", "aaaa", "--out", join(home.path, "whole")]);
  assert.equal(whole.status, 0);
  assert.equal(Deno.readTextFileSync(join(home.path, "whole", "b", "new.ts")), "new\n");
});

inChangedHome.test("files --restore writes nothing until it is told, keeps what it replaces, and undoes it", async (home) => {
  Deno.chmodSync(join(home.work, "a.ts"), 0o755);
  const dry = await home.run(["files", "aaaa#4", "--restore"]);
  assert.match(dry.stderr, /^Would restore: .*a\.ts$/m);
  assert.equal(home.read("a.ts"), "two\nsame\n");
  const done = await home.run(["files", "aaaa#4", "--restore", "--write"]);
  assert.match(done.stderr, /Restored 1 file\. The replaced files are in .*restored/);
  assert.equal(home.read("a.ts"), "one\nsame\n");
  if (Deno.build.os !== "windows") {
    assert.equal((Deno.statSync(join(home.work, "a.ts")).mode ?? 0) & 0o777, 0o755);
  }
  const [told, undone, none] = await home.runInOrder([
    ["files", "aaaa", "--undo"],
    ["files", "aaaa", "--undo", "--write"],
    ["files", "aaaa", "--undo", "--write"],
  ]);
  assert.match(told?.stderr ?? "", /Would put back: a\.ts\nNothing was changed/);
  assert.deepEqual([undone?.status, home.read("a.ts")], [0, "two\nsame\n"]);
  assert.deepEqual([none?.status, none?.stderr.includes("Cannot undo")], [1, true]);
});

inChangedHome.test("files --restore leaves a file that somebody else changed, and so does --undo", async (home) => {
  home.write("a.ts", "my own work\n");
  const refused = await home.run(["files", "aaaa#4", "--restore", "--write"]);
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /^Refused: .*a\.ts: someone outside this session has changed the file$/m,
  );
  assert.equal(home.read("a.ts"), "my own work\n");
  home.write("a.ts", "two\nsame\n");
  await home.run(["files", "aaaa#4", "--restore", "--write"]);
  home.write("a.ts", "later work\n");
  const undone = await home.run(["files", "aaaa", "--undo", "--write"]);
  assert.deepEqual([undone.status, home.read("a.ts")], [1, "later work\n"]);
});

Deno.test("files --restore gives a deleted file back, and reckons back from the file there is", async () => {
  await using home = new FilesHome();
  home.calls("aaaa", [
    { path: "gone.ts", content: "was here\n" },
    { path: "edited.ts", old_text: "one", new_text: "two" },
  ]);
  home.write("edited.ts", "zero\r\ntwo\r\n");
  const args = ["files", "aaaa#4", "--restore", "--write"];
  const proven = await home.run(args);
  assert.deepEqual([proven.status, home.read("gone.ts")], [1, "was here\n"]);
  assert.match(
    proven.stderr,
    /edited\.ts: the file's content at that time is only a best guess: the content was computed/,
  );
  const [dry, asked] = await home.runInOrder([
    ["files", "aaaa#4", "--restore", "--likely"],
    [...args, "--likely"],
  ]);
  assert.match(dry?.stderr ?? "", /^-two.*\n\+one.*\n(?:.*\n)*Would restore: .*edited\.ts$/m);
  assert.deepEqual([dry?.status, asked?.status], [0, 2]);
  assert.equal(home.read("edited.ts"), "zero\r\ntwo\r\n");
  const { status } = await home.run([...args, "--likely", "--yes"]);
  assert.deepEqual([status, home.read("edited.ts")], [0, "zero\r\none\r\n"]);
});

Deno.test("files --restore asks at a terminal before it writes what is only likely", async () => {
  await using home = new FilesHome();
  home.calls("aaaa", [{ path: "a.ts", old_text: "one", new_text: "two" }]);
  home.write("a.ts", "two\n");
  const { context, said } = answeringContext({ home: home.path, cwd: home.work }, ["n", "y"]);
  const args = ["files", "aaaa#2", "--restore", "--write", "--likely"];
  assert.deepEqual([await run(args, context), home.read("a.ts")], [130, "two\n"]);
  assert.match(
    said(),
    /-two.*\n.*\+one.*\nRestore 1 file whose content is a best guess\? \[y\/N\]/m,
  );
  assert.deepEqual([await run(args, context), home.read("a.ts")], [0, "one\n"]);
});

Deno.test("files --restore removes what killed restores left, and nothing else", async () => {
  await using home = changedHome();
  const args = ["files", "aaaa#4", "--restore", "--write"];
  await home.run(args);
  const [id] = Array.from(Deno.readDirSync(join(home.store, "restored")), ({ name }) => name)
    .filter((name) => name !== "lock");
  // As a kill before the rename leaves it.
  home.write("a.ts", "two\nsame\n");
  home.write(`.reprise-${id}-0.tmp`, "one\n");
  const others = [`.reprise-${id}-7.tmp`, ".reprise-00000000-0.tmp", `b/.reprise-${id}-0.tmp`];
  for (const name of others) home.write(name, "mine\n");
  await home.run(args);
  assert.deepEqual([home.read("a.ts"), home.has(`.reprise-${id}-0.tmp`)], ["one\nsame\n", false]);
  assert.deepEqual(others.map((name) => home.has(name)), [true, true, true]);
});

Deno.test("files --restore and --out make no folder a repository", async () => {
  await using home = new FilesHome();
  home.write("half/HEAD", "ref: refs/heads/main\n");
  home.write("bare/HEAD", "ref: refs/heads/main\n");
  for (const name of ["bare/refs/x", "bare/objects/x", "bare/main/.git"]) home.write(name, "");
  const unsafe = [
    ...["docs/HEAD", "docs/config", "docs/objects/info/x", "docs/refs/heads/x", "docs/a.txt"],
    ...["Mixed/head", "mixed/OBJECTS/x", "miXed/Ref\u017f/x", "tree/HEAD", "tree/commondir"],
    ...["half/objects/x", "half/refs/x", "bare/hooks/post-checkout", "bare/config.worktree"],
    ...[".hg/hgrc", "x/.SVN/y", ".jj/repo/config", "HG~1/hgrc", "a/PRECOM~1", ".git ./config"],
  ];
  const safe = ["HEAD", "refs/x", "bare/main/src/a.ts", "notes/objects/x", ".gitignore", "~1/a"];
  home.calls("aaaa", [...unsafe, ...safe].map((path) => ({ path, content: "x\n" })));
  const inside = join(home.work, ".git", "modules", "a");
  Deno.mkdirSync(inside, { recursive: true });
  const config = { path: "config", content: "x" };
  home.keep(sessionId("bbbb"), [user("x"), ...call("c", config)], { cwd: inside });
  const own = await home.run(["files", "bbbb", "--restore", "--write"], { cwd: inside });
  assert.match(own.stderr, /config: the file belongs to git or to another version control system/);
  const { stdout } = await home.run(["files", "aaaa", "--restore", "--write", "--json"]);
  const written = jsonLines(stdout).filter(({ written }) => written).map(({ path }) => `${path}`);
  assert.deepEqual(written, safe.map((name) => join(home.work, name)).sort());
  const out = await home.run(["files", "aaaa", "--out", join(home.path, "out"), "--json"]);
  const reasons = jsonLines(out.stdout).filter(({ path }) =>
    /\/(?:docs|mixed|tree|\.hg)\//i.test(`${path}`)
  );
  assert.deepEqual(reasons.map(({ written }) => written), reasons.map(() => undefined));
});

Deno.test("files --restore marks what other programs run by themselves", async () => {
  await using home = new FilesHome();
  const scripts = { build: "x", postinstall: "x" };
  const files: [path: string, is_marked: boolean, content?: string][] = [
    [".claude/settings.json", true],
    [".envrc", true],
    [".github/workflows/ci.yml", true],
    [".husky/pre-commit", true],
    [".vscode/tasks.json", true],
    ["Makefile", false],
    ["a/package.json", true, JSON.stringify({ scripts })],
    ["b/package.json", false, JSON.stringify({ scripts: { build: "x" }, dependencies: {} })],
    ["hooks.ts", false],
    ["tools/hooks/post-checkout", true],
  ];
  home.calls("aaaa", files.map(([path, , content = "x"]) => ({ path, content })));
  const [json, text] = await home.runAll([
    ["files", "aaaa", "--restore", "--json"],
    ["files", "aaaa", "--restore"],
  ]);
  assert.deepEqual(
    jsonLines(json?.stdout ?? "").map(({ executed }) => executed),
    files.map(([, is_marked]) => is_marked),
  );
  assert.match(
    text?.stderr ?? "",
    /^Would restore: .*\.envrc \(other programs run this file automatically/m,
  );
});

Deno.test("hostile paths are neither written below a directory nor restored", async () => {
  await using home = new FilesHome();
  const outside = join(home.path, "outside.ts");
  const hostile = [
    ...["../outside.ts", outside, "a/../../outside.ts", ".git/hooks/post-checkout", ".GIT/config"],
    ...["nul\0byte.ts", "sub/.git", "gi\u200bt/ok.ts/.g\u200bit/config", "git~1/config", "con.txt"],
    ...["file.ts:stream", "back\\slash.ts", "C:\\Windows\\x.ts", "Same.ts", "same.ts", "dir", "."],
  ];
  home.calls("aaaa", [
    ...hostile.map((path) => ({ path, content: "evil\n" })),
    { path: "dir/good.ts", content: "good\n" },
    { path: "plain/good.ts", content: "good\n" },
  ]);
  const out = join(home.path, "out");
  const written = await home.run(["files", "aaaa", "--out", out, "--json"]);
  const names = jsonLines(written.stdout).flatMap(({ written }) =>
    written === undefined ? [] : [written]
  );
  assert.deepEqual(names, [join(out, "plain/good.ts")]);
  const restored = await home.run(["files", "aaaa", "--restore", "--write", "--json"]);
  const done = jsonLines(restored.stdout).filter(({ written }) => written === true);
  assert.deepEqual(done.map(({ path }) => path), [
    join(home.work, "plain/good.ts"),
  ]);
  assert.deepEqual([...Deno.readDirSync(home.work)].map(({ name }) => name), ["plain"]);
  assert.throws(() => Deno.statSync(outside));
});

Deno.test({
  name: "files --restore goes through no link, and touches no file with a second name",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using home = new FilesHome();
    const outside = join(home.path, "outside");
    Deno.mkdirSync(outside);
    home.calls("aaaa", [
      { path: "folder/a.ts", content: "one\n" },
      { path: "link.ts", content: "one\n" },
      { path: "hard.ts", content: "one\n" },
      { path: "pipe.ts", content: "one\n" },
      { path: "folder/a.ts", content: "two\n" },
      { path: "link.ts", content: "two\n" },
      { path: "hard.ts", content: "two\n" },
      { path: "pipe.ts", content: "two\n" },
    ]);
    for (const name of ["a.ts", "target.ts", "hard.ts"]) {
      Deno.writeTextFileSync(join(outside, name), "two\n");
    }
    Deno.symlinkSync(outside, join(home.work, "folder"));
    Deno.symlinkSync(join(outside, "target.ts"), join(home.work, "link.ts"));
    Deno.linkSync(join(outside, "hard.ts"), join(home.work, "hard.ts"));
    new Deno.Command("mkfifo", { args: [join(home.work, "pipe.ts")] }).outputSync();
    const { status, stdout } = await home.run([
      "files",
      "aaaa#10",
      "--restore",
      "--write",
      "--json",
    ]);
    assert.equal(status, 1);
    assert.deepEqual(jsonLines(stdout).map(({ reason }) => reason), [
      "a folder in the file's path is a link",
      "the file has a second name (a hard link)",
      "the file is a link",
      "the path is not a regular file",
    ]);
    for (const name of ["a.ts", "target.ts", "hard.ts"]) {
      assert.equal(Deno.readTextFileSync(join(outside, name)), "two\n");
    }
  },
});

inChangedHome.test("files --restore works in the session's own directory alone, and never in the home", async (home) => {
  const elsewhere = join(home.path, "elsewhere");
  Deno.mkdirSync(elsewhere);
  const args = ["files", "aaaa#4", "--restore", "--write"];
  const away = await home.run(args, { cwd: elsewhere });
  assert.deepEqual([away.status, home.read("a.ts")], [1, "two\nsame\n"]);
  assert.match(away.stderr, /run this in the session's directory: .*work/);
  const inside = await home.run(args, { cwd: join(home.work, "b") });
  assert.equal(home.read("a.ts"), "one\nsame\n", inside.stderr);
  home.keep(sessionId("dddd"), [user("x"), ...call("c", { path: ".ssh/keys", content: "x" })], {
    cwd: home.path,
  });
  const wide = await home.run(["files", "dddd", "--restore", "--write"], { cwd: home.path });
  assert.deepEqual([wide.status, home.has("../.ssh")], [1, false]);
  assert.match(
    wide.stderr,
    /the session's directory is a whole drive, or contains your home directory: /,
  );
});

inChangedHome.test("files says what is wrong: no event, no change, no directory, flags that do not fit", async (home) => {
  home.keep(sessionId("bbbb"), [user("nothing")]);
  home.keep(sessionId("cccc"), [user("x"), ...call("c", { path: "a.ts", content: "x" })], {
    cwd: join(home.path, "missing"),
  });
  const [event, nothing, directory, flags] = await home.runAll([
    ["files", "aaaa#99"],
    ["files", "bbbb"],
    ["files", "cccc", "--restore"],
    ["files", "aaaa", "--write"],
  ]);
  assert.deepEqual([event?.status, nothing?.status], [1, 0]);
  assert.match(event?.stderr ?? "", /event 99/);
  assert.match(nothing?.stderr ?? "", /changed no file/);
  assert.deepEqual([directory?.status, flags?.status], [1, 2]);
  assert.match(directory?.stderr ?? "", /the session's directory is gone/);
});
