/** Sessions that go on without their disk, and logs that cannot be read. */
import assert from "node:assert/strict";
import {
  fromMessages,
  memoryStore,
  openStore,
  type Session,
  SessionError,
  type Store,
} from "../../../mod.ts";
import { FaultyFiles } from "../../_support/faulty_files.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";

async function contents(session: Session): Promise<unknown[]> {
  return (await session.conversation()).messages.map(({ content }) => content);
}

/** The disk below a folder, which takes nothing while it is full. */
class Disk implements Disposable {
  full = false;
  readonly #files: FaultyFiles;

  constructor(root: string) {
    this.#files = new FaultyFiles(root, 0, ({ name }) => {
      if (!this.full || !/write|mkdir/i.test(name)) return;
      throw Object.assign(new Error("No space left on device (os error 28)"), { code: "ENOSPC" });
    });
  }

  [Symbol.dispose](): void {
    this.#files[Symbol.dispose]();
  }
}

async function inEachStore(run: (store: Store, cwd: string) => Promise<void>): Promise<void> {
  await withDirectory(async (root) => {
    for (const store of [openStore({ root }), memoryStore()]) await run(store, root);
  });
}

inDirectory.test("a session on a full disk goes on in memory with all that was said", async (root) => {
  using disk = new Disk(root);
  for (const is_read of [false, true]) {
    const store = openStore({ root });
    const session = store.create({ cwd: root });
    await session.turn().user("One");
    if (is_read) await session.conversation();
    const turn = session.turn();
    disk.full = true;
    await assert.rejects(turn.user("Two"), { code: "disk-full" });
    assert.ok(session.degraded);
    await session.detach();
    assert.deepEqual([session.degraded, session.on_disk], [false, false]);
    assert.deepEqual(await turn.user("Two"), { seq: 3, state: "memory" });
    await turn.assistant({ calls: [{ id: "c1", name: "read", input: {} }] });
    await turn.result("c1", { output: "three" });
    assert.equal(session.summary.message_count, 2);
    assert.equal((await session.request("openai")).messages.length, 3);
    for (let tries = 0; tries < 2; tries++) {
      await assert.rejects(session.finish(), { code: "disk-full" });
    }
    await turn.user("Five");
    disk.full = false;
    assert.equal((await session.conversation()).messages.length, 5);
    const { messages, summary } = await store.load(session.id);
    assert.deepEqual([messages.length, summary.status], [1, "running"]);
    await session.finish();
    const saved = await store.load(session.id);
    assert.deepEqual([saved.messages.length, saved.summary.status], [5, "completed"]);
  }
});

inDirectory.test("a session whose disk was full from the start goes on in memory", async (root) => {
  const store = openStore({ root });
  const session = store.create({ cwd: root, title: "Never saved" });
  using disk = new Disk(root);
  disk.full = true;
  await assert.rejects(session.turn().user("One"), { code: "disk-full" });
  await session.detach();
  await session.turn().user("One");
  assert.deepEqual(await contents(session), ["One"]);
  assert.equal(session.summary.title, "Never saved");
  await session.release();
});

Deno.test("a detached session branches and compacts, and keeps its lock", async () => {
  await inEachStore(async (store, cwd) => {
    const session = store.create({ cwd });
    await session.turn().user("One");
    const two = await session.turn().user("Two");
    await session.detach();
    await session.detach();
    await session.turn().user("Three");
    await session.branch(2);
    await session.turn().user("Four");
    assert.deepEqual(await contents(session), ["One", "Four"]);
    assert.ok(two.state !== "held");
    await session.branch(two.seq);
    await session.compact({ summary: "S", keep_last: 1 });
    assert.equal((await session.conversation()).messages[0]?.summary, true);
    await assert.rejects(store.resume(session.id), { code: "locked" });
    await assert.rejects(store.remove(session.id), { code: "locked" });
    assert.equal((await store.list())[0]?.status, "running");
    await session.release();
    await assert.rejects(session.detach(), { code: "closed" });
    const again = await store.resume(session.id);
    assert.equal((await contents(again)).length, 2);
    await again.finish();
    await store.remove(again.id);
  });
});

Deno.test("a session that was ended still gives its conversation", async () => {
  await inEachStore(async (store, cwd) => {
    for (const end of ["finish", "release"] as const) {
      const session = store.create({ cwd });
      await session.turn().user("Hello");
      await session[end]();
      assert.deepEqual(await contents(session), ["Hello"]);
      assert.equal((await session.request("openai")).messages.length, 1);
      const again = await store.resume(session.id);
      await again.release();
      assert.deepEqual(await contents(again), ["Hello"]);
    }
    const unused = store.create({ cwd });
    await unused.finish();
    assert.deepEqual(await contents(unused), []);
  });
});

