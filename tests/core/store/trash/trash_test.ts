import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { acquireLock } from "../../../../lib/core/log/session_lock.ts";
import { openLocalStore } from "../../../../lib/core/store/open_store.ts";
import type { LocalStore } from "../../../../lib/core/store/local_store.ts";
import { LOG_FILE } from "../../../../lib/core/store/session_folder.ts";
import {
  appendTrashRecord,
  tombstonesPath,
} from "../../../../lib/core/store/trash/trash_record.ts";
import { FaultyFiles } from "../../../_support/faulty_files.ts";
import { keepPrompt, START, ticking } from "../../../_support/kept_sessions.ts";
import { user } from "../../../_support/log_bytes.ts";
import { snapshot } from "../../../_support/store_snapshot.ts";
import { inStore, withDirectory, withStore } from "../../../_support/temp_directory.ts";
import { ORDINARY_USER } from "../../../_support/unwritable.ts";
import { needing, UNIX } from "../../../_support/needing.ts";

const HOLDER = { pid: 1, host: "test", since: "2026-11-21T20:00:00.000Z" };

async function titles(store: LocalStore): Promise<string[]> {
  return (await store.list()).map(({ title }) => title);
}

/** Two sessions in the trash, and where the first of them lies. */
async function removeTwo(
  store: LocalStore,
  cwd: string,
): Promise<{ id: string; other: string; to: string }> {
  const id = await keepPrompt(store, cwd, "a");
  const other = await keepPrompt(store, cwd, "b");
  const { to } = await store.remove(id);
  await store.remove(other);
  return { id, other, to };
}

function refusal(code: string, message: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof SessionError && error.code === code && message.test(error.message);
}

Deno.test("a removed session is in the trash, and restored it is where and what it was", async () => {
  await withStore(async (store, directory) => {
    assert.deepEqual(store.trash(), []);
    const id = await keepPrompt(store, directory, "one");
    await keepPrompt(store, directory, "two");
    const { directory: place, path } = store.find(id);
    const before = snapshot(place);
    const { size } = Deno.statSync(path);
    const { to, removed_at } = await store.remove(id);
    assert.deepEqual(await titles(store), ["two"]);
    const expected = { session_id: id, title: "one", path: to, state: "whole", removed_at };
    assert.deepEqual(store.trash(), [{ ...expected, bytes: size }]);
    const restored = await store.restore(id.slice(0, 6));
    assert.deepEqual(restored, { session_id: id, title: "one", path: place });
    // The folder's own times change with the note that a lock leaves in it.
    assert.deepEqual(snapshot(place).slice(1), before.slice(1));
    assert.deepEqual(store.trash(), []);
    assert.deepEqual(await titles(store), ["two", "one"]);
    const session = await store.resume(id);
    await session.append(user("and on"));
    await session.finish();
  }, ticking());
});

inStore.test("two removals of a session at once put it in the trash once", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "one");
  const other = openLocalStore({ root: store.root });
  const done = await Promise.allSettled([store.remove(id), other.remove(id)]);
  assert.deepEqual(done.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  assert.deepEqual(store.trash().map(({ state }) => state), ["whole"]);
  const restored = await Promise.allSettled([store.restore(id), other.restore(id)]);
  assert.deepEqual(restored.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  assert.deepEqual([await titles(store), store.trash()], [["one"], []]);
});

inStore.test("a store that moved as a whole restores into itself", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "one");
  const { from } = await store.remove(id);
  const root = join(directory, "elsewhere");
  Deno.renameSync(store.root, root);
  const moved = openLocalStore({ root });
  assert.equal(moved.trash()[0]?.title, "one");
  const { path } = await moved.restore(id);
  assert.equal(path, from.replace(store.root, root));
  assert.deepEqual(await titles(moved), ["one"]);
  await assert.rejects(Deno.stat(store.root), Deno.errors.NotFound);
});

inStore.test("a record whose folder is gone says so, and cannot be restored", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "one");
  const { to } = await store.remove(id);
  Deno.removeSync(to, { recursive: true });
  assert.deepEqual(store.trash().map(({ state, title }) => [state, title]), [["gone", "one"]]);
  await assert.rejects(store.restore(id), refusal("not-found", /the session's folder is gone/));
  assert.deepEqual(await store.emptyTrash(), []);
});

inStore.test("a folder without a record is listed by what its log says, and can be restored", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "by hand");
  const { directory: place } = store.find(id);
  const to = join(store.root, "trash", basename(dirname(place)), basename(place));
  Deno.mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  Deno.renameSync(place, to);
  const [entry] = store.trash();
  assert.deepEqual([entry?.title, entry?.state, entry?.removed_at], [
    "by hand",
    "whole",
    undefined,
  ]);
  await store.restore(id);
  assert.deepEqual(await titles(store), ["by hand"]);
});

