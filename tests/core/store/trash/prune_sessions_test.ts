import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { acquireLock } from "../../../../lib/core/log/session_lock.ts";
import { folderSize } from "../../../../lib/core/store/trash/store_size.ts";
import { findLeftovers } from "../../../../lib/core/store/trash/leftover.ts";
import { relinkDirectories } from "../../../../lib/core/store/relink/relink_directory.ts";
import type { LocalStore } from "../../../../lib/core/store/local_store.ts";
import { knownEvents } from "../../../_support/known_events.ts";
import { plainLine, user } from "../../../_support/log_bytes.ts";
import { snapshot } from "../../../_support/store_snapshot.ts";
import { withStore } from "../../../_support/temp_directory.ts";
import { ORDINARY_USER } from "../../../_support/unwritable.ts";
import { needing } from "../../../_support/needing.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21, 20, 0, 0);
const HOLDER = { pid: 1, host: "test", since: "2026-11-21T20:00:00.000Z" };

/** A clock that tests set, by days before now. */
class Clock {
  days = 0;
  readonly now = (): Date => new Date(NOW - this.days * DAY);
}

async function keep(
  clock: Clock,
  store: LocalStore,
  cwd: string,
  days: number,
  text = `${days} days`,
): Promise<string> {
  clock.days = days;
  const session = store.create({ cwd });
  await session.append(user(text));
  await session.finish();
  clock.days = 0;
  return session.id;
}

async function titles(store: LocalStore): Promise<string[]> {
  const rows = [...await store.list(), ...await store.list({ archived: true })];
  return rows.map(({ title }) => title).sort();
}

/** A store with sessions of so many days ago. */
async function withAges(
  ages: readonly number[],
  test: (store: LocalStore, directory: string, ids: string[], clock: Clock) => Promise<void>,
): Promise<void> {
  const clock = new Clock();
  await withStore(async (store, directory) => {
    const ids: string[] = [];
    for (const days of ages) ids.push(await keep(clock, store, directory, days));
    await test(store, directory, ids, clock);
  }, { now: clock.now });
}

function daysAgo(days: number): Date {
  return new Date(NOW - days * DAY);
}

Deno.test("prune moves what was last updated before a time, the oldest first", async () => {
  await withAges([5, 40, 31, 29], async (store, _directory, ids) => {
    const report = await store.prune({ before: daysAgo(30) });
    assert.deepEqual(report.sessions.map(({ title, limit }) => [title, limit]), [
      ["40 days", "age"],
      ["31 days", "age"],
    ]);
    assert.deepEqual(report.sessions.map(({ session_id }) => session_id), [ids[1], ids[2]]);
    assert.equal(report.bytes, report.sessions.reduce((sum, { bytes }) => sum + bytes, 0));
    assert.ok(report.bytes > 100);
    assert.deepEqual(await titles(store), ["29 days", "5 days"]);
    assert.deepEqual(
      store.trash().map(({ path }) => path).sort(),
      [
        ...report.sessions.map(({ path }) => path),
      ].sort(),
    );
    const again = await store.prune({ before: daysAgo(30) });
    assert.deepEqual([again.sessions, again.bytes, again.kept_bytes], [
      [],
      0,
      report.kept_bytes,
    ]);
  });
});

/** Imports a session that said its last so many days ago. */
async function importAged(store: LocalStore, cwd: string, days: number): Promise<string> {
  const time = daysAgo(days).toISOString();
  const [event] = knownEvents([{ ...user(`imported ${days}`), time }]);
  async function* events(): AsyncGenerator<readonly LogEvent[]> {
    if (event !== undefined) yield [event];
  }
  const source = { agent: "pi", id: `p${days}`, path: "/p", cwd, created_at: time };
  return (await store.import({ ...source, events: events() })).session_id;
}

