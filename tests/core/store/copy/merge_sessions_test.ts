import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { join } from "node:path";
import type { Event, KnownEvent, LogEvent, NewEvent } from "../../../../lib/core/event/envelope.ts";
import type { Part } from "../../../../lib/core/event/message.ts";
import type { UserMessagePayload } from "../../../../lib/core/event/payload.ts";
import { encodeEvent } from "../../../../lib/core/event/encode.ts";
import { foldEvents } from "../../../../lib/core/projection/projection.ts";
import { transcript } from "../../../../lib/core/projection/transcript/transcript.ts";
import { usage } from "../../../_support/usage.ts";
import { inMergedOrder, toMerged } from "../../../../lib/core/store/copy/merged_events.ts";
import { loadConversation } from "../../../../lib/core/store/load_session.ts";
import type { ReadEvent } from "../../../../lib/core/store/session_line.ts";
import type { LocalStore } from "../../../../lib/core/store/local_store.ts";
import { verifyLog } from "../../../../lib/core/store/verify_log.ts";
import { knownEvents } from "../../../_support/known_events.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { codesOf, concat, numbered, readNow } from "../../../_support/log_bytes.ts";
import { compactionDraft, eventDraft, randomLog } from "../../../_support/random_log.ts";
import { snapshot } from "../../../_support/store_snapshot.ts";
import { inStore, withStore } from "../../../_support/temp_directory.ts";

const RUNS = { seed: 20261121, numRuns: roundsOf(80) };

function at(minute: number, event: NewEvent, turn_id?: string): NewEvent {
  const time = new Date(Date.UTC(2026, 10, 21, 20, minute)).toISOString();
  return { ...event, time, ...(turn_id === undefined ? {} : { turn_id }) };
}

function ask(minute: number, content: string, turn_id?: string): NewEvent {
  return at(minute, { kind: "user_message", payload: { content } }, turn_id);
}

function answer(minute: number, content: string, turn_id?: string): NewEvent {
  const payload = { content, message_id: "m1", usage: { input: 5 } };
  return at(minute, { kind: "assistant_message", payload }, turn_id);
}

function call(minute: number, turn_id: string): NewEvent {
  const part: Part = { type: "tool_call", call_id: "c1", name: "read", input: {} };
  const payload = { content: [part], message_id: "m1" };
  return at(minute, { kind: "assistant_message", payload }, turn_id);
}

function result(minute: number, turn_id: string, output: string): NewEvent {
  const payload = { call_id: "c1", name: "read", status: "ok" as const, output };
  return at(minute, { kind: "tool_end", payload }, turn_id);
}

async function keep(
  store: LocalStore,
  cwd: string,
  events: readonly NewEvent[],
): Promise<{ id: string; path: string }> {
  const session = store.create({ cwd });
  for (const event of events) await session.append(event);
  await session.finish();
  return session;
}

function plant(store: LocalStore, log: Uint8Array): string {
  const id = crypto.randomUUID();
  const folder = join(store.root, "sessions", "home-0123456789", `20261121T202153123Z-${id}`);
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  Deno.writeFileSync(join(folder, "transcript_events.jsonl"), log, { mode: 0o600 });
  return id;
}

function eventsIn(path: string): LogEvent[] {
  return readNow(Deno.readFileSync(path)).events;
}

async function findings(path: string): Promise<string[]> {
  const found: string[] = [];
  await verifyLog(path, ({ code }) => found.push(code));
  return found;
}

async function said(path: string): Promise<unknown[]> {
  return (await loadConversation(path, { tools: "omit" })).messages.map(({ content }) => content);
}

