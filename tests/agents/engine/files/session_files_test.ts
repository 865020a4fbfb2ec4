import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { claudeAgent } from "../../../../lib/agents/claude/claude_agent.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { sourceFiles } from "../../../../lib/agents/engine/files/session_files.ts";
import type { Agent, AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

const ID = "11111111-2222-4333-8444-555555555555";

function write(path: string): string {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, "{}\n");
  return path;
}

function session(path: string, id = ID): AgentSession {
  return { agent: "claude", id, path };
}

inDirectory.test("to a session belongs its file, and the folder beside it that has its id", async (directory) => {
  const path = write(join(directory, `${ID}.jsonl`));
  const side = [
    write(join(directory, ID, "subagents", "agent-1.jsonl")),
    write(join(directory, ID, "tool-results", "1.txt")),
  ];
  write(join(directory, "other.jsonl"));
  assert.deepEqual(await sourceFiles(claudeAgent, session(path)), [path, ...side]);
  assert.deepEqual(await sourceFiles(claudeAgent, session(path, "other")), [path]);
});

inDirectory.test("to a session belongs all of the folder that has its id, but for links", async (directory) => {
  const folder = join(directory, `session-${ID}`);
  const path = write(join(folder, "conversation.jsonl"));
  const more = [
    write(join(folder, "checkpoints", "1.json")),
    write(join(folder, "metadata.json")),
  ];
  if (Deno.build.os !== "windows") {
    Deno.symlinkSync(write(join(directory, "elsewhere")), join(folder, "link"));
    Deno.symlinkSync(directory, join(folder, "up"));
  }
  assert.deepEqual(await sourceFiles(claudeAgent, session(path)), [path, ...more]);
});

inDirectory.test("a database, and a file with several sessions, are no session's own", async (directory) => {
  const path = join(directory, "sessions.db");
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE t (a)");
  database.close();
  assert.deepEqual(await sourceFiles(claudeAgent, session(path)), []);
  const history = write(join(directory, "history.md"));
  const several: Agent = {
    ...claudeAgent,
    sessionsIn: (at) => Promise.resolve([session(at), session(at, "another")]),
  };
  assert.deepEqual(await sourceFiles(several, session(history)), []);
  assert.deepEqual(await sourceFiles(claudeAgent, session(history)), [history]);
  await assert.rejects(sourceFiles(claudeAgent, session(join(directory, "none"))), SessionError);
});