Deno.test("an imported session ages from its import, not from its last event", async () => {
  await withAges([31, 5], async (store, directory, ids, clock) => {
    clock.days = 10;
    const id = await importAged(store, directory, 40);
    clock.days = 0;
    const pruned = async (days: number): Promise<string[]> =>
      (await store.prune({ before: daysAgo(days), dry_run: true })).sessions
        .map(({ session_id }) => session_id);
    assert.deepEqual(await pruned(30), [ids[0]]);
    assert.deepEqual(await pruned(9), [ids[0], id]);
    const { sessions } = await store.prune({ max_bytes: 0, dry_run: true });
    assert.deepEqual(sessions.map(({ session_id }) => session_id), [ids[0], id, ids[1]]);
  });
});

Deno.test("an import without a time ages from its last event", async () => {
  await withAges([], async (store, directory) => {
    const id = await importAged(store, directory, 40);
    const { path } = store.find(id);
    for (const imported_at of ["soon", 7, null]) {
      const [head = "", ...lines] = Deno.readTextFileSync(path).split("\n");
      const event = JSON.parse(head);
      delete event.crc;
      event.payload.imported_from.imported_at = imported_at;
      Deno.writeTextFileSync(path, [JSON.stringify(event), ...lines].join("\n"));
      const { sessions } = await store.prune({ before: daysAgo(30), dry_run: true });
      assert.equal(sessions.length, 1, String(imported_at));
    }
  });
});

Deno.test("prune comes down to a size, from the session that was updated longest ago", async () => {
  await withAges([1, 4, 3, 2], async (store, _directory, ids) => {
    const sizes = ids.map((id) => folderSize(store.find(id).directory).bytes);
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    assert.deepEqual((await store.prune({ max_bytes: total })).sessions, []);
    const { sessions, kept_bytes } = await store.prune({ max_bytes: total - 1 });
    assert.deepEqual(sessions.map(({ title, limit }) => [title, limit]), [["4 days", "size"]]);
    assert.equal(kept_bytes, total - (sizes[1] ?? 0));
    assert.equal((await store.prune({ max_bytes: (sizes[0] ?? 0) + 10 })).sessions.length, 2);
    assert.deepEqual(await titles(store), ["1 days"]);
    assert.deepEqual((await store.prune({ max_bytes: 0 })).kept_bytes, 0);
  });
});

Deno.test("both limits hold at once, and each session says which it was over", async () => {
  await withAges([50, 40, 3, 2, 1], async (store, _directory, ids) => {
    const [one = ""] = ids.slice(-1);
    const { bytes } = folderSize(store.find(one).directory);
    const { sessions } = await store.prune({ before: daysAgo(30), max_bytes: bytes * 2 + 10 });
    assert.deepEqual(sessions.map(({ title, limit }) => `${title} ${limit}`), [
      "50 days age",
      "40 days age",
      "3 days size",
    ]);
  });
});

Deno.test("a dry run changes no byte, and says what the run itself then does", async () => {
  await withAges([40, 31, 2], async (store) => {
    const before = snapshot(store.root);
    const options = { before: daysAgo(30), max_bytes: 0 };
    const would = await store.prune({ ...options, dry_run: true });
    assert.deepEqual(snapshot(store.root), before);
    const did = await store.prune(options);
    assert.equal(did.sessions.length, 3);
    const bare = ({ path: _, ...session }: { path: string }): unknown => session;
    assert.deepEqual({ ...would, sessions: would.sessions.map(bare) }, {
      ...did,
      sessions: did.sessions.map(bare),
    });
  });
});

Deno.test("archived sessions count and go like others", async () => {
  await withAges([40, 2], async (store, _directory, ids, clock) => {
    clock.days = 39;
    await store.archive(ids[0] ?? "");
    clock.days = 0;
    const { sessions } = await store.prune({ before: daysAgo(30) });
    assert.deepEqual(sessions.map(({ title }) => title), ["40 days"]);
  });
});

Deno.test("a session that is being written stays, however old and large, and is counted", async () => {
  await withAges([50, 40], async (store, _directory, ids) => {
    const held = await store.resume(ids[0] ?? "");
    const { sessions, active, kept_bytes } = await store.prune({
      before: daysAgo(30),
      max_bytes: 0,
    });
    assert.deepEqual([sessions.map(({ title }) => title), active], [["40 days"], 1]);
    assert.ok(kept_bytes > 0);
    await held.append(user("still here"));
    await held.finish();
    assert.deepEqual(await titles(store), ["50 days"]);
  });
});

