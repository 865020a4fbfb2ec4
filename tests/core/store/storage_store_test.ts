import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { openStorage } from "../../../lib/core/store/open_storage.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import type { SessionStorage, StoredLog } from "../../../lib/core/store/storage.ts";
import type { Store } from "../../../lib/core/store/store.ts";
import { user } from "../../_support/log_bytes.ts";
import { ROOT } from "../../_support/source_code.ts";
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

  await assert.rejects(store.fork(session.id, { id: session.id.toUpperCase() }));
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

inDirectory.test("an agent sees in any storage what it sees on disk", async (directory) => {
  const onDisk = await day(openStore({ root: `${directory}/root`, ...fixed() }), directory);
  const stores: Record<string, Store> = {
    memory: memoryStore(fixed()),
    promises: openStorage(new SlowStorage(), { name: "slow", ...fixed() }),
  };
  for (const [name, store] of Object.entries(stores)) {
    assert.deepEqual(flat(await day(store, directory)), flat(onDisk), name);
  }
  const said = ["log,Three", "log,Three", "log,Four", "log,Four", "released,Four", "log,Four"];
  const changes = onDisk.filter(Array.isArray).map((one) => one.slice(0, 2).join());
  assert.deepEqual(changes.slice(-10), [
    ...said,
    "log,Five",
    "Six,false",
    "Five,false",
    "log,One",
  ]);
});

Deno.test("a title is a mark while another store has the session open", async () => {
  const storage = new SlowStorage();
  const [one, other] = [1, 2].map(() => openStorage(storage, { name: "slow" }));
  const session = one!.create({ cwd: "/home/ada/src" });
  await session.append(user("p"));
  assert.equal(await other!.rename(session.id, "Beside"), "mark");
  assert.equal((await one!.list())[0]?.title, "Beside");
  assert.equal(await one!.rename(session.id, "Inside"), "log");
  await session.finish();
  assert.equal((await other!.list())[0]?.title, "Inside");
});

inDirectory.test("an agent sees in the SQLite of LIBRARY what it sees on disk", async (directory) => {
  const onDisk = await day(openStore({ root: `${directory}/root`, ...fixed() }), directory);
  assert.deepEqual(flat(await day(await storeOfPage(directory), directory)), flat(onDisk));
});

/** A storage that answers later, as one over a network does. */
class SlowStorage implements SessionStorage {
  readonly #logs = new Map<string, Uint8Array[]>();
  readonly #locked = new Set<string>();
  /** The error of the next append. */
  failure: Error | undefined;

  async list(): Promise<StoredLog[]> {
    await turn();
    return [...this.#logs].map(([id, pieces]) => ({
      id,
      bytes: pieces.reduce((sum, { length }) => sum + length, 0),
      locked: this.#locked.has(id),
    }));
  }

  async *read(id: string): AsyncGenerator<Uint8Array> {
    for (const piece of this.#logs.get(id) ?? []) {
      await turn();
      // Cut within a line and within a character.
      yield piece.subarray(0, piece.length >> 1);
      yield piece.subarray(piece.length >> 1);
    }
  }

  async append(id: string, bytes: Uint8Array): Promise<void> {
    await turn();
    if (this.failure !== undefined) throw this.failure;
    this.#logs.set(id, [...this.#logs.get(id) ?? [], bytes]);
  }

  async lock(id: string): Promise<(() => Promise<void>) | undefined> {
    await turn();
    if (this.#locked.has(id)) return undefined;
    this.#locked.add(id);
    return async () => {
      await turn();
      this.#locked.delete(id);
    };
  }

  async remove(id: string): Promise<void> {
    await turn();
    this.#logs.delete(id);
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Opens the store of the example in LIBRARY, with a clock and ids of the test. */
async function storeOfPage(directory: string): Promise<Store> {
  const page = Deno.readTextFileSync(new URL(".github/LIBRARY.md", ROOT));
  const code = page.split("## Other storage")[1]?.split("```ts\n")[1]?.split("```")[0] ?? "";
  assert.ok(code.split("\n").length <= 60);
  const [open = ""] = code.split("\nconst session");
  const entry = new URL("lib/core/store/mod.ts", ROOT).href;
  const text = `${open.replace("@reprise/core/store", entry)}\nexport { db };`
    .replace("const store = ", "export const open = (options) => ")
    .replace('{ name: "sqlite" }', '{ name: "sqlite", ...options }');
  const path = `${directory}/sqlite_store.mjs`;
  Deno.writeTextFileSync(path, text);
  return (await import(pathToFileURL(path).href)).open(fixed());
}

Deno.test("a storage that fails refuses the append, and keeps what it had", async () => {
  const storage = new SlowStorage();
  const store = openStorage(storage, { name: "slow" });
  const session = store.create({ cwd: "/w" });
  assert.deepEqual(await session.turn().user("One"), { seq: 2, state: "synced" });
  storage.failure = new Error("connection reset");
  await assert.rejects(session.turn().user("Two"), { code: "io", message: /connection reset/ });
  storage.failure = undefined;
  // What follows an append that may have been written cannot be numbered.
  await assert.rejects(session.turn().user("Three"), { code: "io" });
  await session.release();
  const again = await store.resume(session.id);
  assert.deepEqual(await again.turn().user("Two"), { seq: 3, state: "synced" });
  await again.finish();
  const { messages } = await store.load(session.id);
  assert.deepEqual(messages.map(({ content }) => content), ["One", "Two"]);
});

Deno.test("a session that another program has open is not opened", async () => {
  const storage = new SlowStorage();
  const session = openStorage(storage, { name: "slow" }).create({ cwd: "/w" });
  await session.turn().user("One");
  const others: SessionStorage = {
    list: () => storage.list(),
    read: (id) => storage.read(id),
    append: (id, bytes) => storage.append(id, bytes),
    lock: (id) => storage.lock(id),
    remove: (id) => storage.remove(id),
  };
  const other = openStorage(others, { name: "slow" });
  await assert.rejects(other.resume(session.id), { code: "locked", message: /another program/ });
  assert.equal((await other.list())[0]?.status, "running");
  assert.throws(() => openStorage({ ...others, list: 1 } as never, { name: "slow" }), {
    code: "invalid-argument",
  });
  assert.throws(() => openStorage(storage, {} as never), { code: "invalid-argument" });
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
