import assert from "node:assert/strict";
import { UNSETTLED_OUTPUT } from "../../../lib/projection/conversation/paired_messages.ts";
import { DatabaseSync } from "node:sqlite";
import { gooseAgent, gooseFormat } from "../../../lib/agents/goose/goose_agent.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import type { LogEvent } from "../../../lib/event/envelope.ts";
import { SessionError } from "../../../lib/event/session_error.ts";
import {
  conversationOf,
  locateAll,
  makeHome,
  onlySession,
  readAll,
  responseParts,
  testAgentContract,
  transcriptOf,
} from "../../_support/agent_contract.ts";
import { insert } from "../../_support/database_bytes.ts";
import { databaseOf, fixture, schemaBytes, type Talk, talk } from "./_store.ts";
import { goose } from "../../../lib/agents/goose/descriptor.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";
import { tempFile } from "../../_support/temp_file.ts";

async function withSession(
  bytes: Uint8Array,
  run: (session: AgentSession) => Promise<void>,
  name = "sessions.db",
): Promise<void> {
  using file = tempFile(name, bytes);
  await run(await onlySession(gooseAgent, file.path));
}

function payloads(events: readonly LogEvent[], kind: string): Record<string, unknown>[] {
  return events.flatMap((event) =>
    event.kind === kind && event.form === "known" ? [event.payload as never] : []
  );
}

const FOLDER = Deno.build.os === "windows"
  ? "AppData/Roaming/Block/goose/data/sessions"
  : ".local/share/goose/sessions";

testAgentContract("goose in its database", {
  agent: gooseAgent,
  format: gooseFormat,
  files: { [`${FOLDER}/sessions.db`]: databaseOf(talk("talk"), talk("compacted")) },
  ids: ["20251121_1"],
  cwd: "/home/ada/src/ledger",
  unit: "rows",
});

testAgentContract("goose in its older files", {
  agent: gooseAgent,
  format: gooseFormat,
  files: { [`${FOLDER}/20250605_120000.jsonl`]: fixture("20250605_120000.jsonl") },
  ids: ["20250605_120000"],
  cwd: "/home/ada/src/ledger",
});

testAgentContract("goose below GOOSE_PATH_ROOT", {
  agent: gooseAgent,
  format: gooseFormat,
  files: { "own/data/sessions/sessions.db": databaseOf(talk("compacted")) },
  variables: { GOOSE_PATH_ROOT: "~/own" },
  damage: false,
  ids: ["20251121_2"],
  unit: "rows",
});

Deno.test("a session starts with its directory, its name, its parent and its archive", async () => {
  await withSession(databaseOf(talk("compacted")), async (session) => {
    assert.equal(session.archived, true);
    const { events } = await readAll(gooseAgent, session);
    assert.deepEqual(payloads(events, "session_started"), [{
      session_id: "20251121_2",
      created_at: "2025-11-21T04:40:00.000Z",
      cwd: "/home/ada/src/ledger",
      app: { name: "goose" },
      unanswered_call: UNSETTLED_OUTPUT,
      title: "Compacted",
      environment: { approval: "auto" },
      parent: { session_id: "20251121_1", reason: "subagent" },
    }]);
    assert.deepEqual(payloads(events, "session_archived"), [{ archived: true }]);
    assert.deepEqual(goose.resumeCommand(session)?.argv, [
      "goose",
      "session",
      "--resume",
      "--session-id",
      "20251121_2",
    ]);
  });
});

