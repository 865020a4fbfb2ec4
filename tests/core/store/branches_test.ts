/** Branches within a log: random trees against a tree of parents, and what authors meet. */
import assert from "node:assert/strict";
import { decodeEvent } from "../../../lib/core/event/decode.ts";
import type { LogEvent, NewEvent } from "../../../lib/core/event/envelope.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { openWindow } from "../../../lib/library/handle/window/session_window.ts";
import type { SessionHandle } from "../../../lib/library/handle/session_handle.ts";
import { readEvents } from "../../../lib/core/log/read_events.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldBatches, foldEvents } from "../../../lib/core/projection/projection.ts";
import { transcript } from "../../../lib/core/projection/transcript/transcript.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import type { Session } from "../../../lib/core/store/session.ts";
import { makeIdentity, recipientOf, sealTo } from "../../../lib/text/seal/mod.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

/** The log as a tree: each event with the one that it goes on from. */
class Tree {
  readonly events: { event: LogEvent; parent: number | undefined }[] = [];

  /** Takes an event that was appended. */
  add(event: NewEvent & { seq: number }): void {
    const { seq } = event;
    // A session leaves checkpoints by itself.
    while (this.last + 1 < seq) {
      const checkpoint = { seq: this.last + 1, kind: "session_checkpoint", payload: {} };
      this.events.push({ event: decodeEvent(checkpoint)!, parent: this.last });
    }
    const parent = event.kind === "conversation_branched" ? event.payload.from_seq : seq - 1;
    const decoded = decodeEvent(structuredClone(event), "verified");
    assert.ok(decoded);
    this.events.push({ event: decoded, parent: parent === 0 ? undefined : parent });
  }

  /** The events from the root to one of them. */
  to(seq: number): LogEvent[] {
    const way: LogEvent[] = [];
    let at: number | undefined = seq;
    while (at !== undefined) {
      const node: { event: LogEvent; parent: number | undefined } | undefined = this.events[at - 1];
      assert.ok(node);
      way.unshift(node.event);
      at = node.parent;
    }
    return way;
  }

  get last(): number {
    return this.events.length;
  }
}

/** What is said of events without their branches: those that lead to the same conversation. */
function straight(events: readonly LogEvent[]): LogEvent[] {
  return events.filter(({ kind }) => kind !== "conversation_branched");
}

const SENT = { tools: "include", reasoning: "include" } as const;

function saidBy(events: readonly LogEvent[]): unknown {
  return foldEvents(conversation(SENT), straight(events)).messages;
}

function seqsOf(events: readonly LogEvent[]): number[] {
  return events.map(({ seq }) => seq);
}

/** Calls of a way that have no end. */
function openCalls(events: readonly LogEvent[]): string[] {
  const open = new Set<string>();
  for (const event of events) {
    if (event.form !== "known") continue;
    // What it replaced takes no result any more.
    if (event.kind === "compaction_applied") open.clear();
    if (event.kind === "tool_end") open.delete(event.payload.call_id);
    if (event.kind !== "assistant_message" || typeof event.payload.content === "string") continue;
    for (const part of event.payload.content) if (part.type === "tool_call") open.add(part.call_id);
  }
  return [...open];
}

interface Growing {
  session: Session;
  tree: Tree;
  random: () => number;
}

async function append({ session, tree }: Growing, event: NewEvent): Promise<void> {
  const is_first = tree.last === 0;
  const appended = await session.append(event);
  assert.ok(appended.state !== "held");
  if (is_first) {
    const payload = { session_id: session.id, created_at: "", cwd: "/a" };
    tree.add({ seq: 1, kind: "session_started", payload });
  }
  tree.add({ ...event, seq: appended.seq });
}

function pick(random: () => number, most: number): number {
  return 1 + Math.floor(random() * most);
}

