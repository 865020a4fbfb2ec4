import assert from "node:assert/strict";
import { join } from "node:path";
import { opencodeAgent, opencodeFormat } from "../../../lib/agents/opencode/opencode_agent.ts";
import { contentFor } from "../../../lib/event/audience.ts";
import type { LogEvent } from "../../../lib/event/envelope.ts";
import type { Output, OutputPart } from "../../../lib/event/message.ts";
import { conversation } from "../../../lib/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/projection/projection.ts";
import {
  conversationOf,
  onlySession,
  readAll,
  responseParts,
  testAgentContract,
  transcriptOf,
} from "../../_support/agent_contract.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { databaseOf, type Exported, exported, forkOf, storageFiles } from "./_store.ts";
import { tempFile } from "../../_support/temp_file.ts";

interface Read {
  events: LogEvent[];
  of(kind: string): Record<string, unknown>[];
}

/** Reads the session of a fixture from a database. */
function read(name: string): Promise<Read> {
  return readChanged(name, () => {});
}

async function readChanged(name: string, change: (session: Exported) => void): Promise<Read> {
  const session = exported(name);
  change(session);
  using file = tempFile("opencode.db", databaseOf(session));
  const { events } = await readAll(opencodeAgent, await onlySession(opencodeAgent, file.path));
  return {
    events,
    of: (kind) =>
      events.flatMap((event) =>
        event.kind === kind && event.form === "known" ? [event.payload as never] : []
      ),
  };
}

/** Folds a fixture, changed, to what the model gets. */
async function messagesOf(
  name: string,
  change: (session: Exported) => void = () => {},
): Promise<unknown[]> {
  const session = exported(name);
  change(session);
  using file = tempFile("opencode.db", databaseOf(session));
  const { messages } = await conversationOf(
    opencodeAgent,
    await onlySession(opencodeAgent, file.path),
  );
  return messages;
}

const small = exported("small");
const everything = exported("everything");
const compaction = exported("compaction");

testAgentContract("opencode in its database", {
  agent: opencodeAgent,
  format: opencodeFormat,
  files: { ".local/share/opencode/opencode.db": databaseOf(small, everything, compaction) },
  forks: {
    ".local/share/opencode/opencode.db": databaseOf(
      ...[small, everything, compaction].flatMap((session) => [session, forkOf(session)]),
    ),
  },
  ids: ["ses_small", "ses_everything", "ses_compaction"],
  cwd: "/home/ada/src/ledger",
  unit: "rows",
});

testAgentContract("opencode in its older files", {
  agent: opencodeAgent,
  format: opencodeFormat,
  files: { ...storageFiles(small), ...storageFiles(everything), ...storageFiles(compaction) },
  ids: ["ses_small", "ses_everything", "ses_compaction"],
  cwd: "/home/ada/src/ledger",
  unit: "rows",
});

testAgentContract("opencode where OPENCODE_DB names it", {
  agent: opencodeAgent,
  format: opencodeFormat,
  files: { "state/elsewhere.db": databaseOf(small) },
  variables: { OPENCODE_DB: "~/state/elsewhere.db", XDG_DATA_HOME: "~/data" },
  ids: ["ses_small"],
  unit: "rows",
  damage: false,
});

Deno.test("a session starts with its directory, its version, its parent and its archive", async () => {
  const { of } = await read("everything");
  assert.deepEqual(of("session_started"), [{
    session_id: "ses_everything",
    created_at: "2025-11-21T04:40:00.000Z",
    cwd: "/home/ada/src/ledger",
    app: { name: "opencode", version: "1.18.34" },
    unanswered_call: "[Tool execution was interrupted]",
    title: "Everything that a session holds",
    parent: { session_id: "ses_parent", reason: "subagent" },
  }]);
  assert.deepEqual(of("session_archived"), [{ archived: true }]);
});

Deno.test("a title that OpenCode itself takes for none is none", async () => {
  const { of } = await read("compaction");
  assert.equal(of("session_started")[0]?.title, undefined);
});

Deno.test("a prompt is what the user wrote, and tells the model OpenCode's own texts beside it", async () => {
  const { of } = await read("everything");
  const [prompt] = of("user_message");
  const parts = prompt?.content as { type: string; audience?: string }[];
  assert.deepEqual(parts.map(({ type, audience = "both" }) => `${type} ${audience}`), [
    "text both",
    "text model",
    "image both",
    "text user",
  ]);
  const image = parts[2] as unknown as Record<string, unknown>;
  assert.equal(image?.path, "dot.png");
  assert.equal(image?.bytes, 8);
  assert.equal(image?.media_type, "image/png");
  const types = of("extension").map(({ type }) => type);
  assert.deepEqual(types.slice(0, 2), ["file", "agent"]);
});