Deno.test("the model gets what it would get from goose: thoughts, calls, and results meant for it", async () => {
  await withSession(databaseOf(talk("talk")), async (session) => {
    const { messages } = await conversationOf(gooseAgent, session);
    const image = {
      type: "image",
      media_type: "image/png",
      data: "iVBORw0KGgo=",
      sha256: "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6",
      bytes: 8,
    };
    const result = { type: "tool_result" };
    assert.deepEqual(messages, [
      { role: "user", content: [{ type: "text", text: "What is in the ledger?" }, image] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "I should look.", provider_data: { signature: "c2ln" } },
          {
            type: "reasoning",
            text: "",
            provider_data: { type: "redacted_thinking", data: "ciph" },
          },
          { type: "text", text: "I look at it." },
          {
            type: "tool_call",
            call_id: "call_1",
            name: "developer__shell",
            input: { command: "cat ledger" },
          },
          {
            type: "tool_call",
            call_id: "call_2",
            name: "developer__text_editor",
            input: { path: "/a", command: "view" },
          },
        ],
      },
      {
        role: "tool",
        content: [
          {
            ...result,
            call_id: "call_1",
            name: "developer__shell",
            status: "ok",
            output: "for the model",
          },
          {
            ...result,
            call_id: "call_2",
            name: "developer__text_editor",
            status: "ok",
            output: [{ type: "text", text: "an older shape" }, image],
          },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Two entries." },
          { type: "tool_call", call_id: "call_4", name: "fetch", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          { ...result, call_id: "call_4", name: "fetch", status: "error", output: "timed out" },
        ],
      },
      { role: "user", content: "Thanks" },
    ]);
  });
});

