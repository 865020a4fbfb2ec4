import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { zedAgent, zedFormat } from "../../../lib/agents/zed/zed_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { inShort } from "../_in_short.ts";
import { Reading } from "../_reading.ts";
import { codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";
import { CHILD, FOLDER, FULL, OLD, OLDEST, threadsDatabase } from "./_store.ts";
import { golden } from "../_golden.ts";
import { testsIn } from "../../_support/tests_in.ts";

const inThreads = testsIn(withThreads);

const zed = new Reading(zedAgent, { format: zedFormat });

/** Runs with the sessions of the fixture, subagents included. */
async function withThreads(
  run: (sessionOf: (id: string) => AgentSession) => Promise<void>,
  change?: (database: DatabaseSync) => void,
): Promise<void> {
  await using home = await makeHome({ [`${FOLDER}/threads.db`]: threadsDatabase(change) });
  const found = await zed.located(home, { subagents: true });
  await run((id) => found.find((one) => one.id === id) as AgentSession);
}

// Threads of before the column was there have no directory.
const BYTES = threadsDatabase((database) =>
  database.exec("UPDATE threads SET folder_paths = '/home/dev/lib' WHERE folder_paths IS NULL")
);

zed.testContract("zed", {
  files: { [`${FOLDER}/threads.db`]: BYTES },
  ids: [FULL, OLD, OLDEST],
  cwd: "/home/dev/my-app",
  unit: "rows",
});

inThreads.test("each kind of Zed's messages becomes what it says", async (sessionOf) => {
  const { events, found, account } = await zed.read(sessionOf(FULL), { unit: "rows" });
  const expected = JSON.parse(zed.text("GOLDEN-full.json"));
  assert.deepEqual(golden(events), expected);
  assert.deepEqual([found, account.events, account.total], [[], 1, 1]);
});

inThreads.test("Zed's model gets the prompts before a compaction, the summary and what follows", async (sessionOf) => {
  assert.deepEqual(await zed.said(sessionOf(FULL)), [
    ["user", ["text", "image", "text"]],
    [
      "user",
      "The previous conversation was compacted. Use this summary as context:\n\n" +
      "The parser returns an error now.",
    ],
    ["user", "Thanks"],
    ["assistant", "You are welcome."],
  ]);
});

Deno.test("a compaction of Zed keeps no more than 80,000 characters of prompts", async () => {
  const long = { User: { id: "u0", content: [{ Text: "x".repeat(90_000) }] } };
  const short = { User: { id: "u1", content: [{ Text: "short" }] } };
  const messages = [long, short, { Compaction: { Summary: "s" } }];
  const data = JSON.stringify({ version: "0.3.0", messages });
  await withThreads(async (sessionOf) => {
    const { messages: [first, ...more] } = await zed.conversation(sessionOf(OLD));
    assert.deepEqual([first?.content, more.length], ["short", 1]);
  }, (database) => {
    const sql = "UPDATE threads SET data_type = 'json', data = ? WHERE id = ?";
    database.prepare(sql).run(data, OLD);
  });
});

Deno.test("a compaction that Zed's provider made replaces the conversation", async () => {
  const compaction = { ProviderNative: { provider: "openai", items: [{ type: "opaque" }] } };
  const messages = [{ User: { id: "u", content: [{ Text: "one" }] } }, { Compaction: compaction }];
  await withThreads(async (sessionOf) => {
    const { events } = await zed.read(sessionOf(OLD));
    assert.ok(JSON.stringify(events).includes("opaque"));
    assert.deepEqual((await zed.conversation(sessionOf(OLD))).messages, []);
  }, (database) => {
    const sql = "UPDATE threads SET data_type = 'json', data = ? WHERE id = ?";
    database.prepare(sql).run(JSON.stringify({ version: "0.3.0", messages }), OLD);
  });
});

inThreads.test("Zed's older threads are read, with results that lie in a prompt", async (sessionOf) => {
  const messages = await zed.messages(sessionOf(OLD));
  assert.deepEqual(inShort(messages), [
    ["user", "<context>notes.txt</context>"],
    ["assistant", ["reasoning", "reasoning", "text", "tool_call"]],
    ["tool", ["tool_result"]],
    ["assistant", "Milk."],
  ]);
  assert.ok(JSON.stringify(messages).includes("remember the milk"));
  // Zed drops texts of other roles, and that beside results. People see them.
  const { events } = await zed.read(sessionOf(OLD), { unit: "rows" });
  const notices = payloadsOf(events, "notice").map(({ text }) => text);
  assert.deepEqual(notices, ["Here is the result.", "Be brief."]);
  const oldest = await zed.conversation(sessionOf(OLDEST));
  assert.deepEqual(inShort(oldest.messages), [["user", "Hello"], ["assistant", "Hello to you."]]);
});

inThreads.test("the tokens of a thread of Zed are counted once", async (sessionOf) => {
  const usageOf = async (id: string): Promise<unknown> =>
    (await zed.summary(sessionOf(id), { exact: true }))?.usage;
  const all = { input: 90, output: 30, cache_read: 700, cache_write: 20 };
  assert.deepEqual(await usageOf(FULL), all);
  // Without a sum of the thread, those of its requests are added.
  assert.deepEqual(await usageOf(OLD), { input: 16, output: 3, cache_read: 0, cache_write: 0 });
  const row = await zed.summary(sessionOf(FULL), { exact: true });
  assert.deepEqual([row?.title, row?.models], ["Mend the parser", ["claude-sonnet-4"]]);
  assert.equal(row?.updated_at, "2026-07-04T19:20:00.000Z");
  assert.equal(row?.bytes, undefined);
});

inThreads.test("a subagent of Zed is a thread of the one that started it", async (sessionOf) => {
  const [main, child, ...more] = await zedAgent.open(sessionOf(FULL)).threads();
  assert.deepEqual([main?.kind, main?.records, more], ["main", 8, []]);
  assert.deepEqual([child?.id, child?.title, child?.records], [CHILD, "Find the parser", 2]);
  assert.equal(child?.usage?.output, 3);
  const { events } = await zed.read(sessionOf(FULL), { thread: "c0ffee" });
  assert.ok(JSON.stringify(events).includes("It is in parser.go."));
  assert.deepEqual((await zedAgent.sessionsIn(sessionOf(FULL).path)).map(({ id }) => id), [
    OLDEST,
    OLD,
    FULL,
  ]);
});

inThreads.test("blame finds what an edit of Zed changed", async (sessionOf) => {
  const [edit, ...more] = await readEdits(sessionOf(FULL));
  assert.deepEqual([edit?.path, edit?.change.kind, more], ["my-app/parser.go", "blocks", []]);
  const { change } = edit ?? {};
  const [block] = change?.kind === "blocks" ? change.blocks : [];
  assert.deepEqual(block?.added, ["func Parse() error { return nil }"]);
});

Deno.test("a damaged document of Zed is reported, and its columns are shown", async () => {
  for (const data of [new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 1]), "{"]) {
    await withThreads(async (sessionOf) => {
      const read = await zed.read(sessionOf(FULL), { unit: "rows" });
      assert.deepEqual([codesOf(read), read.account.damage], [["malformed-line"], 1]);
      const row = await zed.summary(sessionOf(FULL));
      assert.deepEqual([row?.title, row?.cwd], ["Mend the parser", "/home/dev/my-app"]);
    }, (database) => {
      const type = typeof data === "string" ? "json" : "zstd";
      const sql = "UPDATE threads SET data_type = ?, data = ? WHERE id = ?";
      database.prepare(sql).run(type, data, FULL);
    });
  }
});