inDirectory.test("a load tells the damage of a log among its findings", async (root) => {
  const store = openStore({ root });
  const session = store.create({ cwd: root });
  await session.turn().user("Hello");
  await session.finish();
  assert.deepEqual((await store.load(session.id)).findings, []);
  await Deno.writeTextFile(session.path, "noise\n", { append: true });
  const reported: string[] = [];
  const report = ({ code }: { code: string }): void => void reported.push(code);
  const { findings, messages } = await store.load(session.id, { report } as object);
  assert.equal(messages.length, 1);
  assert.deepEqual(findings.map(({ code }) => code), ["malformed-line"]);
  assert.ok(findings[0] !== undefined && "offset" in findings[0] && findings[0].offset > 0);
  assert.deepEqual(reported, ["malformed-line"]);
});

inDirectory.test("a newest session that cannot be read is told, and a new one begins", async (root) => {
  const faults: [string, (path: string) => void, RegExp][] = [
    ["damaged", (path) => Deno.writeTextFileSync(path, "noise\n"), /no readable event/],
    ["unsupported-version", (path) => {
      const line = '{"v":3,"seq":9,"kind":"user_message","payload":{}}\n';
      Deno.writeTextFileSync(path, line, { append: true });
    }, /version/],
  ];
  for (const [code, spoil, why] of faults) {
    const cwd = `${root}/${code}`;
    let time = 0;
    const now = (): Date => new Date(Date.UTC(2026, 10, 21) + 1000 * time++);
    const store = openStore({ root, now });
    for (const title of ["Older", "Newest"]) {
      const session = store.create({ cwd, title });
      await session.turn().user("Hello");
      await session.finish();
      if (title === "Newest") spoil(session.path);
    }
    const begun = await store.continueLast({ cwd });
    assert.ok(begun.skipped instanceof SessionError);
    assert.equal(begun.skipped.code, code);
    assert.match(
      begun.skipped.message,
      /^Cannot continue session [-0-9a-f]{36}, so a new one begins/,
    );
    assert.match(begun.skipped.message, why);
    assert.equal(begun.last_seq, 0);
    await begun.turn().user("Hello again");
    await begun.finish();
    const next = await store.continueLast({ cwd });
    assert.deepEqual([next.id, next.skipped], [begun.id, undefined]);
    await next.release();
  }
});

inDirectory.test("a detached session goes back to its disk, with its subagents", async (root) => {
  using disk = new Disk(root);
  const store = openStore({ root });
  const session = store.create({ cwd: root });
  await session.turn().user("One");
  const sub = session.subagent();
  await sub.turn().user("Sub one");
  const ended = session.subagent();
  await ended.finish();
  disk.full = true;
  await assert.rejects(session.turn().user("Two"), { code: "disk-full" });
  await session.detach();
  const late = session.subagent();
  assert.equal((await sub.turn().user("Sub two")).state, "memory");
  assert.equal((await late.turn().user("Late")).state, "memory");
  assert.deepEqual(await contents(late), ["Late"]);
  assert.equal((await session.turn().user("Two")).state, "memory");
  await assert.rejects(session.attach(), { code: "disk-full" });
  assert.equal((await session.turn().user("Three")).state, "memory");
  assert.equal(session.on_disk, false);

  disk.full = false;
  await session.attach();
  await session.attach();
  assert.deepEqual([session.on_disk, sub.on_disk, late.on_disk], [true, true, true]);
  assert.equal((await session.turn().user("Four")).state, "synced");
  assert.deepEqual(await contents(session), ["One", "Two", "Three", "Four"]);
  for (const one of [late, sub, session]) await one.finish();
  const all = [session, sub, late].map(async ({ id }) => {
    const { messages, findings } = await store.load(id);
    return [...messages.map(({ content }) => content), ...findings];
  });
  assert.deepEqual(await Promise.all(all), [
    ["One", "Two", "Three", "Four"],
    ["Sub one", "Sub two"],
    ["Late"],
  ]);
});

Deno.test("a session that another one continued at rest does not go back when it is detached", async () => {
  await inEachStore(async (store, cwd) => {
    const session = store.create({ cwd });
    await session.turn().user("One");
    await session.rest();
    const other = await store.resume(session.id);
    await session.detach();
    await session.turn().user("Two");
    await assert.rejects(session.attach(), { code: "locked" });
    await other.turn().user("Other");
    await other.release();
    for (let tries = 0; tries < 2; tries++) {
      await assert.rejects(session.attach(), { code: "changed" });
    }
    await assert.rejects(session.finish(), { code: "changed" });
    assert.equal((await store.load(session.id)).messages.length, 2);
    await session.release();
    await (await store.resume(session.id)).release();
  });
});

