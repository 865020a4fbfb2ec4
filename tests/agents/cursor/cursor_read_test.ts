import assert from "node:assert/strict";
import { cursorAgent, cursorFormat } from "../../../lib/agents/cursor/cursor_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { inShort } from "../_in_short.ts";
import { Reading } from "../_reading.ts";
import { type AgentCase, codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";
import {
  CHAT,
  chat,
  CHATS,
  COMPACTED,
  conversations,
  fixture,
  MAIN,
  OLD,
  SUBAGENT,
  talk,
  TRANSCRIPT,
  TRANSCRIPTS,
  USER,
} from "./_store.ts";
import { golden } from "../_golden.ts";
import { databaseBytes } from "../../_support/database_bytes.ts";

const cursor = new Reading(cursorAgent, { format: cursorFormat });

const STATE = `${USER}/globalStorage/state.vscdb`;
const FILE = `${TRANSCRIPTS}/${TRANSCRIPT}/${TRANSCRIPT}.jsonl`;
const STORE = `${CHATS}/${CHAT}/store.db`;

/** Runs with the sessions that are located in a home. */
async function withHome(
  files: AgentCase["files"],
  run: (sessionOf: (id: string) => AgentSession, found: AgentSession[]) => Promise<void>,
  subagents = false,
): Promise<void> {
  await using home = await makeHome(files);
  const found = await cursor.located(home, { subagents });
  await run((id) => found.find((one) => one.id === id) as AgentSession, found);
}

function expected(name: string): unknown {
  return JSON.parse(cursor.text(`GOLDEN-${name}.json`));
}

const TRUST = JSON.stringify({ workspacePath: "/home/dev/my-app" });

cursor.testContract("cursor's editor", {
  files: {
    [`${USER}/globalStorage/state.vscdb`]: conversations((database) =>
      database.exec(
        "UPDATE cursorDiskKV SET value = json_set(value, '$.workspaceIdentifier', " +
          `json('{"uri":{"fsPath":"/w"}}')) WHERE key = 'composerData:${OLD}'`,
      )
    ),
  },
  ids: [MAIN, OLD, COMPACTED],
  cwd: "/home/dev/my-app",
  unit: "rows",
});

cursor.testContract("cursor's chats", {
  files: {
    [`${CHATS}/${CHAT}/store.db`]: chat({ ...talk(), left: [] }),
    [`${CHATS}/${CHAT}/meta.json`]: JSON.stringify(talk().beside),
  },
  ids: [CHAT],
  cwd: "/home/dev/my-app",
  unit: "rows",
});

cursor.testContract("cursor's transcripts", {
  variables: { CURSOR_DATA_DIR: "~/.cursor" },
  files: {
    [`${TRANSCRIPTS}/${TRANSCRIPT}/${TRANSCRIPT}.jsonl`]: fixture("tools.jsonl"),
    [`${TRANSCRIPTS}/${TRANSCRIPT}/subagents/aa.jsonl`]: fixture("subagent.jsonl"),
    [`${TRANSCRIPTS}/flat.jsonl`]: fixture("tools.jsonl"),
    ".cursor/projects/home-dev-my-app/.workspace-trusted": TRUST,
  },
  ids: [TRANSCRIPT, "flat"],
  cwd: "/home/dev/my-app",
});

Deno.test("each record of Cursor's transcripts becomes what it says", async () => {
  await withHome({ [FILE]: fixture("tools.jsonl") }, async (sessionOf) => {
    const { events, found, account } = await cursor.read(sessionOf(TRANSCRIPT));
    assert.deepEqual([golden(events), found], [expected("transcript"), []]);
    assert.ok((account.side.turn_ended ?? 0) > 0);
  });
});

Deno.test("each message of Cursor's chats becomes what it says", async () => {
  const files = { [STORE]: chat(), [`${CHATS}/${CHAT}/meta.json`]: JSON.stringify(talk().beside) };
  await withHome(files, async (sessionOf) => {
    const { events, found, account } = await cursor.read(sessionOf(CHAT), {
      unit: "rows",
    });
    assert.deepEqual([golden(events), found], [expected("chat"), []]);
    // The head, nine messages; two that are not listed; two blobs that list others.
    const { events: rows, dead, side } = account;
    assert.deepEqual([rows, dead, side], [10, 2, { "other rows": 2 }]);
    const row = await cursor.summary(sessionOf(CHAT), { exact: true });
    assert.deepEqual([row?.updated_at, row?.models], [
      "2026-06-12T09:32:25.540Z",
      ["claude-fable-5"],
    ]);
  });
});

Deno.test("each message of Cursor's editor becomes what it says", async () => {
  await withHome({ [STATE]: conversations() }, async (sessionOf) => {
    const { events, found, account } = await cursor.read(sessionOf(MAIN), {
      unit: "rows",
    });
    assert.deepEqual([golden(events), found], [expected("editor"), []]);
    assert.deepEqual([account.events, account.dead], [11, 1]);
    const row = await cursor.summary(sessionOf(MAIN), { exact: true });
    assert.deepEqual(row?.usage, { input: 1200, output: 80 });
    assert.equal(row?.last_error, "the connection was lost");
  });
});

Deno.test("a prompt of Cursor shows what the user typed, and the model gets all of it", async () => {
  await withHome({ [STORE]: chat() }, async (sessionOf) => {
    const row = await cursor.summary(sessionOf(CHAT));
    assert.equal(row?.first_user_message, "Mend the parser");
    const messages = await cursor.messages(sessionOf(CHAT));
    const [info, prompt] = messages.map(({ content }) => JSON.stringify(content));
    assert.match(info ?? "", /user_info/);
    assert.match(prompt ?? "", /<user_query>\\nMend the parser\\n<\/user_query>/);
  });
});

Deno.test("a session of Cursor in several forms is listed once, by its fullest", async () => {
  const ids = (all: readonly AgentSession[]): string[][] =>
    all.map(({ id, path }) => [id, path.replace(/^.*\./, "")]);
  const transcripts = {
    [`${TRANSCRIPTS}/${MAIN}/${MAIN}.jsonl`]: fixture("plain.jsonl"),
    [`${TRANSCRIPTS}/${CHAT}/${CHAT}.jsonl`]: fixture("plain.jsonl"),
    [`${TRANSCRIPTS}/${SUBAGENT}/${SUBAGENT}.jsonl`]: fixture("plain.jsonl"),
    [FILE]: fixture("tools.jsonl"),
  };
  await withHome(
    { [STATE]: conversations(), [STORE]: chat(), ...transcripts },
    async (_, found) => {
      assert.deepEqual(
        ids(found).sort(),
        [
          [MAIN, "vscdb"],
          [OLD, "vscdb"],
          [COMPACTED, "vscdb"],
          [TRANSCRIPT, "jsonl"],
          [CHAT, "db"],
        ].sort(),
      );
      await Promise.resolve();
    },
  );
  await withHome(transcripts, async (_, found) => {
    assert.deepEqual(found.map(({ id }) => id).sort(), [MAIN, SUBAGENT, TRANSCRIPT, CHAT].sort());
    await Promise.resolve();
  });
});

Deno.test("threads of Cursor are its subagents and the messages that it lists no more", async () => {
  const subagent = `${TRANSCRIPTS}/${CHAT}/subagents/aa.jsonl`;
  const files = {
    [STATE]: conversations(),
    [STORE]: chat(),
    [subagent]: fixture("subagent.jsonl"),
  };
  await withHome(files, async (sessionOf) => {
    const threadsOf = async (id: string): Promise<unknown> =>
      (await cursorAgent.open(sessionOf(id)).threads()).map(({ id, kind, title, records }) => [
        ...[id, kind, title, records],
      ]);
    assert.deepEqual(await threadsOf(MAIN), [
      ["main", "main", undefined, 10],
      [SUBAGENT, "subagent", "Find the lexer", 2],
      ["left", "replaced", "Taken back", 1],
    ]);
    assert.deepEqual(await threadsOf(CHAT), [
      ["main", "main", undefined, 9],
      ["left", "replaced", "Taken back", 2],
      ["aa", "subagent", "Find the parser", 3],
    ]);
    for (
      const [id, thread, text] of [
        [MAIN, "left", "Taken back"],
        [CHAT, "left", "Taken back"],
        [CHAT, "aa", "It is in parser.go."],
        [MAIN, SUBAGENT, "Found."],
      ] as const
    ) {
      const { events } = await cursor.read(sessionOf(id), { thread });
      assert.ok(JSON.stringify(events).includes(text), text);
    }
  });
});

Deno.test("blame finds the edits of Cursor's chats and of its editor", async () => {
  await withHome({ [STATE]: conversations(), [STORE]: chat() }, async (sessionOf) => {
    const edits = await readEdits(sessionOf(MAIN));
    assert.deepEqual(
      edits.map(({ path, change }) => [path, change.kind === "blocks" && change.blocks[0]?.added]),
      [
        ["parser.go", ["fresh()"]],
        ["/home/dev/my-app/lexer.go", ["func lex() error { return nil }"]],
      ],
    );
    const [edit] = await readEdits(sessionOf(CHAT));
    assert.deepEqual([edit?.path, edit?.change.kind], [
      "/home/dev/my-app/parser.go",
      "replacements",
    ]);
  });
});

Deno.test("the conversation of Cursor's editor goes on from its summary", async () => {
  await withHome({ [STATE]: conversations() }, async (sessionOf) => {
    const messages = await cursor.messages(sessionOf(COMPACTED));
    assert.deepEqual(inShort(messages), [
      ["user", "a summary of one"],
      ["user", "two"],
      ["assistant", "answer two"],
      ["user", "three"],
    ]);
  });
  const summary = {
    role: "user",
    content: "A summary.",
    providerOptions: { cursor: { isSummary: true } },
  };
  const messages = [talk().messages[0], summary, { role: "user", content: "Go on" }];
  await withHome({ [STORE]: chat({ ...talk(), messages }) }, async (sessionOf) => {
    const messages = await cursor.messages(sessionOf(CHAT));
    assert.deepEqual(inShort(messages), [["user", "A summary."], ["user", "Go on"]]);
  });
});

Deno.test("directories of Cursor come from workspaces, prompts, projects and their names", async () => {
  const workspace = `${USER}/workspaceStorage/ab12`;
  const listed = databaseBytes((database) => {
    database.exec("CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)");
    const value = JSON.stringify({ allComposers: [{ composerId: OLD }] });
    database.prepare("INSERT INTO ItemTable VALUES ('composer.composerData', ?)").run(value);
  });
  const folder = Deno.build.os === "windows" ? "file:///c:/home/dev/old" : "file:///home/dev/old";
  const unnamed = conversations((database) =>
    database.exec(`UPDATE cursorDiskKV SET value = CASE key
      WHEN 'composerData:${COMPACTED}' THEN json_remove(value, '$.workspaceIdentifier')
      ELSE json_set(value, '$.workspaceProjectDir', '/home/dev/told') END
      WHERE key IN ('composerData:${COMPACTED}', 'bubbleId:${COMPACTED}:k1')`)
  );
  const files = {
    [STATE]: unnamed,
    [`${workspace}/state.vscdb`]: listed,
    [`${workspace}/workspace.json`]: JSON.stringify({ folder }),
    [FILE]: fixture("tools.jsonl"),
    ".cursor/projects/home-dev-my-app/.workspace-trusted": JSON.stringify({
      workspacePath: "/home/dev/my-app",
    }),
    [STORE]: chat(),
  };
  await withHome(files, async (sessionOf) => {
    assert.match(sessionOf(OLD).cwd ?? "", /home.dev.old$/);
    assert.equal(sessionOf(COMPACTED).cwd, "/home/dev/told");
    assert.equal(sessionOf(TRANSCRIPT).cwd, "/home/dev/my-app");
    const row = await cursor.summary(sessionOf(CHAT));
    assert.equal(row?.cwd, "/home/dev/my-app");
  });
  await using home = await makeHome({ "my.work dir/a_b/x": "" });
  const name = `${home.path}/my.work dir/a_b`.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-/, "");
  await withHome(
    { [`.cursor/projects/${name}/agent-transcripts/x.jsonl`]: fixture("plain.jsonl") },
    async (_, [session]) => {
      assert.equal(session?.cwd?.replaceAll("\\", "/").endsWith("my.work dir/a_b"), true);
      await Promise.resolve();
    },
  );
});

