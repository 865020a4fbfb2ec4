import assert from "node:assert/strict";
import { join } from "node:path";
import { listBackups, restoreSession } from "../../../lib/features/backup/mod.ts";
import { KeptGenerations } from "../../../lib/features/backup/kept_generations.ts";
import { lockBackups } from "../../../lib/features/backup/lock_backups.ts";
import { packGenerations } from "../../../lib/features/backup/pack_generations.ts";
import {
  pruneBackups,
  type PruneBackupsOptions,
  type PrunedBackup,
} from "../../../lib/features/backup/prune_backups.ts";
import { lines, RewrittenSession } from "../../_support/rewritten_session.ts";

const NOW = new Date();

/** A session that was written anew so often. */
async function generations(count: number): Promise<RewrittenSession> {
  const session = new RewrittenSession();
  for (let turn = 1; turn <= count; turn++) {
    await session.write(`{"turn":${turn}}\n${lines(50 + turn, 1)}`);
  }
  return session;
}

function prune(
  session: RewrittenSession,
  options: Partial<PruneBackupsOptions>,
): Promise<PrunedBackup[]> {
  return Array.fromAsync(pruneBackups(session.root, { dry: false, now: NOW, ...options }));
}

Deno.test("prune removes the oldest generations, packs the others, and they restore", async () => {
  using session = await generations(5);
  await packGenerations(session.folder);
  const [pruned] = await prune(session, { keep: 3 });
  assert.deepEqual(pruned?.removed, [1, 2]);
  assert.ok((pruned?.after_bytes ?? Infinity) < (pruned?.before_bytes ?? 0));
  assert.deepEqual(await session.restored(), session.hashes.slice(2));
  const [backup] = listBackups(session.root);
  assert.deepEqual(backup?.generations.map(({ number, packed }) => [number, packed]), [
    ...[[3, true], [4, true], [5, undefined]],
  ]);
  assert.deepEqual(session.files().filter((name) => /^[12]\//.test(name)), []);
  assert.deepEqual(await prune(session, { keep: 3 }), []);
});

Deno.test("prune packs what is plain, and removes nothing without a limit", async () => {
  using session = await generations(3);
  const before = listBackups(session.root)[0]?.generations ?? [];
  const dry = await prune(session, { dry: true });
  assert.deepEqual(dry.map(({ removed, after_bytes }) => [removed, after_bytes]), [[
    [],
    undefined,
  ]]);
  assert.deepEqual(listBackups(session.root)[0]?.generations, before);
  await prune(session, {});
  const after = listBackups(session.root)[0]?.generations ?? [];
  assert.deepEqual(after.map(({ bytes }) => bytes), before.map(({ bytes }) => bytes));
  assert.deepEqual(
    after.map(({ bytes, disk_bytes }) => disk_bytes * 4 < bytes),
    [true, true, false],
  );
  // A killed packing left the plain copy beside the packed one.
  const copy = join(session.folder, "1/projects/work/s1.jsonl");
  Deno.writeFileSync(copy, session.written[0] ?? new Uint8Array());
  await prune(session, {});
  assert.throws(() => Deno.statSync(copy), Deno.errors.NotFound);
  assert.deepEqual(await session.restored(), session.hashes);
});

Deno.test("prune keeps the newest generation, whatever its age, and the one that is shown", async () => {
  using session = await generations(3);
  // A watch that is killed here has begun a generation, and copied nothing.
  const { path } = session;
  const kept = new KeptGenerations(session.folder, { agent: "claude", id: "s1", path }, NOW);
  await kept.begin(["projects/work/s1.jsonl"], "rewritten");
  await prune(session, { before: new Date(NOW.getTime() + 1e9) });
  assert.deepEqual(
    listBackups(session.root)[0]?.generations.map(({ number, packed }) => [number, packed]),
    [[3, undefined], [4, undefined]],
  );
  const out = `${session.root}/out.jsonl`;
  await restoreSession(session.root, "claude:s1", { out });
  assert.deepEqual(Deno.readFileSync(out), session.written[2]);
});

Deno.test("prune removes what a killed process left of removed generations", async () => {
  using session = await generations(3);
  await prune(session, { keep: 1 });
  Deno.mkdirSync(`${session.folder}/1/projects`, { recursive: true });
  assert.equal((await prune(session, { keep: 1 })).length, 1);
  assert.throws(() => Deno.statSync(`${session.folder}/1`), Deno.errors.NotFound);
  assert.deepEqual(await session.restored(), session.hashes.slice(2));
});

Deno.test("prune waits for no watch: it says which process keeps sessions", async () => {
  using session = await generations(2);
  const lock = await lockBackups(session.root, NOW, "watch");
  await assert.rejects(prune(session, { keep: 1 }), /Cannot prune backups: process \d+/);
  lock.release();
  assert.equal((await prune(session, { keep: 1 })).length, 1);
});

Deno.test("a packed generation is restored byte for byte, with its mode", async () => {
  using session = await generations(4);
  await packGenerations(session.folder);
  const out = `${session.root}/out.jsonl`;
  const { bytes } = await restoreSession(session.root, "claude:s1", { generation: 1, out });
  assert.equal(bytes, session.written[0]?.length);
  assert.deepEqual(Deno.readFileSync(out), session.written[0]);
  assert.deepEqual([...Deno.readDirSync(session.root)].map(({ name }) => name).sort(), [
    ...["backups", "out.jsonl"],
  ]);
});
