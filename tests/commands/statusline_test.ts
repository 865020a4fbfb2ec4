import assert from "node:assert/strict";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { keepClaudeSession, putStatus } from "./_fake_agent.ts";
import { keepPiSession } from "./_pi_session.ts";

const HOUR = 3_600_000;

/** Keeps a session of Claude Code that was answered just now: 100,000 tokens. */
function answered(home: CliHome, prefix: string, padding = 0): { path: string; id: string } {
  const id = sessionId(prefix);
  const { path } = keepClaudeSession(home, id, home.work);
  const record = {
    ...{ type: "assistant", uuid: "u2", parentUuid: "u1", isSidechain: false, sessionId: id },
    ...{ cwd: home.work, timestamp: new Date().toISOString(), version: "2.1.100" },
    requestId: `req-${prefix}`,
    message: {
      ...{ id: `msg-${prefix}`, role: "assistant", model: "claude-sonnet-4-5", type: "message" },
      content: [{ type: "text", text: "x".repeat(padding) + "Done" }],
      usage: { input_tokens: 100_000, output_tokens: 0 },
    },
  };
  Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`, { append: true });
  return { path, id };
}

async function line(home: CliHome, input: unknown): Promise<string> {
  const stdin = typeof input === "string" ? input : JSON.stringify(input);
  const { status, stdout, stderr } = await home.run(["statusline"], { stdin });
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout;
}

inHome.test("statusline tells model, cost of the session and of today, the window and the context", async (home) => {
  const { path, id } = answered(home, "aaaa");
  answered(home, "bbbb");
  // Another agent has a plan of its own.
  const { path: other } = keepPiSession(home);
  const usage = { input: 1_000_000, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 9 } };
  const message = { role: "assistant", content: [], model: "m", usage, stopReason: "stop" };
  const timestamp = new Date().toISOString();
  const answer = { type: "message", id: "b1", parentId: "a1", timestamp, message };
  Deno.writeTextFileSync(other, `${JSON.stringify(answer)}\n`, { append: true });
  const input = {
    session_id: id,
    transcript_path: path,
    model: { id: "claude-sonnet-4-5", display_name: "Sonnet 4.5\u001b[2J" },
    cost: { total_cost_usd: 0.4249 },
    context_window: { used_percentage: 41.6, context_window_size: 200_000 },
  };
  assert.match(
    await line(home, input),
    /^Sonnet 4\.5␛\[2J · \$0\.42 · today ~\$0\.60 · 5 h 200k tokens, (?:4h \d\dm|5h 00m) left · context 42%\n$/,
  );
  // Where the agent says when its window ends, that counts.
  const resets_at = Math.ceil((Date.now() + 2 * HOUR) / 1000);
  const told = await line(home, { ...input, rate_limits: { five_hour: { resets_at } } });
  assert.match(told, / · 5 h 200k tokens, (?:2h 00m|1h 59m) left · /);
  // No date holds these, and no window ends so late.
  for (const resets_at of [1e13, 8_640_000_000_001, 1e20, 1e300]) {
    assert.match(
      await line(home, { ...input, rate_limits: { five_hour: { resets_at } } }),
      /5 h 200k/,
    );
  }
  const { stdout } = await home.run(["stats", "--by", "agent", "--json"]);
  assert.match(stdout, /"group":"pi".*"input":1000000/);
});

inHome.test("a session that is too long to be read at once counts as its agent says", async (home) => {
  const { path, id } = answered(home, "aaaa", 5_000_000);
  answered(home, "bbbb");
  const input = { session_id: id, transcript_path: path, cost: { total_cost_usd: 2 } };
  assert.match(await line(home, input), /^\$2\.00 · today ~\$2\.30 · 5 h 100k tokens, /);
  // Another one that is too long is not known: there is more.
  const { path: short } = answered(home, "cccc");
  assert.match(
    await line(home, { transcript_path: short }),
    /^today ~\$0\.60\+ · 5 h 200k\+ tokens, /,
  );
});

inHome.test("statusline prints what it is told, and nothing where it is told nothing", async (home) => {
  assert.equal(await line(home, {}), "");
  assert.equal(await line(home, { model: "opus" }), "opus\n");
  const odd = {
    model: [],
    cost: { total_cost_usd: "1" },
    context_window: 7,
    transcript_path: "/x",
  };
  assert.equal(await line(home, odd), "");
});

inHome.test("statusline refuses what is no JSON object", async (home) => {
  for (const stdin of ["", "[]", "{", "null", `"${"x".repeat(2_000_000)}"`]) {
    const { status, stdout, stderr } = await home.run(["statusline"], { stdin });
    assert.deepEqual([status, stdout], [2, ""], stdin.slice(0, 10));
    assert.match(stderr, /^reprise: standard input /);
  }
});

inHome.test("statusline keeps what the plan has left, and tells the session's share", async (home) => {
  const { path, id } = answered(home, "aaaa");
  answered(home, "bbbb");
  const hours = (count: number): number => Math.ceil((Date.now() + count * HOUR) / 1000);
  const five_hour = { used_percentage: 62, resets_at: hours(2) };
  const seven_day = { used_percentage: 38.4, resets_at: hours(100) };
  const input = { session_id: id, transcript_path: path, rate_limits: { five_hour, seven_day } };
  const told = / · plan 5 h 62 % \(this session ~31 %\), week 38 %, resets [\w ]*\d\d:\d\d/;
  assert.match(await line(home, input), told);
  // The next line, and other commands, know it without being told.
  const { rate_limits: _, ...later } = input;
  assert.match(await line(home, later), told);
  await home.succeed(["cache", "clear"]);
  const { stdout } = await home.succeed(["stats", "--by", "window", "--json"]);
  const plans = stdout.split("\n").filter((one) => one.includes('"plan"'))
    .map((one) => JSON.parse(one));
  assert.deepEqual(
    plans.map(({ plan, minutes, used_percent, sessions }) => [
      ...[plan, minutes, used_percent, sessions.map(({ percent }: { percent: number }) => percent)],
    ]),
    [["claude", 300, 62, [31, 31]], ["claude", 10_080, 38.4, [19.2, 19.2]]],
  );
  assert.equal(typeof plans[0].resets_at, "string");
  const { stdout: text } = await home.succeed(["stats", "--by", "window"]);
  assert.match(text, /\nClaude Code plan: 5 h 62 %, week 38 %, resets .*\n {2}~31 % {2}claude:/);
});

inHome.test("statusline tells the plan even where it cannot be kept, and no odd one", async (home) => {
  const { path } = answered(home, "aaaa");
  const used_percentage = 50;
  const resets_at = Math.ceil((Date.now() + HOUR) / 1000);
  const input = {
    transcript_path: path,
    rate_limits: { five_hour: { used_percentage, resets_at } },
  };
  Deno.mkdirSync(home.store, { recursive: true });
  Deno.symlinkSync(`${home.path}/elsewhere`, `${home.store}/plan_limits.json`);
  assert.match(await line(home, input), / · plan 5 h 50 % \(this session ~50 %\), resets /);
  const odd = [
    7,
    { five_hour: { used_percentage: "62", resets_at } },
    { five_hour: { used_percentage: -1, resets_at } },
    { five_hour: { used_percentage, resets_at: 1 } },
    { seven_day: [] },
  ];
  for (const rate_limits of odd) {
    assert.doesNotMatch(await line(home, { ...input, rate_limits }), /plan/, `${rate_limits}`);
  }
});

inHome.test("statusline tells how many other sessions wait, by what their clients say", async (home) => {
  const { path, id } = answered(home, "aaaa");
  for (const prefix of ["bbbb", "cccc", "dddd"]) answered(home, prefix);
  const asked = { session_id: id, transcript_path: path };
  const waits = { status: "waiting", waitingFor: "permission prompt" };
  putStatus(home, id, waits);
  putStatus(home, sessionId("dddd"), { status: "busy" });
  assert.doesNotMatch(await line(home, asked), /elsewhere/);
  putStatus(home, sessionId("bbbb"), waits);
  assert.match(await line(home, asked), / · 1 waits elsewhere\n$/);
  putStatus(home, sessionId("cccc"), waits);
  assert.match(await line(home, asked), / · 2 wait elsewhere\n$/);
});
