import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { CliHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { otlpFaults, otlpSpans } from "../../_support/otlp_rules.ts";

type Span = Record<string, unknown>;

/** An answer of two calls of one id, of which the second failed, and an answer after a compaction. */
function talk(): NewEvent[] {
  const tool_call = { type: "tool_call" as const, name: "read", input: { path: "a.ts" } };
  const calls = [{ ...tool_call, call_id: "c1" }, { ...tool_call, call_id: "c2" }];
  const usage = { input: 10, cache_read: 90, output: 7 };
  return [
    user("Where is it?"),
    {
      kind: "assistant_message",
      payload: { content: calls, model: "m-1", provider: "acme", usage, cost_usd: 0.5 },
    },
    { kind: "tool_end", payload: { call_id: "c1", name: "read", status: "ok", output: "here" } },
    {
      kind: "tool_end",
      payload: { call_id: "c2", name: "read", status: "error", error: "gone", duration_ns: 1e6 },
    },
    { kind: "compaction_applied", payload: { status: "", summary: "They looked." } },
    { kind: "assistant_message", payload: { content: "There.", model: "m-1" } },
    user("Thanks"),
  ];
}

async function exported(events: readonly NewEvent[]): Promise<string> {
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), events, { title: "Hunt" });
  const { status, stdout, stderr } = await home.run(["export", "aaaa", "--format", "otlp"]);
  assert.equal(status, 0, stderr);
  return stdout;
}

let talked: Promise<string> | undefined;
/** The document of `talk()`, which is made once. */
const exportedTalk = (): Promise<string> => talked ??= exported(talk());

function attributesOf({ attributes }: Span): Record<string, string | number> {
  return Object.fromEntries((attributes as { key: string; value: object }[]).map(
    ({ key, value }) => [key, Object.values(value)[0]],
  ));
}

Deno.test("a collector takes the spans: a trace a turn, with each answer and each call", async () => {
  const text = await exportedTalk();
  assert.deepEqual(otlpFaults(text), []);
  const spans = otlpSpans(text);
  assert.deepEqual(spans.map(({ name }) => name), [
    "chat m-1",
    "execute_tool read",
    "execute_tool read",
    "chat m-1",
    "invoke_agent reprise",
    "invoke_agent reprise",
  ]);
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 2);
});

Deno.test("an answer tells its tokens, those from the cache included, and what went in", async () => {
  const [chat = {}, , , after = {}] = otlpSpans(await exportedTalk());
  const told = attributesOf(chat);
  assert.equal(told["gen_ai.usage.input_tokens"], "100");
  assert.equal(told["gen_ai.usage.cache_read.input_tokens"], "90");
  assert.equal(told["gen_ai.usage.output_tokens"], "7");
  assert.equal(told["gen_ai.provider.name"], "acme");
  assert.match(String(told["gen_ai.input.messages"]), /Where is it\?/);
  assert.match(String(attributesOf(after)["gen_ai.input.messages"]), /here[^]*They looked/);
});

Deno.test("a call that failed is an error, as long as it took", async () => {
  const [, , failed = {}] = otlpSpans(await exportedTalk());
  assert.deepEqual(failed.status, { code: 2, message: "error" });
  assert.equal(attributesOf(failed)["error.type"], "error");
  assert.match(String(attributesOf(failed)["gen_ai.tool.call.result"]), /gone/);
  const length = BigInt(String(failed.endTimeUnixNano)) - BigInt(String(failed.startTimeUnixNano));
  assert.ok(length <= 1_000_000n, String(length));
});

Deno.test("a call without a result and a session without a word make spans that are taken", async () => {
  const [first, second] = talk();
  const cut = await exported([first, second].filter((event) => event !== undefined));
  assert.deepEqual(otlpFaults(cut), []);
  const [, call = {}] = otlpSpans(cut);
  assert.deepEqual(call.status, { code: 2, message: "no result" });
  assert.deepEqual(otlpFaults(await exported([])), []);
});

Deno.test("the same session gives the same ids, so that a collector knows it again", async () => {
  const [one, other] = [otlpSpans(await exportedTalk()), otlpSpans(await exported(talk()))];
  assert.deepEqual(one.map(({ spanId }) => spanId), other.map(({ spanId }) => spanId));
});

Deno.test("the rules find what a collector would refuse", async () => {
  const text = await exportedTalk();
  const broken = [
    text.replace(/"traceId":"[0-9a-f]{2}/, '"traceId":"'),
    text.replace(/"endTimeUnixNano":"\d+"/, '"endTimeUnixNano":"1"'),
    text.replace('"intValue":"100"', '"intValue":100'),
    text.replace(/"parentSpanId":"[0-9a-f]{16}"/, '"parentSpanId":"00000000000000aa"'),
  ];
  for (const one of broken) {
    assert.notEqual(one, text);
    assert.notDeepEqual(otlpFaults(one), [], one.slice(0, 400));
  }
});