Deno.test("a thought without data of its provider goes back as reasoning_content", async () => {
  const found = await readChanged("everything", (session) => {
    for (const { parts } of session.messages) {
      for (const part of parts) if (part.type === "reasoning") delete part.metadata;
    }
  });
  assert.deepEqual(responseParts(found.events, "reasoning").map((part) => part.provider_data), [
    { type: "reasoning_content" },
  ]);
});

Deno.test("thoughts, texts and calls of one answer are tied, and its cost is told once", async () => {
  const { of, events } = await read("everything");
  assert.deepEqual(responseParts(events, "reasoning"), [{
    type: "reasoning",
    text: "I should look.",
    provider_data: { anthropic: { signature: "c2ln" } },
  }]);
  const { content, ...fields } = of("assistant_message")[0] ?? {};
  const types = (content as { type: string }[]).map(({ type }) => type);
  assert.deepEqual(types.slice(0, 3), ["reasoning", "text", "tool_call"]);
  assert.deepEqual(fields, {
    message_id: "msg_e02",
    model: "claude-x",
    provider: "anthropic",
    finish_reason: "tool-calls",
    usage: { input: 100, output: 23, reasoning: 3, cache_read: 40, cache_write: 10 },
    cost_usd: 0.5,
  });
  const cost = of("assistant_message").reduce(
    (sum, { cost_usd }) => sum + Number(cost_usd ?? 0),
    0,
  );
  assert.equal(cost, 0.5 + 0 + 0.125 + 0.75);
  const turns = new Set(events.map((event) => event.form === "known" ? event.turn_id : undefined));
  assert.deepEqual([...turns], [undefined, "msg_e01", "msg_e04", "msg_e06"]);
});

Deno.test("several calls to a model in one message are told apart, each with its tokens", async () => {
  const { of } = await read("everything");
  const steps = of("assistant_message").filter(({ message_id }) =>
    String(message_id).startsWith("msg_e08")
  );
  assert.deepEqual(
    steps.map(({ content, message_id, usage, cost_usd }) => [
      content,
      message_id,
      (usage as Record<string, unknown>).input,
      cost_usd,
    ]),
    [
      [
        [
          { type: "text", text: "First step." },
          { type: "tool_call", call_id: "call_1", name: "list", input: {} },
        ],
        "msg_e08",
        10,
        0.25,
      ],
      ["Second step.", "msg_e08#2", 20, 0.5],
    ],
  );
});

Deno.test("a shell command tells what it was for, how it ended, and who ran it", async () => {
  const { of } = await read("everything");
  assert.deepEqual(of("bash_start"), [
    { call_id: "call_1", summary: "Fails" },
    { call_id: "call_7", command: "ls", origin: "user" },
  ]);
  const [failed, ran] = of("bash_end");
  assert.deepEqual(failed, {
    call_id: "call_1",
    command: "false",
    summary: "Fails",
    status: "error",
    // Parts are all that the model gets: no exit code.
    output: [{ type: "text", text: "no\n" }],
    exit_code: 1,
    duration_ns: 500_000_000,
  });
  assert.equal(ran?.status, "ok");
});

Deno.test("a call and its result lie in one part: errors, cut-off and pruned ones keep their words", async () => {
  const { of, events } = await read("everything");
  const ends = new Map(of("tool_end").map((end) => [end.call_id, end]));
  assert.equal(ends.get("call_2")?.output, "Edited.");
  assert.deepEqual(
    [ends.get("call_3")?.status, ends.get("call_3")?.error],
    ["error", "File not found: /gone"],
  );
  const pruned = (ends.get("call_5")?.output ?? "") as Output;
  assert.equal(contentFor(pruned, "user"), "a very long result");
  assert.equal(contentFor(pruned, "model"), "[Old tool result content cleared]");
  assert.doesNotMatch(JSON.stringify(foldEvents(conversation(), events)), /a very long result/);
  assert.deepEqual(
    [ends.get("call_6")?.status, ends.get("call_6")?.error],
    ["interrupted", "[Tool execution was interrupted]"],
  );
  assert.equal(ends.get("call_5")?.truncated, undefined);
});

