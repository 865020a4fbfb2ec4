/**
 * What a list shows is read from the edges of a file: it must be what reading all of it gives.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { onlySession } from "../../_support/agent_contract.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { makeAgentLog } from "../../bench/agent_logs.ts";
import { seededRandom } from "../../bench/random.ts";
import { textPool } from "../../bench/text_pool.ts";

/** Made once: it takes longer than all sessions of this file. */
const text = textPool(seededRandom(1));

const FIELDS = ["title", "cwd", "created_at", "updated_at", "first_user_message"] as const;

async function assertSameRow(path: string): Promise<string> {
  const session = await onlySession(claudeAgent, path);
  const quick = await claudeAgent.open(session).summarize();
  const exact = await claudeAgent.open(session).summarize({ exact: true });
  assert.ok(quick !== undefined && exact !== undefined);
  for (const field of FIELDS) assert.equal(quick[field], exact[field], field);
  if (quick.last_user_message !== undefined) {
    assert.equal(quick.last_user_message, exact.last_user_message);
  }
  return quick.title ?? "";
}

// Slow: each log is longer than what a list reads of it.
inDirectory.test("the edges of long sessions tell what the whole tells", async (directory) => {
  for (let seed = 1; seed <= 6; seed++) {
    const path = join(directory, `${seed}.jsonl`);
    makeAgentLog("claude", path, 200_000, { seed, shape: "short", text });
    assert.notEqual(await assertSameRow(path), "");
  }
});

/** What may happen to the lines of a session near their end. */
const CHANGES: readonly ((lines: string[], at: number) => unknown)[] = [
  (lines, at) => lines.splice(at, 0, lines[at] as string),
  (lines, at) => lines.push(lines[at] as string),
  (lines, at) => lines.splice(at, 1),
  (lines, at) => lines.splice(at - 1, 2, lines[at] as string, lines[at - 1] as string),
  // A torn line with the next one glued to it.
  (lines, at) => lines.splice(at - 1, 2, lines[at - 1]?.slice(0, 60 * (at % 7)) + lines[at]!),
  (lines) => lines.push('{"type":"ai-title","aiTitle":"Titled","sessionId":"s"}'),
  (lines) => lines.push('{"type":"mode","mode":"normal","sessionId":"s"}'),
];

// Slow: a long session is listed after each change of its end.
inDirectory.test("the edges tell what the whole tells, whatever happened to the last lines", async (directory) => {
  for (const [number, change] of CHANGES.entries()) {
    for (let seed = 1; seed <= 3; seed++) {
      const path = join(directory, `${number}-${seed}.jsonl`);
      makeAgentLog("claude", path, 100_000, { seed, shape: "short", text });
      const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
      change(lines, lines.length - 1 - (seed * 5 + number) % 12);
      await Deno.writeTextFile(path, lines.join("\n") + "\n");
      await assertSameRow(path);
    }
  }
});

inDirectory.test("a long session with two roots is called by the one that is live", async (directory) => {
  const path = join(directory, "c0ffee00-0000-4000-8000-000000000041.jsonl");
  const lines: string[] = [];
  const put = (parent: string | null, type: string, content: unknown): string => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length).padStart(12, "0")}`;
    const message = type === "user" ? { role: "user", content } : {
      id: `msg_${lines.length}`,
      role: "assistant",
      content: [{ type: "text", text: content }],
    };
    const timestamp = new Date(Date.UTC(2026, 1, 3, 10, 0, lines.length)).toISOString();
    const record = {
      parentUuid: parent,
      isSidechain: false,
      cwd: "/w",
      sessionId: "s",
      version: "2.1.12",
    };
    lines.push(JSON.stringify({ ...record, type, message, uuid, timestamp }));
    return uuid;
  };
  for (const root of ["Plan it", "Implement it"]) {
    let parent = put(null, "user", root);
    for (let turn = 0; turn < 60; turn++) {
      parent = put(parent, "assistant", "x".repeat(2000));
      parent = put(parent, "user", `go on ${turn}`);
    }
  }
  await Deno.writeTextFile(path, lines.join("\n") + "\n");
  assert.equal(await assertSameRow(path), "Implement it");
});

inDirectory.test("the last error near the end is told without reading all", async (directory) => {
  const path = join(directory, "long.jsonl");
  makeAgentLog("claude", path, 200_000, { seed: 1, shape: "short", text });
  const [leaf] = (await Deno.readTextFile(path)).trimEnd().split("\n").reverse()
    .flatMap((line) => JSON.parse(line).uuid ?? []);
  const error = { type: "system", subtype: "api_error", error: { message: "Overloaded" } };
  const line = JSON.stringify({ parentUuid: leaf, ...error, uuid: "e1", isSidechain: false });
  await Deno.writeTextFile(path, `${line}\n`, { append: true });
  const session = await onlySession(claudeAgent, path);
  for (const exact of [false, true]) {
    const row = await claudeAgent.open(session).summarize({ exact });
    assert.equal(row?.last_error, "Overloaded");
  }
});