inStore.test("sessions are merged in the order in which their turns began", async ({ store, directory }) => {
  const one = await keep(store, directory, [ask(1, "a1"), answer(2, "a2"), ask(5, "a3")]);
  const other = await keep(store, directory, [ask(3, "b1"), answer(4, "b2"), ask(6, "b3")]);
  const before = snapshot(join(store.root, "sessions"));
  const merged = await store.merge([one.id, other.id]);
  assert.deepEqual(await said(merged.path), ["a1", "a2", "b1", "b2", "a3", "b3"]);
  assert.deepEqual(await findings(merged.path), []);
  const after = snapshot(join(store.root, "sessions"));
  assert.deepEqual(
    after.filter((line) => line.includes(one.id) || line.includes(other.id)),
    before.filter((line) => line.includes(one.id) || line.includes(other.id)),
  );
  const [head, ...copies] = eventsIn(merged.path);
  const started = head?.form === "known" && head.kind === "session_started" && head.payload;
  assert.deepEqual(started && [started.title, started.cwd, started.parent], [
    "a1 + b1",
    directory,
    merged.parent,
  ]);
  assert.deepEqual(merged.parent, { session_id: one.id, seq: 11, reason: "merge" });
  assert.deepEqual(merged.merged, [
    { session_id: one.id, events: 5 },
    { session_id: other.id, events: 5 },
  ]);
  const sources = copies.slice(0, -1).map((event) => event.form === "known" && event.source);
  assert.ok(sources.every((source) => source !== false && source?.seq !== undefined));
  const session = await store.resume(merged.session_id);
  assert.equal((await session.append(ask(9, "and on")) as { seq: number }).seq, 13);
  await session.finish();
  assert.deepEqual(await findings(merged.path), []);
});

inStore.test("a merge has each title once: that of a session and its fork is the same", async ({ store, directory }) => {
  const one = await keep(store, directory, [ask(1, "a1"), answer(2, "a2"), ask(5, "a3")]);
  const other = await keep(store, directory, [ask(3, "b1")]);
  const fork = await store.makeFork(one.id, { seq: 3 });
  const merged = await store.merge([one.id, other.id, fork.session_id]);
  const [head] = eventsIn(merged.path);
  const started = head?.form === "known" && head.kind === "session_started" && head.payload;
  assert.equal(started && started.title, "a1 + b1");
});

inStore.test("turns of sessions that ran side by side stay whole, with ids of their own", async ({ store, directory }) => {
  const [a, b] = ["out a", "out b"];
  const one = await keep(store, directory, [
    ask(1, "a", "t1"),
    answer(2, "", "t1"),
    call(3, "t1"),
    result(7, "t1", a),
  ]);
  const other = await keep(store, directory, [
    ask(2, "b", "t1"),
    answer(3, "", "t1"),
    call(4, "t1"),
    result(5, "t1", b),
  ]);
  const { path } = await store.merge([other.id, one.id]);
  const { messages } = await loadConversation(path);
  const outputs = messages.flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : content.flatMap((part) =>
        part.type === "tool_result" ? [[part.call_id === "c1", part.output]] : []
      )
  );
  assert.deepEqual(outputs, [[false, a], [true, b]]);
  assert.deepEqual(messages.map(({ role }) => role), [
    ...["user", "assistant", "tool"],
    ...["user", "assistant", "tool"],
  ]);
  assert.deepEqual(await findings(path), []);
  const items = foldEvents(transcript(), eventsIn(path));
  assert.deepEqual(items.flatMap((item) => item.type === "tool" ? [item.output] : []), [a, b]);
  assert.equal(new Set(items.flatMap(({ turn_id }) => turn_id ?? [])).size, 2);
});

Deno.test("ids of calls inside a message stay those of the session", () => {
  const outcome = { name: "read", status: "ok", output: "done" } as const;
  const saidOf = (call_id: string): UserMessagePayload => {
    const part: Part = { type: "tool_result", call_id, ...outcome };
    return { content: [{ type: "text", text: "Look" }, part] };
  };
  const [event] = knownEvents([{ kind: "user_message", payload: saidOf("c1") }]);
  assert.ok(event);
  assert.deepEqual(toMerged(event, "b-").payload, saidOf("b-c1"));
  assert.deepEqual(toMerged(event, "").payload, saidOf("c1"));
});

