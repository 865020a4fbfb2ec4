import assert from "node:assert/strict";
import { piAgent } from "../../../../lib/agents/pi/pi_agent.ts";
import { piFormat } from "../../../../lib/agents/pi/pi_format.ts";
import { qwenAgent, qwenFormat } from "../../../../lib/agents/qwen/qwen_agent.ts";
import type { TreeFormat } from "../../../../lib/agents/engine/tree/tree_format.ts";
import { openThreadsOfTree } from "../../../../lib/agents/engine/tree/open_threads.ts";
import type { Agent } from "../../../../lib/agents/contract/agent.ts";
import { onlySession, readAll } from "../../../_support/agent_contract.ts";
import { tempFile } from "../../../_support/temp_file.ts";

type Json = Record<string, unknown>;

const TIME = "2026-02-03T10:00:00.000Z";

/** A call, its result on a branch that is left, then on the live one, and a title there. */
const PI: Json[] = [
  { type: "session", version: 3, id: "s", timestamp: TIME, cwd: "/home/dev" },
  piMessage("a1", null, { role: "user", content: [{ type: "text", text: "List" }] }),
  piMessage("a2", "a1", {
    role: "assistant",
    model: "m",
    stopReason: "toolUse",
    content: [{ type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } }],
  }),
  piResult("b3", "left.ts"),
  piResult("a3", "live.ts"),
  { type: "session_info", id: "a4", parentId: "a3", timestamp: TIME, name: "Files" },
];

function piMessage(id: string, parentId: string | null, message: Json): Json {
  return { type: "message", id, parentId, timestamp: TIME, message };
}

function piResult(id: string, text: string): Json {
  const content = [{ type: "text", text }];
  return piMessage(id, "a2", { role: "toolResult", toolCallId: "c1", toolName: "bash", content });
}

const QWEN: Json[] = [
  qwenRecord("a1", null, "user", { role: "user", parts: [{ text: "List" }] }),
  qwenRecord("a2", "a1", "assistant", {
    role: "model",
    parts: [{ functionCall: { id: "c1", name: "run_shell_command", args: { command: "ls" } } }],
  }),
  qwenResult("b3", "left.ts"),
  qwenResult("a3", "live.ts"),
  {
    ...qwenRecord("a4", "a3", "system"),
    subtype: "custom_title",
    systemPayload: { customTitle: "Files" },
  },
];

function qwenRecord(uuid: string, parentUuid: string | null, type: string, message?: Json): Json {
  return { uuid, parentUuid, sessionId: "s", timestamp: TIME, cwd: "/home/dev", type, message };
}

function qwenResult(id: string, output: string): Json {
  const functionResponse = { id: "c1", name: "run_shell_command", response: { output } };
  return qwenRecord(id, "a2", "tool_result", { role: "user", parts: [{ functionResponse }] });
}

async function checkBranch<Head, State, Saved>(
  agent: Agent,
  format: TreeFormat<Head, State, Saved>,
  records: readonly Json[],
): Promise<void> {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  using file = tempFile("c0ffee00-0000-4000-8000-000000000001.jsonl", text);
  const session = await onlySession(agent, file.path);
  const open = await openThreadsOfTree(format, session, {});
  assert.deepEqual(open.ids, ["main", "b3"]);
  const main = (await Array.fromAsync(open.read("main"))).flat();
  assert.deepEqual(main, (await readAll(agent, session)).events);
  const branch = (await Array.fromAsync(open.read("b3"))).flat();
  const alone = (await readAll(agent, session, { thread: "b3" })).events;
  // The call's command is known, and a title elsewhere has a number of its own.
  assert.deepEqual(branch.map(({ kind }) => kind), ["bash_end"]);
  assert.deepEqual(branch, alone.slice(-1));
  assert.notEqual(branch[0]?.seq, main.find(({ kind }) => kind === "bash_end")?.seq);
}

const NAME = "a branch goes on with the calls and numbers of where it leaves";
Deno.test(`${NAME}: pi`, () => checkBranch(piAgent, piFormat, PI));
Deno.test(`${NAME}: qwen`, () => checkBranch(qwenAgent, qwenFormat, QWEN));
