import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import {
  compactedText,
  noPrompts,
  notePrompt,
  type Prompts,
} from "../../../lib/agents/copilot/compaction.ts";
import { copilotAgent } from "../../../lib/agents/copilot/copilot_agent.ts";
import { makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";
import { accountSum } from "../../_support/account_sum.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const copilot = new Reading(copilotAgent);

function promptsOf(texts: readonly string[]): Prompts {
  const prompts = noPrompts();
  for (const text of texts) notePrompt(prompts, text);
  return prompts;
}

Deno.test("the text of a compaction repeats the prompts, of many the first and the last", () => {
  const few = compactedText("S", promptsOf(["a"]), [{ name: "pdf", path: "/s", content: "Do." }]);
  assert.match(few, /<user_message>\na\n<\/user_message>/);
  assert.match(few, /## Most recent skill: pdf\nPath: \/s/);
  const many = compactedText(
    "S",
    promptsOf(Array.from({ length: 30 }, (_, at) => `prompt ${at}`)),
    [],
  );
  // Copilot CLI computes a fifth of 20 in floating point: 3.9999999999999996, of which 3 are left.
  assert.match(many, /prompt 2\n<\/user_message>\n\.\.\. 11 messages omitted \.\.\.\n/);
  // Copilot CLI computes a fifth of 20 in floating point: 3.9999999999999996, of which 3 are left.
  assert.match(many, /prompt 29/);
});

Deno.test("a list needs the head, the tail and the last title, not what else lies between", async () => {
  const event = (type: string, data: object, at: number): string => {
    const timestamp = new Date(1788000000000 + at * 1000).toISOString();
    return JSON.stringify({ type, data, id: `e${at}`, timestamp, parentId: null }) + "\n";
  };
  let log = event("session.start", { sessionId: "s", context: { cwd: "/w" } }, 0);
  log += event("user.message", { content: "the first" }, 1);
  for (let at = 2; at < 300; at++) {
    log += event("assistant.message", { content: "x".repeat(900) }, at);
    if (at % 100 === 0) log += event("session.title_changed", { title: `Title ${at}` }, at);
  }
  log += event("user.message", { content: "the last" }, 300);
  await using home = await makeHome({ ".copilot/session-state/s/events.jsonl": log });
  const row = await copilot.assertSameRow(await copilot.found(home), 300);
  assert.deepEqual([row.last_user_message, row.title], ["the last", "Title 200"]);
});

type Event = [type: string, data: object];

/** A session whose log is longer than what is read of its end at first. */
async function withLog(
  events: readonly Event[],
  run: (session: AgentSession) => Promise<void>,
): Promise<void> {
  const lines = events.map(([type, data], at) =>
    JSON.stringify({
      type,
      data,
      id: `e${at}`,
      timestamp: new Date(1788000000000 + at * 1000).toISOString(),
      parentId: at === 0 ? null : `e${at - 1}`,
    })
  );
  await using home = await makeHome({
    ".copilot/session-state/s/events.jsonl": lines.join("\n") + "\n",
  });
  const found = await copilot.found(home);
  await run(found);
}

const WORK: Event[] = Array.from({ length: 100 }, (_, at): Event[] => [
  ["user.message", { content: `prompt ${at}` }],
  ["assistant.message", { messageId: `m${at}`, content: "x".repeat(900), model: "m" }],
]).flat();
const BEGUN: Event = ["session.start", { sessionId: "s", context: { cwd: "/w" } }];

async function tailOf(session: AgentSession, messages: number): Promise<readonly LogEvent[]> {
  return await copilotAgent.open(session).readTail({ messages });
}

Deno.test("an end whose compaction repeats earlier prompts has all of them", async () => {
  const compaction: Event = ["session.compaction_complete", { success: true, summaryContent: "S" }];
  const asked: Event[] = [["user.message", { content: "and now" }], [
    "assistant.message",
    { messageId: "last", content: "so" },
  ]];
  await withLog([BEGUN, ...WORK, compaction, ...asked], async (session) => {
    const kinds = (await tailOf(session, 2)).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["user_message", "assistant_message"]);
    const [applied] = payloadsOf(await tailOf(session, 3), "compaction_applied");
    assert.match(applied?.summary ?? "", /prompt 0\n[^]*prompt 99\n/);
  });
});

Deno.test("a picture that was put away earlier is in the end that shows it", async () => {
  const picture: Event = ["session.binary_asset", {
    assetId: "a",
    data: "iVBORw0KGgo=",
    mimeType: "image/png",
    type: "image",
  }];
  const seen: Event = ["user.message", {
    content: "See",
    attachments: [{ type: "image", mimeType: "image/png", assetId: "a" }],
  }];
  await withLog([BEGUN, picture, ...WORK, seen], async (session) => {
    const prompt = payloadsOf(await tailOf(session, 1), "user_message").at(-1);
    assert.ok(typeof prompt?.content === "object");
    assert.deepEqual(prompt.content.map(({ type }) => type), ["text", "image"]);
  });
});

Deno.test("an end does not tell what a run took beside its answers: earlier ones count too", async () => {
  const usage = { inputTokens: 9, outputTokens: 12, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const shutdown: Event = ["session.shutdown", { modelMetrics: { m: { usage } } }];
  await withLog([BEGUN, ...WORK, shutdown], async (session) => {
    const { events } = await copilot.read(session);
    const end = await tailOf(session, 1);
    assert.ok(end.length < events.length);
    const told = (all: readonly LogEvent[]): unknown => payloadsOf(all, "assistant_message").at(-1);
    const id = `e${WORK.length + 1}/m`;
    assert.deepEqual(told(end), { content: "", message_id: id, model: "m" });
    assert.deepEqual(told(events), {
      content: "",
      message_id: id,
      model: "m",
      usage: { input: 9, output: 12, cache_read: 0, cache_write: 0 },
      usage_of: "turn",
    });
  });
});

Deno.test("a place keeps no prompt that a compaction would leave out", () => {
  const prompts = noPrompts();
  for (let at = 0; at < 1000; at++) notePrompt(prompts, `prompt ${at} ${"x".repeat(99_999)}`);
  assert.deepEqual([prompts.texts.length, prompts.omitted], [23, 977]);
  assert.ok(JSON.stringify(prompts).length < 800_000);
  const text = compactedText("S", prompts, []);
  assert.match(text, /prompt 0 x[^]*\.\.\. 998 messages omitted \.\.\.\n[^]*prompt 999 x/);
});

const SAMPLES = fileURLToPath(
  sampleUrl("copilot-cli/jazzyalex__agent-sessions"),
);

testRecorded(
  "every sample of Copilot CLI is recognized, read and accounted for",
  SAMPLES,
  async () => {
    let files = 0;
    for (const { name } of Deno.readDirSync(SAMPLES)) {
      const path = `${SAMPLES}/${name}`;
      const bytes = await Deno.readFile(path);
      assert.ok(copilotAgent.recognize(path, bytes.slice(0, 64 * 1024)), name);
      const session = await copilot.only(path);
      const { events, account, found } = await copilot.read(session);
      assert.equal(account.events, bytes.length);
      assert.equal(accountSum(account), account.total);
      assert.deepEqual(found, [], name);
      assert.ok(events.every(({ form }) => form === "known"), name);
      const { messages } = await copilot.conversation(session);
      assert.ok(messages.length > 0, name);
      assert.match((await copilot.summary(session))?.cwd ?? "", /^\/tmp\/\w+$/, name);
      files++;
    }
    assert.equal(files, 4);
  },
);

testRecorded("a sample's call that starts before its answer is told of once", SAMPLES, async () => {
  const path = `${SAMPLES}/Resources__Fixtures__stage0__agents__copilot__schema_drift.jsonl`;
  const session = await copilot.only(path);
  const { events } = await copilot.read(session);
  assert.deepEqual(payloadsOf(events, "bash_start").map(({ call_id }) => call_id), ["call_1"]);
  const { messages, findings } = await copilot.conversation(session);
  assert.deepEqual(messages.map(({ role }) => role), ["assistant", "tool", "assistant"]);
  assert.deepEqual(findings.map(({ code }) => code), ["orphan-settlement"]);
});
