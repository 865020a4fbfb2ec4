import assert from "node:assert/strict";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { usageIn } from "../../../lib/library/counts/usage/read_usage.ts";
import { parsedUsage } from "../../../lib/agents/claude/parsed_usage.ts";
import { contextOf } from "../../../lib/core/projection/context.ts";
import { foldBatches } from "../../../lib/core/projection/projection.ts";
import { TurnUsage } from "../../../lib/core/projection/turn_usage.ts";
import type { ResponseUsage } from "../../../lib/core/projection/response_usage.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";

const TIME = "2026-01-01T16:30:00.000Z";

function record(message: Record<string, unknown> = {}, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    sessionId: "s1",
    version: "2.1.100",
    message: {
      model: "claude-opus-4-6",
      id: "msg_a",
      role: "assistant",
      content: [{ type: "text", text: 'a "usage":{ in a text' }],
      stop_reason: null,
      usage: {
        input_tokens: 3,
        cache_creation_input_tokens: 20,
        cache_read_input_tokens: 100,
        output_tokens: 5,
        server_tool_use: { web_search_requests: 0 },
      },
      ...message,
    },
    requestId: "req_a",
    type: "assistant",
    uuid: "u1",
    timestamp: TIME,
    ...more,
  });
}

async function read(path: string): Promise<ResponseUsage[]> {
  const batches = claudeAgent.open({ agent: "claude", id: "s1", path }).usage();
  return (await Array.fromAsync(batches)).flat();
}

async function readLines(...lines: string[]): Promise<ResponseUsage[]> {
  let found: ResponseUsage[] = [];
  await withDirectory(async (directory) => {
    Deno.writeTextFileSync(`${directory}/s1.jsonl`, lines.join("\n"));
    found = await read(`${directory}/s1.jsonl`);
  });
  return found;
}

const PLAIN = {
  key: "msg_a\nreq_a",
  time: TIME,
  model: "claude-opus-4-6",
  usage: { input: 3, output: 5, cache_read: 100, cache_write: 20 },
};

Deno.test("usage of a Claude Code session: what every record of a response says", async () => {
  const found = await readLines(record(), "", "{", record({ id: "msg_b" }), record() + "\r");
  assert.deepEqual(found, [PLAIN, { ...PLAIN, key: "msg_b\nreq_a" }, PLAIN]);
});

Deno.test("usage of a Claude Code session: a line may begin with blanks, as JSON may", async () => {
  assert.deepEqual(await readLines(`  ${record()}`, `\t${record({ id: "msg_b" })}`), [
    PLAIN,
    { ...PLAIN, key: "msg_b\nreq_a" },
  ]);
});

Deno.test("events say how much of a cache is kept for an hour, so a turn costs what its session does", async () => {
  const creation = { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 19 };
  const usage = { input_tokens: 3, output_tokens: 5, cache_creation_input_tokens: 20 };
  await withDirectory(async (directory) => {
    const path = `${directory}/s1.jsonl`;
    const line = record({ usage: { ...usage, cache_creation: creation } });
    Deno.writeTextFileSync(path, `${line}\n`);
    const [response] = await read(path);
    const turns = new TurnUsage((_, { cache_write_1h }) => cache_write_1h);
    for await (const events of claudeAgent.open({ agent: "claude", id: "s1", path }).read()) {
      for (const event of events) turns.take(event);
    }
    assert.deepEqual([response?.cache_write_1h, turns.end()?.cost_usd], [19, 19]);
  });
});

Deno.test("the last request of an answer with an advisor is told apart from their sum", () =>
  withDirectory(async (directory) => {
    const [counts, path] = [
      { output_tokens: 1, cache_creation_input_tokens: 3 },
      `${directory}/s1.jsonl`,
    ];
    const iterations = [
      { type: "message", input_tokens: 5, ...counts },
      { type: "advisor_message", model: "m", input_tokens: 90, ...counts },
      { type: "message", input_tokens: 7, ...counts },
    ];
    const sum = { input_tokens: 12, output_tokens: 2, cache_creation_input_tokens: 6, iterations };
    Deno.writeTextFileSync(path, `${record({ usage: sum })}\n`);
    const session = { agent: "claude", id: "s1", path } as const;
    const { recorded_tokens } = await foldBatches(contextOf(), claudeAgent.open(session).read());
    assert.equal(recorded_tokens, 10);
  }));

