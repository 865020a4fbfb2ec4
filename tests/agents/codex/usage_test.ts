import assert from "node:assert/strict";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import type { ResponseUsage } from "../../../lib/core/projection/response_usage.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const PARENT = "01a1ffd4-7c73-7802-befb-d89adc0983f9";
const FORK = "01a1ffd4-8013-73b1-a9e7-822b38eb243f";

function second(seconds: number): string {
  return new Date(Date.parse("2026-01-01T00:00:00.000Z") + seconds * 1000).toISOString();
}

function count(seconds: number, input: number, total = input): unknown {
  const tokens = (input_tokens: number): unknown => ({
    input_tokens,
    cached_input_tokens: 4,
    cache_write_input_tokens: 1,
    output_tokens: 5,
    reasoning_output_tokens: 2,
    total_tokens: input_tokens + 5,
  });
  const info = { last_token_usage: tokens(input), total_token_usage: tokens(total) };
  return { timestamp: second(seconds), type: "event_msg", payload: { type: "token_count", info } };
}

function begin(id: string, model?: string, more = {}, seconds = 0): unknown[] {
  const timestamp = second(seconds);
  const meta = { timestamp, type: "session_meta", payload: { id, timestamp, cwd: "/a", ...more } };
  const context = { timestamp, type: "turn_context", payload: { model } };
  return model === undefined ? [meta] : [meta, context];
}

async function read(
  threads: Record<string, readonly unknown[]>,
  id: string,
): Promise<ResponseUsage[]> {
  let found: ResponseUsage[] = [];
  await withDirectory(async (directory) => {
    const place = (one: string): string => `${directory}/rollout-2026-01-01T00-00-00-${one}.jsonl`;
    for (const [one, rows] of Object.entries(threads)) {
      Deno.writeTextFileSync(place(one), rows.map((row) => JSON.stringify(row)).join("\n"));
    }
    const batches = codexAgent.open({ agent: "codex", id, path: place(id) }).usage();
    found = (await Array.fromAsync(batches)).flat();
  });
  return found;
}

function brief(responses: readonly ResponseUsage[]): unknown {
  return responses.map(({ time, model, usage }) => [time?.slice(17, 19), model, usage.input]);
}

Deno.test("usage of a Codex thread: what each answer took, apart from what was cached", async () => {
  const [first] = await read({ [PARENT]: [...begin(PARENT, "gpt-5-codex"), count(1, 20)] }, PARENT);
  assert.deepEqual({ ...first, key: undefined }, {
    key: undefined,
    time: second(1),
    model: "gpt-5-codex",
    usage: { input: 15, output: 5, cache_read: 4, cache_write: 1, reasoning: 2 },
  });
});

Deno.test("a count that is said again is none, and a model is that of its turn", async () => {
  const rows = [
    ...begin(PARENT),
    count(1, 20),
    count(2, 20),
    ...begin(PARENT, "gpt-5.1"),
    { type: "event_msg", timestamp: second(3), payload: { type: "token_count", info: null } },
    count(4, 30, 50),
  ];
  assert.deepEqual(brief(await read({ [PARENT]: rows }, PARENT)), [
    ["01", "gpt-5", 15],
    ["04", "gpt-5.1", 25],
  ]);
});

Deno.test("an automatic compaction, which only a usage record tells of, counts", async () => {
  const recorded = (seconds: number, input_tokens: number): unknown => {
    const usage = { input_tokens, cached_input_tokens: 4, cache_write_input_tokens: 1 };
    const answer = { output_tokens: 5, reasoning_output_tokens: 2, total_tokens: input_tokens + 5 };
    const payload = { response_id: "r", usage: { ...usage, ...answer } };
    return { timestamp: second(seconds), type: "token_usage_record", payload };
  };
  const told = [recorded(1, 20), count(2, 20), recorded(3, 500), count(4, 20), recorded(5, 30)];
  const rows = [...begin(PARENT, "m"), ...told, count(6, 30, 50), recorded(7, 90)];
  assert.deepEqual(brief(await read({ [PARENT]: rows }, PARENT)), [
    ["02", "m", 15],
    ["03", "m", 495],
    ["06", "m", 25],
    ["07", "m", 85],
  ]);
});

Deno.test("does not count again the usage that a fork copied", async () => {
  const history = [count(1, 20), count(5, 30, 50)];
  const fork = [
    ...begin(FORK, "m", { forked_from_id: PARENT }, 20),
    count(20, 20),
    count(20, 30, 50),
    count(40, 9, 60),
  ];
  const threads = { [PARENT]: [...begin(PARENT, "m"), ...history, count(50, 9)], [FORK]: fork };
  assert.deepEqual(brief(await read(threads, FORK)), [["40", "m", 4]]);
  // Without the parent, only that they were written in one go tells.
  assert.deepEqual(brief(await read({ [FORK]: fork }, FORK)), [["40", "m", 4]]);
  const slow = [...begin(FORK, "m", { forked_from_id: PARENT }, 20), count(21, 20), count(40, 9)];
  assert.deepEqual(brief(await read({ [FORK]: slow }, FORK)), [["21", "m", 15], ["40", "m", 4]]);
});

Deno.test("does not count again what a fork copied that does not name its parent", async () => {
  const history = [...begin(PARENT, "m"), count(1, 20), count(5, 30, 50)];
  const own = [...begin(FORK, undefined, {}, 20)];
  const fork = [
    ...own,
    ...history.map((row) => ({ ...(row as object), timestamp: second(20) })),
    count(40, 9, 60),
  ];
  assert.deepEqual(brief(await read({ [PARENT]: history, [FORK]: fork }, FORK)), [["40", "m", 4]]);
  assert.deepEqual(brief(await read({ [FORK]: fork }, FORK)), [["40", "m", 4]]);
  // The copied head tells of a single count, too.
  const short = fork.filter((_, index) => index !== fork.length - 2);
  assert.deepEqual(brief(await read({ [FORK]: short }, FORK)), [["40", "m", 4]]);
  // A head that a resumed thread says again is no other thread's.
  const again = [...own, ...own, count(20, 20), count(20, 30, 50)];
  assert.deepEqual(brief(await read({ [FORK]: again }, FORK)), [
    ["20", "gpt-5", 15],
    ["20", "gpt-5", 25],
  ]);
});

Deno.test("a fork by reference copied no count, even where its first one is as its parent's", async () => {
  const history_base = { thread_id: PARENT, end_ordinal_exclusive: 3, end_byte_offset: 300 };
  const spawn = { source: { subagent: { thread_spawn: { parent_thread_id: PARENT } } } };
  for (const more of [{ forked_from_id: PARENT }, spawn]) {
    const fork = [...begin(FORK, "m", { ...more, history_base }, 20), count(21, 20), count(21, 9)];
    const threads = { [PARENT]: [...begin(PARENT, "m"), count(1, 20)], [FORK]: fork };
    assert.deepEqual(brief(await read(threads, FORK)), [["21", "m", 15], ["21", "m", 4]]);
  }
});
