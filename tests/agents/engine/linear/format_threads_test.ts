/** The engine on a small format with threads: a line belongs to the thread that it names. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { formatReader } from "../../../../lib/agents/engine/format_reader.ts";
import { readFormatTail } from "../../../../lib/agents/engine/linear/read_tail.ts";
import { readRecords } from "../../../../lib/agents/engine/records/jsonl_records.ts";
import { asName, asText } from "../../../../lib/agents/engine/json.ts";
import {
  type FormatThread,
  restoredState,
  savedState,
  type SessionFormat,
} from "../../../../lib/agents/engine/session_format.ts";
import { documentSource } from "../../../../lib/agents/engine/sources/document_source.ts";
import { lineSource } from "../../../../lib/agents/engine/sources/line_source.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { accountSum } from "../../../_support/account_sum.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import { inDirectory, withDirectory } from "../../../_support/temp_directory.ts";
import { testsIn } from "../../../_support/tests_in.ts";

const inToy = testsIn(withToy);

interface ToyState {
  /** What was said so far, by who said it. */
  said: Map<string, number>;
}

const TOY: SessionFormat<ToyState> = {
  source: ({ path }) => path.endsWith(".json") ? documentSource(path) : lineSource(path),
  threads: threadsIn,
  begin({ session, writer }): ToyState {
    writer.emit("session_started", { session_id: session.id, created_at: "", cwd: "/" });
    return { said: new Map() };
  },
  emit({ value, ...record }, { said }, { writer, thread }): void {
    if ((value.thread ?? "main") !== thread) return;
    const role = asText(value.role) ?? "";
    said.set(role, (said.get(role) ?? 0) + 1);
    const content = `${said.get(role)} ${value.text}`;
    const kind = role === "user" ? "user_message" : "assistant_message";
    writer.emit(kind, { content }, { id: asName(value.id), record: { ...record } });
  },
  standsAlone: ({ value }, thread) => value.role === "user" && (value.thread ?? "main") === thread,
  needsBefore: ({ value }) => value.role === "sum",
  startState: () => ({ said: new Map() }),
};

async function threadsIn(session: AgentSession): Promise<FormatThread[]> {
  const threads = new Map<string, FormatThread & { record_ids: string[] }>();
  for await (const records of readRecords(session.path)) {
    for (const record of records) {
      const id = asName(record.value.thread) ?? "main";
      const kind = id === "main" ? "main" : "subagent";
      const thread = threads.get(id) ??
        { id, kind, records: 0, record_ids: [], own: () => [[{ ...record }]] };
      const record_ids = [...thread.record_ids, asName(record.value.id) ?? ""];
      threads.set(id, { ...thread, records: thread.records + 1, record_ids });
    }
  }
  const path = session.path.replace("toy", "other");
  const other: AgentSession = { ...session, id: "apart", path };
  return [...threads.values(), { id: "apart", kind: "subagent", records: 1, session: other }];
}

const LINES = [
  { id: "r1", role: "user", text: "one" },
  { id: "r2", role: "user", text: "look", thread: "agent-1" },
  { id: "r3", role: "assistant", text: "seen", thread: "agent-1" },
  { id: "r4", role: "assistant", text: "two" },
  { id: "r5", role: "user", text: "look", thread: "agent-2" },
];

function jsonl(lines: readonly object[]): string {
  return lines.map((line) => JSON.stringify(line)).join("\n") + "\n";
}

async function withToy(
  run: (session: AgentSession, folder: string) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    const path = join(folder, "toy.jsonl");
    Deno.writeTextFileSync(path, jsonl(LINES));
    Deno.writeTextFileSync(join(folder, "other.jsonl"), jsonl([{ role: "user", text: "apart" }]));
    await run({ agent: "fen", id: "toy", path }, folder);
  });
}

const reader = formatReader(TOY);

async function contents(session: AgentSession, thread?: string): Promise<unknown[]> {
  const events: LogEvent[] = [];
  for await (const batch of reader(session).read({ thread })) events.push(...batch);
  return contentsOf(events);
}

function contentsOf(events: readonly LogEvent[]): unknown[] {
  return events.flatMap((event) =>
    event.form === "known" && "content" in event.payload ? [event.payload.content] : []
  );
}

