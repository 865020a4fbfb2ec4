/** Subagents' sessions: left out of lists, and counted in the session that started them. */
import assert from "node:assert/strict";
import { memoryStore, openStore, type Session, type Store } from "../../../mod.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { openLibrary } from "../../../lib/library/mod.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

/** Checks both stores. A session of the store on disk is opened by another one, too. */
function onBothStores(name: string, check: (store: Store, cwd: string) => Promise<void>): void {
  Deno.test(`${name}, in memory`, () => check(memoryStore(), "/home/ada/src"));
  inDirectory.test(`${name}, on disk`, (root) => check(openStore({ root }), root));
}

async function spent(session: Session, cost_usd: number, input = 10): Promise<void> {
  await session.turn().user("Go");
  await session.turn().assistant({ text: "Done", model: "m", usage: { input }, cost_usd });
}

onBothStores("a session that stopped within a subagent goes on itself", async (store, cwd) => {
  const session = store.create({ cwd });
  await session.turn().user("Parent");
  const sub = session.subagent({ title: "Sub" });
  await sub.turn().user("Child");
  const deeper = sub.subagent();
  await deeper.turn().user("Grandchild");
  // Of a program of its own, too.
  const parent = { session_id: session.id, reason: "subagent" };
  const own = store.create({ cwd, parent });
  await own.turn().user("Own");
  for (const one of [session, sub, deeper, own]) await one.release();

  const again = await store.continueLast({ cwd });
  assert.equal(again.id, session.id);
  await again.release();
  assert.equal((await store.last({ cwd }))?.session_id, session.id);
  const rows = await store.list({ cwd });
  assert.deepEqual(rows.map(({ title, status }) => [title, status]), [["Parent", "interrupted"]]);
  assert.equal((await store.list({ archived: "any" })).length, 1);
  const all = await store.list({ subagents: true });
  assert.deepEqual(all.map(({ title }) => title).sort(), ["Grandchild", "Own", "Parent", "Sub"]);
  assert.equal((await store.list({ subagents: true, title: "grandchild" })).length, 1);
  assert.ok(await store.last({ subagents: true }));
  await assert.rejects(async () => await store.list({ subagents: "yes" as never }), {
    code: "invalid-argument",
  });
});

onBothStores("a directory with a subagent's session alone begins a new one", async (store, cwd) => {
  const parent = { session_id: crypto.randomUUID(), reason: "subagent" };
  const sub = store.create({ cwd, parent });
  await sub.turn().user("Child");
  await sub.release();
  const begun = await store.continueLast({ cwd });
  assert.notEqual(begun.id, sub.id);
  assert.equal(await store.last({ cwd }), undefined);
});

onBothStores(
  "a subagent's session has its parent's head, and is archived at its end",
  async (store, cwd) => {
    const app = { name: "my-agent", version: "1" };
    const session = store.create({ cwd, app, git: { branch: "main" } });
    const early = session.subagent({ title: "Early" });
    await early.turn().user("Before its parent has a log");
    await early.finish();
    await session.turn().user("Parent");
    const sub = session.subagent({ title: "Sub", git: { branch: "side" } });
    await sub.turn().user("Child");
    await sub.finish({ status: "failed" });
    const unused = session.subagent();
    await unused.finish();
    await session.finish();

    const rows = await store.list({ subagents: true, archived: true });
    const told = rows.map(({ title, git_branch, cwd, status }) => ({
      title,
      git_branch,
      cwd,
      status,
    }));
    assert.deepEqual(told.sort((one, other) => one.title < other.title ? -1 : 1), [
      { title: "Early", git_branch: "main", cwd, status: "completed" },
      { title: "Sub", git_branch: "side", cwd, status: "failed" },
    ]);
    assert.deepEqual(rows[0]?.parent, { session_id: session.id, reason: "subagent" });
    assert.equal((await store.list({ subagents: true, archived: false })).length, 1);
    assert.throws(() => session.subagent(), { code: "closed" });
  },
);

onBothStores(
  "what subagents cost counts once in a list, and in their parent's sums",
  async (store, cwd) => {
    const session = store.create({ cwd });
    await spent(session, 1);
    const sub = session.subagent();
    await spent(sub, 0.25);
    const deeper = sub.subagent();
    await spent(deeper, 0.5);
    const main = { usage: { input: 10 }, cost_usd: 1 };
    for (const one of [deeper, sub]) {
      const { usage, cost_usd } = session.summary;
      assert.deepEqual({ usage, cost_usd }, { usage: { input: 30 }, cost_usd: 1.75 });
      assert.deepEqual(session.summary.main, main);
      await one.finish();
    }
    await session.finish();
    const [row] = await store.list();
    assert.deepEqual([row?.cost_usd, row?.usage, row?.main], [1.75, { input: 30 }, main]);
    assert.deepEqual((await store.load(session.id)).summary, row);
    const costs = (await store.list({ subagents: true })).map(({ cost_usd }) => cost_usd);
    assert.deepEqual(costs.sort(), [0.25, 0.5, 1]);

    const again = await store.resume(session.id);
    assert.equal(again.summary.cost_usd, 1.75);
    const more = again.subagent();
    await spent(more, 4);
    assert.equal(again.summary.cost_usd, 5.75);
    for (const one of [more, again]) await one.release();
  },
);