Deno.test("a session that was gone on with while others were moved stays, and is counted", async () => {
  await withAges([50, 40, 35], async (store, _directory, ids) => {
    const { path } = store.find(ids[1] ?? "");
    let moved = 0;
    const { sessions, active, kept_bytes } = await store.prune({
      before: daysAgo(30),
      onProgress: () => {
        if (moved++ === 0) Deno.writeTextFileSync(path, plainLine(9, "and on"), { append: true });
      },
    });
    assert.deepEqual([sessions.map(({ title }) => title), active], [["50 days", "35 days"], 1]);
    assert.ok(kept_bytes > 0);
    assert.deepEqual(await titles(store), ["40 days"]);
  });
});

Deno.test("a session whose events have no time is not old, but can be too much", async () => {
  await withAges([40, 2], async (store, _directory, ids) => {
    const { path } = store.find(ids[0] ?? "");
    Deno.writeTextFileSync(path, plainLine(1, "no time") + plainLine(2, "none"));
    assert.deepEqual((await store.prune({ before: daysAgo(30) })).sessions, []);
    const { bytes } = folderSize(store.find(ids[1] ?? "").directory);
    const { sessions } = await store.prune({ max_bytes: bytes });
    assert.deepEqual(sessions.map(({ title }) => title), ["no time"]);
  });
});

Deno.test("prune of a directory counts and moves its sessions alone, relinked ones among them", async () => {
  await withAges([], async (store, directory, _ids, clock) => {
    const [here, there, old] = ["here", "there", "old"].map((name) => join(directory, name));
    await keep(clock, store, here ?? "", 40, "here");
    await keep(clock, store, there ?? "", 50, "there");
    await keep(clock, store, old ?? "", 60, "moved");
    relinkDirectories(store.root, [old ?? ""], here ?? "", clock.now().toISOString());
    const { sessions, kept_bytes } = await store.prune({ before: daysAgo(30), cwd: here ?? "" });
    assert.deepEqual(sessions.map(({ title }) => title), ["moved", "here"]);
    assert.equal(kept_bytes, 0);
    assert.deepEqual(await titles(store), ["there"]);
  });
});

Deno.test("all that lies in a session's folder counts", async () => {
  await withAges([2], async (store, _directory, ids) => {
    const { directory, path } = store.find(ids[0] ?? "");
    const { size } = Deno.statSync(path);
    Deno.mkdirSync(join(directory, "kept"));
    Deno.writeTextFileSync(join(directory, "kept", "original.jsonl"), "x".repeat(1000));
    if (Deno.build.os !== "windows") Deno.symlinkSync("/", join(directory, "kept", "link"));
    assert.equal((await store.prune({ before: daysAgo(30) })).kept_bytes, size + 1000);
  });
});

Deno.test(
  needing("a session that cannot be moved is reported, and the others go", ORDINARY_USER),
  async () => {
    await withAges([50, 40], async (store, directory, _ids, clock) => {
      await keep(clock, store, join(directory, "locked"), 60, "locked");
      const [row] = await store.list({ title: "locked" });
      const folder = dirname(row?.path ?? "");
      Deno.chmodSync(dirname(folder), 0o500);
      const errors: SessionError[] = [];
      const { sessions } = await store.prune({
        before: daysAgo(30),
        onError: (error) => errors.push(error),
      });
      Deno.chmodSync(dirname(folder), 0o700);
      assert.deepEqual(errors.map(({ code }) => code), ["permission"]);
      assert.deepEqual(sessions.map(({ title }) => title), ["50 days", "40 days"]);
      assert.deepEqual(await titles(store), ["locked"]);
    });
  },
);

