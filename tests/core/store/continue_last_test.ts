import assert from "node:assert/strict";
import { dirname } from "node:path";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import type { Store } from "../../../lib/core/store/store.ts";
import { FaultyFiles } from "../../_support/faulty_files.ts";
import { user } from "../../_support/log_bytes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

/** Tests both kinds of store. */
function atStores(name: string, test: (store: Store, cwd: string) => Promise<void>): void {
  let seconds = 0;
  // No two events at one time: lists are ordered by it.
  const now = (): Date => new Date(Date.UTC(2026, 10, 21, 12, 0, seconds++));
  Deno.test(`${name}, on disk`, () =>
    withDirectory((directory) => test(openStore({ root: `${directory}/store`, now }), directory)));
  Deno.test(`${name}, in memory`, () =>
    withDirectory((directory) => test(memoryStore({ now }), directory)));
}

atStores(
  "continueLast with app continues what a program of that name began",
  async (store, cwd) => {
    const mine = store.create({ cwd, app: { name: "mine", version: "1" } });
    await mine.append(user("mine"));
    await mine.finish();
    const other = store.create({ cwd, app: { name: "other" } });
    await other.append(user("other's"));
    await other.finish();
    const unnamed = store.create({ cwd });
    await unnamed.append(user("nobody's"));
    await unnamed.finish();
    const rows = await store.list({ cwd });
    assert.deepEqual(rows.map(({ app }) => app), [undefined, "other", "mine"]);

    const again = await store.continueLast({ cwd, app: { name: "mine", version: "2" } });
    assert.equal(again.id, mine.id);
    await again.release();
    const any = await store.continueLast({ cwd });
    assert.equal(any.id, unnamed.id);
    await any.release();
    const begun = await store.continueLast({ cwd, app: { name: "third" } });
    assert.equal(begun.last_seq, 0);
  },
);

Deno.test("continueLast with app says that it passed over a session whose head cannot be read", async () => {
  const broken: ((line: string) => string)[] = [
    (log) => log.replace('"v":1', '"v":9'),
    (log) => "\0".repeat(log.length),
    (log) => log.slice(log.indexOf("\n") + 1),
  ];
  for (const damage of broken) {
    await withDirectory(async (directory) => {
      const store = openStore({ root: `${directory}/store` });
      const session = store.create({ cwd: directory, app: { name: "mine" } });
      await session.append(user("A"));
      await session.finish();
      Deno.writeTextFileSync(session.path, damage(Deno.readTextFileSync(session.path)));
      const begun = await store.continueLast({ cwd: directory, app: { name: "mine" } });
      assert.notEqual(begun.id, session.id);
      assert.match(begun.skipped?.message ?? "", new RegExp(session.id));
    });
  }
});

atStores("continueLast leaves copies of other agents' sessions alone", async (store, cwd) => {
  const imported_from = { agent: "claude", id: "c1", path: "/c1.jsonl" };
  const copy = store.create({ cwd, imported_from });
  await copy.append(user("Claude's"));
  await copy.finish();
  const begun = await store.continueLast({ cwd });
  assert.equal(begun.last_seq, 0);
});

Deno.test("continueLast passes over the empty log that a kill left", async () => {
  await withDirectory(async (directory) => {
    const store = openStore({ root: `${directory}/store` });
    const whole = store.create({ cwd: directory });
    await whole.append(user("real work"));
    await whole.finish();
    const killed = store.create({ cwd: directory });
    Deno.mkdirSync(dirname(killed.path), { recursive: true });
    Deno.writeFileSync(killed.path, new Uint8Array());
    const again = await store.continueLast({ cwd: directory });
    assert.deepEqual([again.id, again.skipped], [whole.id, undefined]);
    await again.release();
  });
});