async function grow(growing: Growing): Promise<void> {
  const { tree, random } = growing;
  const turn_id = `t${tree.last >> 3}`;
  const way = tree.last === 0 ? [] : tree.to(tree.last);
  const [open] = openCalls(way);
  const roll = random();
  if (tree.last > 1 && roll < 0.16) {
    const payload = { from_seq: pick(random, tree.last) };
    return await append(growing, { kind: "conversation_branched", payload });
  }
  if (open !== undefined && roll < 0.6) {
    const payload = { call_id: open, name: "read", status: "ok", output: `of ${open}` } as const;
    return await append(growing, { kind: "tool_end", turn_id, payload });
  }
  if (way.length > 3 && roll > 0.93) {
    // A compaction that keeps another compaction is refused.
    const named = straight(way).filter(({ kind }) => kind !== "compaction_applied");
    const kept = named[pick(random, named.length - 1)]?.seq ?? 1;
    const payload = roll > 0.97
      ? { status: "", summary: `before ${tree.last}` }
      : { status: "", summary: `before ${tree.last}`, first_kept_seq: kept };
    return await append(growing, { kind: "compaction_applied", payload });
  }
  if (roll > 0.9 && tree.last > 0) {
    const payload = { target_seq: pick(random, tree.last), label: `label ${tree.last}` };
    return await append(growing, { kind: "event_labeled", payload });
  }
  if (roll < 0.75) {
    const content = `prompt ${tree.last} ${"x".repeat(random() < 0.05 ? 70_000 : 3)}`;
    return await append(growing, { kind: "user_message", turn_id, payload: { content } });
  }
  const call = {
    type: "tool_call",
    call_id: `c${tree.last % 5}`,
    name: "read",
    input: {},
  } as const;
  const content = random() < 0.5 || open !== undefined ? `answer ${tree.last}` : [call];
  const payload = { content, usage: { input: 1 } };
  await append(growing, { kind: "assistant_message", turn_id, payload });
}

async function collect<Item>(batches: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  return (await Array.fromAsync(batches)).flat();
}

async function checkReads(growing: Growing, handle: SessionHandle): Promise<void> {
  const { session, tree, random } = growing;
  const way = tree.to(tree.last);
  const said = saidBy(way);
  assert.deepEqual((await handle.conversation(SENT)).messages, said, "from the end");
  assert.deepEqual(await collect(handle.messages(SENT)), said, "as they come");
  const raw = conversation(SENT);
  const { messages } = await foldBatches(raw, readEvents(session.path));
  assert.deepEqual(messages, said, "folded from all events");
  assert.deepEqual(seqsOf(await collect(handle.events())), seqsOf(way), "the events of a read");
  const items = await foldBatches(transcript(), handle.events());
  const shown = items.map(({ seq, type, end_seq }) => ({ seq, type, end_seq }));
  const seen = foldEvents(transcript(), way);
  assert.deepEqual(shown, seen.map(({ seq, type, end_seq }) => ({ seq, type, end_seq })));
  const last_messages = pick(random, 6);
  const tail = await foldBatches(transcript(), handle.events({ last_messages }));
  assert.deepEqual(tail, items.slice(items.length - tail.length), "a tail");
  assert.ok(
    tail.filter(({ type }) => type === "message").length >=
      Math.min(last_messages, items.filter(({ type }) => type === "message").length),
  );
  const ends = seqsOf(await handle.tail(last_messages));
  assert.deepEqual(ends, seqsOf(way).slice(-ends.length), "the end alone");
  const window = await openWindow(handle);
  const back = await window.items(-3, 3);
  await window.readAll();
  assert.deepEqual(await window.items(0, Infinity), items, "a window");
  assert.deepEqual(back, items.slice(-3), "the end of a window");
  await window.close();
}

async function checkThreads({ tree, session }: Growing, handle: SessionHandle): Promise<void> {
  const threads = await handle.threads();
  const given: number[] = [];
  for await (const { events } of handle.allEvents()) given.push(...seqsOf(events));
  // A branch that was left before anything followed it is in no thread.
  const wanted = tree.events.filter(({ event: { kind } }) => kind !== "conversation_branched");
  const others = (seq: number): boolean =>
    tree.events[seq - 1]?.event.kind !== "conversation_branched";
  assert.deepEqual(
    given.filter(others).sort((a, b) => a - b),
    wanted.map(({ event }) => event.seq),
  );
  for (const { id, parent } of threads.slice(1)) {
    const events = await collect(handle.events({ thread: id }));
    const end = events.at(-1)?.seq ?? 0;
    assert.deepEqual(seqsOf(events), seqsOf(tree.to(end)), `thread ${id}`);
    assert.deepEqual((await handle.conversation({ thread: id, ...SENT })).messages, saidBy(events));
    const junction = tree.events[Number(id) - 1];
    assert.equal(parent?.seq, junction?.parent, `where ${id} left`);
  }
  const spent = await handle.usage();
  const answers = tree.events.filter(({ event }) => event.kind === "assistant_message").length;
  assert.equal(spent.reduce((sum, { usage }) => sum + (usage.input ?? 0), 0), answers);
  const codes = new Set<string>();
  await handle.verify(({ code }) => codes.add(code));
  codes.delete("unsettled-call");
  assert.deepEqual([...codes], [], session.path);
}

