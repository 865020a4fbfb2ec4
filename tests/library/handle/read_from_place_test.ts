/** Another process goes on from the places that a read of a whole session left. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { AgentName } from "../../../lib/core/event/agent_name.ts";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { keptPlaces } from "../../../lib/library/catalogue/kept_places.ts";
import { Library } from "../../../lib/library/library.ts";
import type { SessionHandle } from "../../../lib/library/handle/session_handle.ts";
import { openWindow } from "../../../lib/library/handle/window/session_window.ts";
import { searchEntries } from "../../../lib/library/search/search.ts";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { requestFor } from "../search/_reference.ts";
import { listed } from "../../_support/listed.ts";

const TURNS = 700;

/** An agent whose sessions are read on from places, with the lines of its file. */
interface Lines {
  agent: AgentName;
  /** The session's file below the home directory. */
  path: string;
  head: string;
  turn(number: number): string;
  compaction?: string;
}

const ID = "0b6c0a52-5f0e-4f5e-8a7e-2f6f1a3b9c01";

function json(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function answerTo(number: number): string {
  return `Answer ${number}. ${"All is as it was before. ".repeat(180)}`;
}

const KEEN: Lines = {
  agent: "keen",
  path: `.keen/sessions/home-dev-shop-545e4e1f71/${ID}/transcript_events.jsonl`,
  head: json({
    ...{ seq: 1, kind: "session_started" },
    session_started: { session_id: ID, created_at: "2026-08-02T10:00:00Z", cwd: "/home/dev/shop" },
  }),
  turn: (number) =>
    json(
      { seq: 2 * number, kind: "user_message", user_message: { content: `Question ${number}` } },
      {
        ...{ seq: 2 * number + 1, kind: "assistant_turn" },
        assistant_turn: { message: answerTo(number) },
      },
    ),
  compaction: json({
    ...{ seq: 9000, kind: "compaction_applied" },
    compaction_applied: {
      status: "Context compacted.",
      transcript: [{ kind: "text", content: "They asked much." }],
      messages: [{ Role: "user", Content: "They asked much.", TurnMemory: null }],
    },
  }),
};

const PI_TIME = "2026-02-03T10:00:00.000Z";

function piMessage(id: string, parentId: string | null, message: object): object {
  return { type: "message", id, parentId, timestamp: PI_TIME, message };
}

const PI: Lines = {
  agent: "pi",
  path: `.pi/agent/sessions/--home-dev--/2026-02-03T10-00-00-000Z_${ID}.jsonl`,
  head: json({ type: "session", version: 3, id: ID, timestamp: PI_TIME, cwd: "/home/dev" }),
  turn(number): string {
    const text = (text: string) => [{ type: "text", text }];
    return json(
      piMessage(`q${number}`, number === 0 ? null : `a${number - 1}`, {
        ...{ role: "user", content: text(`Question ${number}`) },
      }),
      piMessage(`a${number}`, `q${number}`, {
        ...{ role: "assistant", model: "m", stopReason: "stop", content: text(answerTo(number)) },
      }),
    );
  },
};

function libraryOf(home: CliHome, kept: boolean, { agent }: Lines): Library {
  const { store: root, path, work, cache } = home;
  const environment = { home: path, variable: () => undefined, os: Deno.build.os, root };
  const options = { version: "1", now: () => Date.now() + 60_000 };
  const place = { root, cache, environment, agents: [agent] };
  return new Library(place, work, kept ? options : undefined);
}

async function open(home: CliHome, kept: boolean, lines: Lines): Promise<SessionHandle> {
  return await libraryOf(home, kept, lines).open(`${lines.agent}:${ID}`);
}

function turns(lines: Lines, from: number, to: number): string {
  return Array.from({ length: to - from }, (_, at) => lines.turn(from + at)).join("");
}

/** Writes a session, and lists it. */
async function writeSession(home: CliHome, lines: Lines): Promise<string> {
  const path = join(home.path, lines.path);
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, lines.head + turns(lines, 0, TURNS));
  await listed(libraryOf(home, true, lines));
  return path;
}

/** Writes a session, and reads all of it as a list's session. */
async function readWhole(home: CliHome, lines: Lines): Promise<string> {
  const path = await writeSession(home, lines);
  const handle = await open(home, true, lines);
  if (lines === KEEN) { for await (const _ of handle.events()) { /* leaves places */ } }
  else await openWindow(handle).readAll();
  assert.ok(placesOf(home, handle) > 2);
  return path;
}

function placesOf({ cache: folder }: CliHome, { session }: SessionHandle): number {
  return keptPlaces({ folder, version: "1" }, session).length;
}

async function around(handle: SessionHandle, seq: number): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for await (const batch of handle.events({ before_seq: seq, last_messages: 3 })) {
    events.push(...batch);
  }
  return events;
}

function numbered({ seq, kind, position }: LogEvent): unknown[] {
  return [seq, kind, position?.offset];
}

