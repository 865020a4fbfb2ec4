import assert from "node:assert/strict";
import { join } from "node:path";
import { SUMMARY_PREFACE } from "../../../lib/agents/fen/compaction.ts";
import { fenAgent, fenFormat } from "../../../lib/agents/fen/fen_agent.ts";
import { locateAll, makeHome } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";

const fen = new Reading(fenAgent, { format: fenFormat });

function line(value: unknown): string {
  return JSON.stringify(value).replaceAll("/", "\\/") + "\n";
}

function header(cwd: string, id: string): string {
  return line({ type: "session", version: 2, id, timestamp: "2026-08-01T10-00-00", cwd });
}

function message(id: string, role: string, content: unknown): string {
  const timestamp = "2026-08-01T10-00-01";
  return line({ type: "message", id, timestamp, message: { role, content } });
}

const FOLDER = "state/fen/sessions/--home-dev-my-app--";
const TOOLS = "01a1ffd9-0000-7a08-9c23-000000000001";
const COMPACTION = "01a1ffd9-0000-7a08-9c23-000000000002";
const FORWARD = "01a1ffd9-0000-7a08-9c23-000000000003";
const UNANSWERED = "v1sess";

const HOME = {
  variables: { XDG_STATE_HOME: "~/state" },
  files: {
    [`${FOLDER}/2026-08-01T10-00-00_${TOOLS}.jsonl`]: fen.fixture("tools.jsonl"),
    [`${FOLDER}/2026-08-01T10-00-00_${TOOLS}.jsonl.repaired.jsonl`]: fen.fixture("tools.jsonl"),
    [`${FOLDER}/2026-08-01T10-00-00_${TOOLS}.jsonl.lock/owner`]: "1",
    [`${FOLDER}/2026-08-02T10-00-00_${COMPACTION}.jsonl`]: fen.fixture("compaction.jsonl"),
    [`${FOLDER}/2026-08-03T10-00-00_${FORWARD}.jsonl`]: fen.fixture("forward.jsonl"),
    [`${FOLDER}/2026-08-05T10-00-00_${UNANSWERED}.jsonl`]: fen.fixture("unanswered.jsonl"),
  },
  ids: [TOOLS, COMPACTION, FORWARD, UNANSWERED],
  cwd: "/home/dev/my-app",
};

fen.testContract("fen", HOME);
fen.testContract("fen, compaction", { ...HOME, id: COMPACTION });

Deno.test("an answer gives reasoning, text and calls, tied together and with what it took", async () => {
  const [answer] = await fen.payloads("tools.jsonl", "assistant_message");
  assert.deepEqual(answer, {
    content: [
      { type: "reasoning", text: "look first", provider_data: { signature: "c2ln" } },
      { type: "text", text: "Reading." },
      { type: "tool_call", call_id: "call_1", name: "read", input: { path: "a.fnl" } },
      { type: "tool_call", call_id: "call_2", name: "bash", input: {} },
    ],
    message_id: "e2",
    model: "claude-sonnet-4-5",
    provider: "anthropic",
    finish_reason: "tool-use",
    usage: { input: 10, output: 5, cache_read: 100, cache_write: 0 },
  });
  const ends = await fen.payloads("tools.jsonl", "tool_end");
  assert.deepEqual(ends.map(({ status, output }) => [status, output]), [
    ["ok", "(fn parse)"],
    ["error", ""],
  ]);
});

Deno.test("records without a kind of ours are kept as extensions", async () => {
  const kept = await fen.payloads("tools.jsonl", "extension");
  assert.deepEqual(kept.map(({ type }) => type), ["tool-result-details", "extension-state"]);
  assert.deepEqual(kept[0]?.data, { call_id: "call_2", details: { "exit-code": 1 } });
});

Deno.test("an answer that was stopped keeps its text, and what it took", async () => {
  const [cut] = await fen.payloads("tools.jsonl", "assistant_interrupted");
  assert.deepEqual(cut, { content: "Half a th", message_id: "e5", reason: "aborted" });
  const answers = await fen.payloads("tools.jsonl", "assistant_message");
  const fields = answers.find(({ message_id }) => message_id === "e5");
  assert.deepEqual([fields?.content, fields?.usage], ["", { input: 1, output: 1 }]);
});

