/** Rows of finished sessions, ids that a program gives, cancelled reads, and limits. */
import assert from "node:assert/strict";
import { memoryStore, openStore, type Session, type Store } from "../../../mod.ts";
import { openLibrary } from "../../../lib/library/mod.ts";
import { openFiles } from "../../_support/open_files.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { onLinux } from "../../_support/tests_in.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

function onBothStores(name: string, check: (store: Store, cwd: string) => Promise<void>): void {
  Deno.test(`${name}, in memory`, () => check(memoryStore(), "/home/ada/src"));
  inDirectory.test(`${name}, on disk`, (root) => check(openStore({ root }), root));
}

async function said(session: Session, ...prompts: string[]): Promise<Session> {
  for (const prompt of prompts) await session.turn().user(prompt);
  return session;
}

onBothStores(
  "a finished session's row has its last prompt, its error and its outcome",
  async (store, cwd) => {
    const session = await said(store.create({ cwd }), "first", "second");
    await session.turn().fail("529 overloaded");
    await session.finish({ status: "failed", exit_code: 3, summary: "gave up" });
    const [row] = await store.list();
    assert.deepEqual(
      [row?.last_user_message, row?.last_error, row?.summary, row?.exit_code, row?.status],
      ["second", "529 overloaded", "gave up", 3, "failed"],
    );
    assert.deepEqual((await store.load(session.id)).summary, row);
    await store.rename(session.id, "Another title");
    const [renamed] = await store.list({ exact: true });
    assert.deepEqual([renamed?.title, renamed?.exit_code], ["Another title", 3]);
    const again = await store.resume(session.id);
    await again.turn().assistant({ text: "Fine now" });
    await again.finish();
    const [next] = await store.list();
    const told = [next?.last_user_message, next?.last_error, next?.summary, next?.exit_code];
    assert.deepEqual(told, ["second", undefined, undefined, undefined]);
  },
);

onBothStores("the last snapshot of the work tree is given back", async (store, cwd) => {
  const session = store.create({ cwd });
  const snapshot = (git_branch: string) =>
    ({ kind: "workspace_snapshot", payload: { root: cwd, git_branch } }) as const;
  await session.append(snapshot("main"));
  assert.equal(await session.workspace(), undefined);
  await said(session, "One");
  assert.deepEqual(await session.workspace(), { root: cwd, git_branch: "main" });
  await session.append(snapshot("side"));
  await session.release();
  assert.deepEqual((await store.load(session.id)).workspace, { root: cwd, git_branch: "side" });
  const again = await store.resume(session.id);
  assert.deepEqual(await again.workspace(), { root: cwd, git_branch: "side" });
  await again.release();
  const bare = await said(store.create({ cwd }), "One");
  assert.deepEqual([await bare.workspace(), "workspace" in await store.load(bare.id)], [
    undefined,
    false,
  ]);
  await bare.release();
});

onBothStores("a program names its sessions, safely", async (store, cwd) => {
  const session = await said(store.create({ cwd, id: "2025-11-19_abc123" }), "One");
  assert.equal(session.id, "2025-11-19_abc123");
  await session.finish();
  const longer = await said(store.create({ cwd, id: "2025-11-19_abc123.b" }), "Two");
  await longer.finish();
  assert.equal((await store.load("2025-11-19_abc123")).summary.title, "One");
  assert.equal(
    (await store.resume("2025-11-19_ABC123.b").then((one) => one.release().then(() => one))).id,
    longer.id,
  );
  // The beginning of an id is no id: it may be that of a session that is to begin.
  await assert.rejects(store.load("2025-11-19"), { code: "not-found" });
  for (const id of ["2025-11-19_abc123", "2025-11-19_ABC123"]) {
    assert.throws(() => store.create({ cwd, id }), {
      code: "exists",
      message: /another session has the id/,
    });
  }
  assert.equal((await store.list({ cwd })).length, 2);
  assert.equal((await store.remove(longer.id)).session_id, longer.id);
  const wrong = [
    ...["", "abc", "a/bcd", "a\\bcd", "../abcd", "ab..cd", ".abc", "abcd.", "a bcd", "abcd\n"],
    ...["COM1", "nul.txt", "lpt9", "a".repeat(65), "ünde", "abc.jsonl", "abcd.tmp", "a:bcd"],
  ];
  for (const id of wrong) {
    assert.throws(() => store.create({ cwd, id }), { code: "invalid-argument" }, id);
  }
  for (const id of ["a".repeat(64), "console", "Abc.d-e_f", "com10"]) {
    const one = await said(store.create({ cwd, id }), id);
    await one.finish();
    assert.equal((await store.load(id)).summary.session_id, id);
  }
});

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

