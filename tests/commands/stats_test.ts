import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { factsIn } from "../../lib/library/catalogue/facts_file.ts";
import { PRICES_AS_OF } from "../../lib/core/pricing/price_table.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { answerInPi, keepPiSession } from "./_pi_session.ts";
import { settle } from "../_support/settle.ts";
import { testsWith } from "../_support/tests_in.ts";

const inUsedHome = testsWith(usedHome);

function answer(model: string, input: number, time: string, cost_usd?: number): NewEvent {
  const payload = { content: "ok", model, usage: { input, output: 1 } };
  return {
    kind: "assistant_message",
    time,
    payload: cost_usd === undefined ? payload : { ...payload, cost_usd },
  };
}

function usedHome(): CliHome {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [
    user("hi"),
    answer("m-1", 10, "2026-11-21T10:00:00.000Z", 0.25),
    answer("m-2", 100, "2026-11-22T10:00:00.000Z", 0.5),
  ]);
  home.keep(sessionId("bbbb"), [answer("m-1", 1000, "2026-11-22T11:00:00.000Z")], {
    cwd: `${home.path}/other`,
    branch: "feat/x",
  });
  return home;
}

inUsedHome.test("stats --json adds up by day, model or project", async (home) => {
  const cases: [string[], unknown[][]][] = [
    [[], [["2026-11-21", 1, 10], ["2026-11-22", 2, 1100]]],
    [["--by", "model"], [["m-1", 2, 1010], ["m-2", 1, 100]]],
    [["--by", "project"], [[`${home.path}/other`, 1, 1000], [home.work, 1, 110]]],
    [["--by", "directory"], [[`${home.path}/other`, 1, 1000], [home.work, 1, 110]]],
    [["--since", "2026-11-22"], [["2026-11-22", 2, 1100]]],
    [["--by", "agent"], [["reprise", 2, 1110]]],
    [["--by", "branch"], [["feat/x", 1, 1000], ["", 1, 110]]],
    [["--by", "session", "-n", "1"], [[sessionId("aaaa"), 1, 110]]],
  ];
  const results = await home.runAll(cases.map(([flags]) => ["stats", "--all", "--json", ...flags]));
  for (const [index, [flags, expected]] of cases.entries()) {
    const { status, stdout = "", stderr } = results[index] ?? {};
    assert.deepEqual([status, stderr], [0, ""], flags.join(" "));
    const groups = jsonLines<{ group: string; sessions: number; usage: { input: number } }>(stdout);
    assert.deepEqual(
      groups.map(({ group, sessions, usage }) => [group, sessions, usage.input]),
      expected,
    );
  }
  assert.deepEqual(jsonLines(results[0]?.stdout ?? "")[0], {
    group: "2026-11-21",
    sessions: 1,
    messages: 1,
    usage: { input: 10, output: 1 },
    cost_usd: 0.25,
  });
});

inUsedHome.test("stats --by adds up by any two groups, the second within the first", async (home) => {
  const pairs = async (by: string): Promise<unknown[][]> => {
    const { stdout } = await home.succeed(["stats", "--all", "--json", "--by", by]);
    return jsonLines<
      { group: string; subgroup: string; sessions: number; usage: { input: number } }
    >(
      stdout,
    ).map(({ group, subgroup, sessions, usage }) => [group, subgroup, sessions, usage.input]);
  };
  assert.deepEqual(await pairs("model,day"), [
    ["m-1", "2026-11-21", 1, 10],
    ["m-1", "2026-11-22", 1, 1000],
    ["m-2", "2026-11-22", 1, 100],
  ]);
  assert.deepEqual(await pairs("branch,model"), [
    ["feat/x", "m-1", 1, 1000],
    ["", "m-2", 1, 100],
    ["", "m-1", 1, 10],
  ]);
  assert.deepEqual(await pairs("day,model"), [
    ["2026-11-21", "m-1", 1, 10],
    ["2026-11-22", "m-1", 1, 1000],
    ["2026-11-22", "m-2", 1, 100],
  ]);
  const { stdout } = await home.succeed(["stats", "--all", "--by", "project,model"]);
  assert.match(stdout, /^project +model +sessions .*\n.*other +m-1 +1 /);
  assert.match(stdout, /^all +2 +3 /m);
  for (
    const [by, says] of [
      ["model,modle", /Did you mean model\?/],
      ["model,model", /two different values/],
      ["window,day", /`window` cannot be combined/],
      ["day,model,agent", /two different values/],
    ] as const
  ) {
    const { status, stderr } = await home.run(["stats", "--by", by]);
    assert.equal(status, 2, by);
    assert.match(stderr, says);
  }
});