/** Compares what is read around each of some numbers with all that there is. */
async function assertSame(home: CliHome, lines: Lines, saves: boolean): Promise<void> {
  const all: LogEvent[] = [];
  for await (const events of (await open(home, false, lines)).events()) all.push(...events);
  let saved = 0;
  for (const seq of [2, 500, 1200, all.length - 1]) {
    const [head, ...rest] = await around(await open(home, true, lines), seq);
    assert.deepEqual(head, all[0]);
    assert.deepEqual(rest, all.slice(-rest.length));
    const before = rest.filter((event) => event.seq < seq && /^user|^assis/.test(event.kind));
    assert.ok(before.length >= Math.min(3, seq - 2), `${before.length} before ${seq}`);
    saved += all.length - 1 - rest.length;
  }
  assert.equal(saved > 1000, saves, `${saved} events were not read`);
  const tail = await (await open(home, true, lines)).readEnd({ messages: 4 });
  if (tail.numbered) {
    assert.deepEqual(tail.events.map(numbered), all.slice(-tail.events.length).map(numbered));
  }
  if (saves) assert.ok(tail.numbered);
}

for (const lines of [KEEN, PI]) {
  // Slow: kept places are a megabyte apart.
  inHome.test(`P10 a session is read from its places as it is from its beginning: ${lines.agent}`, async (home) => {
    const path = await readWhole(home, lines);
    await assertSame(home, lines, true);
    // It grows, and is read by another process.
    Deno.writeTextFileSync(path, turns(lines, TURNS, TURNS + 60), { append: true });
    await assertSame(home, lines, true);
    if (lines.compaction !== undefined) {
      Deno.writeTextFileSync(path, lines.compaction, { append: true });
      await assertSame(home, lines, true);
    }
  });

  // Slow: kept places are a megabyte apart.
  inHome.test(`P10 a session that changed otherwise loses the places behind the change: ${lines.agent}`, async (home) => {
    const path = await readWhole(home, lines);
    const text = Deno.readTextFileSync(path);
    const changed = text.replace('Question 3"', 'Question 3, and an aside"');
    Deno.writeTextFileSync(path, changed + turns(lines, TURNS, TURNS + 60));
    await assertSame(home, lines, false);
    assert.equal(placesOf(home, await open(home, true, lines)), 0);
    // Cut off, or replaced by another file.
    for (const written of [text.slice(0, 1_000_000), text]) {
      Deno.writeTextFileSync(`${path}.new`, written);
      Deno.renameSync(`${path}.new`, path);
      await assertSame(home, lines, false);
    }
  });
}

/** Compares a window that begins at cuts of an earlier one with one that reads all. */
async function assertSameItems(home: CliHome, lines: Lines, goes_back: boolean): Promise<void> {
  const whole = openWindow(await open(home, false, lines));
  await whole.readAll();
  const { total = 0 } = whole.progress;
  const window = openWindow(await open(home, true, lines), { uses_cuts: true });
  for (const number of [total - 40, total >> 1, (total >> 1) + 5, 3]) {
    const seq = (await whole.items(number, 1))[0]?.seq ?? 0;
    assert.equal(await window.itemOf(seq), number);
    assert.deepEqual(await window.items(number, 20), await whole.items(number, 20));
    if (number > 3) assert.equal(window.progress.items === 0, goes_back, `item ${number}`);
  }
  assert.equal(await window.itemOf(1e9), total - 1);
  assert.deepEqual(await window.items(total - 40, 60), await whole.items(total - 40, 60));
  await Promise.all([window.close(), whole.close()]);
}

for (const lines of [KEEN, PI]) {
  // Slow: kept places are a megabyte apart.
  inHome.test(`P10 a window begins at the cuts of an earlier one: ${lines.agent}`, async (home) => {
    const path = await writeSession(home, lines);
    const first = openWindow(await open(home, true, lines));
    await first.readAll();
    await first.close();
    await assertSameItems(home, lines, true);
    Deno.writeTextFileSync(path, turns(lines, TURNS, TURNS + 60), { append: true });
    await assertSameItems(home, lines, true);
    const changed = Deno.readTextFileSync(path).replace('Question 3"', 'Question 3, and an aside"');
    Deno.writeTextFileSync(path, changed + turns(lines, TURNS + 60, TURNS + 70));
    await assertSameItems(home, lines, false);
  });
}

inHome.test("a search that reads all of a session leaves its places as they are", async (home) => {
  await readWhole(home, KEEN);
  const library = libraryOf(home, true, KEEN);
  const { entries: [entry] } = await library.query();
  assert.ok(entry !== undefined);
  const searched = { session: entry.session, updated: 0 };
  await searchEntries([searched], requestFor("before OR zebra"), { kept: library.kept });
  assert.ok(placesOf(home, await open(home, true, KEEN)) > 2);
});

inHome.test("a read that finds damage, or is left before its end, leaves no places", async (home) => {
  const path = join(home.path, KEEN.path);
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, `${KEEN.head}{"seq":\n${turns(KEEN, 0, TURNS)}`);
  await listed(libraryOf(home, true, KEEN));
  const handle = await open(home, true, KEEN);
  for await (const _ of handle.events()) { /* damaged */ }
  assert.equal(placesOf(home, handle), 0);
  Deno.writeTextFileSync(path, KEEN.head + turns(KEEN, 0, TURNS));
  await listed(libraryOf(home, true, KEEN));
  for await (const _ of (await open(home, true, KEEN)).events()) break;
  assert.equal(placesOf(home, handle), 0);
});
