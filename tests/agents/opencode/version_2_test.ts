import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import type { LogEvent } from "../../../lib/event/envelope.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { conversationOf, readAll, sumsOf } from "../../_support/agent_contract.ts";
import { insert } from "../../_support/database_bytes.ts";
import { exported, insertSession, schemaBytes } from "./_store.ts";
import { tempFile } from "../../_support/temp_file.ts";

const TIME = 1763700000000;

function insertV2(database: DatabaseSync, id: string, time_updated: number, more = {}): void {
  insert(database, "session_v2", {
    id,
    project_id: "global",
    slug: "slug",
    directory: "/home/ada",
    title: "Second",
    version: "2.0.12",
    time_created: TIME,
    time_updated,
    ...more,
  });
}

const MESSAGES: [string, Record<string, unknown>][] = [
  ["user", { text: "before" }],
  ["assistant", { model: { id: "m", providerID: "p" }, content: [{ type: "text", text: "old" }] }],
  ["compaction", { reason: "auto", summary: "They talked.", recent: "[User]: before" }],
  ["model-switched", { model: { id: "m2", providerID: "p" } }],
  ["user", {
    text: "look",
    files: [{ uri: "data:image/png;base64,iVBORw0KGgo=", mime: "image/png", name: "a.png" }],
  }],
  ["assistant", {
    model: { id: "m2", providerID: "p" },
    finish: "tool-calls",
    cost: 0.5,
    tokens: { input: 3, output: 2, reasoning: 0, cache: { read: 1, write: 0 } },
    error: { type: "unknown", message: "Connection lost" },
    content: [
      { type: "reasoning", id: "r1", text: "Hm." },
      { type: "text", id: "t1", text: "Reading" },
      {
        type: "tool",
        id: "call_1",
        name: "read",
        time: { created: TIME, ran: TIME + 10, completed: TIME + 20 },
        state: {
          status: "completed",
          input: { filePath: "/a" },
          content: [{ type: "text", text: "text of a" }],
          structured: {},
        },
      },
      {
        type: "tool",
        id: "call_2",
        name: "write",
        time: { created: TIME },
        state: { status: "pending", input: '{"filePath":' },
      },
    ],
  }],
  ["shell", {
    callID: "c",
    command: "ls",
    output: "a\n",
    time: { created: TIME, completed: TIME + 5 },
  }],
  ["synthetic", { text: "Go on." }],
];

async function read(fill: (database: DatabaseSync) => void): Promise<{
  events: LogEvent[];
  messages: unknown[];
  total: number;
}> {
  using file = tempFile("opencode.db", schemaBytes(["schema_1_18", "schema_2_0"], fill));
  const [session] = await opencodeAgent.sessionsIn(file.path);
  assert.ok(session !== undefined);
  const { events, account } = await readAll(opencodeAgent, session);
  const { messages } = await conversationOf(opencodeAgent, session);
  return { events, messages, total: account.total };
}

function insertMessages(database: DatabaseSync, id: string, prefix = "msg_"): void {
  for (const [seq, [type, data]] of MESSAGES.entries()) {
    insert(database, "session_message", {
      id: `${prefix}${seq}`,
      session_id: id,
      type,
      seq,
      time_created: TIME + seq,
      time_updated: TIME + seq,
      data: JSON.stringify({ time: { created: TIME + seq }, ...data }),
    });
  }
}

Deno.test("a fork of OpenCode 2 counts once what it copied, and names its parent", async () => {
  const fill = (database: DatabaseSync): void => {
    for (const fork_session_id of [null, "ses_v2"]) {
      const id = fork_session_id === null ? "ses_v2" : "ses_fork";
      insertV2(database, id, TIME, { fork_session_id });
      insertMessages(database, id, `${id}_`);
    }
    database.exec("UPDATE session_message SET data = json_remove(data, '$.time')");
  };
  using file = tempFile("opencode.db", schemaBytes(["schema_1_18", "schema_2_0"], fill));
  const sessions = await opencodeAgent.sessionsIn(file.path);
  const fork = sessions.findIndex(({ id }) => id === "ses_fork");
  const { parent } = await opencodeAgent.open(sessions[fork] as AgentSession).summarize() ?? {};
  assert.deepEqual(parent, { session_id: "ses_v2", reason: "fork" });
  const sums = await sumsOf(opencodeAgent, sessions);
  assert.deepEqual(sums, await sumsOf(opencodeAgent, sessions.slice(0, 1)));
});

Deno.test("a session of OpenCode 2 is read from its own tables", async () => {
  const { events, messages, total } = await read((database) => {
    insertV2(database, "ses_2", TIME + 9000);
    insertMessages(database, "ses_2");
  });
  assert.equal(total, 1 + MESSAGES.length);
  assert.equal(events[0]?.kind, "session_started");
  assert.deepEqual(messages.slice(1), [
    {
      role: "user",
      content: [{ type: "text", text: "look" }, {
        type: "image",
        media_type: "image/png",
        data: "iVBORw0KGgo=",
        path: "a.png",
        sha256: "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6",
        bytes: 8,
      }],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", provider_data: { type: "reasoning_content" } },
        { type: "text", text: "Reading" },
        { type: "tool_call", call_id: "call_1", name: "read", input: { filePath: "/a" } },
        { type: "tool_call", call_id: "call_2", name: "write", input: { raw: '{"filePath":' } },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool_result", call_id: "call_1", name: "read", status: "ok", output: "text of a" },
        {
          type: "tool_result",
          call_id: "call_2",
          name: "write",
          status: "interrupted",
          output: "[Tool execution was interrupted]",
        },
      ],
    },
    {
      role: "assistant",
      content: [{ type: "tool_call", call_id: "c", name: "bash", input: { command: "ls" } }],
    },
    {
      role: "tool",
      content: [
        { type: "tool_result", call_id: "c", name: "bash", status: "ok", output: "a\n" },
      ],
    },
    { role: "user", content: "Go on." },
  ]);
  const [checkpoint] = messages as { role: string; content: string }[];
  assert.match(checkpoint?.content ?? "", /<summary>\nThey talked\.\n<\/summary>/);
  assert.ok(events.some((event) => event.kind === "turn_failed"));
});

Deno.test("reads the copy that was written last, where both versions keep a session", async () => {
  for (
    const [updated, title] of [[TIME + 1, "Sum the ledger"], [TIME + 99999, "Second"]] as const
  ) {
    const { events } = await read((database) => {
      insertSession(database, exported("small"));
      insertV2(database, "ses_small", updated);
      insertMessages(database, "ses_small");
    });
    const [started] = events;
    assert.ok(started?.form === "known" && started.kind === "session_started");
    assert.equal(started.payload.title, title);
  }
});