Deno.test("the first tables of Zed have neither directories nor subagents", async () => {
  await withThreads(async (sessionOf) => {
    assert.equal(sessionOf(CHILD).cwd, undefined);
    const row = await zed.summary(sessionOf(FULL));
    assert.deepEqual([row?.cwd, row?.title], ["/home/dev/my-app", "Mend the parser"]);
  }, (database) => {
    for (const name of ["parent_id", "folder_paths", "folder_paths_order", "created_at"]) {
      database.exec(`ALTER TABLE threads DROP COLUMN ${name}`);
    }
  });
});

const SAMPLE = sampleUrl("more/ctx/zed/v1/threads.db");

testRecorded("a database of another reader's tests is read", SAMPLE, async () => {
  await using home = await makeHome({
    [`${FOLDER}/threads.db`]: SAMPLE,
  });
  const [root, ...more] = await zed.located(home);
  assert.deepEqual([root?.id, root?.cwd, more], ["zed-root", "/workspace/zed", []]);
  const { events, found } = await zed.read(root, { unit: "rows" });
  assert.deepEqual(found, []);
  const text = JSON.stringify(events);
  for (const word of ["oracle prompt", "oracle answer", "wrote src", "compacted summary"]) {
    assert.ok(text.includes(word), word);
  }
  assert.equal((await zedAgent.open(root as AgentSession).threads()).length, 2);
});
