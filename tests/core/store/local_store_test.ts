import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { tombstonesPath } from "../../../lib/core/store/trash/trash_record.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import { realDirectory } from "../../../lib/core/workspace/real_directory.ts";
import { namespaceOf } from "../../../lib/core/workspace/namespace.ts";
import { runCli } from "../../_support/cli.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { inDirectory, inStore, withStore } from "../../_support/temp_directory.ts";
import { needing, UNIX } from "../../_support/needing.ts";

const ID = "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48";
const OTHER = "8d1f0c4e-52b7-4e0a-9c63-1b7e4a90f2d5";
const NOW = new Date("2026-11-21T20:21:53.123Z");

function refusal(code: string, message = /^Cannot /): (error: unknown) => boolean {
  return (error) =>
    error instanceof SessionError && error.code === code && message.test(error.message);
}

/** An id for each call, the last one again and again. */
function ids(...given: string[]): () => string {
  return () => given.length > 1 ? given.shift() ?? "" : given[0] ?? "";
}

Deno.test("a session lies in its directory's namespace, in a folder of time and id", async () => {
  await withStore(async (store, directory) => {
    const session = store.create({ cwd: directory });
    const folder = join(
      store.root,
      "sessions",
      namespaceOf(directory),
      `20261121T202153123Z-${ID}`,
    );
    assert.equal(session.path, join(folder, "transcript_events.jsonl"));
    await session.append(user("p"));
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["lock", "lock.json", "transcript_events.jsonl"]);
    const holder = JSON.parse(Deno.readTextFileSync(join(folder, "lock.json")));
    assert.deepEqual([holder.pid, holder.since], [Deno.pid, NOW.toISOString()]);
    assert.ok(holder.host.length > 0);
    await session.finish();
  }, { newId: () => ID, now: () => NOW });
});

Deno.test(
  needing("the working directory is the real one, without links and a trailing separator", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      Deno.mkdirSync(join(directory, "work"));
      Deno.symlinkSync(join(directory, "work"), join(directory, "link"));
      for (
        const cwd of [
          join(directory, "work"),
          join(directory, "work") + "/",
          join(directory, "link"),
        ]
      ) {
        assert.equal(realDirectory(cwd), join(directory, "work"));
        const session = store.create({ cwd });
        await session.append(user("p"));
        await session.finish();
      }
      assert.equal((await store.list({ cwd: join(directory, "link") })).length, 3);
      const [row] = await store.list();
      assert.equal(row?.cwd, join(directory, "work"));
    });
  },
);

Deno.test("an id that is taken is made anew, and final from the beginning", async () => {
  await withStore(async (store, directory) => {
    const first = store.create({ cwd: directory });
    await first.append(user("first"));
    const second = store.create({ cwd: directory });
    assert.deepEqual([first.id, second.id], [ID, OTHER]);
    const { path } = second;
    await second.append(user("second"));
    assert.deepEqual([second.id, second.path], [OTHER, path]);
    assert.ok(path.includes(OTHER));
    await first.finish();
    await second.finish();
    const { summary } = await store.load(OTHER);
    assert.deepEqual([summary.session_id, summary.title], [OTHER, "second"]);
    assert.equal((await store.load(ID)).summary.title, "first");
  }, { newId: ids(ID, ID, OTHER), now: () => NOW });
});

Deno.test("an id that is taken between create and the first event harms no session", async () => {
  await withStore(async (store, directory) => {
    const first = store.create({ cwd: directory });
    const second = store.create({ cwd: directory });
    await first.append(user("first"));
    await assert.rejects(
      second.append(user("second")),
      refusal("io", /^Cannot create session: another session was just created with the id/),
    );
    assert.equal(second.degraded, true);
    await second.finish();
    await first.finish();
    assert.equal((await store.load(ID)).summary.title, "first");
  }, { newId: () => ID, now: () => NOW });
});

Deno.test("a store that gives the same id for ever says so, and harms no session", async () => {
  await withStore(async (store, directory) => {
    const first = store.create({ cwd: directory });
    await first.append(user("first"));
    assert.throws(
      () => store.create({ cwd: directory }),
      refusal(
        "io",
        /^Cannot create session: Reprise found no unused id in 16 tries; the last id was 3f6a2b91/,
      ),
    );
    await first.finish();
    assert.equal((await store.list()).length, 1);
    assert.equal((await store.load(ID)).summary.title, "first");
  }, { newId: () => ID, now: () => NOW });
});

Deno.test("an id that no folder could be found by is refused", async () => {
  for (const id of ["", "x", "../../etc/passwd", ID.toUpperCase(), `${ID}\n`, "*"]) {
    await withStore((store, directory) => {
      assert.throws(() => store.create({ cwd: directory }), /^SessionError: Cannot name session: /);
    }, { newId: () => id });
  }
});

inStore.test("resume refuses a session that is being written, and tells by whom", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  await assert.rejects(store.resume(session.id), (error) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, "locked");
    assert.equal(error.data.holder?.pid, Deno.pid);
    return true;
  });
  await session.append(user("still mine"));
  await session.finish();
  await (await store.resume(session.id)).release();
});

