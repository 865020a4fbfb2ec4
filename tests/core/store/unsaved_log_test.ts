/** Sessions whose first append never succeeded: no list shows them, and they leave nothing. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { openStore, type Session, type Store } from "../../../mod.ts";
import { openLocalStore } from "../../../lib/core/store/mod.ts";
import { FaultyFiles } from "../../_support/faulty_files.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

function foldersBelow(root: string): string[] {
  try {
    return [...Deno.readDirSync(`${root}/sessions`)].flatMap(({ name }) =>
      [...Deno.readDirSync(`${root}/sessions/${name}`)].map((one) => one.name)
    );
  } catch {
    return [];
  }
}

function fullDisk(root: string): FaultyFiles {
  return new FaultyFiles(root, 0, ({ name, path }) => {
    if (name !== "file.writeSync" || !path.endsWith(".jsonl")) return;
    throw Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" });
  });
}

async function listed(store: Store): Promise<string[]> {
  return (await store.list({ subagents: true, archived: "any" })).map(({ title }) => title);
}

/** Begins a session of one prompt, and leaves the first bytes of its log, as a kill does. */
async function cutSession(
  store: Store,
  cwd: string,
  kept: (log: string) => string,
): Promise<Session> {
  const session = store.create({ cwd, id: `own-${crypto.randomUUID()}` });
  await session.turn().user("Hello");
  await session.release();
  const log = await Deno.readTextFile(session.path);
  await Deno.writeTextFile(session.path, kept(log));
  return session;
}

const head = (log: string): string => log.slice(0, log.indexOf("\n") + 1);

inDirectory.test("a session whose first append met a full disk is not listed", async (root) => {
  const store = openStore({ root });
  const parent = store.create({ cwd: root });
  await parent.turn().user("Parent");
  const refused: Session[] = [];
  {
    using _disk = fullDisk(root);
    for (const one of [store.create({ cwd: root }), parent.subagent({ title: "Sub" })]) {
      await assert.rejects(one.turn().user("One"), { code: "disk-full" });
      refused.push(one);
    }
    assert.deepEqual(await listed(store), ["Parent"]);
  }
  assert.equal((await store.last())?.title, "Parent");
  // Where there is room again, nothing is left of those that never said anything.
  for (const one of refused) await one.finish();
  assert.equal(foldersBelow(root).length, 1);
  await parent.finish();
});

inDirectory.test("a session whose first append failed goes on once there is room", async (root) => {
  const store = openStore({ root });
  const session = store.create({ cwd: root, title: "Later" });
  {
    using _disk = fullDisk(root);
    await assert.rejects(session.turn().user("One"), { code: "disk-full" });
  }
  await session.turn().user("One");
  await session.finish();
  const { messages, summary, findings } = await store.load(session.id);
  assert.deepEqual([messages.length, summary.title, findings], [1, "Later", []]);
});

inDirectory.test("a log that a kill left without an event is not listed, and can be removed", async (root) => {
  const store = openLocalStore({ root });
  const cuts: ((log: string) => string)[] = [
    () => "",
    (log) => log.slice(0, 40),
    head,
    (log) => head(log) + log.slice(head(log).length, -20),
  ];
  for (const cut of cuts) {
    const { id } = await cutSession(store, root, cut);
    assert.deepEqual(await listed(store), []);
    const next = await store.continueLast({ cwd: root });
    assert.deepEqual([next.last_seq, next.skipped], [0, undefined]);
    await next.release();
    await store.remove(id);
    await store.emptyTrash();
    assert.deepEqual(foldersBelow(root), []);
  }
  await cutSession(store, root, head);
  const { sessions } = await store.prune({ before: new Date(Date.now() + 60_000) });
  assert.equal(sessions.length, 1);
  // Damage of what was saved stays to be seen.
  await cutSession(store, root, () => "noise\n");
  assert.deepEqual(await listed(store), [""]);
});

inDirectory.test("an id of one's own is free if a kill left its folder without a log", async (root) => {
  const store = openStore({ root });
  const { id, path } = await cutSession(store, root, head);
  await Deno.remove(path);
  // Another process may be making the log.
  assert.throws(() => store.create({ cwd: root, id }), { code: "exists" });
  const before = new Date(Date.now() - 120_000);
  await Deno.utime(`${dirname(path)}/lock`, before, before);
  await assert.rejects(store.resume(id), { code: "not-found" });
  const again = store.create({ cwd: root, id });
  await again.turn().user("Again");
  await again.finish();
  assert.equal((await store.load(id)).messages.length, 1);
  assert.equal(await Deno.stat(dirname(path)).catch(() => undefined), undefined);
});

inDirectory.test("an id of one's own is free if nothing was saved under it", async (root) => {
  const store = openStore({ root });
  for (const cut of [() => "", (log: string) => log.slice(0, 40)]) {
    const { id, path } = await cutSession(store, root, cut);
    await assert.rejects(store.resume(id), { code: "not-found", message: /begin it again/ });
    const again = store.create({ cwd: root, id });
    await again.turn().user("Again");
    assert.throws(() => store.create({ cwd: root, id }), { code: "exists" });
    await again.finish();
    assert.equal((await store.load(id)).messages.length, 1);
    assert.equal(await Deno.stat(dirname(path)).catch(() => undefined), undefined);
  }
});

inDirectory.test("an id is refused for a minute after a kill before its log was made", async (root) => {
  const store = openStore({ root });
  const session = await cutSession(store, root, (log) => log);
  await Deno.remove(session.path);
  await assert.rejects(store.resume(session.id), { code: "not-found" });
  const refused = { code: "exists", hint: /^if it was killed, the id is free within a minute/ };
  assert.throws(() => store.create({ cwd: root, id: session.id }), refused);
  for (const path of [`${dirname(session.path)}/lock`, dirname(session.path)]) {
    await Deno.utime(path, new Date(0), new Date(Date.now() - 61_000));
  }
  const again = store.create({ cwd: root, id: session.id });
  await again.turn().user("Again");
  await again.release();
  assert.equal((await store.load(session.id)).messages.length, 1);
});