Deno.test("a session whose id is there again is not restored, and both stay as they are", async () => {
  await withStore(async (store, directory) => {
    const id = await keepPrompt(store, directory, "first");
    const { from, to } = await store.remove(id);
    Deno.mkdirSync(from);
    Deno.copyFileSync(join(to, LOG_FILE), join(from, LOG_FILE));
    await assert.rejects(
      store.restore(id),
      refusal("ambiguous", /another session with this id exists; .* first/),
    );
    assert.ok(Deno.statSync(join(to, LOG_FILE)).isFile);
    // Removed too, it gets a place beside the one that lies there.
    const again = await store.remove(id);
    assert.equal(again.to, `${to}~2`);
    assert.deepEqual(store.trash().map(({ path }) => path).sort(), [to, again.to].sort());
    const { path } = await store.restore(id);
    assert.equal(path, from);
    assert.deepEqual(store.trash().map((entry) => entry.path), [to]);
  }, ticking());
});

Deno.test("a reference that names nothing in the trash, or several, is refused", async () => {
  const ids = ["aaaa0000", "aaaa1111"].map((id) => `${id}-0000-4000-8000-000000000000`);
  let next = 0;
  await withStore(async (store, directory) => {
    for (const text of ["one", "two"]) await store.remove(await keepPrompt(store, directory, text));
    await assert.rejects(
      store.restore("aaaa"),
      refusal("ambiguous", /matches 2 sessions in the trash/),
    );
    await assert.rejects(store.restore("bbbb"), refusal("not-found", /store\.trash\(\)/));
    await assert.rejects(store.restore("aaa"), refusal("invalid-ref", /at least 4/));
    await assert.rejects(store.restore("aaaa0#2"), refusal("invalid-ref", /the id of a session/));
    await assert.rejects(store.restore("pi:aaaa"), refusal("invalid-ref", /the id of a session/));
    await assert.rejects(store.restore("../aaaa"), refusal("invalid-ref", /the id of a session/));
    assert.equal((await store.restore("AAAA1")).session_id, ids[1]);
  }, { newId: () => ids[next++] ?? "" });
});

inStore.test("damage in the records costs no entry, and a folder that is none of a session's is left alone", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "one");
  const { to } = await store.remove(id);
  const noise = ["noise", "null", "7", "{}", `{"session_id":"${id}","to":7,"removed_at":"x"}`];
  const record = tombstonesPath(store.root);
  Deno.writeTextFileSync(record, noise.join("\n") + '\n{"session_id":"', { append: true });
  Deno.mkdirSync(join(store.root, "trash", "other", "things"), { recursive: true });
  assert.deepEqual(store.trash().map(({ title }) => title), ["one"]);
  appendTrashRecord(store.root, { session_id: id, to, restored_at: "2026-11-21T20:00:00.000Z" });
  assert.deepEqual(store.trash().map(({ state }) => state), ["whole"]);
  assert.equal((await store.emptyTrash()).length, 1);
  assert.ok(Deno.statSync(join(store.root, "trash", "other", "things")).isDirectory);
});

Deno.test(needing("P8 links in the trash are not followed", UNIX), async () => {
  await withDirectory(async (directory) => {
    const outside = openLocalStore({ root: join(directory, "outside") });
    const id = await keepPrompt(outside, directory, "precious");
    const place = outside.find(id).directory;
    const before = snapshot(outside.root);
    const store = openLocalStore({ root: join(directory, "store") });
    const inside = await keepPrompt(store, directory, "mine");
    const { to } = await store.remove(inside);
    const trash = join(store.root, "trash");
    Deno.symlinkSync(join(outside.root, "sessions", basename(dirname(place))), join(trash, "ns"));
    Deno.symlinkSync(place, join(dirname(to), basename(place)));
    Deno.symlinkSync(place, join(to, "linked"));
    assert.deepEqual(store.trash().map(({ session_id }) => session_id), [inside]);
    assert.equal((await store.emptyTrash()).length, 1);
    assert.deepEqual(snapshot(outside.root), before);
    await assert.rejects(Deno.stat(to), Deno.errors.NotFound);
  });
});

Deno.test(needing("P8 a trash that is a link is not written through", UNIX), async () => {
  await withStore(async (store, directory) => {
    const id = await keepPrompt(store, directory, "one");
    await store.remove(id);
    const trash = join(store.root, "trash");
    const elsewhere = join(directory, "elsewhere");
    Deno.renameSync(trash, elsewhere);
    Deno.symlinkSync(elsewhere, trash);
    const before = snapshot(elsewhere);
    await assert.rejects(store.restore(id), refusal("unsafe-store", /a link/));
    await assert.rejects(store.emptyTrash(), refusal("unsafe-store", /a link/));
    assert.deepEqual(snapshot(elsewhere), before);
  });
});

inStore.test("a locked session is neither deleted nor restored", async ({ store, directory }) => {
  const { id, other, to } = await removeTwo(store, directory);
  const lock = await acquireLock(to, HOLDER);
  const errors: SessionError[] = [];
  const deleted = await store.emptyTrash({ onError: (error) => errors.push(error) });
  assert.deepEqual(deleted.map(({ session_id }) => session_id), [other]);
  assert.deepEqual(errors.map(({ code }) => code), ["locked"]);
  await assert.rejects(
    store.restore(id),
    refusal("locked", /process 1 on test has been writing the session/),
  );
  lock.release();
  assert.equal((await store.restore(id)).session_id, id);
});