inUsedHome.test("stats prints a table with all together in its last line", async (home) => {
  const { stdout } = await home.run(["stats", "--all"]);
  const lines = stdout.trimEnd().split("\n");
  assert.match(
    lines[0] ?? "",
    /^day +sessions +messages +input +output +cache read +cache write +cost$/,
  );
  assert.match(lines[3] ?? "", /^all +2 +3 +1\.1\s?K? .*\$0\.75 \+ \?$/i);
  assert.match(
    lines[4] ?? "",
    /^\? = no price is known for m-1 \(prices as of [\d-]+\)\. To add prices: /,
  );
  assert.equal(lines.length, 5);
});

inUsedHome.test("stats takes prices from a file of one's own, and goes on without one that is broken", async (home) => {
  const path = join(home.path, "prices.json");
  await Deno.writeTextFile(path, '{"m-1": {"input": 1000, "output": 0}}');
  assert.equal((await home.run(["config", "set", "prices.file", path])).status, 0);
  const priced = await home.run(["stats", "--all", "--by", "model", "--json"]);
  const [row] = jsonLines<Record<string, unknown>>(priced.stdout).filter(({ group }) =>
    group === "m-1"
  );
  assert.equal(row?.unknown_models, undefined);
  assert.equal(row?.cost_estimated, true);
  assert.match(String(row?.prices_as_of), /^\d{4}-/);
  await Deno.writeTextFile(path, '{"m-1": {"input": "much", "output": 0}}');
  const broken = await home.run(["stats", "--all"]);
  assert.equal(broken.status, 0);
  assert.match(broken.stdout, /no price is known for m-1/);
  assert.match(broken.stderr, /Cannot read prices: "m-1" needs input, a price in dollars /);
  const refused = await home.run(["config", "set", "prices.file", path]);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /Cannot read prices/);
});

// Slow: a time zone needs a process of its own.
inUsedHome.test("a day is the reader's own where it is given to stats", async (home) => {
  for (const TZ of ["Asia/Tokyo", "America/Lima"]) {
    const { stdout } = await home.run(["stats", "--all", "--json", "--since", "2026-11-22"], {
      env: { TZ },
    });
    assert.deepEqual(jsonLines(stdout).map(({ group }) => group), ["2026-11-22"], TZ);
  }
});

inHome.test("stats says when there is nothing to add up, and passes over what it cannot read", async (home) => {
  const none = await home.run(["stats"]);
  assert.deepEqual(none, {
    status: 0,
    stdout: "",
    stderr: "No token usage found\n",
  });
  home.keep(sessionId("aaaa"), [answer("m-1", 10, "2026-11-21T10:00:00.000Z")]);
  const broken = home.keep(sessionId("bbbb"), []);
  await Deno.remove(broken.path);
  await Deno.mkdir(broken.path);
  const { status, stdout, stderr } = await home.run(["stats", "--json"]);
  assert.deepEqual([status, jsonLines(stdout).length], [0, 1]);
  assert.match(stderr, /^reprise: Cannot [^\n]*bbbb[^\n]*\n$/);
});