inStore.test("a log keeps its own order if its clock went back", async ({ store, directory }) => {
  const one = await keep(store, directory, [ask(5, "a5"), ask(1, "a1"), ask(7, "a7")]);
  const other = await keep(store, directory, [ask(2, "b2"), ask(6, "b6")]);
  assert.deepEqual(await said((await store.merge([one.id, other.id])).path), [
    ...["b2", "a5", "a1", "b6", "a7"],
  ]);
});

inStore.test("turns that began at once follow the order of the sessions", async ({ store, directory }) => {
  const one = await keep(store, directory, [ask(1, "a"), ask(2, "c")]);
  const other = await keep(store, directory, [ask(1, "b"), ask(2, "d")]);
  assert.deepEqual(await said((await store.merge([one.id, other.id])).path), [..."abcd"]);
  assert.deepEqual(await said((await store.merge([other.id, one.id])).path), [..."badc"]);
});

inStore.test("a compaction is shown and replaces nothing; titles and ends are no longer in force", async ({ store, directory }) => {
  const compaction: NewEvent = {
    kind: "compaction_applied",
    payload: { status: "Compacted.", summary: "so far", first_kept_seq: 2, tokens_before: 9 },
  };
  const renamed: NewEvent = { kind: "session_renamed", payload: { title: "Named" } };
  const archived: NewEvent = { kind: "session_archived", payload: { archived: true } };
  const one = await keep(store, directory, [ask(1, "a"), compaction, renamed, ask(3, "c")]);
  const other = await keep(store, directory, [ask(2, "b"), archived]);
  const { path, session_id } = await store.merge([one.id, other.id], { title: "Both" });
  assert.deepEqual(await said(path), ["a", "b", "c"]);
  assert.equal((await loadConversation(path)).findings.length, 0);
  assert.deepEqual(await findings(path), []);
  const { transcript: items, summary } = await store.load(session_id);
  assert.deepEqual(
    items.flatMap((item) => item.type === "compaction" ? [[item.status, item.summary]] : []),
    [["Compacted.", undefined]],
  );
  assert.deepEqual([summary.title, summary.archived, summary.status], [
    "Both",
    false,
    "interrupted",
  ]);
  const kept = eventsIn(path).flatMap((event) =>
    event.form === "known" && event.kind === "extension" ? [event.payload.type] : []
  );
  assert.deepEqual(kept.toSorted(), [
    "session_archived",
    "session_closed",
    "session_closed",
    "session_renamed",
    "session_started",
    "session_started",
  ]);
});

Deno.test("a compaction without a word keeps a line where its summary was seen", () => {
  function statusOf(payload: object): unknown {
    const event = { form: "known", integrity: "verified", seq: 3, kind: "compaction_applied" };
    const merged = toMerged({ ...event, payload } as unknown as ReadEvent, "");
    return merged.payload;
  }
  assert.deepEqual(statusOf({ status: "", summary: "so far" }), {
    status: "Conversation compacted.",
    status_only: true,
  });
  assert.deepEqual(statusOf({ status: "", messages: [] }), { status: "", status_only: true });
});

Deno.test("a conversation that one of them replaced has no power over the others", () => {
  const payload = { messages: [], reason: "edited" };
  const event = { form: "known", integrity: "verified", seq: 3, kind: "conversation_replaced" };
  const merged = toMerged({ ...event, payload } as unknown as ReadEvent, "");
  assert.deepEqual(merged.kind, "extension");
  assert.deepEqual(merged.payload, {
    agent: "reprise",
    type: "conversation_replaced",
    data: payload,
  });
});

inStore.test("a merge does not count usage again", async ({ store, directory }) => {
  const one = await keep(store, directory, [ask(1, "a"), answer(2, "x")]);
  const other = await keep(store, directory, [ask(3, "b"), answer(4, "y")]);
  const { path, session_id } = await store.merge([one.id, other.id]);
  assert.deepEqual(foldEvents(usage(), eventsIn(path)), []);
  const session = await store.resume(session_id);
  await session.append(answer(5, "z"));
  await session.finish();
  assert.equal(foldEvents(usage(), eventsIn(path))[0]?.usage.input, 5);
});

