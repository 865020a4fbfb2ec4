/** Every row of the table of damage, for each agent: told, repaired, read, and undone. */
import assert from "node:assert/strict";
import { DAMAGES, itemsLeft, linesOf } from "../../clients/repair/damages.ts";
import { itemsWithout, REPAIRED, type RepairedAgent } from "../../clients/repair/session_items.ts";
import {
  countMessages,
  examineSession,
  type RepairOptions,
} from "../../../lib/features/repair/examine_session.ts";
import { repairSession } from "../../../lib/features/repair/repair_session.ts";
import { undoRepair } from "../../../lib/features/repair/undo_repair.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { LONG_AGO, sessionHome, wholeSession } from "./_sessions.ts";

/**
 * Messages that reach the model: what the client reads of the damaged session, and what it reads once
 * it is repaired. The whole session has 10. Each row of the first column is one of `DAMAGES`.
 */
const MESSAGES: Record<string, Partial<Record<RepairedAgent, [before: number, after: number]>>> = {
  "torn last line": { pi: [9, 9], codex: [9, 9], claude: [9, 9], gemini: [9, 9], qwen: [9, 9] },
  "torn inside a character": { ...same(9, 9), codex: [0, 9] },
  "torn inside an escape": same(9, 9),
  "torn inside a surrogate pair": same(9, 9),
  // Codex and Claude Code have the answer's calls in records of their own.
  "torn line, next record glued on": {
    ...{ pi: [3, 9], codex: [9, 9], claude: [8, 10], gemini: [7, 9], qwen: [5, 9] },
  },
  "newline lost between two records": {
    ...{ pi: [3, 10], codex: [9, 10], claude: [8, 10], gemini: [7, 10], qwen: [10, 10] },
  },
  "NULs before a record": {
    ...{ pi: [5, 10], codex: [9, 10], claude: [10, 10], gemini: [9, 10], qwen: [10, 10] },
  },
  "NULs inside a record with calls": {
    ...{ pi: [3, 8], codex: [9, 9], claude: [9, 9], gemini: [8, 8], qwen: [3, 8] },
  },
  "NULs at the end": same(10, 10),
  "no newline at the end": same(10, 10),
  "CRLF": same(10, 10),
  "U+2028 raw": same(10, 10),
  "one bad UTF-8 byte": { ...same(10, 10), codex: [0, 10] },
  "byte order mark": { ...same(10, 10), codex: [0, 10], gemini: [0, 10] },
  "first line lost": {
    ...{ pi: [0, 10], codex: [0, 10], claude: [9, 9], gemini: [0, 10], qwen: [9, 9] },
  },
  "record lost, its children orphaned": {
    ...{ pi: [3, 8], codex: [9, 9], claude: [9, 9], gemini: [8, 8], qwen: [3, 8] },
  },
  "parent cycle": { pi: [0, 10], claude: [10, 10], qwen: [6, 10] },
  // Claude Code has the text that is lost in the same message as the call.
  "two records with one id": { pi: [9, 10], claude: [10, 10] },
  "call without result, middle": { ...same(10, 10), gemini: [9, 9] },
  "thinking without text and signature": { codex: [10, 10], claude: [10, 10] },
  "whole file repeated": { ...same(10, 10), codex: [20, 20] },
};

function same(before: number, after: number): Record<RepairedAgent, [number, number]> {
  const row: [number, number] = [before, after];
  return { pi: row, codex: row, claude: row, gemini: row, qwen: row };
}

Deno.test("the table of damage has every row that is known", () => {
  assert.deepEqual(Object.keys(MESSAGES), DAMAGES.map(({ name }) => name));
});

for (const agent of REPAIRED) {
  const whole = wholeSession(agent);

  inDirectory.test(`${agent}: a whole session has nothing to repair`, async (directory) => {
    const { library, path } = await sessionHome(directory, agent, whole);
    const report = await examineSession(await library.open(path));
    assert.deepEqual(report.findings, []);
    assert.deepEqual(report.messages, { before: 10, after: 10 });
    assert.equal(itemsWithout(agent, linesOf(whole), new Set()).length, 14);
  });

  for (const damage of DAMAGES.filter(({ agents }) => agents.includes(agent))) {
    inDirectory.test(`${agent}: ${damage.name}`, async (directory) => {
      const damaged = damage.apply(agent, whole);
      const home = await sessionHome(directory, agent, damaged.bytes);
      const { library, path, environment } = home;
      const needs = damage.needs[agent] ?? [];
      const options: RepairOptions = {
        relink: needs.includes("--relink"),
        ...(needs.includes("--cwd") ? { cwd: "/home/u/project" } : {}),
      };
      const session = await library.open(path);
      const report = await examineSession(session, options);
      const [before, after] = MESSAGES[damage.name]?.[agent] ?? [];
      assert.deepEqual(report.messages, { before, after });
      assert.equal(report.repairable, !damage.untouched.includes(agent), JSON.stringify(report));
      assert.deepEqual(await Deno.readFile(path), damaged.bytes);
      for (const { today, damage: kind } of report.findings) assert.ok(today, kind);

      const { backup } = await repairSession(session, { ...options, environment });
      assert.equal(backup !== undefined, report.repairable);
      const written = await library.open(path);
      const { messages } = await written.conversation();
      assert.equal(await countMessages(written.session), messages.length);
      if (backup === undefined) return assert.deepEqual(await Deno.readFile(path), damaged.bytes);
      assert.deepEqual(await Deno.readFile(backup), damaged.bytes);
      const repaired = linesOf(await Deno.readFile(path));
      const items = itemsWithout(agent, repaired, new Set());
      assert.deepEqual(items, itemsLeft(agent, whole, damaged));
      assert.equal(messages.length, after);
      await assertDress(path);
      const again = await examineSession(written, options);
      assert.deepEqual(again.findings.filter(({ repair }) => repair !== undefined), []);

      await undoRepair(written, { environment });
      assert.deepEqual(await Deno.readFile(path), damaged.bytes);
      await assertDress(path);
      await assert.rejects(Deno.stat(backup), Deno.errors.NotFound);
    });
  }
}

async function assertDress(path: string): Promise<void> {
  const { mode, mtime, nlink } = await Deno.stat(path);
  if (Deno.build.os !== "windows") assert.equal((mode ?? 0) & 0o777, 0o640);
  assert.deepEqual(mtime, LONG_AGO);
  assert.equal(nlink, 1);
}
