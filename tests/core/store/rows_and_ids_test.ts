/** Ids that a program gives, and cancelled reads. */
import assert from "node:assert/strict";
import { memoryStore, openStore, type Session, type Store } from "../../../mod.ts";
import { openLibrary } from "../../../lib/library/mod.ts";
import { openFiles } from "../../_support/open_files.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { onLinux } from "../../_support/tests_in.ts";

function onBothStores(name: string, check: (store: Store, cwd: string) => Promise<void>): void {
  Deno.test(`${name}, in memory`, () => check(memoryStore(), "/home/ada/src"));
  inDirectory.test(`${name}, on disk`, (root) => check(openStore({ root }), root));
}

async function said(session: Session, ...prompts: string[]): Promise<Session> {
  for (const prompt of prompts) await session.turn().user(prompt);
  return session;
}

inDirectory.test("a session that its program named is found by the library, and comes back from the trash", async (root) => {
  const { openLocalStore } = await import("../../../lib/core/store/mod.ts");
  let ids = 0;
  const store = openLocalStore({ root, newId: () => `task_${++ids}` });
  const session = await said(store.create({ cwd: root }), "Hello");
  await session.finish();
  const library = openLibrary({ root, variable: () => undefined });
  assert.equal((await (await library.open("task_1")).summary()).title, "Hello");
  await store.remove("task_1");
  await store.restore("task_1");
  assert.deepEqual((await store.list()).map(({ ref }) => ref), ["task_1"]);
  const fork = await store.makeFork("task_1");
  assert.equal(fork.session_id, "task_2");
});

onBothStores("a cancelled list, last and load throw the reason", async (store, cwd) => {
  const session = await said(store.create({ cwd }), "Hello");
  await session.finish();
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);
  await assert.rejects(store.list({ signal }), reason);
  await assert.rejects(store.last({ signal }), reason);
  await assert.rejects(store.load(session.id, { signal }), reason);
  const going = new AbortController().signal;
  assert.equal((await store.list({ signal: going })).length, 1);
  assert.equal((await store.load(session.id, { signal: going })).messages.length, 1);
});

onLinux.test("a cancelled read leaves no descriptor open", async () => {
  await withDirectory(async (root) => {
    const store = openStore({ root });
    const session = store.create({ cwd: root });
    for (let index = 0; index < 40; index++) await session.turn().user("x".repeat(32_000));
    await session.finish();
    const open = (): string[] => openFiles(root);
    for (let round = 0; round < 8; round++) {
      const controller = new AbortController();
      const reads = [
        store.load(session.id, { signal: controller.signal }),
        store.list({ signal: controller.signal }),
      ];
      controller.abort();
      const [loaded] = await Promise.allSettled(reads);
      assert.equal(loaded?.status, "rejected");
    }
    assert.deepEqual(open(), []);
  });
});