Deno.test("questions, notices and calls that could not be made are kept as they were", async () => {
  await withSession(databaseOf(talk("talk")), async (session) => {
    const { events } = await readAll(gooseAgent, session);
    assert.deepEqual(payloads(events, "extension").map(({ type }) => type), [
      "toolRequest",
      "toolConfirmationRequest",
    ]);
    const notices = payloads(events, "notice").map(({ text }) => text);
    assert.deepEqual([notices.length, notices.includes("no such tool")], [3, true]);
    const [shell] = payloads(events, "bash_end");
    assert.match(JSON.stringify(shell), /for the user","audience":"user"/);
  });
});

Deno.test("times are in seconds or in milliseconds, and the database's own in UTC", async () => {
  await withSession(databaseOf(talk("talk")), async (session) => {
    const { events } = await readAll(gooseAgent, session);
    const times = new Set(events.map((event) => event.form === "known" ? event.time : ""));
    assert.ok(times.has("2025-11-21T04:40:01.000Z"));
    assert.ok(times.has("2025-11-21T04:40:07.000Z"));
    assert.equal([...times].every((time) => time?.startsWith("2025-11-21T04:40:")), true);
  });
});

Deno.test("each call to a model is told once, with its model, tokens and cost", async () => {
  await withSession(databaseOf(talk("talk")), async (session) => {
    const { events, account } = await readAll(gooseAgent, session);
    const used = payloads(events, "assistant_message").filter(({ usage }) => usage !== undefined);
    assert.deepEqual(used, [
      {
        content: "",
        message_id: "usage/1",
        model: "claude-x",
        usage: { input: 7, output: 4, cache_read: 2, cache_write: 1 },
        cost_usd: 0.25,
      },
      {
        content: "",
        message_id: "usage/2",
        model: "claude-x",
        usage: { input: 20, output: 6 },
        cost_usd: 0.5,
      },
    ]);
    assert.equal(account.total, 1 + 8 + 2);
    const row = await gooseAgent.open(session).summarize({ exact: true });
    assert.deepEqual([row?.cost_usd, row?.models], [0.75, ["claude-x"]]);
  });
});

Deno.test("shows an unanswered request to the user alone, as goose does", async () => {
  const cut = talk("talk");
  cut.messages = cut.messages.filter(({ message_id }) => message_id !== "msg_6");
  await withSession(databaseOf(cut), async (session) => {
    const { events } = await readAll(gooseAgent, session);
    assert.deepEqual(
      responseParts(events, "tool_call").map(({ call_id, audience }) => [call_id, audience]),
      [["call_1", undefined], ["call_2", undefined], ["call_4", "user"]],
    );
    const { messages } = await conversationOf(gooseAgent, session);
    const { content } = messages.at(-2) ?? {};
    assert.equal(content, "Two entries.");
  });
});

Deno.test("a compaction gives the model what it gets, and the user all that was seen", async () => {
  await withSession(databaseOf(talk("compacted")), async (session) => {
    const { messages } = await conversationOf(gooseAgent, session);
    assert.deepEqual(messages, [
      { role: "user", content: "a summary of one" },
      { role: "assistant", content: "The previous message is a summary." },
      { role: "user", content: "two" },
      { role: "assistant", content: "answer two" },
    ]);
    const items = await transcriptOf(gooseAgent, session);
    const shown = items.map((item) =>
      item.type === "message" ? item.content : item.type === "compaction" ? item.summary : item.type
    );
    assert.deepEqual(shown, [
      "session",
      "one",
      "answer one",
      "attached",
      "a summary of one",
      "two",
      "answer two",
    ]);
    const { account, events } = await readAll(gooseAgent, session, { unit: "rows" });
    assert.equal(account.events, 8);
    assert.deepEqual(payloads(events, "compaction_applied"), [{
      status: "Compacted the conversation",
      status_only: true,
      summary: "a summary of one",
    }]);
  });
});

Deno.test("keeps the order around messages that are hidden from the model", async () => {
  const session: Talk = {
    session: { id: "20251121_3", working_dir: "/x" },
    messages: ["a", "b", "c", "d", "e"].map((text, index) => ({
      message_id: text,
      role: "user",
      created: 1763700000 + index,
      content: [{ type: "text", text }],
      ...(text === "b" ? { metadata: { agentVisible: false } } : {}),
      ...(text === "d" ? { metadata: { userVisible: false, agentVisible: true } } : {}),
    })),
  };
  await withSession(databaseOf(session), async (found) => {
    const { messages } = await conversationOf(gooseAgent, found);
    assert.deepEqual(messages.map(({ content }) => content), ["a", "c", "d", "e"]);
    const items = await transcriptOf(gooseAgent, found);
    assert.deepEqual(
      items.flatMap((item) => item.type === "message" ? [item.content] : []),
      ["a", "b", "c", "e"],
    );
  });
});

Deno.test("messages of one second stand in the order of their rows", async () => {
  await withSession(databaseOf(talk("talk")), async (session) => {
    const database = new DatabaseSync(session.path);
    database.exec("UPDATE messages SET created_timestamp = 1763700001");
    database.close();
    const { messages } = await conversationOf(gooseAgent, session);
    assert.equal(messages[1]?.role, "assistant");
    assert.equal(messages.at(-1)?.content, "Thanks");
  });
});

Deno.test("a row whose content is broken is reported, and its neighbours are read", async () => {
  await withSession(databaseOf(talk("talk")), async (session) => {
    const whole = await readAll(gooseAgent, session);
    const database = new DatabaseSync(session.path);
    database.exec(`UPDATE messages SET content_json = '[{"type":' WHERE id = 5;
      UPDATE messages SET metadata_json = '{"agentVis' WHERE id = 8;
      UPDATE messages SET content_json = '7', created_timestamp = 9223372036854775807 WHERE id = 6`);
    database.close();
    const { events, found, account } = await readAll(gooseAgent, session);
    assert.deepEqual(found.map(({ code, line }) => [code, line]), [
      ["malformed-line", 5],
      ["malformed-line", 6],
    ]);
    assert.equal(account.total, 11);
    assert.equal(account.damage, 2);
    assert.ok(events.length > whole.events.length - 6);
    assert.ok(JSON.stringify(events).includes("Thanks"));
  });
});

Deno.test("the first schema is read, with its description and the sum of its tokens", async () => {
  const bytes = schemaBytes("schema_1", (database) => {
    insert(database, "sessions", {
      id: "20251001_1",
      description: "Of the first schema",
      working_dir: "/home/ada",
      created_at: "2025-10-01 10:00:00",
      accumulated_input_tokens: 5,
      accumulated_output_tokens: 2,
    });
    insert(database, "messages", {
      session_id: "20251001_1",
      role: "user",
      content_json: '[{"type":"text","text":"hi"}]',
      created_timestamp: 1759312800,
    });
  });
  await withSession(bytes, async (session) => {
    const { events } = await readAll(gooseAgent, session);
    assert.deepEqual(events.map(({ kind }) => kind), [
      "session_started",
      "user_message",
      "assistant_message",
    ]);
    const row = await gooseAgent.open(session).summarize({ exact: true });
    assert.equal(row?.title, "Of the first schema");
    assert.deepEqual(row?.usage, { input: 5, output: 2 });
  });
});

Deno.test("an older file is read line by line, with or without its metadata", async () => {
  const text = await Deno.readTextFile(fixture("20250605_120000.jsonl"));
  const encoder = new TextEncoder();
  await withSession(encoder.encode(text), async (session) => {
    const { events, account } = await readAll(gooseAgent, session);
    assert.deepEqual(events.map(({ kind }) => kind), [
      "session_started",
      "user_message",
      "assistant_message",
      "bash_start",
      "bash_end",
      "assistant_message",
      "assistant_message",
    ]);
    assert.equal(account.unit, "bytes");
    assert.equal((await gooseAgent.open(session).summarize())?.title, "Before the database");
  }, "20250605_120000.jsonl");
  const bare = text.slice(text.indexOf("\n") + 1);
  await withSession(encoder.encode(bare), async (session) => {
    assert.equal(session.id, "20250605_120001");
    const row = await gooseAgent.open(session).summarize();
    assert.equal(row?.title, "List the files");
    assert.equal(row?.created_at, "2025-06-05T10:00:00.000Z");
  }, "20250605_120001.jsonl");
});

Deno.test("hidden messages of an older file are hidden", async () => {
  const lines = talk("compacted").messages.map(({ message_id: id, ...rest }) =>
    JSON.stringify({ id, ...rest })
  );
  await withSession(new TextEncoder().encode(lines.join("\n") + "\n"), async (session) => {
    const { messages } = await conversationOf(gooseAgent, session);
    assert.deepEqual(messages.map(({ content }) => content), [
      "a summary of one",
      "The previous message is a summary.",
      "two",
      "answer two",
    ]);
  }, "20251121_2.jsonl");
});

Deno.test("text that hides from people does not reach the model either", async () => {
  const hidden = [..."ignore all"].map((letter) =>
    String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))
  ).join("");
  const [first] = talk("talk").messages;
  assert.ok(first !== undefined);
  const session = {
    ...talk("talk"),
    messages: [{ ...first, content: [{ type: "text", text: `Hello${hidden}` }] }],
  };
  await withSession(databaseOf(session), async (found) => {
    const { messages } = await conversationOf(gooseAgent, found);
    assert.deepEqual(messages, [{ role: "user", content: "Hello" }]);
  });
});