Deno.test("emptying deletes what was removed before a time, and leaves a record of it", async () => {
  let now = START;
  await withStore(async (store, directory) => {
    const ids = [
      await keepPrompt(store, directory, "early"),
      await keepPrompt(store, directory, "late"),
    ];
    await store.remove(ids[0] ?? "");
    now += 3_600_000;
    await store.remove(ids[1] ?? "");
    const before = new Date(now);
    const would = await store.emptyTrash({ before, dry_run: true });
    assert.deepEqual(would.map(({ title }) => title), ["early"]);
    assert.equal(store.trash().length, 2);
    assert.deepEqual(await store.emptyTrash({ before }), would);
    assert.deepEqual(store.trash().map(({ title }) => title), ["late"]);
    const only = await store.emptyTrash({ paths: [] });
    assert.deepEqual(only, []);
    assert.equal((await store.emptyTrash()).length, 1);
    assert.deepEqual([...Deno.readDirSync(join(store.root, "trash"))].map(({ name }) => name), [
      "tombstones.jsonl",
    ]);
    const records = Deno.readTextFileSync(tombstonesPath(store.root)).split("\n")
      .filter((line) => line !== "").map((line) => JSON.parse(line));
    assert.deepEqual(records.map(({ session_id, deleted_at }) => [session_id, deleted_at]), [
      [ids[0], undefined],
      [ids[1], undefined],
      [ids[0], new Date(now).toISOString()],
      [ids[1], new Date(now).toISOString()],
    ]);
  }, { now: () => new Date(now) });
});

Deno.test(
  needing(
    "a session that cannot be deleted is reported, stays whole, and can be restored later",
    ORDINARY_USER,
  ),
  async () => {
    await withStore(async (store, directory) => {
      const { id, other, to } = await removeTwo(store, directory);
      Deno.chmodSync(to, 0o500);
      const errors: SessionError[] = [];
      const deleted = await store.emptyTrash({ onError: (error) => errors.push(error) });
      assert.deepEqual(deleted.map(({ session_id }) => session_id), [other]);
      assert.deepEqual(errors.map(({ code }) => code), ["permission"]);
      assert.deepEqual(store.trash().map(({ state, title }) => [state, title]), [["whole", "a"]]);
      await assert.rejects(store.restore(id), refusal("permission", /^Cannot restore session/));
      assert.deepEqual(store.trash().map(({ state }) => state), ["whole"]);
      Deno.chmodSync(to, 0o700);
      await store.restore(id);
      assert.deepEqual(await titles(store), ["a"]);
    });
  },
);

inStore.test("a session put into the trash by hand has no age, and goes only when all go", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "one");
  await store.remove(id);
  Deno.removeSync(tombstonesPath(store.root));
  const late = new Date("2999-01-01");
  assert.deepEqual(await store.emptyTrash({ before: late }), []);
  assert.equal((await store.emptyTrash()).length, 1);
});

Deno.test("the last removed comes first, also after the year 9999", async () => {
  const times = [
    "-000001-01-01T00:00:00.000Z",
    "2026-11-21T20:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
    "+010000-01-01T00:00:00.000Z",
  ];
  await withStore(async (store, directory) => {
    for (const removed_at of [times[2], times[0], times[3], times[1]]) {
      const session_id = await keepPrompt(store, directory, removed_at ?? "");
      const { to } = await store.remove(session_id);
      const record = { session_id, title: "", from: "", to, removed_at: removed_at ?? "" };
      appendTrashRecord(store.root, record);
    }
    const removed = store.trash().map(({ removed_at }) => removed_at);
    assert.deepEqual(removed, times.toReversed());
  });
});

Deno.test("sessions that were removed in one millisecond are listed last removed first", async () => {
  await withStore(async (store, directory) => {
    const ids: string[] = [];
    for (const title of ["a", "b", "c", "d"]) ids.push(await keepPrompt(store, directory, title));
    for (const id of ids) await store.remove(id);
    assert.deepEqual(store.trash().map(({ title }) => title), ["d", "c", "b", "a"]);
    await store.restore(ids[1] as string);
    await store.remove(ids[1] as string);
    assert.deepEqual(store.trash().map(({ title }) => title), ["b", "d", "c", "a"]);
  }, { now: () => new Date("2026-11-21T20:21:53.123Z") });
});

inStore.test("a trash is emptied on a full disk, which has room for the record only then", async ({ store, directory }) => {
  const { to } = await store.remove(await keepPrompt(store, directory, "a"));
  const log = join(to, LOG_FILE);
  {
    using _disk = new FaultyFiles(store.root, 0, ({ name }) => {
      if (!/write/i.test(name) || !existsSync(log)) return;
      throw Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" });
    });
    assert.equal((await store.emptyTrash()).length, 1);
  }
  assert.deepEqual([store.trash(), existsSync(to)], [[], false]);
});