inHome.test("counts an imported session once if its source is still there", async (home) => {
  const { ref, path } = keepPiSession(home);
  answerInPi(path, 7);
  const all = ["stats", "--agent", "all", "--json"];
  const [alone, kept, both, own] = await home.runInOrder([all, ["backup", ref], all, [
    "stats",
    "--json",
  ]]);
  assert.equal(kept?.status, 0, kept?.stderr);
  assert.deepEqual(jsonLines(alone?.stdout ?? ""), [{
    group: "2026-11-21",
    sessions: 1,
    messages: 1,
    usage: { input: 7, output: 1, cache_read: 0, cache_write: 0 },
    unknown_models: ["m-pi"],
    prices_as_of: PRICES_AS_OF,
  }]);
  assert.equal(both?.stdout, alone?.stdout);
  assert.equal(own?.stdout, alone?.stdout);
  // Kept anew, and the older copy archived.
  Deno.writeTextFileSync(path, "\n", { append: true });
  const [again, own_again] = await home.runInOrder([["backup", ref], ["stats", "--json"]]);
  assert.match(again?.stderr ?? "", /The older backup is now archived/);
  assert.equal(own_again?.stdout, alone?.stdout);
  Deno.removeSync(path);
  const [left] = await home.runInOrder([all]);
  assert.equal(left?.stdout, alone?.stdout);
});

inHome.test("a cost that was not recorded is estimated, and marked with the date of the prices", async (home) => {
  const time = "2026-11-21T10:00:00.000Z";
  home.keep(sessionId("aaaa"), [answer("claude-sonnet-4-5", 100_000, time)]);
  const [table, json] = await home.runInOrder([["stats"], ["stats", "--json"]]);
  assert.match(table?.stdout ?? "", /~\$0\.30\n~ estimated from list prices of 2026-09-23\n$/);
  const [{ cost_usd, cost_estimated, prices_as_of } = {}] = jsonLines<Record<string, unknown>>(
    json?.stdout ?? "",
  );
  assert.ok(Math.abs(Number(cost_usd) - 0.300015) < 1e-9);
  assert.deepEqual([cost_estimated, prices_as_of], [true, "2026-09-23"]);
});

inHome.test("stats keeps what it read, and reads again what changed; days are those of a zone", async (home) => {
  const { path } = keepPiSession(home);
  answerInPi(path, 7);
  const stats = ["stats", "--agent", "pi", "--all", "--json"];
  const input = async (...more: string[]): Promise<unknown> => {
    const { stdout } = await home.succeed([...stats, ...more]);
    return jsonLines<{ group: string; usage: { input: number } }>(stdout)
      .map(({ group, usage }) => [group, usage.input]);
  };
  await settle();
  assert.deepEqual(await input("--no-cache"), [["2026-11-21", 7]]);
  assert.throws(() => factsIn(home.cache), Deno.errors.NotFound);
  assert.deepEqual(await input(), [["2026-11-21", 7]]);
  assert.equal(factsIn(home.cache).length, 1);
  assert.deepEqual(await input(), [["2026-11-21", 7]]);
  answerInPi(path, 100);
  assert.deepEqual(await input(), [["2026-11-21", 107]]);
  assert.deepEqual(await input("--timezone", "Pacific/Kiritimati"), [["2026-11-22", 107]]);
  const wrong = await home.run([...stats, "--timezone", "Moon/Base"]);
  assert.deepEqual([wrong.status, /Give a time zone/.test(wrong.stderr)], [2, true]);
});

inHome.test("show says what a session took, where all of it is shown", async (home) => {
  const { ref, path } = keepPiSession(home);
  answerInPi(path, 12_345);
  const [whole, end] = await home.runInOrder([["show", ref], ["show", ref, "--last", "1"]]);
  assert.match(whole?.stdout ?? "", /^tokens +12\.3k in, 1 out, \?$/m);
  assert.doesNotMatch(`${whole?.stderr}${end?.stdout}${end?.stderr}`, /Tokens|^tokens/m);
});

inHome.test("list shows the costs that stats read, until the session changes", async (home) => {
  const { path } = keepPiSession(home);
  answerInPi(path, 100_000);
  Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replaceAll("m-pi", "claude-sonnet-4-5"));
  await settle();
  const [before, , after] = await home.runInOrder([["list"], ["stats"], ["list"]]);
  assert.doesNotMatch(before?.stdout ?? "", /\$/);
  assert.match(after?.stdout ?? "", /~\$0\.30/);
  answerInPi(path, 1);
  const [changed] = await home.runInOrder([["list"]]);
  assert.doesNotMatch(changed?.stdout ?? "", /\$/);
});

