/** The engine on the smallest tree: a line names the one that it follows. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { asName, asText } from "../../../../lib/agents/engine/json.ts";
import type { SourceRecord } from "../../../../lib/agents/engine/records/source_record.ts";
import { recordName } from "../../../../lib/agents/engine/tree/record_index.ts";
import type { Indexed, NodeFacts } from "../../../../lib/agents/engine/tree/path_format.ts";
import type { TreeFormat, TreeReading } from "../../../../lib/agents/engine/tree/tree_format.ts";
import { treeReader } from "../../../../lib/agents/engine/tree/tree_reader.ts";
import { openThreadsOfTree } from "../../../../lib/agents/engine/tree/open_threads.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { accountSum } from "../../../_support/account_sum.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

interface ToyHead {
  lines: number;
}

interface ToyState {
  writer: TreeReading["writer"];
  /** Number of records on the branch so far. */
  depth: number;
}

function factsOf({ value }: SourceRecord): NodeFacts | undefined {
  const id = asName(value.id);
  if (id === undefined) return undefined;
  return { id, parent_id: asName(value.parent), type: asText(value.role) ?? "unknown" };
}

const TOY: TreeFormat<ToyHead, ToyState, number> = {
  repeated: "joined",
  head: () => ({ lines: 0 }),
  hasHead: ({ lines }) => lines > 0,
  index(record, { head }): Indexed {
    head.lines++;
    return factsOf(record) ?? { beside: "note" };
  },
  idOf: ({ value }) => asName(value.id),
  isBridged: () => true,
  begin({ session, writer }): ToyState {
    writer.emit("session_started", {
      session_id: session.id,
      created_at: "",
      cwd: "/",
      app: { name: "toy" },
    });
    return { writer, depth: 0 };
  },
  emit(records: readonly SourceRecord[], { id }, state): void {
    const text = records.map(({ value }) => asText(value.text) ?? "").join("+");
    const content = `${++state.depth} ${text}`;
    const origin = { id, record: records[0] };
    if (records[0]?.value.role === "user") state.writer.emit("user_message", { content }, origin);
    else state.writer.emit("assistant_message", { content }, origin);
  },
  saveState: ({ depth }) => depth,
  restoreState: (depth = 0, { writer }) => ({ writer, depth }),
  isPrompt: (index, row) => recordName(index, row) === "user",
  isCompaction: () => false,
  responses: (record, thread) => {
    const model = record.value.role === "assistant" ? "toy" : undefined;
    return model === undefined ? [] : [{ model, usage: { output: 1 }, ...(thread && { thread }) }];
  },
};

const READER = treeReader(TOY);

/** `a1 - a2 - a3 - a4`, and `b3` which left behind `a2`; `a2` is written in two pieces. */
const LINES = [
  { id: "a1", role: "user", text: "one" },
  { id: "a2", parent: "a1", role: "assistant", text: "two" },
  { note: "beside the talk" },
  { id: "b3", parent: "a2", role: "user", text: "left" },
  { id: "a2", role: "assistant", text: "more" },
  { id: "a3", parent: "a2", role: "user", text: "three" },
  { id: "a4", parent: "a3", role: "assistant", text: "four" },
].map((line) => JSON.stringify(line));

async function withToy(
  lines: readonly string[],
  run: (session: AgentSession, size: number) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    const path = join(folder, "toy.jsonl");
    const text = `${lines.join("\n")}\n`;
    Deno.writeTextFileSync(path, text);
    await run({ agent: "pi", id: "toy", path }, text.length);
  });
}

function said(events: readonly LogEvent[]): unknown[] {
  return events.flatMap((event) =>
    event.form === "known" && "content" in event.payload ? [event.payload.content] : []
  );
}

async function eventsOf(batches: AsyncIterable<readonly LogEvent[]>): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}

Deno.test("the live branch is read from its root, its pieces as one, each byte accounted for", async () => {
  await withToy(LINES, async (session, size) => {
    const account = emptyAccount();
    const events = await eventsOf(READER(session).read({ account }));
    assert.deepEqual(said(events), ["1 one", "2 two+more", "3 three", "4 four"]);
    assert.deepEqual(events.map(({ seq }) => seq), [1, 2, 3, 4, 5]);
    assert.deepEqual([accountSum(account), account.total], [size, size]);
    assert.deepEqual([account.dead, account.side.note], [
      ...[LINES[3]?.length, LINES[2]?.length].map((length = 0) => length + 1),
    ]);
  });
});

