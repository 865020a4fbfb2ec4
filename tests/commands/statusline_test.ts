import assert from "node:assert/strict";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { keepClaudeSession, putStatus } from "./_fake_agent.ts";
import { answerInPi, keepPiSession } from "./_pi_session.ts";

/** Keeps a session of Claude Code that was answered just now: 100,000 tokens. Tells what names it. */
function answered(
  home: CliHome,
  prefix: string,
  padding = 0,
): { session_id: string; transcript_path: string } {
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
  return { session_id: id, transcript_path: path };
}

/** Seconds since 1970 at which so many hours have gone by. */
function inHours(count: number): number {
  return Math.ceil((Date.now() + 3_600_000 * count) / 1000);
}

async function line(home: CliHome, input: object): Promise<string> {
  const result = await home.succeed(["statusline"], { stdin: JSON.stringify(input) });
  assert.equal(result.stderr, "");
  return result.stdout;
}

inHome.test("statusline tells model, cost of the session and of today, the window and the context", async (home) => {
  const session = answered(home, "aaaa");
  answered(home, "bbbb");
  // Another agent has a plan of its own.
  const { path } = keepPiSession(home);
  answerInPi(path, 1_000_000);
  const log = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, log.replaceAll("2026-11-21T20:01:00.000Z", new Date().toJSON()));
  const input = {
    ...session,
    model: { id: "claude-sonnet-4-5", display_name: "Sonnet 4.5\u001b[2J" },
    cost: { total_cost_usd: 0.4249 },
    context_window: { used_percentage: 41.6, context_window_size: 200_000 },
  };
  assert.match(
    await line(home, input),
    /^Sonnet 4\.5␛\[2J · \$0\.42 · today ~\$0\.60 · 5 h 200k tokens, (?:4h \d\dm|5h 00m) left · context 42%\n$/,
  );
  const ending = (resets_at: number) =>
    line(home, { ...input, rate_limits: { five_hour: { resets_at } } });
  // Where the agent says when its window ends, that counts.
  assert.match(await ending(inHours(2)), / · 5 h 200k tokens, (?:2h 00m|1h 59m) left · /);
  // No date holds these, and no window ends so late.
  for (const resets_at of [1e13, 8_640_000_000_001, 1e20, 1e300]) {
    assert.match(await ending(resets_at), /5 h 200k/);
  }
  const { stdout } = await home.run(["stats", "--by", "agent", "--json"]);
  assert.match(stdout, /"group":"pi".*"input":1000000/);
});

inHome.test("a session that is too long to be read at once counts as its agent says", async (home) => {
  const session = answered(home, "aaaa", 5_000_000);
  answered(home, "bbbb");
  assert.match(
    await line(home, { ...session, cost: { total_cost_usd: 2 } }),
    /^\$2\.00 · today ~\$2\.30 · 5 h 100k tokens, /,
  );
  // Another one that is too long is not known: there is more.
  const { transcript_path } = answered(home, "cccc");
  assert.match(await line(home, { transcript_path }), /^today ~\$0\.60\+ · 5 h 200k\+ tokens, /);
});

inHome.test("statusline refuses an input that is too long", async (home) => {
  const stdin = `{"model":"${"x".repeat(2_000_000)}"}`;
  const { status, stdout, stderr } = await home.run(["statusline"], { stdin });
  assert.deepEqual([status, stdout], [2, ""]);
  assert.match(stderr, /^reprise: standard input /);
});

inHome.test("statusline keeps what the plan has left, and tells the session's share", async (home) => {
  const session = answered(home, "aaaa");
  answered(home, "bbbb");
  const rate_limits = {
    five_hour: { used_percentage: 62, resets_at: inHours(2) },
    seven_day: { used_percentage: 38.4, resets_at: inHours(100) },
  };
  const told = / · plan 5 h 62 % \(this session ~31 %\), week 38 %, resets [\w ]*\d\d:\d\d/;
  assert.match(await line(home, { ...session, rate_limits }), told);
  // The next line, and other commands, know it without being told.
  assert.match(await line(home, session), told);
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
  const { transcript_path } = answered(home, "aaaa");
  const five_hour = { used_percentage: 50, resets_at: inHours(1) };
  Deno.mkdirSync(home.store, { recursive: true });
  Deno.symlinkSync(`${home.path}/elsewhere`, `${home.store}/plan_limits.json`);
  assert.match(
    await line(home, { transcript_path, rate_limits: { five_hour } }),
    / · plan 5 h 50 % \(this session ~50 %\), resets /,
  );
  const odd = [
    7,
    { five_hour: { ...five_hour, used_percentage: "62" } },
    { five_hour: { ...five_hour, used_percentage: -1 } },
    { five_hour: { ...five_hour, resets_at: 1 } },
    { seven_day: [] },
  ];
  for (const rate_limits of odd) {
    assert.doesNotMatch(await line(home, { transcript_path, rate_limits }), /plan/);
  }
});

inHome.test("statusline tells how many other sessions wait, by what their clients say", async (home) => {
  const session = answered(home, "aaaa");
  for (const prefix of ["bbbb", "cccc", "dddd"]) answered(home, prefix);
  const waits = { status: "waiting", waitingFor: "permission prompt" };
  putStatus(home, session.session_id, waits);
  putStatus(home, sessionId("dddd"), { status: "busy" });
  assert.doesNotMatch(await line(home, session), /elsewhere/);
  putStatus(home, sessionId("bbbb"), waits);
  assert.match(await line(home, session), / · 1 waits elsewhere\n$/);
  putStatus(home, sessionId("cccc"), waits);
  assert.match(await line(home, session), / · 2 wait elsewhere\n$/);
});