inHome.test("list --exact tells what sessions cost, whatever was read before", async (home) => {
  const { path } = keepPiSession(home);
  answerInPi(path, 100_000);
  Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replaceAll("m-pi", "claude-sonnet-4-5"));
  await settle();
  const exact = ["list", "--all", "--exact"];
  const [uncached, first, , later] = await home.runInOrder([
    ["--no-cache", ...exact],
    exact,
    ["stats", "--all"],
    exact,
  ]);
  assert.match(uncached?.stdout ?? "", /~\$0\.30/);
  assert.deepEqual([first?.stdout, later?.stdout], [uncached?.stdout, uncached?.stdout]);
});

inHome.test("stats adds up by week, by month, and until a day", async (home) => {
  home.keep(sessionId("aaaa"), [
    answer("m-1", 1, "2026-10-31T12:00:00.000Z"),
    answer("m-1", 10, "2026-11-01T12:00:00.000Z"),
    answer("m-1", 100, "2026-11-02T12:00:00.000Z"),
    answer("m-1", 1000, "2026-11-08T12:00:00.000Z"),
  ]);
  const cases: [string[], unknown[][]][] = [
    [["--by", "week"], [["2026-10-26", 11], ["2026-11-02", 1100]]],
    [["--by", "month"], [["2026-10", 1], ["2026-11", 1110]]],
    [["--by", "month", "--until", "2026-11-02"], [["2026-10", 1], ["2026-11", 110]]],
    [["--since", "2026-11-01", "--until", "2026-11-01"], [["2026-11-01", 10]]],
    [["--until", "2026-10-31"], [["2026-10-31", 1]]],
  ];
  const results = await home.runAll(cases.map(([flags]) => ["stats", "--all", "--json", ...flags]));
  for (const [index, [flags, expected]] of cases.entries()) {
    const { stdout = "" } = results[index] ?? {};
    const groups = jsonLines<{ group: string; usage: { input: number } }>(stdout);
    assert.deepEqual(groups.map(({ group, usage }) => [group, usage.input]), expected, `${flags}`);
  }
  const { stderr } = await home.run(["stats", "--until", "2020-01-01"]);
  assert.equal(stderr, "No token usage found until 2020-01-01; to count all, leave out --until\n");
  const recent = await home.run(["stats", "--since", "30m"]);
  assert.match(
    recent.stderr,
    /^No token usage found since \d{4}-\d\d-\d\d \d\d:\d\d; to count all, /,
  );
});

inHome.test("stats --by window shows windows of five hours, over all sessions, with their rates", async (home) => {
  home.keep(sessionId("aaaa"), [
    answer("m-1", 999, "2026-11-21T10:30:00.000Z", 0.5),
    answer("m-1", 1999, "2026-11-21T11:30:00.000Z", 0.5),
  ], { created: new Date("2026-11-21T10:00:00Z") });
  home.keep(sessionId("bbbb"), [answer("m-1", 99, "2026-11-21T15:10:00.000Z", 0.25)], {
    created: new Date("2026-11-21T15:00:00Z"),
  });
  const json = (...flags: string[]): string[] => ["stats", "--by", "window", "--json", ...flags];
  const [all, since, until] = await home.runAll([
    json(),
    json("--since", "2026-11-21T14:00:00Z"),
    json("--until", "2026-11-21T12:00:00Z"),
  ]);
  const [first, second] = jsonLines<Record<string, unknown>>(all?.stdout ?? "");
  assert.deepEqual(first, {
    group: "2026-11-21T10:00:00.000Z",
    sessions: 1,
    messages: 2,
    usage: { input: 2998, output: 2 },
    cost_usd: 1,
    ends_at: "2026-11-21T15:00:00.000Z",
    last_at: "2026-11-21T11:30:00.000Z",
    tokens_per_minute: 50,
    cost_per_hour: 1,
  });
  assert.equal(second?.group, "2026-11-21T15:00:00.000Z");
  assert.deepEqual(jsonLines(since?.stdout ?? ""), [second]);
  assert.deepEqual(jsonLines(until?.stdout ?? ""), [first]);
  const { stdout } = await home.run(["stats", "--by", "window"]);
  assert.match(stdout, /^window +sessions .* cost +tokens\/min +cost\/h$/m);
  assert.match(stdout, /^2026-11-21 \d\d:00 +1 +2 .*\$1\.00 +50 +\$1\.00$/m);
  assert.match(stdout, /^all +2 +3 .*\$1\.25$/m);
});

