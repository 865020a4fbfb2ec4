import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import {
  type Keeping,
  type KeepPlan,
  keepSession,
} from "../../../lib/features/backup/keep_session.ts";
import { readKeptManifest } from "../../../lib/library/machine/kept/manifest.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import { testsWith } from "../../_support/tests_in.ts";

const inKept = testsWith(() => new Kept("one\n"));
const inKepts = testsWith(() => new Kept("one\ntwo\n"));

class Kept implements Disposable {
  readonly #temp = Deno.makeTempDirSync({ prefix: "reprise-test-" });
  readonly path = join(this.#temp, "agent/projects/work/s1.jsonl");
  readonly side = join(this.#temp, "agent/projects/work/s1/subagents/agent-a.jsonl");
  readonly folder = join(this.#temp, "kept");
  files = [this.path];

  constructor(text?: string) {
    Deno.mkdirSync(dirname(this.side), { recursive: true });
    if (text !== undefined) Deno.writeTextFileSync(this.path, text);
  }

  keep(options: Partial<KeepPlan> = {}): Promise<Keeping> {
    const session = { agent: "claude", id: "s1", path: this.path } as const;
    return keepSession({
      session,
      folder: this.folder,
      files: this.files,
      now: new Date(),
      ...options,
    });
  }

  /** Sets the source's time back: it was written long ago. */
  settle(): void {
    const time = new Date(Date.now() - 60_000);
    Deno.utimeSync(this.path, time, time);
  }

  /** What is kept, generation by generation: the first bytes of the files that it names. */
  texts(): string[][] {
    const manifest = readKeptManifest(this.folder);
    return (manifest?.generations ?? []).map(({ files }) =>
      files.map(({ copy, bytes }) =>
        new TextDecoder().decode(Deno.readFileSync(join(this.folder, copy)).subarray(0, bytes))
      )
    );
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#temp, { recursive: true });
  }
}

inKept.test("a session is kept byte for byte, and what is added is added", async (kept) => {
  Deno.writeTextFileSync(kept.side, "sub\n");
  kept.files.push(kept.side);
  assert.equal((await kept.keep()).began, "first");
  Deno.writeTextFileSync(kept.path, "two\n", { append: true });
  const { added, began } = await kept.keep();
  assert.deepEqual([added, began], [4, undefined]);
  assert.deepEqual(kept.texts(), [["one\ntwo\n", "sub\n"]]);
  const manifest = readKeptManifest(kept.folder);
  const [file] = manifest?.generations[0]?.files ?? [];
  const copy = join(kept.folder, file?.copy ?? "");
  const modes = [kept.folder, dirname(copy), copy, join(kept.folder, "manifest.json")]
    .map((path) => (Deno.statSync(path).mode ?? 0) & 0o777);
  if (Deno.build.os !== "windows") assert.deepEqual(modes, [0o700, 0o700, 0o600, 0o600]);
});

inKept.test("nothing is written while nothing has changed", async (kept) => {
  kept.settle();
  // The inode's own time is set by nobody.
  await kept.keep();
  await new Promise((resolve) => setTimeout(resolve, 60));
  await kept.keep();
  assert.deepEqual([(await kept.keep()).changed, (await kept.keep()).added], [false, 0]);
});

inKepts.test("a source that shrank is kept beside its older version", async (kept) => {
  await kept.keep();
  Deno.writeTextFileSync(kept.path, "one\n");
  // A moment after, its agent may be writing it anew.
  assert.deepEqual([(await kept.keep()).more, kept.texts().length], [true, 1]);
  kept.settle();
  assert.equal((await kept.keep()).began, "shrank");
  Deno.writeTextFileSync(kept.path, "three\n", { append: true });
  await kept.keep();
  assert.deepEqual(kept.texts(), [["one\ntwo\n"], ["one\nthree\n"]]);
});

inKept.test("a source that is written anew with more is no new generation", async (kept) => {
  await kept.keep();
  Deno.writeTextFileSync(kept.path, "one\ntwo\n");
  await kept.keep();
  Deno.writeTextFileSync(`${kept.path}.new`, "one\ntwo\nthree\n");
  Deno.renameSync(`${kept.path}.new`, kept.path);
  await kept.keep();
  assert.deepEqual(kept.texts(), [["one\ntwo\nthree\n"]]);
});

inKepts.test("rewritten in place or by a rename: both versions are kept", async (kept) => {
  await kept.keep();
  Deno.writeTextFileSync(kept.path, "ONE\ntwo\n");
  assert.equal((await kept.keep()).began, "rewritten");
  Deno.writeTextFileSync(`${kept.path}.new`, "summary\nthree and more\n");
  Deno.renameSync(`${kept.path}.new`, kept.path);
  assert.equal((await kept.keep()).began, "rewritten");
  assert.deepEqual(kept.texts(), [["one\ntwo\n"], ["ONE\ntwo\n"], ["summary\nthree and more\n"]]);
});

Deno.test("an edit far before the end is found when all bytes are compared", async () => {
  const end = "x".repeat(300_000);
  using kept = new Kept(`early ${end}\n`);
  await kept.keep();
  Deno.writeTextFileSync(kept.path, `EARLY ${end}\nmore\n`);
  assert.equal((await kept.keep()).began, undefined);
  assert.equal((await kept.keep({ thorough: true })).began, "rewritten");
  assert.deepEqual(kept.texts().at(-1), [`EARLY ${end}\nmore\n`]);
});

inKept.test("a deleted session stays, and so does the one that takes its place", async (kept) => {
  await kept.keep();
  Deno.removeSync(dirname(kept.path), { recursive: true });
  assert.deepEqual([(await kept.keep()).gone, kept.texts()], [true, [["one\n"]]]);
  Deno.mkdirSync(dirname(kept.path));
  Deno.writeTextFileSync(kept.path, "another\n");
  assert.equal((await kept.keep()).began, "rewritten");
  assert.deepEqual(kept.texts(), [["one\n"], ["another\n"]]);
});

inKept.test("files that belong to a session go on through its generations", async (kept) => {
  Deno.writeTextFileSync(kept.side, "a\n");
  kept.files.push(kept.side);
  await kept.keep();
  Deno.writeTextFileSync(kept.path, "ONE\n");
  await kept.keep();
  Deno.writeTextFileSync(kept.side, "b\n", { append: true });
  await kept.keep();
  Deno.writeTextFileSync(kept.side, "B\nb\n");
  await kept.keep();
  assert.deepEqual(kept.texts(), [["one\n", "a\n"], ["ONE\n", "a\nb\n"], ["ONE\n", "B\nb\n"]]);
});

inKept.test("a generation has the last version of a file of facts that is rewritten each time", async (kept) => {
  const facts = join(dirname(kept.side), "metadata.json");
  kept.files.push(facts);
  for (const text of ['{"n":1}', '{"n":22}', '{"n":3}']) {
    Deno.writeTextFileSync(facts, text);
    const time = new Date(Date.now() - 60_000);
    Deno.utimeSync(facts, time, time);
    await kept.keep();
  }
  Deno.writeTextFileSync(kept.path, "ONE\n");
  await kept.keep();
  Deno.writeTextFileSync(facts, '{"n":4}');
  await kept.keep();
  assert.deepEqual(kept.texts(), [["one\n", '{"n":3}'], ["ONE\n", '{"n":4}']]);
});

Deno.test("a long line is kept in steps", async () => {
  using kept = new Kept();
  const line = new Uint8Array(60 * 1024).fill(0x61);
  Deno.writeFileSync(kept.path, line);
  const steps: boolean[] = [];
  do steps.push((await kept.keep({ most_bytes: 32 * 1024 })).more); while (steps.at(-1));
  assert.deepEqual(steps, [true, false]);
  const copy = join(
    kept.folder,
    readKeptManifest(kept.folder)?.generations[0]?.files[0]?.copy ?? "",
  );
  assert.equal(Deno.statSync(copy).size, line.length);
  assert.ok((await kept.keep({ thorough: true })).began === undefined);
});

inKept.test("the files of a session share the bytes of a step", async (kept) => {
  Deno.writeTextFileSync(kept.side, "two\n");
  kept.files = [kept.path, kept.side];
  const steps = [await kept.keep({ most_bytes: 6 }), await kept.keep({ most_bytes: 6 })];
  assert.deepEqual(steps.map(({ added, more }) => [added, more]), [[6, true], [2, false]]);
  assert.deepEqual(kept.texts(), [["one\n", "two\n"]]);
});

Deno.test(needing("a link, a pipe and a folder are no sources", UNIX), async () => {
  using kept = new Kept();
  Deno.writeTextFileSync(`${kept.path}.real`, "secret\n");
  Deno.symlinkSync(`${kept.path}.real`, kept.path);
  assert.deepEqual([(await kept.keep()).gone, kept.texts()], [true, []]);
  Deno.removeSync(kept.path);
  await new Deno.Command("mkfifo", { args: [kept.path] }).output();
  assert.deepEqual([(await kept.keep()).gone, kept.texts()], [true, []]);
  Deno.removeSync(kept.path);
  Deno.mkdirSync(kept.path);
  assert.deepEqual([(await kept.keep()).gone, kept.texts()], [true, []]);
});

inKepts.test("a copy that a killed process left is mended from its source", async (kept) => {
  await kept.keep();
  const found = readKeptManifest(kept.folder)?.generations[0]?.files[0]?.copy ?? "";
  const path = join(kept.folder, found);
  // More than the manifest tells: the process was killed while it added.
  Deno.writeTextFileSync(path, "and what its source no longer has\n", { append: true });
  Deno.writeTextFileSync(kept.path, "three\n", { append: true });
  await kept.keep({ mend: true });
  assert.equal(Deno.readTextFileSync(path), "one\ntwo\nthree\n");
  // Less, as after a power cut.
  Deno.truncateSync(path, 5);
  await kept.keep({ mend: true });
  assert.equal(Deno.readTextFileSync(path), "one\ntwo\nthree\n");
  assert.deepEqual(kept.texts(), [["one\ntwo\nthree\n"]]);
});

inKepts.test("a copy that ends early is kept as it is if its source is gone", async (kept) => {
  await kept.keep();
  const copy = join(
    kept.folder,
    readKeptManifest(kept.folder)?.generations[0]?.files[0]?.copy ?? "",
  );
  Deno.truncateSync(copy, 4);
  Deno.removeSync(kept.path);
  await kept.keep({ mend: true });
  assert.deepEqual(kept.texts(), [["one\n"]]);
});

inKepts.test("a copy with other bytes stays, and its source is copied anew", async (kept) => {
  await kept.keep();
  const copy = join(
    kept.folder,
    readKeptManifest(kept.folder)?.generations[0]?.files[0]?.copy ?? "",
  );
  Deno.writeFileSync(copy, new Uint8Array(8));
  assert.equal((await kept.keep({ mend: true })).began, "copy-damaged");
  assert.deepEqual(kept.texts(), [["\0".repeat(8)], ["one\ntwo\n"]]);
});

inKept.test("files that were moved before the manifest was written are put back", async (kept) => {
  await kept.keep();
  const copy = readKeptManifest(kept.folder)?.generations[0]?.files[0]?.copy ?? "";
  const away = join(kept.folder, copy.replace(/^latest/, "1"));
  Deno.mkdirSync(dirname(away), { recursive: true });
  Deno.renameSync(join(kept.folder, copy), away);
  Deno.removeSync(kept.path);
  await kept.keep({ mend: true });
  assert.deepEqual(kept.texts(), [["one\n"]]);
});

inKept.test("no copy leaves the folder, wherever the files lie", async (kept) => {
  const far = join(dirname(dirname(dirname(dirname(kept.path)))), "far.jsonl");
  Deno.writeTextFileSync(far, "far\n");
  kept.files.push(far);
  await kept.keep();
  assert.deepEqual(kept.texts(), [["one\n", "far\n"]]);
  const copies = readKeptManifest(kept.folder)?.generations[0]?.files.map(({ copy }) => copy) ?? [];
  assert.ok(copies.every((copy) => !copy.split("/").includes("..")), copies.join());
});
