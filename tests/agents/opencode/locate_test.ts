import assert from "node:assert/strict";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import { SessionError } from "../../../lib/event/session_error.ts";
import { locateAll, makeHome, readAll } from "../../_support/agent_contract.ts";
import { databaseOf, type Exported, exported, storageFiles } from "./_store.ts";
import { opencode } from "../../../lib/agents/opencode/descriptor.ts";
import { tempFile } from "../../_support/temp_file.ts";

const DATA = ".local/share/opencode";

/** The small session under another name. */
function named(id: string, change: Record<string, unknown> = {}): Exported {
  const { info, messages } = exported("small");
  return {
    info: { ...info, id, ...change },
    messages: messages.map((message) => ({
      info: { ...message.info, id: `${message.info.id}_${id}` },
      parts: message.parts.map((part) => ({ ...part, id: `${part.id}_${id}` })),
    })),
  };
}

Deno.test("databases of all channels are found, and XDG_DATA_HOME moves them", async () => {
  const files = {
    "data/opencode/opencode.db": databaseOf(named("ses_latest")),
    "data/opencode/opencode-dev.db": databaseOf(named("ses_dev"), named("ses_latest")),
    "data/opencode/opencode.db.bak": databaseOf(named("ses_backup")),
    [`${DATA}/opencode.db`]: databaseOf(named("ses_elsewhere")),
  };
  await using home = await makeHome(files, { XDG_DATA_HOME: "~/data" });
  const sessions = await locateAll(opencodeAgent, home.environment);
  assert.deepEqual(sessions.map(({ id }) => id).sort(), ["ses_dev", "ses_latest"]);
  await using other = await makeHome(files);
  const [only] = await locateAll(opencodeAgent, other.environment);
  assert.equal(only?.id, "ses_elsewhere");
});

Deno.test("OPENCODE_DB names a database by its place or by its name in the data folder", async () => {
  for (const value of ["~/state/own.db", "own.db"]) {
    const path = value === "own.db" ? `${DATA}/own.db` : "state/own.db";
    await using home = await makeHome({ [path]: databaseOf(named("ses_own")) }, {
      OPENCODE_DB: value,
    });
    const [session] = await locateAll(opencodeAgent, home.environment);
    assert.equal(session?.id, "ses_own");
  }
});

Deno.test("older files are found beside the database, which wins where both have a session", async () => {
  await using home = await makeHome({
    [`${DATA}/opencode.db`]: databaseOf(named("ses_both")),
    ...storageFiles(named("ses_both")),
    // Its project has no file: OpenCode's own import passes over it.
    ...storageFiles(named("ses_orphan", { projectID: "gone" })),
  });
  const sessions = await locateAll(opencodeAgent, home.environment);
  assert.deepEqual(sessions.map(({ id }) => id).sort(), ["ses_both", "ses_orphan"]);
  assert.ok(sessions.find(({ id }) => id === "ses_both")?.path.endsWith(".db"));
  const orphan = sessions.find(({ id }) => id === "ses_orphan");
  assert.ok(orphan !== undefined);
  assert.equal((await readAll(opencodeAgent, orphan)).events.length, 3);
});

