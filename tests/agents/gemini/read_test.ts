/** What a chat of Gemini CLI shows that is too long for a case, or changes while it is read. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { geminiAgent } from "../../../lib/agents/gemini/gemini_agent.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { summary } from "../../../lib/core/projection/summary.ts";
import { locateAll, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { inShort } from "../_in_short.ts";
import { Reading } from "../_reading.ts";
import { tempFile } from "../../_support/temp_file.ts";
import { outputText } from "../../../lib/core/event/audience.ts";
import { isFault } from "../../../lib/core/log/diagnostic.ts";
import { recordingsBelow, sampleUrl, testRecorded } from "../../_support/samples.ts";

const gemini = new Reading(geminiAgent);

// An old version kept a sub-agent's chat under the id of the user's.
Deno.test("the user's chat is the session, and other files with its id are threads", async () => {
  const chat = JSON.parse(gemini.text("document.json"));
  const answer = { id: "s2", timestamp: "2025-11-01T10:05:02.000Z", type: "gemini" };
  const own = {
    ...chat,
    startTime: "2025-11-01T10:05:00.000Z",
    messages: [
      { id: "s1", timestamp: "2025-11-01T10:05:01.000Z", type: "user", content: "Your task." },
      { ...answer, content: "Done. ".repeat(9000), tokens: { input: 7, output: 3, cached: 0 } },
    ],
  };
  const chats = ".gemini/tmp/ledger/chats/session-2025-11-01T10";
  await using home = await makeHome({
    ".gemini/tmp/ledger/.project_root": "/home/ada/src/ledger",
    [`${chats}-00-f8a6a0fd.json`]: JSON.stringify(chat),
    [`${chats}-05-f8a6a0fd.json`]: JSON.stringify(own),
  });
  const [session, ...more] = await locateAll(geminiAgent, home.environment);
  assert.ok(session !== undefined);
  assert.deepEqual(more, []);
  assert.match(session.path, /T10-00/);
  const id = "session-2025-11-01T10-05-f8a6a0fd";
  const threads = await geminiAgent.open(session).threads();
  assert.deepEqual(
    threads?.map(({ id, kind, parent, records }) => [id, kind, parent, records]).slice(1),
    [[id, "subagent", { thread: "main" }, 2]],
  );
  assert.equal(
    (await gemini.payloads(session, "user_message", { thread: id }))[0]?.content,
    "Your task.",
  );
  const told = (await Array.fromAsync(geminiAgent.open(session).usage())).flat();
  assert.deepEqual(told.filter(({ thread }) => thread === id).map(({ usage }) => usage.input), [7]);
  const files = (await geminiAgent.open(session).files())?.paths;
  assert.equal(files?.length, 2);
});

Deno.test("a large chat is summarized from its edges", async () => {
  const lines = (gemini.text("rewound.jsonl")).trim().split("\n");
  const [head = "", first = ""] = lines;
  const answer = (index: number): string =>
    JSON.stringify({ id: `a${index}`, type: "gemini", content: "x".repeat(9000) });
  const middle = Array.from({ length: 100 }, (_, index) => answer(index));
  using file = tempFile(
    "chat.jsonl",
    [head, first, ...middle, ...lines.slice(-3)].join("\n") + "\n",
  );
  const session = await gemini.only(file.path);
  const row = await gemini.summary(session);
  const folded = foldEvents(summary(), (await gemini.read(session)).events);
  for (const field of ["title", "first_user_message", "last_user_message", "updated_at"] as const) {
    assert.equal(row?.[field], folded[field], field);
  }
  assert.equal(row?.message_count, undefined, "the middle was not read");
});

/** A chat of many turns, in which the last lines change earlier ones. */
async function withChat(
  last: readonly object[],
  run: (path: string) => Promise<void>,
): Promise<void> {
  const turn = (at: number): object[] => [
    { id: `u${at}`, type: "user", content: `Prompt ${at}.` },
    { id: `g${at}`, type: "gemini", content: "x".repeat(2000) },
  ];
  const head = { sessionId: "s", projectHash: "p", startTime: "2026-03-01T09:00:00.000Z" };
  const records = [head, ...Array.from({ length: 100 }, (_, at) => turn(at)).flat(), ...last];
  using file = tempFile(
    "chat.jsonl",
    records.map((record) => JSON.stringify(record)).join("\n") + "\n",
  );
  await run(file.path);
}

