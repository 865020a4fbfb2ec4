import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Agent, AgentSession } from "../../../lib/source/agent.ts";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { keenAgent } from "../../../lib/agents/keen/keen_agent.ts";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import { stateFiles } from "../../../lib/reading/files/state_files.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const ID = "11111111-2222-4333-8444-555555555555";

function write(path: string): string {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, "{}\n");
  return path;
}

function session({ name }: Agent, path: string, id = ID): AgentSession {
  return { agent: name, id, path };
}

Deno.test("the state of a session is that of its file, and of the files around it in its own folder", async () => {
  await withDirectory(async (directory) => {
    const alone = write(join(directory, "a.jsonl"));
    write(join(directory, "b.jsonl"));
    assert.deepEqual(await stateFiles(keenAgent, session(keenAgent, alone)), [alone]);
    const folder = join(directory, `session-${ID}`);
    const path = write(join(folder, "conversation.jsonl"));
    const beside = write(join(folder, "metadata.json"));
    write(join(folder, "below", "1.json"));
    assert.deepEqual(await stateFiles(keenAgent, session(keenAgent, path)), [path, beside]);
    assert.deepEqual(await stateFiles(claudeAgent, session(claudeAgent, path)), [path]);
  });
});

Deno.test("the state of a session in a database is that of the database and its log", async () => {
  const path = "/data/sessions.db";
  const files = [path, `${path}-wal`, `${path}-journal`];
  assert.deepEqual(await stateFiles(keenAgent, session(keenAgent, path)), files);
  assert.deepEqual(await stateFiles(opencodeAgent, session(opencodeAgent, path)), files);
});

Deno.test("where a session lies in files that are not known, only reading tells its state", async () => {
  const older = "/storage/session/global/ses_1.json";
  assert.equal(await stateFiles(opencodeAgent, session(opencodeAgent, older)), undefined);
  const packed = "/sessions/rollout.jsonl.zst";
  assert.equal(await stateFiles(claudeAgent, session(claudeAgent, packed)), undefined);
});
