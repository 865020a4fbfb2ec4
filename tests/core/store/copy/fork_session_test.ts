import { roundsOf } from "../../../_support/few_rounds.ts";
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { dirname, join } from "node:path";
import type { Event, LogEvent, NewEvent } from "../../../../lib/core/event/envelope.ts";
import { encodeEvent } from "../../../../lib/core/event/encode.ts";
import { foldEvents } from "../../../../lib/core/projection/projection.ts";
import { usage } from "../../../_support/usage.ts";
import { loadConversation } from "../../../../lib/core/store/load_session.ts";
import type { LocalStore } from "../../../../lib/core/store/local_store.ts";
import { openStore } from "../../../../lib/core/store/open_store.ts";
import { verifyLog } from "../../../../lib/core/store/verify_log.ts";
import {
  assistant,
  codesOf,
  concat,
  factsOf,
  numbered,
  readNow,
  toolEnd,
  toolStart,
  user,
} from "../../../_support/log_bytes.ts";
import { compactionDraft, eventDraft, randomLog } from "../../../_support/random_log.ts";
import { snapshot } from "../../../_support/store_snapshot.ts";
import { inStore, withStore } from "../../../_support/temp_directory.ts";

const RUNS = { seed: 20261121, numRuns: roundsOf(60, 4) };

function eventsIn(path: string): LogEvent[] {
  return readNow(Deno.readFileSync(path)).events;
}

function kindsIn(path: string): string[] {
  return eventsIn(path).map(({ kind }) => kind);
}

async function findings(path: string): Promise<string[]> {
  const found: string[] = [];
  await verifyLog(path, ({ code, detail }) => found.push(`${code}: ${detail}`));
  return found;
}

/** Keeps a session of these events; gives its id and path. */
async function keep(
  store: LocalStore,
  directory: string,
  events: readonly NewEvent[],
  title?: string,
): Promise<{ id: string; path: string }> {
  const session = store.create({ cwd: directory, ...(title === undefined ? {} : { title }) });
  for (const event of events) await session.append(event);
  await session.finish();
  return session;
}

/** A session folder whose log is these bytes. */
function plant(store: LocalStore, id: string, log: Uint8Array): string {
  const folder = join(store.root, "sessions", "home-0123456789", `20261121T202153123Z-${id}`);
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  Deno.writeFileSync(join(folder, "transcript_events.jsonl"), log, { mode: 0o600 });
  return join(folder, "transcript_events.jsonl");
}

/** What copies and originals have in common: all but where they say to come from. */
function factsWithoutSource(event: LogEvent): string {
  return factsOf({ ...event, source: undefined } as unknown as Event);
}

inStore.test("a fork has the events under their numbers, each saying where it came from", async ({ store, directory }) => {
  const { id, path } = await keep(store, directory, [user("p"), assistant("a"), user("q")]);
  const [before, folder] = [Deno.readFileSync(path), snapshot(dirname(path))];
  const fork = await store.makeFork(id.slice(0, 8), { seq: 3 });
  assert.deepEqual([fork.parent, fork.parent_last_seq, fork.open_calls], [
    { session_id: id, seq: 3, reason: "fork" },
    6,
    0,
  ]);
  assert.deepEqual(kindsIn(fork.path), [
    "session_started",
    "user_message",
    "assistant_message",
    "session_checkpoint",
  ]);
  const [head, ...copies] = eventsIn(fork.path);
  const started = head?.form === "known" && head.kind === "session_started" && head.payload;
  assert.deepEqual(started && [started.session_id, started.parent, started.cwd], [
    fork.session_id,
    fork.parent,
    directory,
  ]);
  const originals = readNow(before).events;
  assert.deepEqual(
    copies.slice(0, 2).map(factsOf),
    originals.slice(1, 3).map((event) =>
      factsOf({ ...event, source: { session_id: id, seq: event.seq } } as unknown as Event)
    ),
  );
  assert.deepEqual(await findings(fork.path), []);
  assert.deepEqual(snapshot(dirname(path)), folder);
});

inStore.test("a fork goes on with the next number, and is listed with its parent", async ({ store, directory }) => {
  const { id } = await keep(store, directory, [user("p"), assistant("a")]);
  const fork = await store.makeFork(id);
  assert.equal(fork.parent.seq, 5);
  const session = await store.resume(fork.session_id);
  assert.deepEqual(await session.append(user("else")), { seq: 7, state: "synced" });
  await session.finish();
  const rows = await store.list({ cwd: directory });
  assert.equal(rows.length, 2);
  const row = rows.find(({ session_id }) => session_id === fork.session_id);
  assert.deepEqual([row?.parent, row?.status, row?.message_count, row?.title], [
    fork.parent,
    "completed",
    3,
    "p",
  ]);
  assert.deepEqual(await findings(fork.path), []);
  const { messages } = await store.load(fork.session_id);
  assert.deepEqual(messages.map(({ content }) => content), ["p", "a", "else"]);
});

