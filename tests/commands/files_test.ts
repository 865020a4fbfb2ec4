/** Restores of files that a transcript cannot play: answers, leftovers and links. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { run } from "../../commands/_run.ts";
import { answeringContext } from "../_support/answering.ts";
import { jsonLines } from "../_support/cli.ts";
import { inHome, testsAtHome } from "../_support/cli_home.ts";
import { UNIX } from "../_support/needing.ts";
import { put } from "./_transcript_home.ts";

inHome.test("files --restore asks at a terminal before it writes what is only likely", async (home) => {
  put(home, 'aaaa user: x / call: c {"path":"a.ts","old_text":"one","new_text":"two"} / result: c');
  put(home, "work/a.ts: zero\r\ntwo\r\n");
  const { context, said } = answeringContext({ home: home.path, cwd: home.work }, ["n", "y"]);
  const attempt = async (): Promise<[number, string]> => [
    await run(["files", "aaaa#2", "--restore", "--write", "--likely"], context),
    Deno.readTextFileSync(join(home.work, "a.ts")),
  ];
  assert.deepEqual(await attempt(), [130, "zero\r\ntwo\r\n"]);
  assert.match(
    said(),
    /-two.*\n.*\+one.*\nRestore 1 file whose content is a best guess\? \[y\/N\]/m,
  );
  assert.deepEqual(await attempt(), [0, "zero\r\none\r\n"]);
});

inHome.test("files --restore keeps the mode, and removes what killed restores left, and nothing else", async (home) => {
  const calls = ["one", "two"].map((content) => `call: c {"path":"a.ts","content":"${content}"}`);
  put(home, `aaaa user: x / ${calls.join(" / result: c / ")} / result: c`);
  const restore = async (): Promise<void> => {
    put(home, "work/a.ts: two");
    Deno.chmodSync(join(home.work, "a.ts"), 0o755);
    await home.run(["files", "aaaa#4", "--restore", "--write"]);
  };
  await restore();
  const [id] = Array.from(Deno.readDirSync(join(home.store, "restored")), ({ name }) => name)
    .filter((name) => name !== "lock");
  // As a kill before the rename leaves it.
  const left = `.reprise-${id}-0.tmp`;
  const others = [`.reprise-${id}-7.tmp`, ".reprise-00000000-0.tmp", `b/${left}`];
  for (const name of [left, ...others]) put(home, `work/${name}: one`);
  await restore();
  assert.equal(Deno.readTextFileSync(join(home.work, "a.ts")), "one");
  if (Deno.build.os !== "windows") {
    assert.equal((Deno.statSync(join(home.work, "a.ts")).mode ?? 0) & 0o777, 0o755);
  }
  for (const name of others) assert.ok(Deno.statSync(join(home.work, name)).isFile, name);
  assert.throws(() => Deno.statSync(join(home.work, left)), Deno.errors.NotFound);
});

testsAtHome(UNIX).test(
  "files --restore goes through no link, and touches no file with a second name",
  async (home) => {
    const names = ["folder/a.ts", "hard.ts", "link.ts", "pipe.ts"];
    const calls = ["one", "two"].flatMap((content) =>
      names.map((path) => `call: c ${JSON.stringify({ path, content })} / result: c`)
    );
    put(home, `aaaa ${calls.join(" / ")}`);
    const outside = join(home.path, "outside");
    for (const name of ["a.ts", "target.ts", "hard.ts"]) put(home, `outside/${name}: two`);
    Deno.symlinkSync(outside, join(home.work, "folder"));
    Deno.symlinkSync(join(outside, "target.ts"), join(home.work, "link.ts"));
    Deno.linkSync(join(outside, "hard.ts"), join(home.work, "hard.ts"));
    new Deno.Command("mkfifo", { args: [join(home.work, "pipe.ts")] }).outputSync();
    const args = ["files", "aaaa#9", "--restore", "--write", "--json"];
    const { status, stdout } = await home.run(args);
    assert.equal(status, 1);
    assert.deepEqual(jsonLines(stdout).map(({ reason }) => reason), [
      "a folder in the file's path is a link",
      "the file has a second name (a hard link)",
      "the file is a link",
      "the path is not a regular file",
    ]);
    for (const name of ["a.ts", "target.ts", "hard.ts"]) {
      assert.equal(Deno.readTextFileSync(join(outside, name)), "two");
    }
  },
);