Deno.test("the layout of mid-2025 is read, with its parts in the messages or beside them", async () => {
  const root = `${DATA}/project/home-ada/storage/session`;
  await using home = await makeHome({
    [`${root}/info/ses_old.json`]: JSON.stringify({
      id: "ses_old",
      version: "0.2.1",
      title: "Old",
      time: { created: 1750000000000, updated: 1750000005000 },
    }),
    [`${root}/message/ses_old/msg_1.json`]: JSON.stringify({
      id: "msg_1",
      role: "user",
      parts: [{ type: "text", text: "hello" }],
      metadata: { time: { created: 1750000000000 }, sessionID: "ses_old", tool: {} },
    }),
    [`${root}/message/ses_old/msg_2.json`]: JSON.stringify({
      id: "msg_2",
      role: "assistant",
      parts: [
        { type: "step-start" },
        {
          type: "tool-invocation",
          toolInvocation: {
            state: "result",
            toolCallId: "call_1",
            toolName: "read",
            args: { filePath: "/a" },
            result: "text of a",
          },
        },
      ],
      metadata: {
        time: { created: 1750000001000, completed: 1750000002000 },
        sessionID: "ses_old",
        tool: { call_1: { title: "a", time: { start: 1750000001500, end: 1750000001600 } } },
        assistant: {
          modelID: "claude-x",
          providerID: "anthropic",
          cost: 0.5,
          path: { cwd: "/home/ada", root: "/home/ada" },
          tokens: { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } },
        },
      },
    }),
    [`${root}/message/ses_old/msg_3.json`]: JSON.stringify({
      id: "msg_3",
      role: "user",
      time: { created: 1750000003000 },
    }),
    [`${root}/part/ses_old/msg_3/prt_1.json`]: JSON.stringify({ type: "text", text: "more" }),
  });
  const [session] = await locateAll(opencodeAgent, home.environment);
  assert.ok(session !== undefined);
  const { events, account } = await readAll(opencodeAgent, session, { unit: "rows" });
  assert.deepEqual(
    events.map((event) => [event.kind, event.form === "known" ? event.payload : undefined]).slice(
      1,
    ),
    [
      ["user_message", { content: "hello" }],
      ["assistant_message", {
        content: [
          {
            ...{ type: "tool_call", call_id: "call_1", name: "read" },
            input: { filePath: "/a" },
            caption: "a",
          },
        ],
        message_id: "msg_2",
        model: "claude-x",
        provider: "anthropic",
        usage: { input: 1, output: 2, reasoning: 0, cache_read: 0, cache_write: 0 },
        cost_usd: 0.5,
      }],
      ["tool_end", {
        call_id: "call_1",
        name: "read",
        status: "ok",
        output: "text of a",
        duration_ns: 100_000_000,
      }],
      ["user_message", { content: "more" }],
    ],
  );
  assert.equal(account.total, 5);
  assert.equal((await opencodeAgent.open(session).summarize())?.cwd, "/home/ada");
});

Deno.test("locating marks archived sessions", async () => {
  await using home = await makeHome({
    [`${DATA}/opencode.db`]: databaseOf(
      named("ses_here", { time: { created: 1, updated: 2, archived: 3 } }),
      named("ses_there", { directory: "/elsewhere" }),
    ),
    ...storageFiles(named("ses_file", { directory: "/elsewhere" })),
  });
  const found = await locateAll(opencodeAgent, home.environment);
  assert.deepEqual(found.map(({ id, archived }) => [id, archived]), [
    ["ses_here", true],
    ["ses_there", undefined],
    ["ses_file", undefined],
  ]);
});

Deno.test("a database that is none is told when it is read, and hides no other", async () => {
  await using home = await makeHome({
    [`${DATA}/opencode.db`]: "This was a database once.".repeat(99),
    [`${DATA}/opencode-dev.db`]: databaseOf(named("ses_dev")),
    [`${DATA}/opencode-empty.db`]: "",
  });
  const sessions = await locateAll(opencodeAgent, home.environment);
  assert.deepEqual(sessions.map(({ id }) => id).sort(), ["opencode.db", "ses_dev"]);
  const broken = sessions.find(({ id }) => id === "opencode.db");
  assert.ok(broken !== undefined);
  await assert.rejects(
    opencodeAgent.open(broken).summarize(),
    (error) => error instanceof SessionError && error.code === "unsupported-source",
  );
});

Deno.test("the sessions in a file are given with the one last written to at the end", async () => {
  const session = (id: string, updated: number): Exported =>
    named(id, { time: { created: 1, updated } });
  const sessions = [session("ses_b", 3), session("ses_a", 5), session("ses_c", 4)];
  using file = tempFile("copied.sqlite", databaseOf(...sessions));
  const found = await opencodeAgent.sessionsIn(file.path);
  assert.deepEqual(found.map(({ id }) => id), ["ses_b", "ses_c", "ses_a"]);
});

Deno.test("a database is gone on with in OpenCode itself, a file is not", () => {
  const session = { agent: "opencode" as const, id: "ses_1", path: "/x/opencode.db" };
  assert.deepEqual(opencode.resumeCommand(session)?.argv, ["opencode", "--session", "ses_1"]);
  assert.equal(opencode.resumeCommand({ ...session, path: "/x/export.json" }), undefined);
});
