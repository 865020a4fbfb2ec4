import assert from "node:assert/strict";
import { join } from "node:path";
import { packGenerations } from "../../../lib/features/backup/pack_generations.ts";
import { readKeptManifest } from "../../../lib/library/machine/kept/manifest.ts";
import { lines, RewrittenSession } from "../../_support/rewritten_session.ts";
import { testsWith } from "../../_support/tests_in.ts";

const inRewrittenSession = testsWith(() => new RewrittenSession());

// Slow: ten generations are packed.
inRewrittenSession.test("ten generations of a growing session take at most 1.3 times the last one", async (session) => {
  let body = "";
  for (let turn = 1; turn <= 10; turn++) {
    body += lines(100, turn);
    // An agent that writes its whole session anew: its head changes.
    await session.write(`{"updated":${turn}}\n${body}`);
    await packGenerations(session.folder);
  }
  const last = session.written.at(-1)?.length ?? 0;
  const share = session.disk_bytes / last;
  assert.ok(share <= 1.3 && share >= 1, `${share}`);
  assert.deepEqual(await session.restored(), session.hashes);
});

// Slow: packing goes by sixteen generations.
inRewrittenSession.test("plain generations of an older store are packed, and stay what they are", async (session) => {
  for (let turn = 1; turn <= 20; turn++) {
    await session.write(`{"updated":${turn}}\n${lines(50 + turn, 1)}`);
  }
  const before = session.disk_bytes;
  assert.deepEqual(await session.restored(), session.hashes);
  await packGenerations(session.folder);
  assert.ok(session.disk_bytes * 5 < before, `${session.disk_bytes} of ${before}`);
  assert.deepEqual(await session.restored(), session.hashes);
  const packed = readKeptManifest(session.folder)?.packed ?? [];
  assert.equal(packed.length, 19);
  assert.deepEqual(
    packed.filter(({ base }) => base === undefined).map(({ copy }) => parseInt(copy)),
    [16],
    "one needs no other, so that few are read for an older one",
  );
  assert.equal(await packGenerations(session.folder), undefined, "a second time changes nothing");
});

inRewrittenSession.test("a generation that has little of the next one is compressed whole", async (session) => {
  await session.write(lines(400, 1));
  await session.write("{}\n");
  await packGenerations(session.folder);
  const [packed] = readKeptManifest(session.folder)?.packed ?? [];
  assert.equal(packed?.base, undefined);
  assert.deepEqual(await session.restored(), session.hashes);
});

inRewrittenSession.test("the generation that lists show, and a damaged copy, stay as they are", async (session) => {
  await session.write(lines(100, 1));
  await session.write(lines(100, 2));
  await session.write("");
  const first = join(session.folder, "1/projects/work/s1.jsonl");
  const bytes = Deno.readFileSync(first);
  bytes[1000] = (bytes[1000] ?? 0) ^ 1;
  Deno.writeFileSync(first, bytes);
  await packGenerations(session.folder);
  assert.equal(readKeptManifest(session.folder)?.packed, undefined);
  assert.deepEqual(Deno.readFileSync(first), bytes);
});

inRewrittenSession.test("a packed copy that was changed is refused", async (session) => {
  await session.write(lines(100, 1));
  await session.write(lines(101, 1).replace("user", "User"));
  await packGenerations(session.folder);
  const [packed] = readKeptManifest(session.folder)?.packed ?? [];
  const path = join(session.folder, packed?.packed ?? "");
  const whole = Deno.readFileSync(path);
  for (const at of [0, 10, whole.length >> 1, whole.length - 100]) {
    const bytes = whole.slice();
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    Deno.writeFileSync(path, bytes);
    await assert.rejects(session.restored(), { code: "damaged" });
    Deno.writeFileSync(path, whole.subarray(0, at));
    await assert.rejects(session.restored(), { code: "damaged" });
  }
  Deno.writeFileSync(path, whole);
  assert.deepEqual(await session.restored(), session.hashes);
});

inRewrittenSession.test("packing that is stopped leaves the copies, and the next one packs them", async (session) => {
  for (const turn of [1, 2, 3]) await session.write(`{"turn":${turn}}\n${lines(500, 1)}`);
  const stop = new AbortController();
  const packing = packGenerations(session.folder, stop.signal);
  stop.abort();
  assert.equal(await packing, undefined);
  assert.deepEqual(session.files().filter((name) => name.includes("packed")), []);
  assert.deepEqual(await session.restored(), session.hashes);
  await packGenerations(session.folder);
  assert.equal(readKeptManifest(session.folder)?.packed?.length, 2);
});