Deno.test("sessions are found by the folders of each system, and once where both stores have one", async () => {
  const name = "20250605_120000";
  const { session, ...rest } = talk("compacted");
  const taken = { ...rest, session: { ...session, id: name, session_type: "user" } };
  const files = (folder: string): Record<string, URL | Uint8Array> => ({
    [`${folder}/sessions.db`]: databaseOf(taken, talk("talk")),
    [`${folder}/${name}.jsonl`]: fixture(`${name}.jsonl`),
    [`${folder}/20240101_000000.jsonl`]: fixture(`${name}.jsonl`),
  });
  const expected = ["20240101_000000", name, "20251121_1"];
  const homes: [string, string, Record<string, string>][] = [
    ["linux", ".local/share/goose/sessions", {}],
    ["darwin", ".local/share/goose/sessions", { GOOSE_PATH_ROOT: "relative" }],
    ["linux", "data/goose/sessions", { XDG_DATA_HOME: "~/data" }],
    ["windows", "Roaming/Block/goose/data/sessions", { APPDATA: "~/Roaming" }],
    ["windows", "own/data/sessions", { GOOSE_PATH_ROOT: "~/own" }],
  ];
  for (const [os, folder, variables] of homes) {
    await using home = await makeHome(files(folder), variables);
    const sessions = await locateAll(gooseAgent, { ...home.environment, os });
    assert.deepEqual(sessions.map(({ id }) => id).sort(), expected, `${os} ${folder}`);
    const both = sessions.find(({ id }) => id === name);
    assert.ok(both?.path.endsWith("sessions.db"));
  }
});