Deno.test("an edit shows its diff with line numbers, and a result its image", async () => {
  const { of } = await read("everything");
  assert.deepEqual(of("diff"), [{
    call_id: "call_2",
    path: "/home/ada/a.txt",
    lines: [
      { kind: "hunk", content: "@@ -1,2 +1,2 @@" },
      { kind: "removed", old: 1, content: "a" },
      { kind: "added", new: 1, content: "b" },
      { kind: "context", old: 2, new: 2, content: "c" },
    ],
  }]);
  const [image] = of("tool_end").filter(({ call_id }) => call_id === "call_4");
  const outputs = image?.output as OutputPart[];
  assert.deepEqual(outputs.map(({ type }) => type), ["text", "image"]);
});

Deno.test("an answer that the user stopped keeps its text, one that failed is told but not sent", async () => {
  const { of } = await read("everything");
  assert.deepEqual(of("assistant_interrupted"), [
    {
      content: [
        { type: "text", text: "It says th" },
        {
          type: "tool_call",
          call_id: "call_6",
          name: "webfetch",
          input: { url: "https://example.org" },
        },
      ],
      message_id: "msg_e03",
      reason: "aborted",
    },
  ]);
  assert.deepEqual(of("turn_failed"), [
    { reason: "cancelled", message: "The operation was aborted." },
    { reason: "error", message: "I was about to\n\nOverloaded" },
  ]);
  const sent = JSON.stringify(await messagesOf("everything"));
  assert.ok(sent.includes("It says th"));
  assert.ok(!sent.includes("I was about to"));
});

Deno.test("keeps records that no kind holds as they were", async () => {
  const { of } = await read("everything");
  const kept = of("extension").map(({ type }) => type);
  for (const type of ["patch", "subtask", "retry", "hologram"]) {
    assert.ok(kept.includes(type), type);
  }
  const { data } = of("extension").find(({ type }) => type === "hologram") ?? {};
  assert.deepEqual(data, { type: "hologram", shape: "cube" });
});

Deno.test("the model gets the compaction as question and answer, then the tail word for word", async () => {
  assert.deepEqual(await messagesOf("compaction"), [
    { role: "user", content: "What did we do so far?" },
    { role: "assistant", content: "second summary" },
    { role: "user", content: "three" },
    { role: "assistant", content: "answer three" },
    { role: "user", content: "four" },
  ]);
});

Deno.test("a tail may begin before an earlier compaction, which is then in it", async () => {
  const messages = await messagesOf("compaction", (session) => {
    (session.messages[8]?.parts[0] as Record<string, unknown>).tail_start_id = "msg_c03";
  });
  assert.deepEqual(messages.slice(0, 5), [
    { role: "user", content: "What did we do so far?" },
    { role: "assistant", content: "second summary" },
    { role: "user", content: "What did we do so far?" },
    { role: "assistant", content: "first summary" },
    { role: "user", content: "two" },
  ]);
});

Deno.test("a compaction whose tail is nowhere cuts nothing off, as in OpenCode", async () => {
  const messages = await messagesOf("compaction", (session) => {
    for (const index of [2, 8]) {
      (session.messages[index]?.parts[0] as Record<string, unknown>).tail_start_id = "msg_gone";
    }
  });
  assert.deepEqual(messages[0], { role: "user", content: "one" });
  assert.equal(messages.length, 11);
});

const FAILED = { name: "APIError", data: { message: "Overloaded" } };

Deno.test("a failed compaction is a question without an answer", async () => {
  const messages = await messagesOf("compaction", (session) => {
    const [request, answer] = session.messages.slice(8, 10);
    delete request?.parts[0]?.tail_start_id;
    if (answer !== undefined) answer.info.error = FAILED;
  });
  assert.deepEqual(messages.slice(0, 2), [
    { role: "user", content: "What did we do so far?" },
    { role: "assistant", content: "first summary" },
  ]);
  assert.deepEqual(messages.slice(-2), [
    { role: "user", content: "What did we do so far?" },
    { role: "user", content: "four" },
  ]);
});

// As OpenCode 1.18.34 does: it sent these messages when it was given this session.
Deno.test("a compaction that failed though it names a tail goes on with the tail alone", async () => {
  const messages = await messagesOf("compaction", (session) => {
    const answer = session.messages[9];
    if (answer !== undefined) answer.info.error = FAILED;
  });
  assert.deepEqual(messages, [
    { role: "user", content: "What did we do so far?" },
    { role: "user", content: "three" },
    { role: "assistant", content: "answer three" },
    { role: "user", content: "four" },
  ]);
});