inDirectory.test("a detached session takes a new title, and keeps it once there is room", async (root) => {
  using disk = new Disk(root);
  const store = openStore({ root });
  const session = store.create({ cwd: root });
  await session.turn().user("One");
  for (const full of [true, false]) {
    disk.full = true;
    await assert.rejects(session.turn().user("Two"), { code: "disk-full" });
    await session.detach();
    await session.turn().user("Two");
    disk.full = full;
    assert.equal(await store.rename(session.id, `Title ${full}`), "log");
    assert.equal(await store.archive(session.id, full), "log");
    assert.equal(session.summary.title, `Title ${full}`);
    disk.full = false;
    await session.attach();
    const [row] = await store.list({ archived: full });
    assert.equal(row?.title, `Title ${full}`);
  }
  await session.finish();
  const { findings, messages } = await store.load(session.id);
  assert.deepEqual([findings, messages.length], [[], 3]);
});

Deno.test("a subagent that is detached alone is written when its parent ends", async () => {
  await inEachStore(async (store, cwd) => {
    for (const end of ["finish", "release"] as const) {
      const session = store.create({ cwd });
      await session.turn().user("One");
      const sub = session.subagent();
      await sub.turn().user("Sub one");
      await sub.detach();
      await sub.turn().assistant({ text: "Sub two" });
      await session[end]();
      assert.equal((await store.load(sub.id)).messages.length, 2);
      await sub.release();
    }
  });
});

inDirectory.test("a finish that a full disk refused can be called again, and throws again", async (root) => {
  using disk = new Disk(root);
  const store = openStore({ root });
  const session = store.create({ cwd: root });
  await session.turn().user("One");
  disk.full = true;
  for (let tries = 0; tries < 2; tries++) {
    await assert.rejects(session.finish(), { code: "disk-full" });
  }
  await assert.rejects(Promise.all([session.finish(), session.release()]), { code: "disk-full" });
  await assert.rejects(session.turn().user("Two"), { code: "closed" });
  disk.full = false;
  const again = await store.resume(session.id);
  disk.full = true;
  await assert.rejects(again.finish(), { code: "disk-full" });
  disk.full = false;
  await again.turn().user("Two");
  await again.finish();
  await again.finish();
  const { summary, messages, findings } = await store.load(session.id);
  assert.deepEqual([summary.status, messages.length, findings.length], ["completed", 2, 0]);
});

inDirectory.test("a full disk keeps none of several events that it has no room for", async (root) => {
  const store = openStore({ root });
  const messages = ["One", "Two", "Three"].map((content) => ({ role: "user" as const, content }));
  const events = fromMessages("openai", messages);
  const { writeSync } = Deno.FsFile.prototype;
  let room = Infinity;
  Deno.FsFile.prototype.writeSync = function (bytes): number {
    if (room <= 0) throw Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
    const some = bytes.subarray(0, room);
    room -= some.length;
    return writeSync.call(this, some);
  };
  try {
    for (const is_new of [true, false]) {
      room = 1e6;
      const session = store.create({ cwd: root });
      if (!is_new) await session.appendAll(events);
      const before = Number(!is_new && session.last_seq);
      const other = store.create({ cwd: root });
      if (!is_new) await other.appendAll(events);
      const free = room;
      await other.appendAll(events);
      const needed = free - room;
      await other.release();
      // Room for some of the events: how long the first one is depends on the directory's name.
      room = Math.floor(0.8 * needed);
      await assert.rejects(session.appendAll(events), { code: "disk-full" });
      assert.equal(session.last_seq, before);
      await session.detach();
      await session.appendAll(events);
      room = Infinity;
      await session.finish();
      const { messages, findings } = await store.load(session.id);
      assert.deepEqual([messages.length, findings], [is_new ? 3 : 6, []]);
    }
  } finally {
    Deno.FsFile.prototype.writeSync = writeSync;
  }
});

inDirectory.test("a finish whose sync failed throws it again", async (root) => {
  let broken = false;
  using _disk = new FaultyFiles(root, 0, ({ name }) => {
    if (broken && name === "file.syncData") throw new Error("Input/output error");
  });
  const session = openStore({ root }).create({ cwd: root });
  await session.turn().user("One");
  broken = true;
  await assert.rejects(session.finish(), { code: "sync-failed" });
  broken = false;
  await assert.rejects(session.finish(), { code: "sync-failed" });
  await session.release();
  await assert.rejects(session.turn().user("Two"), { code: "closed" });
});