inStore.test("a session is forked while its writer holds it, and its writer goes on", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  await session.append(toolStart("c1"));
  const before = snapshot(dirname(session.path));
  const fork = await store.makeFork(session.id);
  assert.deepEqual(snapshot(dirname(session.path)), before);
  assert.deepEqual([fork.parent.seq, fork.open_calls], [3, 1]);
  await session.append(toolEnd("c1"));
  await session.finish();
  assert.deepEqual(kindsIn(fork.path), [
    "session_started",
    "user_message",
    "assistant_message",
    "session_checkpoint",
  ]);
  const { messages } = await loadConversation(fork.path);
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool"]);
});

inStore.test("a line that its writer has not finished is no part of the fork", async ({ store, directory }) => {
  const { id, path } = await keep(store, directory, [user("p")]);
  const torn = '{"v":1,"seq":5,"kind":"user_mess';
  Deno.writeTextFileSync(path, torn, { append: true });
  const found: string[] = [];
  const fork = await store.makeFork(id, { report: ({ code }) => void found.push(code) });
  assert.deepEqual([found, fork.parent.seq], [["torn-tail"], 4]);
  assert.deepEqual(await findings(fork.path), []);
});

inStore.test("an event that does not exist is refused, with the last one named", async ({ store, directory }) => {
  const { id, path } = await keep(store, directory, [user("p")]);
  for (const seq of [0, 5, 1e9]) {
    await assert.rejects(store.makeFork(id, { seq }), {
      code: "not-found",
      message: `Cannot find event ${seq} of session ${id}: the last event is 4`,
    });
  }
  await assert.rejects(store.makeFork("0000"), { code: "not-found" });
  Deno.writeTextFileSync(path, "");
  await assert.rejects(store.makeFork(id, { cwd: directory }), {
    code: "not-found",
    message: `Cannot copy session ${id}: the session's log has no events`,
  });
  assert.equal([...Deno.readDirSync(dirname(dirname(path)))].length, 1);
});

inStore.test("a fork at event 1 is a new session that begins as the other did", async ({ store, directory }) => {
  const { id } = await keep(store, directory, [user("p")], "Given");
  const fork = await store.makeFork(id, { seq: 1 });
  assert.deepEqual(kindsIn(fork.path), ["session_started", "session_checkpoint"]);
  assert.equal((await store.load(fork.session_id)).summary.title, "Given");
  assert.deepEqual(await findings(fork.path), []);
});

inStore.test("a fork is called as its parent is now, or as it is told", async ({ store, directory }) => {
  const { id } = await keep(store, directory, [user("p"), user("q")]);
  async function title(options?: { seq?: number; title?: string }): Promise<string> {
    const { session_id, path } = await store.makeFork(id, options);
    assert.deepEqual(await findings(path), []);
    return (await store.load(session_id)).summary.title;
  }
  assert.equal(await title({ seq: 1 }), "");
  assert.equal(await title({ seq: 2 }), "p");
  assert.equal(await title({ seq: 2, title: "Mine" }), "Mine");
  await store.rename(id, "Later");
  assert.equal(await title({ seq: 2 }), "Later");
  assert.equal(await title(), "Later");
  assert.equal(await title({ title: "Mine" }), "Mine");
  const held = await openStore({ root: store.root }).resume(id);
  assert.equal(await store.rename(id, "Beside"), "mark");
  assert.equal(await title(), "Beside");
  await held.finish();
});

inStore.test("a fork of what is put away is not put away", async ({ store, directory }) => {
  const { id } = await keep(store, directory, [user("p")]);
  await store.archive(id);
  const { session_id, path } = await store.makeFork(id);
  assert.deepEqual((await store.list()).map((row) => row.session_id), [session_id]);
  assert.deepEqual(await findings(path), []);
});

inStore.test("a fork of a fork names its parent, and its events where they came from first", async ({ store, directory }) => {
  const { id } = await keep(store, directory, [user("p"), assistant("a")]);
  const first = await store.makeFork(id, { seq: 3 });
  const session = await store.resume(first.session_id);
  await session.append(user("q"));
  await session.finish();
  const second = await store.makeFork(first.session_id, { seq: 5 });
  assert.deepEqual(second.parent, { session_id: first.session_id, seq: 5, reason: "fork" });
  const sources = eventsIn(second.path).map((event) =>
    event.form === "known" ? event.source : undefined
  );
  assert.deepEqual(sources, [
    undefined,
    { session_id: id, seq: 2 },
    { session_id: id, seq: 3 },
    { session_id: first.session_id, seq: 4 },
    { session_id: first.session_id, seq: 5 },
    undefined,
  ]);
});

inStore.test("usage before a fork is counted in the parent alone", async ({ store, directory }) => {
  const answer: NewEvent = {
    kind: "assistant_message",
    payload: { content: "a", model: "m", usage: { input: 10, output: 2 } },
  };
  const { id, path } = await keep(store, directory, [user("p"), answer]);
  const fork = await store.makeFork(id);
  assert.deepEqual(foldEvents(usage(), eventsIn(fork.path)), []);
  assert.equal(foldEvents(usage(), eventsIn(path))[0]?.usage.input, 10);
  const session = await store.resume(fork.session_id);
  await session.append(answer);
  await session.finish();
  assert.equal(foldEvents(usage(), eventsIn(fork.path))[0]?.usage.input, 10);
});

