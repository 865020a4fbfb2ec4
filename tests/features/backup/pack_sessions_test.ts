import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CodexHome, ID, OLD, PLAIN } from "../../_support/cold_rollout.ts";
import { FaultyFiles } from "../../_support/faulty_files.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { testsWith } from "../../_support/tests_in.ts";

const inCodexHome = testsWith(() => new CodexHome());

inCodexHome.test("pack compresses cold rollouts alone, keeps mode and time, and undo gives them back", async (home) => {
  const told = await home.library.open(`codex:${ID}`);
  const messages = (await told.conversation()).messages;
  const [would] = await home.pack(true);
  assert.deepEqual([would?.status, would?.bytes], ["would-pack", PLAIN.length]);
  assert.deepEqual(Deno.readFileSync(home.cold), PLAIN);
  const packed = await home.pack();
  assert.deepEqual(packed.map(({ status, path }) => [status, path]), [["packed", home.cold]]);
  assert.equal(packed[0]?.after_bytes, would?.after_bytes);
  assert.throws(() => Deno.statSync(home.cold), Deno.errors.NotFound);
  const info = Deno.statSync(`${home.cold}.zst`);
  assert.deepEqual(info.mtime, OLD);
  if (Deno.build.os !== "windows") assert.equal((info.mode ?? 0) & 0o777, 0o640);
  const again = await home.library.open(`codex:${ID}`);
  assert.deepEqual((await again.conversation()).messages, messages);
  assert.deepEqual(await home.pack(), []);
  assert.deepEqual((await home.undo(true)).map(({ status }) => status), ["would-unpack"]);
  assert.deepEqual((await home.undo()).map(({ status }) => status), ["unpacked"]);
  assert.deepEqual(Deno.readFileSync(home.cold), PLAIN);
  assert.deepEqual(Deno.statSync(home.cold).mtime, OLD);
  assert.deepEqual(home.names(), ["0-000000000002.jsonl", "0-000000000003.jsonl"]);
  assert.deepEqual(await home.undo(), []);
});

inCodexHome.test("pack leaves a rollout that Codex has open, and one beside another compressed file", async (home) => {
  const lock = join(home.home, ".codex/thread-writer-locks", `${ID}.lock`);
  Deno.mkdirSync(dirname(lock), { recursive: true });
  {
    using file = Deno.openSync(lock, { write: true, create: true });
    file.lockSync(true);
    const [open] = await home.pack();
    assert.equal(open?.status, "left");
    assert.match(open?.reason ?? "", /Codex has the session open/);
    file.unlockSync();
  }
  Deno.writeTextFileSync(`${home.cold}.zst`, "something else");
  const [beside] = await home.pack();
  assert.match(beside?.reason ?? "", /a different file already exists/);
  assert.deepEqual(Deno.readFileSync(home.cold), PLAIN);
  assert.equal(Deno.readTextFileSync(`${home.cold}.zst`), "something else");
});

inCodexHome.test("undo passes over a rollout that Codex made plain, and leaves one that was packed anew", async (home) => {
  await home.pack();
  const packed = Deno.readFileSync(`${home.cold}.zst`);
  Deno.writeTextFileSync(home.cold, "gone on with");
  assert.deepEqual(await home.undo(), []);
  assert.equal(Deno.readTextFileSync(home.cold), "gone on with");
  Deno.removeSync(home.cold);
  Deno.writeFileSync(`${home.cold}.zst`, new Uint8Array([...packed, ...packed]));
  assert.deepEqual((await home.undo()).map(({ status }) => status), ["left"]);
  assert.throws(() => Deno.statSync(home.cold), Deno.errors.NotFound);
});

inCodexHome.test("pack leaves a rollout whose compressed form does not read back", async (home) => {
  let opened = 0;
  {
    using _files = new FaultyFiles(dirname(home.cold), 0, ({ name, path }) => {
      if (!name.startsWith("open") || !path.endsWith(".reprise.tmp") || ++opened !== 2) return;
      const bytes = readFileSync(path);
      bytes.fill(0, bytes.length >> 1);
      writeFileSync(path, bytes);
    });
    await home.pack().catch(() => {});
  }
  assert.equal(opened, 2);
  assert.deepEqual(Deno.readFileSync(home.cold), PLAIN);
  assert.equal(home.names().length, 2);
});

// Slow: a rollout is packed and read again after each failure.
Deno.test("whichever call fails while a rollout is packed or unpacked, it stays whole", async () => {
  let total = 0;
  {
    using home = new CodexHome();
    using files = new FaultyFiles(dirname(home.cold));
    await home.pack();
    await home.undo();
    total = files.calls.length;
  }
  const every = total / roundsOf(total);
  let failed = 0;
  for (let at = 1; at <= total; at += every) {
    using home = new CodexHome();
    {
      using _files = new FaultyFiles(dirname(home.cold), Math.floor(at));
      await home.pack().then(() => home.undo()).catch(() => failed++);
    }
    const handle = await home.library.open(`codex:${ID}`);
    assert.equal((await handle.conversation()).messages.at(-1)?.content, "Nothing much.");
    await home.pack();
    await home.undo();
    assert.deepEqual(Deno.readFileSync(home.cold), PLAIN, `call ${Math.floor(at)}`);
    assert.equal(home.names().length, 2, `call ${Math.floor(at)}: ${home.names()}`);
  }
  assert.ok(failed > 0);
});
