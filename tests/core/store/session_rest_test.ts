import assert from "node:assert/strict";
import { dirname } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { isLocked } from "../../../lib/core/log/session_lock.ts";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import { openFiles } from "../../_support/open_files.ts";
import { codesOf, readNow, user } from "../../_support/log_bytes.ts";
import { LINUX, needing } from "../../_support/needing.ts";
import { inStore, withStore } from "../../_support/temp_directory.ts";

function codeIs(code: string): (error: unknown) => boolean {
  return (error) => error instanceof SessionError && error.code === code;
}

inStore.test("a session at rest has no lock, and takes it again to append", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.rest();
  await session.append(user("p"));
  await session.rest();
  await session.rest();
  assert.equal(isLocked(dirname(session.path)), false);
  assert.equal((await store.list())[0]?.status, "interrupted");
  const both = [session.append(user("q")), session.append(user("r"))];
  assert.deepEqual((await Promise.all(both)).map((one) => "seq" in one && one.seq), [3, 4]);
  assert.equal(isLocked(dirname(session.path)), true);
  assert.equal((await session.conversation()).messages.length, 3);
  await session.rest();
  await session.finish();
  assert.equal((await store.list())[0]?.status, "completed");
  assert.deepEqual(codesOf(readNow(Deno.readFileSync(session.path))), []);
  await session.rest();
});

inStore.test("an append while a session goes to rest is written after it", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const first = session.append(user("p"));
  const rest = session.rest();
  const second = session.append(user("q"));
  await Promise.all([first, rest]);
  assert.deepEqual(await second, { seq: 3, state: "synced" });
  await session.finish();
});

inStore.test("a session that another writer continued while it rested is refused as changed", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  await session.rest();
  const other = await openStore({ root: store.root }).resume(session.id);
  await assert.rejects(session.append(user("q")), codeIs("locked"));
  await other.append(user("of the other"));
  await other.release();
  await assert.rejects(session.append(user("q")), codeIs("changed"));
  await assert.rejects(session.finish(), codeIs("changed"));
  assert.equal(isLocked(dirname(session.path)), false);
  await using again = await store.resume(session.id);
  assert.equal(again.last_seq, 3);
});

Deno.test("a session at rest is neither removed nor pruned by its own store", async () => {
  await withStore(async (store, directory) => {
    for (const place of [store, memoryStore()]) {
      const session = place.create({ cwd: directory });
      const sub = session.subagent();
      await session.append(user("p"));
      await sub.append(user("sub"));
      await sub.finish();
      await session.rest();
      await assert.rejects(place.remove(session.id), codeIs("locked"));
      const { sessions, active } = await place.prune({ max_bytes: 0 });
      assert.deepEqual([sessions, active], [[], 1]);
      await session.append(user("q"));
      await session.release();
      assert.equal((await place.prune({ max_bytes: 0 })).sessions.length, 2);
    }
  });
});

inStore.test("a session that was removed while it rested is not made again", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  await session.rest();
  await Deno.remove(dirname(session.path), { recursive: true });
  await assert.rejects(session.append(user("q")), codeIs("not-found"));
});

Deno.test(needing("a hundred sessions at rest have no descriptor open", LINUX), async () => {
  await withStore(async (store, directory) => {
    const sessions = Array.from({ length: 100 }, () => store.create({ cwd: directory }));
    const open = (): number => openFiles(store.root).length;
    await Promise.all(sessions.map((session) => session.append(user("p"))));
    // A lock each, and the logs that were written last.
    assert.equal(open(), 164);
    await Promise.all(sessions.map((session) => session.rest()));
    assert.equal(open(), 0);
  });
});

Deno.test("a session at rest goes on after a new title, an archiving and an end", async () => {
  await withStore(async (store, directory) => {
    for (const place of [store, memoryStore()]) {
      const other = place === store ? openStore({ root: store.root }) : place;
      const session = place.create({ cwd: directory });
      await session.append(user("p"));
      for (const is_read of [false, true]) {
        if (is_read) await session.conversation();
        await session.rest();
        assert.equal(await other.rename(session.id, "New"), "log");
        assert.equal(await other.archive(session.id), "log");
        await (await other.resume(session.id)).finish();
        const both = [session.append(user("q")), session.append(user("r"))];
        const seqs = (await Promise.all(both)).map((one) => "seq" in one ? one.seq : 0);
        assert.deepEqual(seqs, [session.last_seq - 1, session.last_seq]);
        assert.deepEqual([session.summary.title, session.summary.archived], ["New", true]);
      }
      assert.equal((await session.conversation()).messages.length, 5);
      await session.finish();
      const { findings, messages } = await place.load(session.id);
      assert.deepEqual([findings, messages.length], [[], 5]);
    }
  });
});

Deno.test("a session in memory that went on while it rested is refused as changed", async () => {
  const store = memoryStore();
  const session = store.create({ cwd: "/home/ada/src" });
  await session.append(user("p"));
  await session.rest();
  const other = await store.resume(session.id);
  await assert.rejects(session.append(user("q")), codeIs("locked"));
  await other.append(user("of the other"));
  await other.release();
  await assert.rejects(session.append(user("q")), codeIs("changed"));
  await (await store.resume(session.id)).release();
});

Deno.test("a new title of an open session is in its log and its summary", async () => {
  await withStore(async (store, directory) => {
    for (const place of [store, memoryStore()]) {
      const session = place.create({ cwd: directory });
      await session.append(user("p"));
      assert.equal(await place.rename(session.id, "New"), "log");
      assert.equal(await place.archive(session.id), "log");
      assert.deepEqual([session.summary.title, session.summary.archived], ["New", true]);
      await session.append(user("q"));
      await session.finish();
      assert.equal((await place.list({ archived: true }))[0]?.title, "New");
    }
  });
});