Deno.test("a damaged row of Cursor costs that row alone", async () => {
  const broken = conversations((database) =>
    database.exec("UPDATE cursorDiskKV SET value = '{\"type\":' WHERE key LIKE '%:b3'")
  );
  await withHome({ [STATE]: broken }, async (sessionOf) => {
    const read = await cursor.read(sessionOf(MAIN), { unit: "rows" });
    assert.deepEqual([codesOf(read), read.account.damage], [["malformed-line"], 1]);
    assert.ok(JSON.stringify(read.events).includes("It is in lexer.go."));
  });
  const headless = conversations((database) =>
    database.exec(`UPDATE cursorDiskKV SET value = '{' WHERE key = 'composerData:${MAIN}'`)
  );
  await withHome({ [STATE]: headless }, async (sessionOf) => {
    const read = await cursor.read(sessionOf(MAIN), { unit: "rows" });
    assert.deepEqual(codesOf(read), ["malformed-line"]);
    assert.ok(JSON.stringify(read.events).includes("It is in lexer.go."));
  });
  const rootless = chat(talk(), (database) => database.exec("UPDATE meta SET value = '7b'"));
  await withHome({ [STORE]: rootless }, async (sessionOf) => {
    const { events } = await cursor.read(sessionOf(CHAT), { unit: "rows" });
    assert.equal(payloadsOf(events, "user_message").length, 3);
  });
});

