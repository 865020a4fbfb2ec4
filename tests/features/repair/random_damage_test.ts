/**
 * Random damages: whatever is done to a session, a repair loses no byte of it, makes no record that
 * was not there, and finds nothing more to do.
 */
import assert from "node:assert/strict";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import {
  examineSession,
  type RepairOptions,
} from "../../../lib/features/repair/examine_session.ts";
import { repairSession } from "../../../lib/features/repair/repair_session.ts";
import { undoRepair } from "../../../lib/features/repair/undo_repair.ts";
import { REPAIRED, type RepairedAgent } from "../../clients/repair/session_items.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { sessionHome, wholeSession } from "./_sessions.ts";

/** For each agent: 2,000 in all where there is time. */

type Random = () => number;
const decoder = new TextDecoder();

function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

function splice(bytes: Uint8Array, start: number, gone: number, put: Uint8Array): Uint8Array {
  return new Uint8Array([...bytes.subarray(0, start), ...put, ...bytes.subarray(start + gone)]);
}

const NOTHING = new Uint8Array(0);

/** One thing that happens to a file. */
const HAPPENINGS: readonly ((bytes: Uint8Array, random: Random) => Uint8Array)[] = [
  (bytes, random) => bytes.slice(0, below(random, bytes.length)),
  (bytes, random) => splice(bytes, below(random, bytes.length), below(random, 600), NOTHING),
  (bytes, random) => {
    const at = below(random, bytes.length);
    return splice(bytes, at, 0, new Uint8Array(below(random, 300)));
  },
  (bytes, random) => {
    const run = new Uint8Array(below(random, 300));
    return splice(bytes, below(random, bytes.length), run.length, run);
  },
  (bytes, random) => bytes.with(below(random, bytes.length), below(random, 256)),
  (bytes, random) => splice(bytes, newline(bytes, random), 1, NOTHING),
  (bytes, random) => {
    const from = newline(bytes, random) + 1;
    const to = bytes.indexOf(0x0a, from);
    return to < 0 ? bytes : splice(bytes, from, to + 1 - from, NOTHING);
  },
  (bytes, random) => {
    const from = below(random, bytes.length);
    const copy = bytes.slice(from, from + below(random, 900));
    return splice(bytes, below(random, bytes.length), 0, copy);
  },
  (bytes, random) => {
    const noise = new Uint8Array(below(random, 60)).map(() => below(random, 256));
    return splice(bytes, below(random, bytes.length), 0, noise);
  },
  (bytes) => splice(bytes, 0, 0, new Uint8Array([0xef, 0xbb, 0xbf])),
];

/** The usual run begins once with each of them. */
const ROUNDS = ALL_TORTURE ? 400 : HAPPENINGS.length;

function newline(bytes: Uint8Array, random: Random): number {
  const at = bytes.indexOf(0x0a, below(random, bytes.length));
  return at < 0 ? bytes.length - 1 : at;
}

function damaged(bytes: Uint8Array, round: number, random: Random): Uint8Array {
  let result = bytes;
  let kind = round % HAPPENINGS.length;
  for (let times = 1 + below(random, 3); times > 0; times--) {
    const happens = HAPPENINGS[kind] as (typeof HAPPENINGS)[number];
    kind = below(random, HAPPENINGS.length);
    if (result.length > 0) result = happens(result, random);
  }
  return result;
}

/** Texts in a value, however deep. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(texts);
}

/**
 * A line is one of the file, a slice of one, a new header, or has lost parts or got a parent. Where
 * two records had the same id, the ids are new.
 */
function assertNotInvented(
  line: string,
  { index, before, renamed }: { index: number; before: string; renamed: boolean },
): void {
  if (before.includes(line)) return;
  const value = JSON.parse(line) as Record<string, unknown>;
  if (renamed) { for (const name of LINKS) delete value[name]; }
  const header = index === 0 && (value.type === "session" || value.type === "session_meta" ||
    value.sessionId !== undefined);
  if (header) return;
  for (const text of texts(value)) {
    assert.ok(before.includes(JSON.stringify(text).slice(1, -1)), `${text} in ${line}`);
  }
}

const LINKS = ["id", "parentId", "uuid", "parentUuid"];

for (const agent of REPAIRED) {
  // Slow: each round repairs a session, and reads it before and after.
  inDirectory.test(`P14: no random damage of a session of ${agent} is made worse by its repair`, async (directory) => {
    const random = mulberry32(agent.length * 7919);
    const counts = { repaired: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      await tryRound(directory, agent, { round, random, counts });
    }
    assert.ok(counts.repaired > ROUNDS / 2, JSON.stringify(counts));
  });
}

async function tryRound(
  directory: string,
  agent: RepairedAgent,
  { round, random, counts }: {
    round: number;
    random: Random;
    counts: { repaired: number; refused: number };
  },
): Promise<void> {
  const bytes = damaged(wholeSession(agent), round, random);
  const home = await sessionHome(directory, agent, bytes);
  const { library, path, environment } = home;
  const options: RepairOptions = { relink: random() < 0.5, cwd: "/home/u/project" };
  let backup: string | undefined;
  let renamed = false;
  try {
    const session = await library.open(path);
    const repaired = await repairSession(session, { ...options, environment });
    backup = repaired.backup;
    renamed = options.relink === true &&
      repaired.report.findings.some(({ damage }) => damage === "repeated-id");
  } catch (error) {
    // Nothing of the agent's is left in it, or no record at all.
    assert.ok(error instanceof SessionError, String(error));
    assert.match(
      error.message,
      /belongs to no known agent|no readable record is left|only (?:tool )?results|of another agent|no log/,
    );
    counts.refused++;
  }
  const after = await Deno.readFile(path);
  if (backup === undefined) return assert.deepEqual(after, new Uint8Array(bytes));
  counts.repaired++;
  assert.deepEqual(await Deno.readFile(backup), new Uint8Array(bytes));
  const before = decoder.decode(bytes);
  const lines = decoder.decode(after).split("\n");
  assert.equal(lines.pop(), "");
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== "") assertNotInvented(line, { index, before, renamed });
  }
  assertWholeLinesKept(agent, before, lines);
  const again = await examineSession(await library.open(path), options);
  assert.deepEqual(again.findings.filter(({ repair }) => repair !== undefined), []);
  await undoRepair(await library.open(path), { environment });
  assert.deepEqual(await Deno.readFile(path), new Uint8Array(bytes));
}

/** Safety goes with liveness: a line that was whole is there, unless it answers a call that is lost. */
function assertWholeLinesKept(
  agent: RepairedAgent,
  before: string,
  after: readonly string[],
): void {
  const kept = new Set(after.map(nameOf));
  const original = new Set(decoder.decode(wholeSession(agent)).split("\n"));
  for (const line of before.split("\n")) {
    if (!original.has(line) || line === "" || /toolResult|tool_result/.test(line)) continue;
    assert.ok(kept.has(nameOf(line)), line);
  }
}

/** A record's own name, or all of it. */
function nameOf(line: string): string {
  if (line.trim() === "") return "";
  const { id, uuid } = JSON.parse(line) as { id?: string; uuid?: string };
  return id ?? uuid ?? line;
}