onBothStores("what a fork copied counts in its parent alone", async (store, cwd) => {
  const session = store.create({ cwd });
  await spent(session, 1);
  await session.finish();
  const fork = await store.fork(session.id);
  assert.deepEqual([fork.summary.cost_usd, fork.summary.usage], [undefined, {}]);
  await spent(fork, 0.5, 7);
  const second = await store.fork(fork.id);
  await fork.finish();
  await spent(second, 0.25, 3);
  await second.finish();
  const sums = (await store.list()).map(({ cost_usd, usage }) => [cost_usd, usage?.input]);
  assert.deepEqual(sums.sort(), [[0.25, 3], [0.5, 7], [1, 10]]);
  assert.deepEqual((await store.load(second.id)).summary.message_count, 6);
});

inDirectory.test(
  "a head that names itself as its parent is counted once",
  async (root) => {
    const id = "3f6a2b91-0000-4000-8000-000000000001";
    const store = openStore({ root, newId: () => id });
    const session = store.create({ cwd: root, parent: { session_id: id, reason: "subagent" } });
    await spent(session, 1);
    await session.finish();
    assert.equal((await store.load(id)).summary.cost_usd, 1);
    assert.equal((await store.list({ subagents: true }))[0]?.cost_usd, 1);
  },
);

inDirectory.test(
  "lists of the library leave out subagents, and searches do not",
  async (root) => {
    const store = openLocalStore({ root });
    const session = store.create({ cwd: root });
    await session.turn().user("Parent");
    const sub = session.subagent();
    await sub.turn().user("Child");
    for (const one of [session, sub]) await one.release();
    const library = openLibrary({ root, variable: () => undefined });
    for (const options of [{}, { rows: true }]) {
      const { entries } = await library.query(options);
      assert.deepEqual(entries.map(({ ref }) => ref), [session.id]);
      const all = await library.query({ ...options, archived: "any" });
      assert.equal(all.entries.length, 2);
    }
    assert.equal((await (await library.open(sub.id)).summary()).title, "Child");
  },
);

onBothStores("a subagent is taken up again, and counts as it goes on", async (store, cwd) => {
  const session = store.create({ cwd });
  await spent(session, 1);
  const sub = session.subagent({ title: "Sub" });
  await spent(sub, 2);
  await sub.release();
  await session.release();

  const again = await store.resume(session.id);
  assert.equal(again.summary.cost_usd, 3);
  const child = await again.resumeSubagent(sub.id);
  assert.equal(again.summary.cost_usd, 3);
  await spent(child, 4);
  assert.equal(again.summary.cost_usd, 7);
  await child.release();
  const twice = await again.resumeSubagent(sub.id);
  await spent(twice, 8);
  assert.equal(again.summary.cost_usd, 15);
  await twice.finish();
  assert.equal((await store.list())[0]?.cost_usd, 15);
  const other = store.create({ cwd });
  await other.turn().user("Other");
  await assert.rejects(other.resumeSubagent(sub.id), { code: "invalid-argument" });
  await (await store.resume(sub.id)).release();
  await again.finish();
  await assert.rejects(again.resumeSubagent(sub.id), { code: "closed" });
  await other.finish();
});

onBothStores("a session is removed and pruned with its subagents", async (store, cwd) => {
  const begin = async (cost: number): Promise<Session[]> => {
    const session = store.create({ cwd });
    const sub = session.subagent();
    const deeper = sub.subagent();
    for (const one of [deeper, sub]) await spent(one, cost);
    await spent(session, cost);
    return [session, sub, deeper];
  };
  const [one, ...below] = await begin(1);
  assert.ok(one);
  await one.release();
  await assert.rejects(store.remove(one.id), { code: "locked" });
  for (const sub of below) await sub.finish();
  assert.equal((await store.list())[0]?.cost_usd, 3);
  await store.remove(one.id);
  assert.equal((await store.list({ subagents: true, archived: "any" })).length, 0);
  const [pruned, ...subs] = await begin(2);
  assert.ok(pruned);
  for (const sub of subs) await sub.finish();
  // The session itself is open: its subagents stay, too.
  const { sessions, active } = await store.prune({ max_bytes: 0 });
  assert.deepEqual([sessions.length, active, (await store.list())[0]?.cost_usd], [0, 1, 6]);
  await pruned.finish();
  assert.equal((await store.prune({ max_bytes: 0 })).sessions.length, 3);
  assert.equal((await store.list({ subagents: true, archived: "any" })).length, 0);
});

inDirectory.test("a session is restored with the subagents that went with it", async (root) => {
  const store: Store = openStore({ root });
  const session = store.create({ cwd: root });
  const [sub, alone] = [session.subagent(), session.subagent()];
  for (const one of [alone, sub, session]) await spent(one, 1);
  for (const one of [alone, sub, session]) await one.finish();
  await store.remove(alone.id);
  await store.remove(session.id);
  assert.equal((await store.restore(session.id)).session_id, session.id);
  assert.equal((await store.list())[0]?.cost_usd, 2);
  assert.deepEqual((await store.emptyTrash()).map(({ session_id }) => session_id), [alone.id]);
  assert.deepEqual(await memoryStore().emptyTrash(), []);
  await assert.rejects(memoryStore().restore("3f2a"), { code: "not-found" });
});