Deno.test("Cursor resumes a chat of its CLI, and no other session", async () => {
  await withHome({ [STATE]: conversations(), [STORE]: chat() }, async (sessionOf) => {
    const { resumeCommand } = descriptorOf("cursor");
    assert.deepEqual(resumeCommand(sessionOf(CHAT))?.argv, ["cursor-agent", `--resume=${CHAT}`]);
    assert.equal(resumeCommand(sessionOf(MAIN)), undefined);
    await Promise.resolve();
  });
});

Deno.test("a call in a transcript of Cursor says that its result was not recorded", async () => {
  await withHome({ [FILE]: fixture("tools.jsonl") }, async (sessionOf) => {
    const messages = await cursor.messages(sessionOf(TRANSCRIPT));
    assert.match(JSON.stringify(messages), /The result was not recorded/);
    const row = await cursor.summary(sessionOf(TRANSCRIPT));
    assert.equal(row?.created_at, "2026-06-24T12:00:00.000Z");
  });
});

const SAMPLES = sampleUrl("more/");

testRecorded("fixtures of other readers are read", SAMPLES, async () => {
  const native = "ctx/cursor/2026.06.24/projects/sanitized-workspace/agent-transcripts";
  const name = "cursor-native-session-1";
  const files = {
    [`${TRANSCRIPTS}/${name}/${name}.jsonl`]: new URL(`${native}/${name}/${name}.jsonl`, SAMPLES),
    [STATE]: new URL("casr/cursor/state.vscdb", SAMPLES),
  };
  await withHome(files, async (sessionOf) => {
    const transcript = await cursor.read(sessionOf(name));
    assert.deepEqual(transcript.found, []);
    const ends = payloadsOf(transcript.events, "tool_end");
    assert.deepEqual(ends.map(({ status, output }) => [status, output]), [
      ["ok", "wrote cursor-native-cli-oracle.txt"],
    ]);
    assert.equal((await readEdits(sessionOf(name))).length, 1);
    const editor = await cursor.read(sessionOf("cur-composer-001"), { unit: "rows" });
    assert.deepEqual(editor.found, []);
    assert.equal(payloadsOf(editor.events, "assistant_message").length, 3);
  });
});

Deno.test("people see the words at the end of a turn of Cursor", async () => {
  const said = [{ type: "text", text: "turn complete" }];
  const lines = [
    { role: "user", message: { content: [{ type: "text", text: "hi" }] } },
    { timestamp: "2026-06-24T12:00:04Z", event: "turn_ended", message: { content: said } },
  ].map((line) => JSON.stringify(line));
  const path = `${TRANSCRIPTS}/flat.jsonl`;
  await using home = await makeHome({ [path]: `${lines.join("\n")}\n` });
  const read = await cursor.read(await cursor.onlyIn(home, path));
  assert.deepEqual(payloadsOf(read.events, "notice").map(({ text }) => text), ["turn complete"]);
});
