import assert from "node:assert/strict";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import type { Store } from "../../../lib/core/store/store.ts";
import { user } from "../../_support/log_bytes.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const START = Date.UTC(2026, 10, 21, 20, 0, 0);

/** A clock that goes on by a second at each look, and ids that count. */
function fixed(): { now: () => Date; newId: () => string } {
  let [looks, ids] = [0, 0];
  return {
    now: () => new Date(START + 1000 * looks++),
    newId: () => `3f6a2b91-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
  };
}

/** An agent's day: what it sees of its store, without paths and sizes. */
async function day(store: Store, cwd: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  const session = store.create({ cwd, title: "One" });
  const turn = session.turn("t1");
  await turn.user("Hello");
  await turn.assistant({ text: "I look.", calls: [{ id: "c1", name: "read", input: {} }] });
  await turn.start("c1");
  seen.push((await session.conversation()).messages.map(({ role, seq }) => [role, seq]));
  await turn.result("c1", { output: "found" });
  await assert.rejects(store.resume(session.id), { code: "locked" });
  await session.finish();

  const again = await store.continueLast({ cwd });
  assert.equal(again.id, session.id);
  await again.append(user("more"));
  await again.release();

  const fork = await store.fork(session.id, { seq: 3, title: "Two" });
  assert.notEqual(fork.id, session.id);
  await fork.append(user("elsewhere"));
  seen.push((await fork.conversation()).messages.map(({ role, content }) => [role, content]));
  await fork.finish();

  for (const { title, status, message_count, parent } of await store.list({ cwd })) {
    seen.push([title, status, message_count, parent?.seq]);
  }
  const { messages, transcript } = await store.load(session.id);
  seen.push(messages.map(({ role }) => role), transcript.map(({ type }) => type));
  for await (const events of store.events(session.id)) {
    seen.push(...events.map(({ seq, kind, integrity }) => [seq, kind, integrity]));
  }
  seen.push((await store.last())?.title);
  await assert.rejects(store.load("3f6a"), { code: "ambiguous" });
  const open = await store.resume(fork.id);
  await assert.rejects(store.remove(fork.id), { code: "locked" });
  await open.release();
  assert.equal((await store.remove(fork.id)).session_id, fork.id);
  seen.push((await store.list()).map(({ title }) => title));
  await assert.rejects(store.load(fork.id), { code: "not-found" });
  await assert.rejects(store.load("ffff"), { code: "not-found" });
  await assert.rejects(store.fork(session.id, { seq: 99 }), { code: "not-found" });
  seen.push(...await titles(store, session.id));
  return seen;
}

/** Titles and flags that a session gets, closed and open, and what a fork takes of them. */
async function titles(store: Store, id: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  const look = async (done: unknown): Promise<void> => {
    const { summary: { title, archived, status } } = await store.load(id);
    seen.push([done, title, archived, status, (await store.list()).length]);
  };
  await look(await store.rename(id.slice(0, 35), "Three"));
  await look(await store.archive(id));
  const open = await store.resume(id);
  await look(await store.rename(id, "Four"));
  await look(await store.archive(id, false));
  await open.release();
  await look("released");
  await look(await store.archive(id));
  await look(await store.rename(id, "Five"));
  for (const title of ["Six", undefined]) {
    const fork = await store.fork(id, title === undefined ? {} : { title });
    await fork.release();
    const { summary } = await store.load(fork.id);
    seen.push([summary.title, summary.archived, summary.parent?.seq]);
  }
  await look(await store.rename(id, ""));
  for (const change of [store.rename("ffff", "x"), store.archive("ffff")]) {
    await assert.rejects(change, { code: "not-found" });
  }
  return seen;
}

inDirectory.test("an agent sees in memory what it sees on disk", async (directory) => {
  const onDisk = await day(openStore({ root: `${directory}/root`, ...fixed() }), directory);
  const inMemory = await day(memoryStore(fixed()), directory);
  assert.deepEqual(flat(inMemory), flat(onDisk));
  const said = ["log,Three", "log,Three", "mark,Four", "mark,Four", "released,Four", "log,Four"];
  const changes = onDisk.filter(Array.isArray).map((one) => one.slice(0, 2).join());
  assert.deepEqual(changes.slice(-10), [
    ...said,
    "log,Five",
    "Six,false",
    "Five,false",
    "log,One",
  ]);
});

/** Batches of events may be cut anywhere. */
function flat(seen: unknown[]): string[] {
  return seen.map((one) => JSON.stringify(one));
}

Deno.test("a store in memory asks for no permission", {
  permissions: "none",
}, async () => {
  const store = memoryStore();
  const session = store.create({ cwd: "/nowhere" });
  await session.turn().user("Hello");
  assert.equal((await session.request("openai")).messages.length, 1);
  await session.finish();
  assert.equal((await store.list())[0]?.status, "completed");
});

Deno.test("a session in memory that never had an event leaves nothing", async () => {
  const store = memoryStore();
  await store.create({ cwd: "/home/ada/src" }).finish();
  assert.deepEqual(await store.list(), []);
});