Deno.test("the walk over bytes gives what parsing gives, whatever the form of the record", async () => {
  const usage = { input_tokens: 3, output_tokens: 5 };
  const creation = { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 2 };
  const input = { usage: { input_tokens: 900, output_tokens: 900 } };
  const lines = [
    record(),
    record({ usage }),
    record({ usage: { ...usage, cache_creation: creation, cache_creation_input_tokens: 7 } }),
    record({ usage: { ...usage, cache_creation: null } }),
    record({ usage: { ...usage, cache_creation_input_tokens: 7, cache_creation: {} } }),
    record({ usage: { ...usage, cache_read_input_tokens: null } }),
    record({ usage: { ...usage, speed: "fast" } }),
    record({ usage: { ...usage, iterations: [] } }),
    record({
      usage: { ...usage, iterations: [{ type: "advisor_message", model: "m", ...usage }] },
    }),
    record({ content: [{ type: "tool_use", id: "t", name: "x", input }] }),
    record({ content: [{ type: "tool_use", id: "t", name: "x", input }], usage }),
    record({ content: "text" }),
    record({ id: undefined }),
    record({ id: "chatcmpl-1" }, { requestId: undefined }),
    record({}, { requestId: undefined }),
    record({}, { requestId: null }),
    record({}, { isSidechain: true }),
    record({}, { costUSD: 0.5 }),
    record({ model: "<synthetic>" }),
    record({ model: "mödel" }),
    JSON.stringify({ usage: JSON.parse(record()).message.usage, ...JSON.parse(record()) }),
    JSON.stringify({ type: "user", timestamp: TIME, toolUseResult: { usage } }),
  ];
  for (const line of lines) assert.deepEqual(await readLines(line), parsedUsage(line), line);
  assert.equal(parsedUsage(lines[4] ?? "")[0]?.usage.cache_write, 7);
  assert.deepEqual(parsedUsage(lines[8] ?? "").map(({ key, model }) => [key, model]), [
    ["msg_a\nreq_a", "claude-opus-4-6"],
    ["msg_a:advisor:0\nreq_a", "m"],
  ]);
  assert.equal(parsedUsage(lines[9] ?? "")[0]?.usage.input, 3);
  assert.deepEqual(parsedUsage(lines.at(-1) ?? ""), []);
});

Deno.test("answers of sub-agents that stand as progress in the session's own file count", async () => {
  const { message, timestamp, requestId } = JSON.parse(record());
  const data = {
    type: "agent_progress",
    agentId: "abc",
    message: { type: "assistant", message, timestamp, requestId },
  };
  const line = JSON.stringify({ type: "progress", sessionId: "s1", timestamp: "later", data });
  assert.deepEqual(await readLines(line), [{ ...PLAIN, sidechain: true, thread: "abc" }]);
});

inDirectory.test("an unfinished copy in a progress record does not beat the subagent's file", async (directory) => {
  const { message, timestamp, requestId } = JSON.parse(record());
  const usage = { ...message.usage, output_tokens: 1 };
  const copy = { type: "assistant", message: { ...message, usage }, timestamp, requestId };
  const data = { type: "agent_progress", agentId: "abc", message: copy };
  const line = JSON.stringify({ type: "progress", sessionId: "s1", timestamp: "later", data });
  Deno.mkdirSync(`${directory}/s1/subagents`, { recursive: true });
  Deno.writeTextFileSync(`${directory}/s1.jsonl`, line);
  Deno.writeTextFileSync(
    `${directory}/s1/subagents/agent-abc.jsonl`,
    record({}, { isSidechain: true }),
  );
  const { rows, threads } = usageIn(await read(`${directory}/s1.jsonl`));
  assert.equal(rows.length, 1);
  assert.ok(rows[0]?.includes(PLAIN.usage.output));
  assert.deepEqual(threads, ["", "abc"]);
});

inDirectory.test("the files of sub-agents belong to the session, under their own ids", async (directory) => {
  Deno.mkdirSync(`${directory}/s1/subagents`, { recursive: true });
  Deno.writeTextFileSync(`${directory}/s1.jsonl`, record());
  const inside = record({ id: "msg_c" }, { isSidechain: true });
  Deno.writeTextFileSync(`${directory}/s1/subagents/agent-abc.jsonl`, inside);
  Deno.writeTextFileSync(`${directory}/s1/subagents/agent-abc.meta.json`, "{}");
  assert.deepEqual(await read(`${directory}/s1.jsonl`), [
    PLAIN,
    { ...PLAIN, key: "msg_c\nreq_a", sidechain: true, thread: "abc" },
  ]);
});

Deno.test("without a request id, a message id counts once, unless another message stood between", async () => {
  const said = (id: string, uuid: string): string => record({ id }, { requestId: undefined, uuid });
  const user = (content: unknown): string =>
    JSON.stringify({ type: "user", message: { role: "user", content }, uuid: "p" });
  const result = user([{ type: "tool_result", tool_use_id: "t", content: "" }]);
  const keysOf = async (...lines: string[]): Promise<unknown> =>
    (await readLines(...lines)).map(({ key }) => key?.replace("\n", " "));
  const [a, b, c] = [said("gen-1", "a"), said("gen-1", "b"), said("gen-1", "c")];
  assert.deepEqual(await keysOf(a, b, result, c), ["gen-1 a", "gen-1 a", "gen-1 a"]);
  assert.deepEqual(await keysOf(a, user("go on"), b, c), ["gen-1 a", "gen-1 b", "gen-1 b"]);
  assert.deepEqual(await keysOf(a, said("gen-2", "x"), b), ["gen-1 a", "gen-2 x", "gen-1 b"]);
  const real = [said("msg_1", "a"), user("go on"), said("msg_2", "b"), said("msg_1", "c")];
  assert.deepEqual(await keysOf(...real), ["msg_1 a", "msg_2 b", "msg_1 a"]);
});

Deno.test("an answer that took nothing is none", async () => {
  const nothing = { input_tokens: 0, output_tokens: 0 };
  assert.deepEqual(await readLines(record({ usage: nothing, model: "<synthetic>" })), []);
});