Deno.test("an answer that failed is said, and sent as fen sends it", async () => {
  assert.deepEqual(await fen.payloads("tools.jsonl", "turn_failed"), [
    { reason: "error", message: "529" },
  ]);
  const messages = await fen.messages("tools.jsonl");
  assert.deepEqual(messages.at(-1), { role: "assistant", content: "[error] 529" });
  assert.deepEqual(messages.at(-2), {
    role: "user",
    content: [{ type: "text", text: "again" }, { type: "text", text: "please" }],
  });
});

Deno.test("the last valid compaction is in force, with fen's words before its summary", async () => {
  const compacted = await fen.session("compaction.jsonl");
  const messages = await fen.messages(compacted);
  assert.deepEqual(messages, [
    { role: "user", content: `${SUMMARY_PREFACE}They count.` },
    { role: "user", content: "two" },
    { role: "assistant", content: "2" },
    { role: "user", content: "three" },
  ]);
  const [applied] = await fen.payloads("compaction.jsonl", "compaction_applied");
  assert.deepEqual([applied?.trigger, applied?.tokens_before, applied?.tokens_after], [
    "auto",
    9000,
    1200,
  ]);
  const { found } = await fen.read(compacted);
  assert.deepEqual(found.map(({ code, line }) => [code, line]), [
    ["invalid-compaction", 7],
    ["invalid-compaction", 8],
  ]);
  const items = await fen.transcript(compacted);
  assert.equal(items.filter(({ type }) => type === "message").length, 5);
});

Deno.test("a compaction may name a message that comes after it", async () => {
  const messages = await fen.messages("forward.jsonl");
  assert.deepEqual(messages.map(({ content }) => content), [
    `${SUMMARY_PREFACE}Ahead.`,
    "three",
    "3",
  ]);
});

Deno.test("a file without its header keeps its first line, which fen drops", async () => {
  const headerless = await fen.session("headerless.jsonl");
  const { found, events } = await fen.read(headerless);
  assert.deepEqual(found.map(({ code }) => code), ["missing-header"]);
  assert.equal(events[0]?.kind, "session_started");
  const messages = await fen.messages(headerless);
  assert.deepEqual(messages, [
    { role: "user", content: "kept, though fen drops it" },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", provider_data: { type: "reasoning_content" } },
        { type: "reasoning", text: "so", provider_data: { type: "reasoning", id: "rs_1" } },
      ],
    },
  ]);
  const kept = await fen.payloads("headerless.jsonl", "extension");
  assert.deepEqual(kept.map(({ type }) => type), ["message", "message", "content"]);
});

Deno.test("without a prompt, the title is the first text of anyone", async () => {
  const summary = await fen.summary("unanswered.jsonl");
  assert.equal(summary?.title, "Nobody asked.");
  assert.equal(summary?.session_id, "v1sess");
});

Deno.test("sessions are found in a linked folder", async () => {
  await using home = await makeHome({ "shop/x": "" });
  const real = join(home.path, "shop");
  const link = join(home.path, "link");
  Deno.symlinkSync(real, link);
  const slug = (cwd: string) => `--${cwd.slice(1).replaceAll("/", "-")}--`;
  const store = join(home.path, "moved");
  for (
    const [folder, cwd, id] of [[slug(real), real, "a"], [slug(link), link, "b"], [
      "--x--",
      "/x",
      "c",
    ]]
  ) {
    const path = join(store, "sessions", folder as string);
    Deno.mkdirSync(path, { recursive: true });
    const name = `2026-08-01T10-00-00_${id}.jsonl`;
    Deno.writeTextFileSync(join(path, name), header(cwd as string, id as string));
  }
  Deno.mkdirSync(join(home.path, ".local", "state"), { recursive: true });
  Deno.symlinkSync(store, join(home.path, ".local", "state", "fen"));
  assert.equal((await locateAll(fenAgent, home.environment)).length, 3);
});

Deno.test("a session of pi, whose lines look alike, is none of fen's", () => {
  const encoder = new TextEncoder();
  const pi = line({
    type: "session",
    version: 3,
    id: "x",
    timestamp: "2026-08-06T17:49:38.956Z",
    cwd: "/w",
  });
  assert.ok(!fenAgent.recognize("x.jsonl", encoder.encode(pi)));
  assert.ok(fenAgent.recognize("x.jsonl", encoder.encode("torn{\n" + message("a", "user", "hi"))));
});