inStore.test("resume that fails lets the lock go", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  await session.finish();
  const bytes = Deno.readFileSync(session.path);
  Deno.writeTextFileSync(session.path, '{"v":3,"seq":9,"kind":"user_message","payload":{}}\n', {
    append: true,
  });
  await assert.rejects(store.resume(session.id), refusal("unsupported-version"));
  Deno.writeFileSync(session.path, bytes);
  await (await store.resume(session.id)).finish();
  Deno.removeSync(session.path);
  await assert.rejects(store.resume(session.id), refusal("not-found"));
  const names = [...Deno.readDirSync(dirname(session.path))].map(({ name }) => name);
  assert.deepEqual(names, ["lock"]);
});

inStore.test("load gives summary, transcript, conversation and what is wrong", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  await session.append(assistant("a"));
  await session.finish();
  Deno.writeTextFileSync(session.path, "noise\n", { append: true });
  const found: string[] = [];
  const loaded = await store.load(session.id, { report: ({ code }) => found.push(code) });
  assert.deepEqual(found, ["malformed-line"]);
  assert.deepEqual(loaded.messages.map(({ content }) => content), ["p", "a"]);
  assert.deepEqual(loaded.transcript.map(({ type }) => type), [
    "session",
    "message",
    "message",
    "closed",
  ]);
  assert.deepEqual([loaded.summary.status, loaded.summary.message_count], ["completed", 2]);
});

inStore.test("remove moves a session to the trash, and a line there says what it was", async ({ store, directory }) => {
  const session = store.create({ cwd: directory, title: "To go" });
  await session.append(user("p"));
  await assert.rejects(store.remove(session.id), refusal("locked"));
  await session.finish();
  const bytes = Deno.readFileSync(session.path);
  const tombstone = await store.remove(session.id);
  assert.deepEqual(Deno.readFileSync(join(tombstone.to, "transcript_events.jsonl")), bytes);
  assert.deepEqual([tombstone.title, tombstone.from], ["To go", dirname(session.path)]);
  const lines = Deno.readTextFileSync(tombstonesPath(store.root)).trim().split("\n");
  assert.deepEqual(lines.map((line) => JSON.parse(line)), [tombstone]);
  assert.deepEqual([...Deno.readDirSync(tombstone.to)].map(({ name }) => name).sort(), [
    "lock",
    "transcript_events.jsonl",
  ]);
  assert.deepEqual(await store.list(), []);
  await assert.rejects(store.load(session.id), refusal("not-found"));
});

Deno.test(
  needing("P8 what is no folder of the store's own is not written through", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const outside = join(directory, "outside");
      Deno.mkdirSync(outside);
      Deno.mkdirSync(store.root, { mode: 0o700 });
      const kept = store.create({ cwd: directory });
      const sessions = join(store.root, "sessions");
      Deno.symlinkSync(outside, sessions);
      await assert.rejects(kept.append(user("p")), refusal("unsafe-store"));
      Deno.removeSync(sessions);
      Deno.mkdirSync(sessions);
      Deno.symlinkSync(outside, join(sessions, namespaceOf(directory)));
      await assert.rejects(kept.append(user("p")), refusal("unsafe-store"));
      Deno.removeSync(join(sessions, namespaceOf(directory)));
      await kept.append(user("p"));
      await kept.finish();
      Deno.symlinkSync(outside, join(store.root, "trash"));
      await assert.rejects(store.remove(kept.id), refusal("unsafe-store"));
      assert.deepEqual([...Deno.readDirSync(outside)], []);
      Deno.removeSync(join(store.root, "trash"));
      assert.equal((await store.remove(kept.id)).session_id, kept.id);
    });
  },
);

Deno.test(
  needing("P8 a link in place of a log, of the marks or of the tombstones is refused", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const outside = join(directory, "outside");
      const session = store.create({ cwd: directory });
      await session.append(user("p"));
      Deno.writeTextFileSync(outside, "precious");
      Deno.symlinkSync(outside, join(store.root, "marks.jsonl"));
      const other = openStore({ root: store.root });
      await assert.rejects(other.rename(session.id, "T"), refusal("unsafe-store"));
      await session.finish();
      Deno.mkdirSync(join(store.root, "trash"));
      Deno.symlinkSync(outside, tombstonesPath(store.root));
      await assert.rejects(store.remove(session.id), refusal("unsafe-store"));
      Deno.renameSync(session.path, outside);
      Deno.symlinkSync(outside, session.path);
      const before = Deno.readFileSync(outside);
      await assert.rejects(store.resume(session.id), refusal("unsafe-store"));
      assert.deepEqual(Deno.readFileSync(outside), before);
    });
  },
);

inDirectory.test("a store without a place to be says which variable to set", async (home) => {
  const names = ["REPRISE_HOME", "XDG_STATE_HOME", "HOME", "LOCALAPPDATA", "USERPROFILE"];
  const env = Object.fromEntries(names.map((name) => [name, undefined]));
  const { status, stderr } = await runCli(["list"], { home, env });
  assert.equal(
    stderr,
    "reprise: Cannot find the session store: set REPRISE_HOME to the store's folder\n",
  );
  assert.equal(status, 1);
});
