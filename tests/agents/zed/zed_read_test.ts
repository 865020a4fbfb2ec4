import assert from "node:assert/strict";
import { join } from "node:path";
import { zedAgent } from "../../../lib/agents/zed/zed_agent.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { Reading } from "../_reading.ts";
import { makeHome } from "../../_support/agent_contract.ts";
import { databaseBytes } from "../../_support/database_bytes.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const zed = new Reading(zedAgent);

const OLD = "0ld00000-0000-4000-8000-000000000003";

/** The folder of the database below the home. */
const FOLDER = {
  darwin: "Library/Application Support/Zed/threads",
  windows: "AppData/Local/Zed/threads",
}[Deno.build.os as string] ?? ".local/share/zed/threads";

Deno.test("a compaction of Zed keeps no more than 80,000 characters of prompts", async () => {
  const long = { User: { id: "u0", content: [{ Text: "x".repeat(90_000) }] } };
  const short = { User: { id: "u1", content: [{ Text: "short" }] } };
  const messages = [long, short, { Compaction: { Summary: "s" } }];
  const bytes = databaseBytes((database) => {
    database.exec(zed.text("threads.sql"));
    const sql = "UPDATE threads SET data_type = 'json', data = ? WHERE id = ?";
    database.prepare(sql).run(JSON.stringify({ version: "0.3.0", messages }), OLD);
  });
  await using home = await makeHome({ "threads.db": bytes });
  const sessions = await zedAgent.sessionsIn(join(home.path, "threads.db"));
  const old = sessions.find(({ id }) => id === OLD);
  const { messages: [first, ...more] } = await zed.conversation(old);
  assert.deepEqual([first?.content, more.length], ["short", 1]);
});

const SAMPLE = sampleUrl("more/ctx/zed/v1/threads.db");

testRecorded("a database of another reader's tests is read", SAMPLE, async () => {
  await using home = await makeHome({
    [`${FOLDER}/threads.db`]: SAMPLE,
  });
  const [root, ...more] = await zed.located(home);
  assert.deepEqual([root?.id, root?.cwd, more], ["zed-root", "/workspace/zed", []]);
  const { events, found } = await zed.read(root, { unit: "rows" });
  assert.deepEqual(found, []);
  const text = JSON.stringify(events);
  for (const word of ["oracle prompt", "oracle answer", "wrote src", "compacted summary"]) {
    assert.ok(text.includes(word), word);
  }
  assert.equal((await zedAgent.open(root as AgentSession).threads()).length, 2);
});