inDirectory.test("an attach whose sync failed writes each event once, also of subagents", async (root) => {
  let broken = false;
  using _disk = new FaultyFiles(root, 0, ({ name }) => {
    if (broken && name === "file.syncData") throw new Error("Input/output error");
  });
  const store = openStore({ root });
  for (const end of ["attach", "finish"] as const) {
    const session = store.create({ cwd: root });
    await session.turn().user("One");
    const sub = session.subagent();
    await sub.turn().user("Sub one");
    await session.detach();
    await session.turn().user("Two");
    await sub.turn().user("Sub two");
    broken = true;
    await assert.rejects(session[end](), { code: "sync-failed" });
    broken = false;
    assert.equal(sub.on_disk, true);
    if (end === "attach") {
      assert.equal(session.on_disk, true);
      await session.attach();
      await session.turn().user("Three");
    } else await assert.rejects(session.turn().user("Three"), { code: "closed" });
    await session.release();
    await sub.release();
    const counts = [session, sub].map(async ({ id }) => {
      const { messages, findings } = await store.load(id);
      return [messages.length, ...findings];
    });
    assert.deepEqual(await Promise.all(counts), [[end === "attach" ? 3 : 2], [2]]);
  }
});

Deno.test("a subagent that cannot be written leaves none of the others in memory", async () => {
  await inEachStore(async (store, cwd) => {
    const session = store.create({ cwd });
    await session.turn().user("One");
    const [refused, other] = [session.subagent(), session.subagent()];
    for (const sub of [refused, other]) await sub.turn().user("Sub one");
    await refused.rest();
    const writer = await store.resume(refused.id);
    await session.detach();
    await other.turn().user("Sub two");
    await writer.turn().user("Continued");
    await writer.release();
    await assert.rejects(session.attach(), { code: "changed" });
    assert.deepEqual([session.on_disk, refused.on_disk, other.on_disk], [true, false, true]);
    for (const one of [refused, other, session]) await one.release();
  });
});

Deno.test("a conversation says that its last turn failed, until a message follows", async () => {
  await inEachStore(async (store, cwd) => {
    const session = store.create({ cwd });
    const turn = session.turn();
    await turn.user("One");
    const failed = async (): Promise<unknown[]> => {
      const { failed } = await session.conversation();
      return [failed, (await store.load(session.id)).failed];
    };
    assert.deepEqual(await failed(), [undefined, undefined]);
    await turn.fail("Stopped", { reason: "cancelled", usage: { output: 1 } });
    assert.deepEqual(await failed(), ["cancelled", "cancelled"]);
    await session.release();
    const again = await store.resume(session.id);
    assert.equal((await again.conversation()).failed, "cancelled");
    await again.turn().user("Two");
    assert.equal((await again.conversation()).failed, undefined);
    await again.turn().fail("529");
    assert.equal((await again.conversation()).failed, "error");
    for (const text of ["", "A port"]) {
      await again.turn().interrupted(text);
      assert.equal((await again.conversation()).failed, "cancelled");
      assert.equal((await store.load(again.id)).failed, "cancelled");
    }
    await again.branch(2);
    assert.equal((await again.conversation()).failed, undefined);
    await again.release();
  });
});

Deno.test("a detached session is written before it ends, with its subagents", async () => {
  await inEachStore(async (store, cwd) => {
    for (const end of ["finish", "release"] as const) {
      const session = store.create({ cwd });
      await session.turn().user("One");
      await session.detach();
      await session.turn().user("Two");
      const sub = session.subagent();
      await sub.turn().user("Sub one");
      await sub.turn().assistant({ text: "Sub two", cost_usd: 0.01 });
      await sub.finish();
      await assert.rejects(sub.turn().user("Sub three"), { code: "closed" });
      await session[end]();
      const said = async (id: string): Promise<unknown[]> =>
        (await store.load(id)).messages.map(({ content }) => content);
      assert.deepEqual(await said(session.id), ["One", "Two"]);
      const row = (await store.load(session.id)).summary;
      assert.deepEqual([row.status, row.cost_usd], [
        end === "finish" ? "completed" : row.status,
        0.01,
      ]);
      assert.equal((await said(sub.id)).length, 2);
      const again = await store.resume(sub.id);
      await again.release();
    }
  });
});

Deno.test("a session that is detached and attached by several at once loses nothing", async () => {
  await inEachStore(async (store, cwd) => {
    const session = store.create({ cwd });
    await session.turn().user("One");
    await Promise.all([session.detach(), session.detach()]);
    await session.turn().user("Two");
    await Promise.all([session.attach(), session.turn().user("Three"), session.attach()]);
    assert.notEqual((await session.turn().user("Four")).state, "memory");
    await session.finish();
    const { messages, summary } = await store.load(session.id);
    assert.deepEqual(messages.map(({ content }) => content), ["One", "Two", "Three", "Four"]);
    assert.equal(summary.status, "completed");
  });
});
