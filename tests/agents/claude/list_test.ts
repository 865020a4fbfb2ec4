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
const text = textPool(seededRandom(1), 200_000);

const FIELDS = [
  "title",
  "cwd",
  "created_at",
  "updated_at",
  "first_user_message",
  "last_error",
] as const;

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

/** The lines of a session that grows. */
class Talk {
  readonly lines: string[] = [];

  put(parent: string | null, type: string, content: unknown, more: object = {}): string {
    const at = this.lines.length;
    const uuid = `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;
    const message = type === "user"
      ? { role: "user", content }
      : { id: `msg_${at}`, role: "assistant", content: [{ type: "text", text: content }] };
    const record = { parentUuid: parent, isSidechain: false, cwd: "/w", sessionId: "s" };
    const timestamp = new Date(Date.UTC(2026, 1, 3, 10, 0, at)).toISOString();
    const says = type === "system" ? { content } : { message };
    this.lines.push(JSON.stringify({ ...record, type, ...says, uuid, timestamp, ...more }));
    return uuid;
  }

  /** Adds answers of 120 kB behind a record. */
  go(parent: string): string {
    for (let turn = 0; turn < 60; turn++) parent = this.put(parent, "assistant", "x".repeat(2000));
    return parent;
  }

  side(type: string, fields: object): void {
    this.lines.push(JSON.stringify({ type, ...fields, sessionId: "s" }));
  }
}

/** Sessions that are longer than what a list reads of them, and their titles. */
const TALKS: Record<string, [title: string, make: (talk: Talk) => void]> = {
  "a second root": ["Implement it", (talk) => {
    for (const root of ["Plan it", "Implement it"]) talk.go(talk.put(null, "user", root));
  }],
  "a prompt that was rewound": ["Implement it", (talk) => {
    const hook = talk.put(null, "system", "ready", { subtype: "informational" });
    for (const root of ["Plan it", "Implement it"]) talk.go(talk.put(hook, "user", root));
  }],
  "a prompt of 220 kB": ["Explain the log.", (talk) => {
    const text = "Explain the log.";
    talk.put(
      talk.go(talk.put(null, "user", [{ type: "text", text }], { x: "y".repeat(220_000) })),
      "user",
      "More",
    );
  }],
  "a title in the middle": ["Mine", (talk) => {
    const middle = talk.go(talk.put(null, "user", "Plan it"));
    talk.side("custom-title", { customTitle: "Mine" });
    talk.go(middle);
    talk.side("ai-title", { aiTitle: "The model's" });
  }],
  "housekeeping of 100 kB at the end": ["Plan it", (talk) => {
    let last = talk.go(talk.put(null, "user", "Plan it"));
    for (let at = 0; at < 50; at++) {
      last = talk.put(last, "system", "x".repeat(2000), { subtype: "informational" });
    }
  }],
};

for (const [name, [title, make]] of Object.entries(TALKS)) {
  inDirectory.test(`a row is that of the whole session, with ${name}`, async (directory) => {
    const path = join(directory, "c0ffee00-0000-4000-8000-000000000041.jsonl");
    const talk = new Talk();
    make(talk);
    await Deno.writeTextFile(path, talk.lines.join("\n") + "\n");
    assert.equal(await assertSameRow(path), title);
  });
}

/** Starts of lines that a crash cut off within a word. */
const TORN = [
  '{"type":"last-prompt","lastPrompt":"Plan it","leafUuid":"a","explicit":tru',
  '{"type":"file-history-snapshot","isSnapshotUpdate":fal',
  '{"parentUuid":"a","isSidechain":false',
  '{"parentUuid":nu',
];

inDirectory.test("the edges tell what the whole tells of a record that is glued to a torn line", async (directory) => {
  const path = join(directory, "c0ffee00-0000-4000-8000-000000000043.jsonl");
  for (const torn of TORN) {
    const talk = new Talk();
    const root = talk.put(null, "user", "Plan it");
    const leaf = talk.put(talk.put(root, "user", "Go back"), "assistant", "Done.");
    talk.put(root, "user", "Again");
    talk.lines.push(torn + talk.lines.pop());
    await Deno.writeTextFile(path, talk.lines.join("\n") + "\n");
    await assertSameRow(path);
    const session = await onlySession(claudeAgent, path);
    const row = await claudeAgent.open(session).summarize({ exact: true });
    assert.deepEqual([row?.last_user_message, row?.message_count], ["Again", 2], torn);
    // An error behind an answer that is lost is not on the branch.
    const lost = leaf.replace(/2$/, "9");
    talk.lines.pop();
    talk.put(lost, "system", "", { subtype: "api_error", error: { message: "Overloaded" } });
    talk.lines.push(torn + talk.lines.pop());
    await Deno.writeTextFile(path, talk.lines.join("\n") + "\n");
    await assertSameRow(path);
  }
});

inDirectory.test("titles and archived flags beside a session count, unless its end has a newer title", async (directory) => {
  const folder = join(directory, "c0ffee00-0000-4000-8000-000000000042");
  Deno.mkdirSync(folder);
  Deno.writeTextFileSync(join(folder, "custom-title.json"), '{"customTitle":"Beside"}');
  Deno.writeTextFileSync(join(folder, "archived.json"), '{"archived":true}');
  const talk = new Talk();
  const first = talk.put(null, "user", "Plan it");
  for (const expected of ["Beside", "Last", "Beside"]) {
    if (expected === "Last") talk.side("custom-title", { customTitle: "Last" });
    else talk.go(first);
    Deno.writeTextFileSync(`${folder}.jsonl`, talk.lines.join("\n") + "\n");
    assert.equal(await assertSameRow(`${folder}.jsonl`), expected);
  }
  const session = await onlySession(claudeAgent, `${folder}.jsonl`);
  assert.equal((await claudeAgent.open(session).summarize())?.archived, true);
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