inStore.test("a fork goes on in the directory that its parent belongs to, or in another one", async ({ store, directory }) => {
  const { id, path } = await keep(store, directory, [user("p")]);
  const elsewhere = join(directory, "elsewhere");
  const { session_id } = await store.makeFork(id, { cwd: elsewhere });
  assert.deepEqual((await store.list({ cwd: elsewhere })).map((row) => row.session_id), [
    session_id,
  ]);
  const bytes = Deno.readFileSync(path);
  Deno.writeFileSync(path, bytes.subarray(bytes.indexOf(0x0a) + 1));
  await assert.rejects(store.makeFork(id), {
    code: "damaged",
    message:
      `Cannot copy session ${id}: the session's log does not record a directory; give a directory`,
  });
  const rescued = await store.makeFork(id, { cwd: directory });
  assert.deepEqual(await findings(rescued.path), []);
  assert.equal((await store.load(rescued.session_id)).summary.title, "p");
});

inStore.test("a fork that is stopped leaves nothing", async ({ store, directory }) => {
  const { id, path } = await keep(store, directory, [user("p")]);
  const signal = AbortSignal.abort();
  await assert.rejects(store.makeFork(id, { signal }), { name: "AbortError" });
  assert.equal([...Deno.readDirSync(dirname(dirname(path)))].length, 1);
  await store.makeFork(id);
  assert.equal((await store.list()).length, 2);
});

/** A log without damage: numbered events behind a head. */
const soundLog = fc.array(fc.oneof({ weight: 6, arbitrary: eventDraft }, compactionDraft), {
  minLength: 1,
  maxLength: 16,
}).map((events): Event[] =>
  numbered([
    {
      kind: "session_started",
      payload: { session_id: "s1", created_at: "2026-11-21T20:00:00.000Z", cwd: "/home/ada" },
    },
    ...events,
  ])
);

inStore.test("a fork tells how much of its parent it has copied", async ({ store, directory }) => {
  const { id, path } = await keep(store, directory, [user("p"), assistant("a")]);
  const shares: number[][] = [];
  await store.makeFork(id, { onProgress: (...share) => void shares.push(share) });
  const { size } = Deno.statSync(path);
  assert.deepEqual(shares.at(-1), [size, size]);
});

// Slow: a fork is made at each event.
Deno.test("a fork at any event of any log says what the log said up to there", async () => {
  let forks = 0;
  await fc.assert(
    fc.asyncProperty(soundLog, async (events) => {
      await withStore(async (store) => {
        const lines = events.map(encodeEvent);
        const id = crypto.randomUUID();
        const path = plant(store, id, concat(...lines));
        const before = Deno.readFileSync(path);
        for (const { seq } of events) {
          const prefix = concat(...lines.slice(0, seq));
          const fork = await store.makeFork(id, { seq });
          const read = readNow(Deno.readFileSync(fork.path));
          assert.deepEqual(codesOf(read), []);
          assert.deepEqual(
            read.events.slice(1, seq).map(factsWithoutSource),
            events.slice(1, seq).map(factsOf),
          );
          const until = join(store.root, "prefix.jsonl");
          Deno.writeFileSync(until, prefix);
          assert.deepEqual(await loadConversation(fork.path), await loadConversation(until));
          assert.deepEqual(await findings(fork.path), await findings(until));
          forks++;
        }
        assert.deepEqual(Deno.readFileSync(path), before);
      });
    }),
    RUNS,
  );
  assert.ok(forks > RUNS.numRuns * 4, `${forks}`);
});

Deno.test("a fork of a damaged log has all readable events, and their marks", async () => {
  let copied = 0;
  await fc.assert(
    fc.asyncProperty(randomLog, async (bytes) => {
      await withStore(async (store) => {
        const id = crypto.randomUUID();
        const path = plant(store, id, bytes);
        const { events } = readNow(bytes);
        if (events.length === 0) return;
        const fork = await store.makeFork(id, { cwd: "/home/ada" });
        assert.deepEqual(Deno.readFileSync(path), bytes);
        const wanted = events.filter(({ seq, kind }) => seq !== 1 || kind !== "session_started");
        const copies = eventsIn(fork.path).slice(1, 1 + wanted.length);
        assert.deepEqual(copies.map(factsWithoutSource), wanted.map(factsWithoutSource));
        assert.deepEqual(
          copies.map(({ integrity, form }) => [integrity === "mismatch", form]),
          wanted.map(({ integrity, form }) => [integrity === "mismatch", form]),
        );
        const session = await store.resume(fork.session_id);
        await session.append(user("and on"));
        await session.finish();
        copied += copies.length;
      });
    }),
    RUNS,
  );
  assert.ok(copied > RUNS.numRuns * 4, `${copied}`);
});