Deno.test("compactions are shown where they happened, and remove nothing that was seen", async () => {
  using file = tempFile("opencode.db", databaseOf(exported("compaction")));
  const items = await transcriptOf(opencodeAgent, await onlySession(opencodeAgent, file.path));
  const shown = items.map((item) =>
    item.type === "message" ? item.content : item.type === "compaction" ? item.summary : item.type
  );
  assert.deepEqual(shown, [
    "session",
    "one",
    "answer one",
    "first summary",
    "two",
    "answer two",
    "three",
    "answer three",
    "second summary",
    "four",
  ]);
  const triggers = items.flatMap((item) => item.type === "compaction" ? [item.trigger] : []);
  assert.deepEqual(triggers, ["manual", "auto"]);
});

Deno.test("leaves out reverted messages unless they are asked for", async () => {
  const revert = (session: Exported): void => {
    session.info.revert = { messageID: "msg_c07" };
  };
  const messages = await messagesOf("compaction", revert);
  assert.deepEqual(messages.at(-1), { role: "assistant", content: "answer two" });

  const session = exported("compaction");
  revert(session);
  using file = tempFile("opencode.db", databaseOf(session));
  const found = await onlySession(opencodeAgent, file.path);
  const { account, events } = await readAll(opencodeAgent, found, { unit: "rows" });
  assert.equal(account.dead, 10);
  assert.equal(account.total, 1 + 11 + 11);
  const all = await readAll(opencodeAgent, found, { thread: "msg_c11" });
  assert.ok(all.events.length > events.length);
  assert.equal((await opencodeAgent.open(found).summarize())?.last_user_message, "two");
});

Deno.test("with a part named, the message is kept up to it", async () => {
  const messages = await messagesOf("everything", (session) => {
    session.info.revert = { messageID: "msg_e02", partID: "prt_e02d" };
  });
  assert.deepEqual(messages.at(-1), {
    role: "assistant",
    content: [
      {
        type: "reasoning",
        text: "I should look.",
        provider_data: { anthropic: { signature: "c2ln" } },
      },
      { type: "text", text: "I look." },
    ],
  });
});

Deno.test("messages stand in the order of their times, then of their ids", async () => {
  const messages = await messagesOf("small", (session) => {
    session.messages.reverse();
    session.messages[0]!.info.time.created = 1763700000000;
  });
  assert.deepEqual(messages, [
    { role: "user", content: "What is in the ledger?" },
    { role: "assistant", content: "Two entries." },
  ]);
});

Deno.test("the last messages are read from the last rows, as is the row of a long session", async () => {
  const long = exported("small");
  const [prompt, answer] = long.messages;
  assert.ok(prompt !== undefined && answer !== undefined);
  long.messages = Array.from({ length: 60 }, (_, at) => {
    const id = String(at).padStart(2, "0");
    return [prompt, answer].map(({ info, parts }) => ({
      info: {
        ...info,
        id: `${info.id}_${id}`,
        parentID: `${prompt.info.id}_${id}`,
        time: { ...info.time, created: info.time.created + 10_000 * at },
      },
      parts: parts.map((part) => ({
        ...part,
        id: `${part.id}_${id}`,
        ...(part.type === "text" ? { text: `${at} ${"x".repeat(2000)}` } : {}),
      })),
    }));
  }).flat();
  await withDirectory(async (folder) => {
    const path = join(folder, "opencode.db");
    Deno.writeFileSync(path, databaseOf(long));
    const session = await onlySession(opencodeAgent, path);
    const { events } = await readAll(opencodeAgent, session);
    const end = await opencodeAgent.open(session).readTail({ messages: 2 });
    assert.ok(end.length > 0 && end.length < 10, `${end.length}`);
    const seen = (part: readonly LogEvent[]): unknown =>
      part.map((event) => event.form === "known" ? [event.source?.id, event.payload] : []);
    assert.deepEqual(seen(end), seen(events.slice(-end.length)));
    const row = await opencodeAgent.open(session).summarize();
    const exact = await opencodeAgent.open(session).summarize({ exact: true });
    assert.equal(row?.message_count, undefined);
    assert.equal(exact?.message_count, 120);
    assert.deepEqual(
      [row?.title, row?.last_user_message, row?.status, row?.updated_at],
      [exact?.title, exact?.last_user_message, exact?.status, exact?.updated_at],
    );
  });
});