inHome.test("stats --by window says what the active window has left", async (home) => {
  const at = (minutes: number): string => new Date(Date.now() - 60_000 * minutes).toISOString();
  home.keep(sessionId("aaaa"), [answer("m-1", 999, at(12), 0.5), answer("m-1", 999, at(2), 0.5)], {
    created: new Date(at(13)),
  });
  const { stdout } = await home.run(["stats", "--by", "window"]);
  assert.match(
    stdout,
    /^This five-hour usage window ends in (?:\dh \d\dm|\d+m \d\ds); expected use by then: [\d.]+k? tokens, \$[\d.]+$/m,
  );
});

Deno.test("list, show --threads and stats tell what all threads took, and the main one apart", async () => {
  await using home = new CliHome();
  const folder = join(home.path, ".kimi-code/sessions/wd_a_0", `session_${sessionId("aaaa")}`);
  const tools = new URL("../../testdata/agents/kimi/tools/", import.meta.url);
  for (const name of ["agents/main/wire.jsonl", "agents/agent-0/wire.jsonl", "state.json"]) {
    Deno.mkdirSync(join(folder, name, ".."), { recursive: true });
    Deno.copyFileSync(new URL(name, tools), join(folder, name));
  }
  const told = async (...args: string[]): Promise<{ [name: string]: { input: number } }[]> =>
    jsonLines((await home.run([...args, "--json"])).stdout);
  const [stats] = await told("stats", "--all", "--by", "agent");
  const [row] = await told("list", "--all", "--exact");
  const ref = `kimi:session_${sessionId("aaaa")}`;
  const [main = 0, ...others] = (await told("show", ref, "--threads"))
    .map(({ usage }) => usage?.input ?? 0);
  const all = others.reduce((sum, input) => sum + input, main);
  assert.ok(main > 0 && all > main);
  assert.deepEqual(row?.usage, stats?.usage);
  assert.deepEqual(row?.usage?.input, all);
  assert.deepEqual((row?.main as unknown as typeof row)?.usage?.input, main);
});

inHome.test("list tells one number of tokens of a session with a branch, whatever was read before", async (home) => {
  const { path } = keepPiSession(home);
  answerInPi(path, 170);
  const told = Deno.readTextFileSync(path);
  // Another answer to the same prompt.
  answerInPi(path, 284);
  Deno.writeTextFileSync(
    path,
    told + Deno.readTextFileSync(path).slice(told.length).replace("b1", "b2"),
  );
  await settle();
  const usage: unknown[] = [];
  for (const flags of [["--model", "m-pi"], [], ["--exact"], ["--model", "m-pi"], []]) {
    const { stdout } = await home.run(["list", "--json", ...flags]);
    usage.push(jsonLines<{ usage?: { input: number } }>(stdout)[0]?.usage?.input);
  }
  assert.deepEqual(usage, [454, 454, 454, 454, 454]);
});

inHome.test("stats shows 20 rows at a terminal if the rows are those of sessions", async (home) => {
  for (let number = 10; number < 31; number++) {
    home.keep(sessionId(`aa${number}`), [
      user(`Task ${number}`),
      answer("m", number, "2026-11-22T10:00:00.000Z"),
    ]);
  }
  for (const by of ["session", "session,model", "model,session"]) {
    const { stdout, stderr } = await home.run(["stats", "--by", by], { columns: 80 });
    assert.equal(stdout.match(/aa\d\d/g)?.length, 20, stdout);
    assert.match(stderr, /^More rows: 1\. To see them: -n COUNT$/m, by);
  }
  const { stdout } = await home.run(["stats", "--by", "session,model"]);
  assert.equal(stdout.match(/aa\d\d/g)?.length, 21, stdout);
});
