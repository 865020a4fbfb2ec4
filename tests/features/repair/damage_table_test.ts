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
  "the last line is incomplete": {
    pi: [9, 9],
    codex: [9, 9],
    claude: [9, 9],
    gemini: [9, 9],
    qwen: [9, 9],
  },
  "the last line ends inside a character": { ...same(9, 9), codex: [0, 9] },
  "the last line ends inside a JSON escape": same(9, 9),
  "the last line ends between the two JSON escapes of a character": same(9, 9),
  // Codex and Claude Code have the answer's calls in records of their own.
  "a line is incomplete, and the next record follows without a newline": {
    ...{ pi: [3, 9], codex: [9, 9], claude: [8, 10], gemini: [7, 9], qwen: [5, 9] },
  },
  "the newline between two records is missing": {
    ...{ pi: [3, 10], codex: [9, 10], claude: [8, 10], gemini: [7, 10], qwen: [10, 10] },
  },
  "NUL bytes are before a record": {
    ...{ pi: [5, 10], codex: [9, 10], claude: [10, 10], gemini: [9, 10], qwen: [10, 10] },
  },
  "NUL bytes are inside a record with calls": {
    ...{ pi: [3, 8], codex: [9, 9], claude: [9, 9], gemini: [8, 8], qwen: [3, 8] },
  },
  "NUL bytes are at the end of the file": same(10, 10),
  "the newline at the end of the file is missing": same(10, 10),
  "all lines end with CRLF": same(10, 10),
  "a text contains U+2028 without a JSON escape": same(10, 10),
  "one byte is not UTF-8": { ...same(10, 10), codex: [0, 10] },
  "the file begins with a byte order mark": { ...same(10, 10), codex: [0, 10], gemini: [0, 10] },
  "the first line is missing": {
    ...{ pi: [0, 10], codex: [0, 10], claude: [9, 9], gemini: [0, 10], qwen: [9, 9] },
  },
  "the parent of other records is missing": {
    ...{ pi: [3, 8], codex: [9, 9], claude: [9, 9], gemini: [8, 8], qwen: [3, 8] },
  },
  "the parents of records form a circle": { pi: [0, 10], claude: [10, 10], qwen: [6, 10] },
  // Claude Code has the text that is lost in the same message as the call.
  "two records have the same id": { pi: [9, 10], claude: [10, 10] },
  "a call in the middle has no result": { ...same(10, 10), gemini: [9, 9] },
  "a thought has neither a text nor a signature": { codex: [10, 10], claude: [10, 10] },
  "the file contains all of its lines twice": { ...same(10, 10), codex: [20, 20] },
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