inStore.test("fewer than two sessions, or one of them twice, are refused", async ({ store, directory }) => {
  const { id } = await keep(store, directory, [ask(1, "a")]);
  await assert.rejects(store.merge([id]), {
    code: "invalid-ref",
    message: "Cannot merge sessions: give at least two sessions",
  });
  await assert.rejects(store.merge([id, id.slice(0, 8)]), {
    code: "invalid-ref",
    message: `Cannot merge sessions: session ${id} is given twice`,
  });
  await assert.rejects(store.merge([id, "0000"]), { code: "not-found" });
  assert.equal((await store.list()).length, 1);
});

inStore.test("a merged session goes on where the first did, or where it is told", async ({ store, directory }) => {
  const one = await keep(store, join(directory, "x"), [ask(1, "a")]);
  const other = await keep(store, join(directory, "y"), [ask(2, "b")]);
  await store.merge([one.id, other.id]);
  assert.equal((await store.list({ cwd: join(directory, "x") })).length, 2);
  await store.merge([one.id, other.id], { cwd: join(directory, "z") });
  assert.equal((await store.list({ cwd: join(directory, "z") })).length, 1);
});

inStore.test("a merge tells how much of all its sessions it has copied", async ({ store, directory }) => {
  const one = await keep(store, directory, [ask(1, "a1")]);
  const other = await keep(store, directory, [ask(3, "b1"), answer(4, "b2")]);
  const shares: number[][] = [];
  await store.merge([one.id, other.id], { onProgress: (...share) => void shares.push(share) });
  const size = Deno.statSync(one.path).size + Deno.statSync(other.path).size;
  assert.deepEqual(shares.at(-1), [size, size]);
});

inStore.test("a merge of merges keeps every id apart", async ({ store, directory }) => {
  const one = await keep(store, directory, [ask(1, "a", "t1"), answer(2, "x", "t1")]);
  const other = await keep(store, directory, [ask(3, "b", "t1"), answer(4, "y", "t1")]);
  const first = await store.merge([one.id, other.id]);
  const { path } = await store.merge([first.session_id, other.id, one.id]);
  assert.deepEqual(await said(path), ["a", "x", "a", "x", "b", "y", "b", "y"]);
  const turns = foldEvents(transcript(), eventsIn(path)).flatMap(({ turn_id }) => turn_id ?? []);
  assert.equal(new Set(turns).size, 4);
});

const soundLog = fc.array(
  fc.tuple(fc.oneof({ weight: 6, arbitrary: eventDraft }, compactionDraft), fc.nat({ max: 59 })),
  { minLength: 1, maxLength: 24, size: "max" },
).map((steps): Event[] =>
  numbered([
    {
      kind: "session_started",
      payload: { session_id: "s1", created_at: "2026-11-21T20:00:00.000Z", cwd: "/home/ada" },
    },
    ...steps.map(([event, minute]) => at(minute, event, event.turn_id)),
  ])
);

/** Findings that tell of the sessions' own faults: calls that pair with nothing. */
const PAIRING = ["orphan-settlement", "unsettled-call"];

function settled(events: readonly LogEvent[]): number {
  return foldEvents(transcript(), events)
    .filter((item) => (item.type === "tool" || item.type === "bash") && "end_seq" in item).length;
}