Deno.test("the end of a chat is that of the messages that stand, where they stand", async () => {
  const last = [
    { id: "g3", type: "gemini", content: "Written again, in its place." },
    { $rewindTo: "u98" },
    { id: "u100", type: "user", content: "Instead." },
    { id: "g100", type: "gemini", content: "calling", toolCalls: [{ name: "read", result: "a" }] },
    { id: "g101", type: "gemini", content: "again", toolCalls: [{ name: "read", result: "b" }] },
  ];
  await withChat(last, async (path) => {
    const session = await gemini.only(path);
    const { events } = await gemini.read(session);
    const end = await geminiAgent.open(session).readTail({ messages: 5 });
    assert.deepEqual(
      payloadsOf(end, "user_message").map(({ content }) => content),
      ["Prompt 97.", "Instead."],
    );
    const unnumbered = (all: readonly LogEvent[]): unknown =>
      all.map(({ seq: _, ...event }) => event);
    assert.deepEqual(unnumbered(end), unnumbered(events.slice(-end.length)));
    // A call without an id is named by its message, so that an end gives it the same one.
    assert.deepEqual(payloadsOf(end, "tool_end").map(({ call_id }) => call_id), [
      "read_g100_1",
      "read_g101_1",
    ]);
  });
});

Deno.test("places hold for the chat as it was opened, also when it is rewound meanwhile", async () => {
  await withChat([], async (path) => {
    const session = await gemini.only(path);
    const reading = await geminiAgent.open(session).openReading({});
    const all: LogEvent[] = [];
    for await (const { events } of reading?.from() ?? []) all.push(...events);
    await Deno.writeTextFile(path, JSON.stringify({ $rewindTo: "u2" }) + "\n", { append: true });
    const again: LogEvent[] = [];
    for await (const { events } of reading?.from() ?? []) again.push(...events);
    assert.deepEqual(again, all);
    assert.equal((await gemini.read(session)).events.length, 5);
  });
});

const SAMPLES = sampleUrl("gemini-cli/");

const FILES = recordingsBelow(fileURLToPath(SAMPLES), /\.jsonl?$/)
  .filter((path) => !/(?:projects|schema_drift)[^/]*$/.test(path));

testRecorded(
  "each sample of Gemini CLI is read whole, and providers take its conversation",
  SAMPLES,
  async () => {
    assert.ok(FILES.length >= 10);
    for (const pathname of FILES) {
      assert.ok(geminiAgent.recognize(pathname, await Deno.readFile(pathname)), pathname);
      const session = await gemini.only(pathname);
      const { events, found, account } = await gemini.read(session);
      assert.equal(account.total, Deno.statSync(pathname).size, pathname);
      const faults = found.filter(({ code }) => isFault(code));
      assert.equal(faults.length, pathname.endsWith("foreign-accepted-minimal.jsonl") ? 1 : 0);
      assert.ok(events.length > 0 && events.every(({ form }) => form === "known"));
      const { messages, findings } = await gemini.conversation(session);
      assert.deepEqual(findings.filter(({ code }) => code === "orphan-settlement"), []);
      assert.deepEqual(await gemini.accepted(session), messages);
    }
  },
);

testRecorded("the chat that Gemini CLI 0.61 resumed holds each turn once", SAMPLES, async () => {
  const path = fileURLToPath(new URL("self-generated-0.61.0/resumed-same-minute.jsonl", SAMPLES));
  const session = await gemini.only(path);
  const { messages } = await gemini.conversation(session);
  assert.deepEqual(inShort(messages), [
    ["user", "USETOOL please ünïcode"],
    ["assistant", ["text", "tool_call"]],
    ["tool", ["tool_result"]],
    ["assistant", "mock reply 7 ünï"],
    ["user", "second turn"],
    ["assistant", "mock reply 8 ünï"],
  ]);
  const { events, account } = await gemini.read(session);
  assert.deepEqual(
    payloadsOf(events, "bash_end").map(({ output = "" }) => outputText(output, "user")),
    ["one ✓"],
  );
  assert.equal(payloadsOf(events, "session_started")[0]?.cwd, "/home/dev/src/cc-proj");
  assert.ok(account.dead > 0);
});
