import assert from "node:assert/strict";
import { join } from "node:path";
import { listBackups, restoreSession } from "../../../lib/features/backup/mod.ts";
import { testsWith } from "../../_support/tests_in.ts";
import { WatchedHome } from "./_watching.ts";

const WRITTEN_AT = new Date("2026-11-01T10:00:00Z");

/** A home whose one session is kept, and deleted where a test says so. */
class KeptHome extends WatchedHome {
  readonly session = this.write(".claude/projects/-work/one.jsonl", "first\nsecond\n");
  readonly side = this.write(".claude/projects/-work/one/subagents/agent-x.jsonl", "side\n");

  static async make(): Promise<KeptHome> {
    const home = new KeptHome();
    // A restore gives back no right to become somebody else.
    Deno.chmodSync(home.session, 0o6640);
    Deno.utimeSync(home.session, WRITTEN_AT, WRITTEN_AT);
    await home.watch();
    await home.end();
    return home;
  }

  delete(): void {
    Deno.removeSync(join(this.path, ".claude"), { recursive: true });
  }
}

const inKeptHome = testsWith(KeptHome.make);

inKeptHome.test("a deleted session is put back where it was, with its mode and time", async (home) => {
  const path = home.session;
  home.delete();
  const looked = await restoreSession(home.root, "claude:one", { dry: true });
  assert.deepEqual([looked.dry, looked.files.length], [true, 2]);
  assert.throws(() => Deno.statSync(path));
  const { files, left } = await restoreSession(home.root, "claude:one");
  assert.deepEqual([files, left], [[path, home.side], []]);
  assert.equal(Deno.readTextFileSync(path), "first\nsecond\n");
  assert.equal(Deno.readTextFileSync(home.side), "side\n");
  const { mtime, mode } = Deno.statSync(path);
  assert.deepEqual(mtime, WRITTEN_AT);
  if (Deno.build.os !== "windows") assert.equal((mode ?? 0) & 0o7777, 0o640);
  assert.deepEqual([...Deno.readDirSync(join(path, ".."))].map(({ name }) => name).sort(), [
    "one",
    "one.jsonl",
  ]);
  // What is back is known to be what is kept.
  await home.watch();
  assert.deepEqual(home.texts("claude:one"), ["first\nsecond\n"]);
});

inKeptHome.test("a session's own file is put back last: an agent that finds it finds the others", async (home) => {
  const path = home.session;
  home.delete();
  // A file in the place of the folder for what lies beside it.
  const blocking = home.write(".claude/projects/-work/one", "");
  await assert.rejects(restoreSession(home.root, "claude:one"));
  assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
  Deno.removeSync(blocking);
  await restoreSession(home.root, "claude:one");
  assert.equal(Deno.readTextFileSync(path), "first\nsecond\n");
});

inKeptHome.test("a manifest that names a place outside of the agent's folders makes no file there", async (home) => {
  const path = home.session;
  home.delete();
  const [backup] = listBackups(home.root);
  const manifest = join(backup?.folder ?? "", "manifest.json");
  const text = Deno.readTextFileSync(manifest);
  const environment = { home: home.path, os: Deno.build.os, variable: () => undefined };
  for (const place of ["evil.sh", ".claude/../evil.sh", ".claude-work/one.jsonl"]) {
    const evil = `${home.path}/${place}`;
    Deno.writeTextFileSync(manifest, text.replaceAll(JSON.stringify(path), JSON.stringify(evil)));
    const refused = { code: "unsafe-store", message: /outside of the folders.*\n.*--out PATH/ };
    await assert.rejects(restoreSession(home.root, "claude:one", { environment }), refused, place);
    assert.throws(() => Deno.statSync(evil), Deno.errors.NotFound);
  }
  Deno.writeTextFileSync(manifest, text);
  assert.equal((await restoreSession(home.root, "claude:one", { environment })).path, path);
});

inKeptHome.test("P14: no file that is there is touched", async (home) => {
  const path = home.session;
  await assert.rejects(
    restoreSession(home.root, "claude:one"),
    /a file exists.*\n.*--out/,
  );
  Deno.writeTextFileSync(path, "newer\n");
  await assert.rejects(restoreSession(home.root, "claude:one"), { code: "io" });
  assert.equal(Deno.readTextFileSync(path), "newer\n");
  Deno.removeSync(path);
  Deno.writeTextFileSync(home.side, "newer side\n");
  const { left } = await restoreSession(home.root, "claude:one");
  assert.deepEqual(left, [home.side]);
  assert.equal(Deno.readTextFileSync(home.side), "newer side\n");
  const out = join(home.path, "out");
  Deno.writeTextFileSync(out, "mine");
  await assert.rejects(restoreSession(home.root, "claude:one", { out }), { code: "io" });
  assert.equal(Deno.readTextFileSync(out), "mine");
});

inKeptHome.test("an earlier generation is put elsewhere; one that is not there is refused", async (home) => {
  const path = home.session;
  Deno.writeTextFileSync(path, "after the compaction\n");
  await home.watch();
  await home.end();
  const out = join(home.path, "before");
  const { generation, files } = await restoreSession(home.root, "claude:one", {
    generation: 1,
    out,
  });
  assert.deepEqual([generation, files.length], [1, 2]);
  assert.equal(Deno.readTextFileSync(files[0] ?? ""), "first\nsecond\n");
  const none = (): Promise<unknown> =>
    restoreSession(home.root, "claude:one", { generation: 7, out: `${out}2` });
  await assert.rejects(
    none,
    /Cannot find generation 7 \(backup version\) of claude:one: the backup has the generations 1, 2/,
  );
  for (const ref of ["claude:two", "pi:one", "abcd1234"]) {
    await assert.rejects(restoreSession(home.root, ref), { code: "not-found" });
  }
});

inKeptHome.test("a damaged copy is not put back", async (home) => {
  const path = home.session;
  const copy = listBackups(home.root)[0]?.generations[0]?.path ?? "";
  Deno.writeTextFileSync(copy, "FIRST\nsecond\n");
  Deno.removeSync(path);
  await assert.rejects(restoreSession(home.root, "claude:one"), { code: "damaged" });
  assert.throws(() => Deno.statSync(path));
});

inKeptHome.test("a manifest with numbers that no file has is refused by its path", async (home) => {
  const path = home.session;
  home.delete();
  const manifest = join(listBackups(home.root)[0]?.folder ?? "", "manifest.json");
  const text = Deno.readTextFileSync(manifest);
  for (const wrong of ['"bytes": 1e15', '"bytes": -1', '"mtime": 1e300', '"crc": 0.5']) {
    const [name = ""] = wrong.split(":");
    Deno.writeTextFileSync(manifest, text.replace(new RegExp(`${name}: *[\\d.]+`), wrong));
    await assert.rejects(restoreSession(home.root, "claude:one"), {
      ...{ code: "damaged", name: "SessionError" },
      message: `Cannot read backup: its manifest is damaged: ${manifest}\n` +
        "The copies beside the manifest are unchanged",
    }, wrong);
  }
  Deno.writeTextFileSync(manifest, text);
  assert.deepEqual((await restoreSession(home.root, "claude:one")).files[0], path);
});
