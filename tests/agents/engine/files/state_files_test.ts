import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Agent, AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { claudeAgent } from "../../../../lib/agents/claude/claude_agent.ts";
import { keenAgent } from "../../../../lib/agents/keen/keen_agent.ts";
import { opencodeAgent } from "../../../../lib/agents/opencode/opencode_agent.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

const ID = "11111111-2222-4333-8444-555555555555";

function write(path: string): string {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, "{}\n");
  return path;
}

function session({ name }: Agent, path: string, id = ID): AgentSession {
  return { agent: name, id, path };
}

inDirectory.test("the state of a session is that of its file, and of the files around it in its own folder", async (directory) => {
  const alone = write(join(directory, "a.jsonl"));
  write(join(directory, "b.jsonl"));
  assert.deepEqual((await keenAgent.open(session(keenAgent, alone)).files())?.paths, [alone]);
  const folder = join(directory, `session-${ID}`);
  const path = write(join(folder, "conversation.jsonl"));
  const beside = write(join(folder, "metadata.json"));
  write(join(folder, "below", "1.json"));
  assert.deepEqual((await keenAgent.open(session(keenAgent, path)).files())?.paths, [
    path,
    beside,
  ]);
  assert.deepEqual((await claudeAgent.open(session(claudeAgent, path)).files())?.paths, [path]);
});

Deno.test("the state of a session in a database is that of the database and its log", async () => {
  const path = "/data/sessions.db";
  const files = [path, `${path}-wal`, `${path}-journal`];
  assert.deepEqual((await keenAgent.open(session(keenAgent, path)).files())?.paths, files);
  assert.deepEqual((await opencodeAgent.open(session(opencodeAgent, path)).files())?.paths, files);
});

Deno.test("a session in unknown files has a state only after reading", async () => {
  const older = "/storage/session/global/ses_1.json";
  assert.equal((await opencodeAgent.open(session(opencodeAgent, older)).files())?.paths, undefined);
  const packed = "/sessions/rollout.jsonl.zst";
  assert.equal((await claudeAgent.open(session(claudeAgent, packed)).files())?.paths, undefined);
});