inToy.test("a thread is named by its id, the start of it, or a record on it", async (session) => {
  assert.deepEqual(await contents(session), ["1 one", "1 two"]);
  for (const name of ["agent-1", "r3"]) {
    assert.deepEqual(await contents(session, name), ["1 look", "1 seen"]);
  }
  assert.deepEqual(await contents(session, "r4"), ["1 one", "1 two"]);
  for (const [name, code] of [["agent-", "ambiguous"], ["nowhere", "not-found"]]) {
    await assert.rejects(
      () => contents(session, name),
      (error) => error instanceof SessionError && error.code === code,
    );
  }
});

inToy.test("a thread in another file is the main thread of its own session", async (session) => {
  const events: LogEvent[] = [];
  for await (const batch of reader(session).read({ thread: "ap" })) events.push(...batch);
  assert.deepEqual(contentsOf(events), ["1 apart"]);
  assert.ok(
    events.every((event) => event.form === "known" && event.source?.session_id === "apart"),
  );
  const tail = await reader(session).readTail({ thread: "apart", messages: 1 });
  assert.deepEqual(contentsOf(tail), ["1 apart"]);
});

inToy.test("threads are described from the records that only they have", async (session) => {
  const threads = await reader(session).threads();
  assert.deepEqual(threads?.map(({ id, title, records }) => [id, title, records]), [
    ["main", undefined, 2],
    ["agent-1", "1 look", 2],
    ["agent-2", "1 look", 1],
    ["apart", "1 apart", 1],
  ]);
  assert.ok(threads?.every((thread) => !("record_ids" in thread) && !("own" in thread)));
});

inToy.test("all threads are read with one list of them", async (session) => {
  const read: Record<string, unknown[]> = {};
  for await (const { thread, events } of reader(session).readThreads()) {
    read[thread] = [...read[thread] ?? [], ...contentsOf(events)];
  }
  assert.deepEqual(read, {
    main: ["1 one", "1 two"],
    "agent-1": ["1 look", "1 seen"],
    "agent-2": ["1 look"],
    apart: ["1 apart"],
  });
});

Deno.test("a thread is read from its places, which keep maps and sets as JSON", async () => {
  assert.deepEqual(
    restoredState(savedState({ a: new Map([["x", new Set([1])]]), b: [null, "y"] })),
    { a: new Map([["x", new Set([1])]]), b: [null, "y"] },
  );
  await withDirectory(async (folder) => {
    const path = join(folder, "toy.jsonl");
    const long = Array.from({ length: 400 }, (_, index) => ({
      ...LINES[index % LINES.length],
      text: `${index} ${"x".repeat(2000)}`,
    }));
    Deno.writeTextFileSync(path, jsonl(long));
    const session = { agent: "fen", id: "toy", path } as const;
    const reading = await reader(session).openReading({ thread: "agent-1" });
    const all: LogEvent[] = [];
    let place: { seq: number } | undefined;
    for await (const batch of reading?.from() ?? []) {
      all.push(...batch.events);
      place ??= batch.place;
    }
    assert.ok(place !== undefined && place.seq > 10);
    const behind: LogEvent[] = [];
    for await (const { events } of reading?.from(place) ?? []) behind.push(...events);
    assert.deepEqual(behind, all.slice(place.seq));
  });
});

inDirectory.test("a document is read whole: it has neither places nor an end of its own", async (folder) => {
  const path = join(folder, "toy.json");
  Deno.writeTextFileSync(path, '{\n "role": "user",\n "text": "one"\n}\n');
  const session = { agent: "fen", id: "toy", path } as const;
  const account = emptyAccount();
  for await (const _ of reader(session).read({ account })) { /* counts */ }
  assert.deepEqual([account.events, accountSum(account)], [account.total, account.total]);
  assert.ok(account.total > 0);
  assert.equal(await reader(session).openReading({}), undefined);
  const tail = await reader(session).readTail({ messages: 1 });
  assert.deepEqual(tail.map(({ kind }) => kind), ["session_started", "user_message"]);
});

inDirectory.test("an end begins behind a record that needs all before it, else all is read", async (folder) => {
  const path = join(folder, "toy.jsonl");
  const said = (role: string, count: number): object[] =>
    Array.from(
      { length: count },
      (_, at) => ({ id: `${role}${at}`, role, text: "x".repeat(90) }),
    );
  Deno.writeTextFileSync(
    path,
    jsonl([...said("user", 50), ...said("sum", 1), ...said("user", 9)]),
  );
  const session = { agent: "fen", id: "toy", path } as const;
  const end = async (messages: number, most_bytes?: number): Promise<number> =>
    (await readFormatTail(TOY, session, { messages, most_bytes }, 2000)).length;
  assert.deepEqual([await end(9), await end(10), await end(10, 4000)], [9, 61, 9]);
});