Deno.test("one that finds no place in the trash is told, and the others go", async () => {
  await withAges([50, 40], async (store, directory, _ids, clock) => {
    await keep(clock, store, join(directory, "full"), 60, "full");
    const [row] = await store.list({ title: "full" });
    Deno.mkdirSync(join(store.root, "trash"), { mode: 0o700 });
    Deno.writeTextFileSync(
      join(store.root, "trash", basename(join(row?.path ?? "", "../.."))),
      "",
    );
    const errors: SessionError[] = [];
    const { sessions, kept_bytes } = await store.prune({
      before: daysAgo(30),
      onError: (error) => errors.push(error),
    });
    assert.equal(errors.length, 1);
    assert.deepEqual(sessions.map(({ title }) => title), ["50 days", "40 days"]);
    assert.deepEqual(await titles(store), ["full"]);
    assert.equal(kept_bytes, row?.bytes);
  });
});

Deno.test("a log that cannot be read is told, is not old, and stays", async () => {
  await withAges([50, 40], async (store, _directory, ids) => {
    const { path, directory } = store.find(ids[0] ?? "");
    Deno.removeSync(path);
    Deno.mkdirSync(path);
    const errors: SessionError[] = [];
    const { sessions } = await store.prune({
      before: daysAgo(30),
      max_bytes: 0,
      onError: (error) => errors.push(error),
    });
    assert.equal(errors.length, 1);
    assert.deepEqual(sessions.map(({ title }) => title), ["40 days"]);
    assert.ok(Deno.statSync(directory).isDirectory);
  });
});

Deno.test("a trash that is no folder moves nothing, and says so for each", async () => {
  await withAges([50, 40], async (store) => {
    Deno.writeTextFileSync(join(store.root, "trash"), "");
    const errors: SessionError[] = [];
    const { sessions } = await store.prune({
      max_bytes: 0,
      onError: (error) => errors.push(error),
    });
    assert.deepEqual([sessions, errors.length], [[], 2]);
    assert.ok(errors.every((error) => error instanceof SessionError));
    assert.deepEqual(await titles(store), ["40 days", "50 days"]);
  });
});

Deno.test("only abandoned leftovers that are a day old are deleted", async () => {
  await withAges([2], async (store, _directory, ids, clock) => {
    const { directory } = store.find(ids[0] ?? "");
    const namespace = dirname(directory);
    const draft = (name: string): string => {
      const path = join(namespace, name);
      Deno.mkdirSync(path);
      Deno.writeTextFileSync(join(path, "transcript_events.jsonl"), "x".repeat(100));
      return path;
    };
    const id = "20261101T202153123Z-3f2a91c0-0000-4000-8000-000000000000";
    const old = draft(`${id}.tmp`);
    const begun = draft(`${id.replace("3f2a", "4f2a")}.tmp`);
    const held = draft(`${id.replace("3f2a", "5f2a")}.tmp`);
    const other = draft("notes.tmp");
    const past = new Date(NOW - 3 * DAY);
    const present = new Date(NOW - DAY / 2);
    const lock = await acquireLock(held, HOLDER);
    for (const path of [old, held, other]) age(path, past);
    age(begun, present);
    const would = await store.prune({ before: daysAgo(30), dry_run: true });
    assert.deepEqual(would.leftovers, [{ path: old, bytes: 100 }]);
    const { leftovers, sessions } = await store.prune({ before: daysAgo(30) });
    assert.deepEqual([leftovers, sessions], [[{ path: old, bytes: 100 }], []]);
    await assert.rejects(Deno.stat(old), Deno.errors.NotFound);
    for (const path of [begun, held, other, directory]) assert.ok(Deno.statSync(path).isDirectory);
    lock.release();
    age(held, past);
    assert.deepEqual(findLeftovers(store.root, new Date(clock.now().getTime() - DAY)), [
      { path: held, bytes: 100 },
    ]);
  });
});

/** Gives a folder and its files a time. */
function age(directory: string, time: Date): void {
  for (const { name } of Deno.readDirSync(directory)) {
    Deno.utimeSync(join(directory, name), time, time);
  }
  Deno.utimeSync(directory, time, time);
}