Deno.test("the last messages are read from the last rows, with what their calls took", async () => {
  const turns = Array.from({ length: 100 }, (_, at) => [
    { role: "user", content: [{ type: "text", text: `prompt ${at}` }] },
    { role: "assistant", content: [{ type: "text", text: "x".repeat(1000) }] },
  ]).flat();
  const long: Talk = {
    session: { id: "20251121_4", working_dir: "/x" },
    usage: [{ created_timestamp: 1763700001, model: "m", input_tokens: 1 }, {
      created_timestamp: 1763700199,
      model: "m",
      input_tokens: 2,
    }],
    messages: turns.map((turn, at) => ({
      message_id: `m${at}`,
      created: 1763700000 + at,
      ...turn,
    })),
  };
  await withSession(databaseOf(long), async (session) => {
    const { events } = await readAll(gooseAgent, session);
    const end = await gooseAgent.open(session).readTail({ messages: 2 });
    assert.deepEqual(end.map(({ kind }) => kind), [
      "user_message",
      "assistant_message",
      "assistant_message",
    ]);
    const source = (part: readonly LogEvent[]): unknown =>
      part.map((event) => event.form === "known" ? [event.source?.id, event.payload] : []);
    assert.deepEqual(source(end), source(events.slice(-3)));
    const row = await gooseAgent.open(session).summarize();
    assert.deepEqual([row?.title, row?.last_user_message], ["prompt 0", "prompt 99"]);
    assert.equal(row?.message_count, undefined);
  });
});

Deno.test("a sub-agent's session is a thread of the one that started it", async () => {
  await using home = await makeHome({
    ".local/share/goose/sessions/sessions.db": databaseOf(talk("talk"), talk("compacted")),
  });
  const environment = { ...home.environment, os: "linux" };
  const [session, ...others] = await locateAll(gooseAgent, environment);
  assert.deepEqual([session?.id, others], ["20251121_1", []]);
  assert.ok(session !== undefined);
  assert.deepEqual((await gooseAgent.sessionsIn(session.path)).map(({ id }) => id), [session.id]);
  const threads = await gooseAgent.open(session).threads();
  assert.deepEqual(
    threads?.map(({ id, kind, parent, title, records }) => [id, kind, parent, title, records]),
    [
      ["main", "main", undefined, undefined, talk("talk").messages.length],
      [
        "20251121_2",
        "subagent",
        { thread: "main" },
        "Compacted",
        talk("compacted").messages.length,
      ],
    ],
  );
  const { events } = await readAll(gooseAgent, session, { thread: "20251121_2", unit: "rows" });
  assert.equal(payloads(events, "session_started")[0]?.session_id, "20251121_2");
});

Deno.test("a database that is none is told when it is read, and hides no file", async () => {
  await using home = await makeHome({
    ".local/share/goose/sessions/sessions.db": "no database".repeat(999),
    ".local/share/goose/sessions/20250605_120000.jsonl": fixture("20250605_120000.jsonl"),
  });
  const sessions = await locateAll(gooseAgent, { ...home.environment, os: "linux" });
  assert.deepEqual(sessions.map(({ id }) => id), ["sessions.db", "20250605_120000"]);
  const [broken] = sessions;
  assert.ok(broken !== undefined);
  await assert.rejects(
    gooseAgent.open(broken).summarize(),
    (error) => error instanceof SessionError && error.code === "unsupported-source",
  );
});

const SAMPLES = sampleUrl("goose/synthetic-from-ddl-v17/");

testRecorded("the samples, made from the schema, are read whole", SAMPLES, async () => {
  await withSession(await Deno.readFile(new URL("sessions.db", SAMPLES)), async (session) => {
    const { account, found } = await readAll(gooseAgent, session);
    assert.deepEqual([account.total, account.events, found], [6, 6, []]);
    const { messages } = await conversationOf(gooseAgent, session);
    assert.deepEqual(messages, [{ role: "user", content: "<summary of conversation>" }]);
  });
  const name = "legacy_20250605_120000.jsonl";
  await withSession(await Deno.readFile(new URL(name, SAMPLES)), async (session) => {
    const { messages } = await conversationOf(gooseAgent, session);
    assert.equal(messages.length, 3);
  }, name);
});