onBothStores(
  "pruning removes what is over a limit, and leaves open sessions",
  async (store, cwd) => {
    const old = await said(store.create({ cwd, title: "Old" }), "x".repeat(5000));
    await old.finish();
    const open = await said(store.create({ cwd, title: "Open" }), "Hello");
    const before = new Date(Date.now() + 60_000);
    const plan = await store.prune({ before, dry_run: true });
    assert.deepEqual([plan.sessions.length, plan.active, (await store.list()).length], [1, 1, 2]);
    await assert.rejects(async () => await store.prune({ max_bytes: "1 MB" as never }), {
      code: "invalid-argument",
    });
    assert.equal((await store.prune({ max_bytes: 1e9 })).sessions.length, 0);
    const { sessions, bytes, active } = await store.prune({ before });
    assert.deepEqual(sessions.map(({ title, limit }) => [title, limit]), [["Old", "age"]]);
    assert.ok(bytes > 5000 && active === 1);
    await open.finish();
    assert.equal((await store.prune({ max_bytes: 0 })).sessions[0]?.limit, "size");
    assert.equal((await store.list()).length, 0);
  },
);

onBothStores("a reference that is no id is refused as such", async (store) => {
  for (const ref of ["", "abc", "a b", "../x"]) {
    await assert.rejects(store.resume(ref), { code: "invalid-ref" }, ref);
    await assert.rejects(store.load(ref), { code: "invalid-ref" }, ref);
  }
  await assert.rejects(store.resume("user-1"), { code: "not-found" });
});

onBothStores("an image without data is refused with what to give", async (store, cwd) => {
  const session = store.create({ cwd });
  const image = { type: "image", media_type: "image/png", path: "/a.png" } as const;
  await assert.rejects(session.turn().user([image]), {
    code: "invalid-event",
    message: /content\[0\]: it has no data, and no file is read; give the file's bytes in data/,
  });
});

Deno.test("a store of whole ids takes no beginning of a UUID for an id", async () => {
  await withDirectory(async (root) => {
    for (
      const store of [openStore({ root, whole_ids: true }), memoryStore({ whole_ids: true })]
    ) {
      const session = store.create({ cwd: root });
      await session.turn().user("One");
      const first = session.id.slice(0, 8);
      for (const ref of [first, session.id.slice(0, 35)]) {
        await assert.rejects(store.load(ref), { code: "not-found" });
        await assert.rejects(store.resume(ref), { code: "not-found" });
      }
      await session.finish();
      const user = store.create({ cwd: root, id: first });
      await user.turn().user("Two");
      await user.finish();
      assert.equal((await store.load(first)).summary.title, "Two");
      assert.equal((await store.load(session.id.toUpperCase())).summary.title, "One");
      const ada = store.create({ cwd: root, id: "chat-Ada" });
      await ada.turn().user("Ada's");
      await assert.rejects(store.resume("chat-ada"), { code: "not-found" });
      await ada.finish();
      if (store.constructor.name !== "LocalStore") continue;
      await store.remove(session.id);
      await assert.rejects(store.restore(first), { code: "not-found" });
      await store.restore(session.id);
    }
  });
});