// Slow: each round writes several stores.
Deno.test("a merge keeps the order of each session, its calls and their outcomes", async () => {
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(soundLog, { minLength: 2, maxLength: 4 }), async (logs) => {
      await withStore(async (store) => {
        const ids = logs.map((events) => plant(store, concat(...events.map(encodeEvent))));
        const { path } = await store.merge(ids);
        const read = readNow(Deno.readFileSync(path));
        assert.deepEqual(codesOf(read), []);
        const copies = read.events.slice(1, -1) as KnownEvent[];
        for (const [index, id] of ids.entries()) {
          const own = copies.filter(({ source }) => source?.session_id === id);
          assert.deepEqual(
            own.map(({ source, time }) => [source?.seq, time]),
            logs[index]?.map(({ seq, time }) => [seq, time]),
          );
        }
        const expected = logs.flatMap((events) =>
          readNow(concat(...events.map(encodeEvent))).events
        );
        assert.equal(copies.length, expected.length);
        const alone = logs.map((events) => readNow(concat(...events.map(encodeEvent))).events);
        const pairs = alone.reduce((sum, events) => sum + settled(events), 0);
        assert.ok(settled(read.events) >= pairs, `${settled(read.events)} of ${pairs}`);
        calls += pairs;
        const wrong = (await findings(path)).toSorted();
        assert.deepEqual(wrong.filter((code) => !PAIRING.includes(code)), []);
        const before: string[] = [];
        for (const id of ids) before.push(...await findings(store.find(id).path));
        assert.deepEqual(wrong, before.filter((code) => PAIRING.includes(code)).toSorted());
      });
    }),
    RUNS,
  );
  assert.ok(calls > RUNS.numRuns / (RUNS.numRuns === 80 ? 4 : 5), `${calls}`);
});

Deno.test("damaged logs are merged as far as they can be read", async () => {
  let copied = 0;
  await fc.assert(
    fc.asyncProperty(randomLog, randomLog, async (one, other) => {
      const [a, b] = [readNow(one).events, readNow(other).events];
      if (a.length === 0 || b.length === 0) return;
      await withStore(async (store) => {
        const codes: string[] = [];
        const { path, merged } = await store.merge([plant(store, one), plant(store, other)], {
          cwd: "/home/ada",
          report: ({ code }) => void codes.push(code),
        });
        assert.deepEqual(merged.map(({ events }) => events), [a.length, b.length]);
        const read = readNow(Deno.readFileSync(path));
        const expected = [...a, ...b].filter(({ integrity }) => integrity === "mismatch").length;
        // Its head, and a checkpoint unless that would vouch for what was altered.
        const own = read.events.length - a.length - b.length;
        assert.ok(own === 2 || (own === 1 && expected > 0), `${own}`);
        // The head has a title that may be made of what was altered.
        const [head, ...copies] = read.events;
        assert.ok(head?.integrity === "verified" || expected > 0);
        const marked = copies.filter(({ integrity }) => integrity === "mismatch").length;
        assert.equal(marked, expected);
        assert.ok(codesOf(read).every((code) => !code.startsWith("seq-")));
        copied += read.events.length;
      });
    }),
    RUNS,
  );
  assert.ok(copied > RUNS.numRuns * 4, `${copied}`);
});

Deno.test("the order of logs in batches of any size is that of whole logs", async () => {
  async function order(logs: readonly Event[][], size: number): Promise<string[]> {
    async function* batches(events: readonly Event[]): AsyncGenerator<ReadEvent[]> {
      for (let from = 0; from < events.length; from += size) {
        yield await Promise.resolve(
          events.slice(from, from + size).map((event): ReadEvent => ({
            ...event,
            form: "known",
            integrity: "verified",
          })),
        );
      }
    }
    const found: string[] = [];
    for await (const placed of inMergedOrder(logs.map(batches))) {
      found.push(...placed.map(({ event, index }) => `${index}:${event.seq}`));
    }
    return found;
  }
  await fc.assert(
    fc.asyncProperty(fc.array(soundLog, { minLength: 1, maxLength: 3 }), async (logs) => {
      const whole = await order(logs, Infinity);
      assert.equal(whole.length, logs.flat().length);
      for (const size of [1, 2, 3]) assert.deepEqual(await order(logs, size), whole);
    }),
    RUNS,
  );
});
