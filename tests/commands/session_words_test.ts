import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { settle } from "../_support/settle.ts";
import { user } from "../_support/log_bytes.ts";
import { answerInPi, keepPiSession } from "./_pi_session.ts";

function answer(model: string, cost_usd: number, time: string): NewEvent {
  const payload = { content: "Answer", model, cost_usd, usage: { input: 10 * cost_usd } };
  return { kind: "assistant_message", time: `2026-11-21T${time}Z`, payload };
}

function asked(text: string, time: string): NewEvent {
  return { ...user(text), time: `2026-11-21T${time}Z` };
}

const FAILED: NewEvent = {
  kind: "turn_failed",
  time: "2026-11-21T20:56:00Z",
  payload: { reason: "error", message: "API Error:\n529 Overloaded" },
};

/** Four sessions with zebras: pi's works 1 minute, `aaaa` 2, `bbbb` 4, `cccc` none. */
function furnish(home: CliHome): void {
  home.keep(sessionId("aaaa"), [
    asked("Zebra one", "20:21:00"),
    answer("claude-opus", 3, "20:23:00"),
    asked("Zebra more", "20:40:00"),
  ], { branch: "main" });
  home.keep(sessionId("bbbb"), [
    asked("Zebra two", "20:00:00"),
    answer("gpt-5", 1, "20:04:00"),
    asked("Zebra again", "20:30:00"),
    asked("Zebra last", "20:45:00"),
  ], { branch: "fix/it" });
  home.keep(sessionId("cccc"), [asked("Zebra three", "20:50:00"), FAILED]);
  answerInPi(keepPiSession(home, "dddd1111", "Zebra of pi").path, 5);
}

type Row = Record<string, string | number | undefined>;

async function refs(home: CliHome, args: readonly string[]): Promise<string[]> {
  const { stdout } = await home.run([...args, "--json"]);
  const rows = jsonLines<Row>(stdout).map(({ ref, group }) => String(ref ?? group));
  return [...new Set(rows)].map((ref) => ref.replace("pi:", "").slice(0, 4));
}

const LIST = ["list"];
const SEARCH = ["search", "zebra"];
const STATS = ["stats", "--by", "session"];

inHome.test("list, search and stats choose sessions by the same words", async (home) => {
  furnish(home);
  await home.run(["tag", sessionId("bbbb"), "bug"]);
  await home.run(["pin", sessionId("aaaa")]);
  const cases: [string[], string[]][] = [
    [["--title", "TWO"], ["bbbb"]],
    [["--branch", "fix"], ["bbbb"]],
    [["--model", "Opus"], ["aaaa"]],
    [["--status", "idle"], ["dddd"]],
    [["--failed"], ["cccc"]],
    [["--tag", "bug"], ["bbbb"]],
    [["--pinned"], ["aaaa"]],
    [["--branch", "main", "--model", "gpt"], []],
  ];
  for (const [words, expected] of cases) {
    assert.deepEqual(await refs(home, [...LIST, ...words]), expected, `list ${words}`);
    assert.deepEqual(await refs(home, [...SEARCH, ...words]), expected, `search ${words}`);
    // A session without an answer took nothing.
    const spent = expected.filter((one) => one !== "cccc");
    assert.deepEqual(await refs(home, [...STATS, ...words]), spent, `stats ${words}`);
  }
});

inHome.test("list, search and stats sort by the same words, also reversed", async (home) => {
  furnish(home);
  const cases: [string, string[]][] = [
    ["updated", ["cccc", "bbbb", "aaaa", "dddd"]],
    ["created", ["cccc", "bbbb", "aaaa", "dddd"]],
    ["cost", ["aaaa", "bbbb", "cccc", "dddd"]],
    ["messages", ["bbbb", "aaaa", "dddd", "cccc"]],
    ["duration", ["bbbb", "aaaa", "dddd", "cccc"]],
  ];
  for (const [order, expected] of cases) {
    const known = order === "cost" ? ["aaaa", "bbbb"] : expected;
    const unknown = expected.filter((one) => !known.includes(one));
    const reversed = [...known.toReversed(), ...unknown];
    for (const command of [LIST, SEARCH]) {
      const sorted = [...command, "--sort", order];
      const first = await refs(home, sorted);
      assert.deepEqual(first.slice(0, known.length), known, `${sorted}`);
      assert.deepEqual(first.slice(known.length).sort(), unknown, `${sorted}`);
      const back = await refs(home, [...sorted, "--reverse"]);
      assert.deepEqual(back.slice(0, known.length), reversed.slice(0, known.length), `${sorted}`);
      assert.deepEqual(await refs(home, [...sorted, "-n", "1"]), expected.slice(0, 1));
    }
    if (order === "messages") continue;
    const spent = expected.filter((one) => one !== "cccc");
    const first = await refs(home, [...STATS, "--sort", order]);
    assert.deepEqual(first, spent, `stats ${order}`);
  }
  assert.deepEqual(await refs(home, [...LIST, "--reverse", "-n", "2"]), ["dddd", "aaaa"]);
});

inHome.test("active time is the same with the cache and without, the first time and later", async (home) => {
  furnish(home);
  await settle();
  const line = ["list", "--sort", "duration", "--json"];
  const without = await home.run([...line, "--no-cache"]);
  const expected = jsonLines<Row>(without.stdout).map(({ active_ms }) => active_ms);
  assert.deepEqual(expected, [240_000, 120_000, 60_000, 0]);
  for (let round = 0; round < 2; round++) {
    const { stdout } = await home.run(line);
    assert.deepEqual(jsonLines<Row>(stdout), jsonLines<Row>(without.stdout), `${round}`);
  }
  const { stdout } = await home.run(["list", "--columns", "id,duration", "--no-cache"]);
  assert.deepEqual([...stdout.matchAll(/^\S+ +(.*)$/gm)].map(([, cell]) => cell), [
    ...["duration", "…", "…", "…", "…"],
  ]);
});

inHome.test("list --failed says why a session failed", async (home) => {
  furnish(home);
  const { stdout } = await home.run(["list", "--failed"]);
  assert.match(stdout, /^id .* error +title\n.* API Error: 529 Overloaded +Zebra three\n$/);
  const [row] = jsonLines<Row>((await home.run(["list", "--failed", "--json"])).stdout);
  assert.equal(row?.last_error, "API Error: 529 Overloaded");
});