Deno.test("a branch is a thread, which goes on with the state of where it left", async () => {
  await withToy(LINES, async (session) => {
    const threads = await READER(session).threads();
    assert.deepEqual(threads.map(({ id, kind, records }) => [id, kind, records]), [
      ["main", "main", 4],
      ["b3", "branch", 1],
    ]);
    assert.deepEqual(said(await eventsOf(READER(session).read({ thread: "b3" }))), [
      ...["1 one", "2 two+more", "3 left"],
    ]);
    const open = await openThreadsOfTree(TOY, session, {});
    assert.deepEqual(open.ids, ["main", "b3"]);
    const own = [];
    for (const id of open.ids) own.push(said(await eventsOf(open.read(id))));
    assert.deepEqual(own, [["1 one", "2 two+more", "3 three", "4 four"], ["3 left"]]);
  });
});

Deno.test("the record before damage stands in for a parent that it took", async () => {
  const torn = LINES.with(5, '{"id":"a3","parent":"a2","role":"us');
  await withToy(torn, async (session) => {
    const codes: string[] = [];
    const report = ({ code }: { code: string }): void => void codes.push(code);
    const events = await eventsOf(READER(session).read({ report }));
    assert.deepEqual(said(events), ["1 one", "2 two+more", "3 four"]);
    assert.equal(codes.length, 1);
  });
});

Deno.test("a parent that is not there and a cycle end the branch, and are reported", async () => {
  const cases: [string, string][] = [['"nowhere"', "missing-parent"], ['"a4"', "parent-cycle"]];
  for (const [parent, code] of cases) {
    await withToy(
      LINES.with(0, `{"id":"a1","parent":${parent},"role":"user"}`),
      async (session) => {
        const codes: string[] = [];
        const report = ({ code }: { code: string }): void => void codes.push(code);
        assert.ok((await eventsOf(READER(session).read({ report }))).length > 3);
        assert.deepEqual(codes, [code]);
      },
    );
  }
});

Deno.test("the end follows the branch backwards, past others", async () => {
  await withToy(LINES, async (session) => {
    const end = await READER(session).readTail({ messages: 2 });
    assert.deepEqual(said(end).map((text) => String(text).slice(2)), ["three", "four"]);
  });
});

Deno.test("each response is counted with the thread that it is on", async () => {
  const lines = [
    ...LINES,
    ...[
      { id: "b4", parent: "b3", role: "assistant" },
      { id: "a5", parent: "a4", role: "user" },
    ].map((line) => JSON.stringify(line)),
  ];
  await withToy(lines, async (session) => {
    const threads: unknown[] = [];
    for await (const responses of READER(session).usage()) {
      threads.push(...responses.map(({ thread }) => thread));
    }
    // A piece is a record of its own here: what its key is, an agent's format says.
    assert.deepEqual(threads, [undefined, undefined, undefined, "b3"]);
  });
});

Deno.test("a read goes on from each place that it gave, as JSON", async () => {
  await withToy(LINES, async (session) => {
    const reading = await READER(session).openReading();
    const all = await Array.fromAsync(reading?.from() ?? []);
    const events = all.flatMap((batch) => batch.events);
    assert.deepEqual(said(events), ["1 one", "2 two+more", "3 three", "4 four"]);
    for (const { place } of all) {
      if (place === undefined) continue;
      const kept = JSON.parse(JSON.stringify(place));
      const behind = (await Array.fromAsync(reading?.from(kept) ?? [])).flatMap((batch) =>
        batch.events
      );
      assert.deepEqual(behind, events.filter(({ seq }) => seq > place.seq));
    }
    assert.ok(all.some(({ place }) => place !== undefined));
  });
});

Deno.test("messages are those of the events", async () => {
  await withToy(LINES, async (session) => {
    const messages = (await Array.fromAsync(READER(session).messages())).flat();
    assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "user", "assistant"]);
    assert.deepEqual(messages[0]?.content, "1 one");
    const branch = (await Array.fromAsync(READER(session).messages({ thread: "b3" }))).flat();
    assert.deepEqual(branch.at(-1)?.content, "3 left");
  });
});
