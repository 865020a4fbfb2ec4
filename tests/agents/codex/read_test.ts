/** How a thread of Codex is read: what becomes of each of its records. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { outputText } from "../../../lib/core/event/audience.ts";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { usage } from "../../_support/usage.ts";
import {
  type AgentRead,
  locateAll,
  makeHome,
  onlySession,
  payloadsOf,
  readAll,
  responseParts,
} from "../../_support/agent_contract.ts";
import { fixture } from "./_codex_home.ts";
import { tempFile } from "../../_support/temp_file.ts";

async function readFixture(name: string): Promise<AgentRead> {
  const session = await onlySession(codexAgent, fileURLToPath(fixture(name)));
  return await readAll(codexAgent, session);
}

Deno.test("a thread of 0.40 gives each message, thought and command once", async () => {
  const { events, account } = await readFixture("legacy.jsonl");
  assert.deepEqual(events.map(({ kind }) => kind), [
    "session_started",
    "user_message",
    "user_message",
    "assistant_message",
    "bash_start",
    "bash_end",
    "assistant_message",
  ]);
  assert.deepEqual(responseParts(events, "reasoning"), [{
    type: "reasoning",
    text: "**Counting**",
    provider_data: { type: "reasoning", encrypted_content: "gAAAA-first" },
  }]);
  assert.deepEqual(payloadsOf(events, "bash_end"), [{
    call_id: "call_1",
    command: "ls | wc -l",
    output: [
      { type: "text", text: "12\n", audience: "user" },
      {
        type: "text",
        text: '{"output":"12\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}',
        audience: "model",
      },
    ],
    exit_code: 0,
    status: "ok",
    duration_ns: 100_000_000,
  }]);
  assert.equal(account.side["event_msg/user_message"], 138);
});

Deno.test("tokens of an answer are counted once, wherever they stand", async () => {
  for (const [name, input, output] of [["legacy", 540, 120], ["paginated", 40, 12]] as const) {
    const { events } = await readFixture(`${name}.jsonl`);
    const [row, ...more] = foldEvents(usage(), events);
    assert.deepEqual([row?.usage.input, row?.usage.output], [input, output], name);
    assert.equal(row?.model, "gpt-5-codex");
    assert.equal(row?.messages, 2);
    assert.equal(more.length, 0);
  }
});

Deno.test("tokens said behind the outputs of an answer stand alone", async () => {
  const line = (type: string, payload: unknown): string =>
    JSON.stringify({ timestamp: "2026-03-01T09:00:00.000Z", type, payload });
  const count = (input: number, total: number): string =>
    line("event_msg", {
      type: "token_count",
      info: {
        total_token_usage: { input_tokens: total, output_tokens: 1 },
        last_token_usage: { input_tokens: input, output_tokens: 1 },
      },
    });
  const call = { type: "function_call", name: "update_plan", arguments: "{}", call_id: "c1" };
  using file = tempFile(
    "a.jsonl",
    [
      line("session_meta", { id: "t1", timestamp: "2026-03-01T09:00:00.000Z", cwd: "/w" }),
      line("turn_context", { model: "m1" }),
      line("response_item", call),
      line("response_item", { type: "function_call_output", call_id: "c1", output: "done" }),
      count(10, 10),
      count(10, 10),
      line("response_item", {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Planned." }],
      }),
      count(20, 30),
    ].join("\n") + "\n",
  );
  const { events } = await readAll(codexAgent, await onlySession(codexAgent, file.path));
  const answers = payloadsOf(events, "assistant_message");
  assert.deepEqual(answers.map(({ content, usage }) => [content, usage?.input]), [
    [[{ type: "tool_call", call_id: "c1", name: "update_plan", input: {} }], undefined],
    ["", 10],
    ["Planned.", 20],
  ]);
});

Deno.test("a patch is shown as the changes that were recorded, else as it was written", async () => {
  const { events } = await readFixture("apply_patch.jsonl");
  const [recorded, added, written, , ...more] = payloadsOf(events, "diff");
  assert.equal(recorded?.path, "/home/ada/src/ledger/src/a.ts");
  assert.deepEqual(recorded?.lines, [
    { kind: "hunk", content: "@@ -1,2 +1,2 @@" },
    { kind: "context", old: 1, new: 1, content: "const one = 1;" },
    { kind: "removed", old: 2, content: "const two = 3;" },
    { kind: "added", new: 2, content: "const two = 2;" },
  ]);
  assert.deepEqual(added?.lines, [{ kind: "added", new: 1, content: "export {};" }]);
  assert.equal(written?.path, "src/a.ts");
  assert.deepEqual(written?.lines.map(({ kind }) => kind), ["hunk", "context", "removed", "added"]);
  assert.equal(more.length, 0, "a patch that failed changed nothing");
  assert.deepEqual(payloadsOf(events, "tool_end").map(({ status }) => status), [
    "ok",
    "ok",
    "error",
  ]);
});

Deno.test("shows stopped and failed calls and turns as such", async () => {
  const { events } = await readFixture("interrupted.jsonl");
  assert.deepEqual(payloadsOf(events, "bash_end").map(({ status }) => status), ["interrupted"]);
  assert.deepEqual(payloadsOf(events, "turn_failed"), [
    { reason: "cancelled", message: "interrupted" },
    { reason: "error", message: "stream disconnected before completion" },
    { reason: "error", message: "usage limit reached" },
  ]);
  // It was shown, but never sent.
  assert.deepEqual(payloadsOf(events, "notice").at(-1), {
    audience: "user",
    title: "agent message",
    text: "I was going to",
  });
});

Deno.test("images are attachments, those of a tool's output too", async () => {
  const { events } = await readFixture("images.jsonl");
  const asked = payloadsOf(events, "user_message").find(({ content }) => Array.isArray(content));
  const [shown] = payloadsOf(events, "tool_end");
  const image = { type: "image", media_type: "image/png", bytes: 70 };
  for (const content of [asked?.content, shown?.output]) {
    const part = typeof content === "string" ? undefined : content?.at(-1);
    assert.ok(part?.type === "image");
    const { data, sha256, ...rest } = part;
    assert.deepEqual(rest, image);
    assert.equal(sha256.length, 64);
    assert.ok(data?.startsWith("iVBOR"));
  }
  assert.equal(outputText(shown?.output ?? "", "model"), "attached\n[image: image/png]");
});

Deno.test("tools of the provider, of servers, and commands of the user have outcomes", async () => {
  const { events } = await readFixture("tools.jsonl");
  assert.deepEqual(responseParts(events, "tool_call").map(({ name }) => name), [
    "web_search",
    "mcp__docs__find",
  ]);
  assert.deepEqual(payloadsOf(events, "tool_end").map(({ status }) => status), ["ok", "error"]);
  const [command] = payloadsOf(events, "bash_start");
  assert.deepEqual([command?.origin, command?.audience], ["user", "user"]);
  assert.deepEqual(payloadsOf(events, "bash_end")[0]?.exit_code, 1);
  assert.deepEqual(payloadsOf(events, "user_message").at(-1)?.content, "Report, please.");
});

Deno.test("keeps unknown records and reads on", async () => {
  const { events } = await readFixture("unknown.jsonl");
  assert.deepEqual(payloadsOf(events, "extension").map(({ type }) => type), [
    "tea_break",
    "event_msg/kettle_boiled",
    "response_item/hologram",
    "response_item/message/user",
  ]);
  assert.deepEqual(payloadsOf(events, "user_message").map(({ content }) => content), [
    "Hello.",
    "Smell this.",
  ]);
});

Deno.test("damage costs the lines that it touches", async () => {
  const { events, found } = await readFixture("damaged.jsonl");
  assert.deepEqual(found.map(({ code }) => code), [
    "malformed-line",
    "glued-line",
    "nul-run",
    "torn-tail",
  ]);
  assert.deepEqual(events.map(({ kind, integrity }) => [kind, integrity]), [
    ["session_started", "unverified"],
    ["user_message", "unverified"],
    ["assistant_message", "salvaged"],
  ]);
});

Deno.test("a call that is stored twice is settled once", async () => {
  const { events, account } = await readFixture("repeated.jsonl");
  assert.equal(payloadsOf(events, "bash_start").length, 1);
  assert.equal(payloadsOf(events, "bash_end").length, 1);
  assert.equal(account.side["response_item/function_call"], 178);
});

Deno.test("threads from before 2025-09 are read: bare lines, and documents", async () => {
  const bare = await readFixture("bare.jsonl");
  assert.equal(payloadsOf(bare.events, "session_started")[0]?.cwd, "/home/ada/src/site");
  assert.deepEqual(payloadsOf(bare.events, "bash_end")[0]?.command, "echo 'hi there'");
  assert.equal(bare.account.side.state, 48);
  const document = await readFixture("document.json");
  assert.deepEqual(payloadsOf(document.events, "user_message"), [{ content: "Old." }]);
  assert.deepEqual(document.account.events, document.account.total);
});

Deno.test("a document is located, and its directory is not known", async () => {
  const name = ".codex/sessions/rollout-2025-05-01-0197aaaa-0000-4000-8000-000000000015.json";
  await using home = await makeHome({ [name]: fixture("document.json") });
  const [session] = await locateAll(codexAgent, home.environment);
  assert.equal(session?.id, "0197aaaa-0000-4000-8000-000000000015");
  const head = await Deno.readFile(fixture("document.json"));
  assert.ok(codexAgent.recognize(session.path, head));
  const row = await codexAgent.open(session).summarize();
  assert.deepEqual([row?.title, row?.message_count, row?.cwd], ["Old.", 2, undefined]);
});
