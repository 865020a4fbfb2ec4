import assert from "node:assert/strict";
import { cursorAgent } from "../../../lib/agents/cursor/cursor_agent.ts";
import { readEdits } from "../../../lib/library/touches/session_changes.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { Reading } from "../_reading.ts";
import { type AgentCase, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";
import {
  CHAT,
  chat,
  CHATS,
  COMPACTED,
  conversations,
  fixture,
  OLD,
  TRANSCRIPT,
  TRANSCRIPTS,
  USER,
} from "./_store.ts";
import { databaseBytes } from "../../_support/database_bytes.ts";

const cursor = new Reading(cursorAgent);

const STATE = `${USER}/globalStorage/state.vscdb`;
const FILE = `${TRANSCRIPTS}/${TRANSCRIPT}/${TRANSCRIPT}.jsonl`;
const STORE = `${CHATS}/${CHAT}/store.db`;

/** Runs with the sessions that are located in a home. */
async function withHome(
  files: AgentCase["files"],
  run: (sessionOf: (id: string) => AgentSession, found: AgentSession[]) => Promise<void>,
): Promise<void> {
  await using home = await makeHome(files);
  const found = await cursor.located(home);
  await run((id) => found.find((one) => one.id === id) as AgentSession, found);
}

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