Deno.test("random trees read the same whole, from the end, in windows and by thread", async () => {
  for (let seed = 1; seed <= roundsOf(48, 2); seed++) {
    await withDirectory(async (root) => {
      const random = mulberry32(seed);
      const store = openStore({ root });
      const growing: Growing = { session: store.create({ cwd: root }), tree: new Tree(), random };
      const library = openLibrary({ root, variable: () => undefined });
      try {
        const steps = 10 + pick(random, ALL_TORTURE ? 120 : 60);
        for (let step = 0; step < steps; step++) {
          await grow(growing);
          if (random() > 0.08) continue;
          const { messages } = await growing.session.conversation();
          const plain = messages.map(({ seq: _, end_seq: __, summary: ___, ...message }) =>
            message
          );
          assert.deepEqual(plain, saidBy(growing.tree.to(growing.tree.last)), "as appended");
          if (random() > 0.5) continue;
          await growing.session.release();
          growing.session = await store.resume(growing.session.id);
        }
        const handle = await library.open(growing.session.id);
        await checkReads(growing, handle);
        await checkThreads(growing, handle);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      } finally {
        await growing.session.release();
      }
    });
  }
});

inDirectory.test("whoever follows a session gets the branch in force, and is told of a new one", async (root) => {
  const session = openStore({ root }).create({ cwd: root });
  await session.turn().user("Mend the parser");
  await session.turn().user("Rewrite it");
  await session.branch(2);
  const handle = await openLibrary({ root, variable: () => undefined }).open(session.id);
  const stop = new AbortController();
  const caught_up = Promise.withResolvers<void>();
  const told: string[] = [];
  const given: number[] = [];
  const watching = (async () => {
    const onBranch = (): void => void told.push("branch");
    const options = { signal: stop.signal, onCaughtUp: caught_up.resolve, onBranch };
    for await (const events of handle.watch(options)) {
      given.push(...seqsOf(events));
      if (given.includes(6)) stop.abort();
    }
  })();
  await caught_up.promise;
  assert.deepEqual([given, told], [[1, 2, 4], []]);
  await session.branch(3);
  await session.turn().user("Test it");
  await watching;
  assert.deepEqual([given, told], [[1, 2, 4, 5, 6], ["branch"]]);
  await session.release();
});

inDirectory.test("an encrypted log is read as the branch in force, and counts the tokens of all", async (root) => {
  const session = openStore({ root }).create({ cwd: root });
  const turn = session.turn();
  await turn.user("Mend the parser");
  await turn.assistant({ text: "Rewritten", usage: { input: 5 } });
  await session.branch(2);
  await turn.assistant({ text: "Patched", usage: { input: 7 } });
  await session.finish();
  const identity = await makeIdentity();
  const plain = new Blob([await Deno.readFile(session.path)]).stream();
  const sealed = plain.pipeThrough(await sealTo({ recipients: [await recipientOf(identity)] }));
  const path = `${root}/talk.age`;
  await Deno.writeFile(path, new Uint8Array(await new Response(sealed).arrayBuffer()));
  const library = openLibrary({ root, variable: () => undefined });
  const handle = await library.open(path, { keys: { identities: [identity] } });
  for (
    const messages of [
      (await handle.conversation()).messages,
      await collect(handle.messages()),
    ]
  ) {
    assert.deepEqual(messages.map(({ content }) => content), ["Mend the parser", "Patched"]);
  }
  assert.deepEqual((await handle.usage()).map(({ usage }) => usage.input), [12]);
});

inDirectory.test("labels stand with the thread of their event; the latest wins, an empty one clears", async (root) => {
  const session = openStore({ root }).create({ cwd: root });
  await session.turn().user("Mend the parser");
  await session.turn().user("Rewrite it");
  await session.label(2, "start");
  await session.label(3, "old name");
  await session.label(3, "rewritten");
  await session.branch(2);
  await session.turn().user("Mend it in place");
  await session.label(8, "gone");
  await session.label(8);
  await session.finish();
  const handle = await openLibrary({ root, variable: () => undefined }).open(session.id);
  const [main, left] = await handle.threads();
  assert.deepEqual(main?.labels, { 2: "start" });
  assert.deepEqual(left?.labels, { 3: "rewritten" });
  assert.deepEqual(left?.parent, { thread: "main", seq: 2 });
  assert.equal(left?.title, "Rewrite it");
});

Deno.test("a reader that knows no branches keeps every event, and its conversation has both", () => {
  const event = decodeEvent({ seq: 3, kind: "conversation_left", payload: { from_seq: 1 } });
  assert.equal(event?.form, "unknown");
  const users = [1, 2, 4].map((seq) =>
    decodeEvent({ seq, kind: "user_message", payload: { content: `${seq}` } })!
  );
  const { messages } = foldEvents(conversation(), [...users.slice(0, 2), event, ...users.slice(2)]);
  assert.deepEqual(messages.map(({ content }) => content), ["1", "2", "4"]);
});