atStores(
  "an id of one's own names its session alone, and no session whose id begins with it",
  async (store, cwd) => {
    const ten = store.create({ cwd, id: "user-10" });
    await ten.append(user("ten"));
    await ten.finish();
    await assert.rejects(store.resume("user-1"), { code: "not-found" });
    await assert.rejects(store.remove("user-1"), { code: "not-found" });
    await assert.rejects(store.load("user-1"), { code: "not-found" });
    await assert.rejects(store.fork("user-1"), { code: "not-found" });
    await assert.rejects(store.archive("user-1"), { code: "not-found" });
    assert.equal((await store.load("user-10")).summary.session_id, "user-10");
  },
);

atStores(
  "the first append refuses an id that another session was given meanwhile",
  async (store, cwd) => {
    const one = store.create({ cwd, id: "job-1" });
    const other = store.create({ cwd, id: "job-1" });
    await one.append(user("A"));
    await one.finish();
    await assert.rejects(other.append(user("B")), { code: "exists" });
    const { messages } = await store.load("job-1");
    assert.deepEqual(messages.map(({ content }) => content), ["A"]);
  },
);

atStores("a directory that is not absolute is refused", async (store) => {
  assert.throws(() => store.create({ cwd: "." }), {
    code: "invalid-argument",
    message: /absolute path.*path\.resolve/,
  });
  await assert.rejects(store.continueLast({ cwd: "work" }), { code: "invalid-argument" });
  assert.equal(store.create({ cwd: "C:\\work" }).last_seq, 0);
});

/** Opens the last session while the system refuses some calls, and goes on in memory. */
async function refusedAppend(
  directory: string,
  refuse: (name: string) => void,
  tear: boolean,
): Promise<void> {
  const store = openStore({ root: `${directory}/store` });
  const whole = store.create({ cwd: directory });
  await whole.append(user("One"));
  await whole.release();
  if (tear) Deno.writeTextFileSync(whole.path, '{"v":1,"seq":3,"kind":"user_m', { append: true });
  const code = tear ? "disk-full" : "permission";
  {
    using _files = new FaultyFiles(directory, 0, ({ name }) => refuse(name));
    const session = await store.continueLast({ cwd: directory });
    assert.deepEqual([session.id, session.skipped, session.last_seq], [whole.id, undefined, 2]);
    await assert.rejects(session.turn().user("Two"), { code });
    await session.detach();
    assert.equal((await session.turn().user("Two")).state, "memory");
    const { messages } = await session.conversation();
    assert.deepEqual(messages.map(({ content }) => content), ["One", "Two"]);
    await assert.rejects(session.finish(), { code });
    await session.release();
  }
  const again = await store.resume(whole.id);
  assert.equal(again.last_seq, 2);
  await again.release();
}

Deno.test("continueLast on a full disk opens the last session, whose end is torn", async () => {
  await withDirectory(async (directory) => {
    await refusedAppend(directory, (name) => {
      if (!/write/i.test(name)) return;
      throw Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" });
    }, true);
  });
});

Deno.test("continueLast on a read-only disk opens the last session", async () => {
  await withDirectory(async (directory) => {
    await refusedAppend(directory, (name) => {
      if (!/write|mkdir|lock/i.test(name)) return;
      throw Object.assign(new Error("Read-only file system (os error 30)"), { code: "EROFS" });
    }, false);
  });
});

Deno.test("the conversation of a resumed session names damage and unsettled calls", async () => {
  await withDirectory(async (directory) => {
    const store = openStore({ root: `${directory}/store` });
    const session = store.create({ cwd: directory });
    await session.append(user("One"));
    const turn = session.turn();
    await turn.assistant({
      calls: [{ id: "c1", name: "read", input: {} }, { id: "c2", name: "run", input: {} }],
    });
    await turn.start("c1");
    await session.release();
    const text = Deno.readTextFileSync(session.path);
    Deno.writeTextFileSync(session.path, text.replace('"One"', '"Two"'));
    const again = await store.continueLast({ cwd: directory });
    const { findings } = await again.conversation();
    const calls = findings.flatMap((one) => "call_id" in one ? [[one.call_id, one.began]] : []);
    assert.deepEqual(calls, [
      ["c1", true],
      ["c2", false],
    ]);
    assert.ok(findings.some(({ code }) => code === "checksum-mismatch"));
    await again.release();
  });
});
