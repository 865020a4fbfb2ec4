import assert from "node:assert/strict";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import { inHome, sessionId } from "../../../_support/cli_home.ts";
import { logOf, user } from "../../../_support/log_bytes.ts";
import { limitedRollout } from "../../../agents/codex/_limited_rollouts.ts";
import { windowUsage } from "../../../../lib/frontends/pages/stats/window_usage.ts";
import { type Ask, askIn, askOf, contextOf } from "../_site.ts";

/** The pages are of 2026-11-22, 12:00 UTC. */
function answer(time: string, cost_usd: number, model = "m-1"): NewEvent {
  const usage = { input: 1000 * cost_usd, output: 0 };
  return { kind: "assistant_message", time, payload: { content: "ok", model, usage, cost_usd } };
}

function call(name: string, status: "ok" | "error", path?: string): NewEvent[] {
  const content = [{ type: "tool_call" as const, call_id: "c", name, input: {} }];
  return [
    { kind: "assistant_message", payload: { content } },
    ...path === undefined ? [] : [{
      kind: "diff" as const,
      payload: {
        ...{ call_id: "c", path },
        lines: [{ kind: "added" as const, content: "a" }, {
          kind: "removed" as const,
          content: "b",
        }],
      },
    }],
    { kind: "tool_end", payload: { call_id: "c", name, status, output: "x" } },
  ];
}

async function textOf(ask: Ask, path: string): Promise<string> {
  const { status, body } = await ask(path);
  assert.equal(status, 200);
  return body as string;
}

/** Returns the names of rows, without the bars behind them. */
function namesIn(page: string): string[] {
  return [...page.matchAll(/<td class="name">(.*?)<\/td>/g)]
    .map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, ""));
}

inHome.test("the axis of time spans the window, with its empty days", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi"), answer("2026-11-21T10:00:00Z", 2)]);
  const body = await textOf(askOf(home), "stats?since=30d");
  assert.match(
    body,
    /aria-label="Chart: Cost by day from 2026-10-24 to 2026-11-22\. The highest value is \$2\.00/,
  );
  const [, x = "", width = ""] =
    /<rect class="part0" x="([\d.]+)%" y="[\d.]+" width="([\d.]+)%"[^>]*><title>2026-11-21, m-1: \$2\.00/
      .exec(body) ??
      [];
  // The last but one of 30 columns.
  assert.ok(Math.abs(Number(x) - 28 / 30 * 100) < 1 && Number(width) < 100 / 30, `${x} ${width}`);
  for (const day of ["Oct 26", "Nov 2", "Nov 16"]) assert.ok(body.includes(`>${day}</text>`), day);
  assert.match(body, /of the week\. The highest value is 2\.0k, on Sat 10:00/);
  assert.match(body, /<rect class="heat-4"[^>]*><title>Sat 10:00: 2\.0k/);
  // One level needs no least value.
  assert.match(
    body,
    /<p class="note legend"> <svg[^>]*><rect class="heat-4"[^>]*><\/rect><\/svg> 2\.0k<\/p>/,
  );
});

inHome.test("statistics compare a window with the one before, and are filtered", async (home) => {
  home.keep(sessionId("aaaa"), [
    user("hi"),
    answer("2026-11-10T10:00:00Z", 2),
    answer("2026-11-20T10:00:00Z", 3, "m-2"),
  ]);
  home.keep(sessionId("bbbb"), [user("hi"), answer("2026-11-19T10:00:00Z", 1)], {
    cwd: `${home.path}/garden`,
  });
  const ask = askOf(home);
  const week = await textOf(ask, "stats?since=7d");
  assert.match(week, /<a href="\.\/\?since=7d&amp;model=m-1">m-1<\/a>/);
  assert.match(week, /<dt>Cost<\/dt><dd>\$4\.00<span class="change">\+100 % on the 7 days before/);
  for (const group of ["m-1", "m-2", "~/garden", "~/work", "reprise"]) {
    assert.ok(namesIn(week).includes(group), group);
  }
  const garden = encodeURIComponent(`${home.path}/garden`);
  const one = await textOf(ask, `stats?since=7d&project=${garden}`);
  assert.match(one, /<dd>\$1\.00/);
  assert.ok(one.includes(`href="stats?project=${garden}&amp;since=30d"`));
  assert.match(
    await textOf(ask, "stats?since=7d&agent=claude"),
    /No token usage found in the last 7/,
  );
});

inHome.test("a window of days is as many calendar days, as of the command line", async (home) => {
  const now = new Date();
  const dayAgo = (count: number): string =>
    new Date(now.getTime() - count * 86_400_000).toISOString().slice(0, 10);
  home.keep(sessionId("aaaa"), [
    user("hi"),
    answer(`${dayAgo(7)}T23:59:00Z`, 4),
    answer(`${dayAgo(6)}T00:01:00Z`, 2),
    answer(`${dayAgo(0)}T00:00:00Z`, 1),
  ]);
  const page = await textOf(askIn({ ...contextOf(home), now: () => now }), "stats?since=7d");
  const words = `${dayAgo(6)} to ${dayAgo(0)}`;
  assert.ok(page.includes(words), words);
  assert.match(page, /<dt>Cost<\/dt><dd>\$3\.00/);
  const args = ["stats", "--all", "--since", "7d", "--timezone", "UTC"];
  const { stdout, stderr } = await home.succeed(args);
  assert.ok(stderr.includes(words), stderr);
  assert.match(stdout, /all .* \$3\.00/);
  assert.ok(!stdout.includes(dayAgo(7)));
});

inHome.test("tiles and tables of all time count the same answers, dated or not", async (home) => {
  const { time: _, ...undated } = answer("", 5);
  home.keep(sessionId("aaaa"), [], {
    bytes: logOf([
      {
        kind: "session_started",
        payload: { session_id: sessionId("aaaa"), created_at: "", cwd: home.work },
      },
      user("hi"),
      undated as NewEvent,
      answer("2026-11-21T10:00:00Z", 2),
    ]),
  });
  const page = await textOf(askOf(home), "stats?since=all");
  const sums = [...page.matchAll(/<dt>Cost<\/dt><dd>(\$[\d.]+)/g)].map(([, sum]) => sum);
  const agents = /By agent[^]*?>reprise<\/a><\/td><td>(\$[\d.]+)/.exec(page)?.[1];
  assert.deepEqual(sums, [agents]);
  assert.deepEqual(sums, ["$7.00"]);
});

// Slow: a page has room for 200 projects.
inHome.test("menus offer the projects with most sessions, and a chip removes the chosen one", async (home) => {
  const garden = `${home.path}/garden`;
  for (let at = 0; at < 14; at++) {
    const id = sessionId(`b${String(at).padStart(3, "0")}`);
    home.keep(id, [user("hi")], { cwd: `${garden}/${at === 13 ? 12 : at}` });
  }
  const body = await textOf(askOf(home), "stats");
  const [, menu = ""] = /<summary>Project<\/summary><ul>(.*?)<\/ul>/.exec(body) ?? [];
  assert.equal(menu.split("<li>").length - 1, 12);
  const most = `project=${encodeURIComponent(`${garden}/12`)}`;
  assert.match(menu, /^<li><a href="stats\?[^"]*">~\/garden\/12 <span class="note">2<\/span>/);
  const chosen = await textOf(askOf(home), `stats?${most}`);
  assert.match(chosen, /aria-label="Without project: ~\/garden\/12">/);
  assert.doesNotMatch(chosen, /<summary>Project<\/summary>/);
});

inHome.test("an empty window is named, with a link to one that is not empty", async (home) => {
  const ask = askOf(home);
  assert.match(await textOf(ask, "stats"), /No token usage found in the last 30 days\.</);
  home.keep(sessionId("aaaa"), [user("hi"), answer("2026-09-10T10:00:00Z", 2)]);
  const body = await textOf(ask, "stats");
  const [, href = ""] =
    /found in the last 30 days\. The last usage was on 2026-09-10\.<\/p><a class="act" href="([^"]+)">Show last 90 days/
      .exec(body) ?? [];
  assert.equal(href, "stats?since=90d");
  assert.match(await textOf(ask, href), /<dd>\$2\.00/);
});

inHome.test("odd values of the address are named", async (home) => {
  const body = await textOf(askOf(home), "stats?since=9y&agent=nobody");
  assert.match(body, /There is no time span “9y”\. Showing last 30 days instead\./);
  assert.match(body, /There is no agent “nobody”\. Showing all agents instead\./);
  assert.doesNotMatch(await textOf(askOf(home), "stats?since=7d"), /There is no/);
});

inHome.test("statistics count tools with their failures, and the files most changed", async (home) => {
  home.keep(sessionId("aaaa"), [
    user("hi"),
    answer("2026-11-21T10:00:00Z", 1),
    ...call("edit", "ok", "src/a.ts"),
    ...call("edit", "error"),
    ...call("edit", "ok", `${home.work}/src/a.ts`),
    ...call("read", "ok"),
  ]);
  const time = "2026-01-21T10:00:00Z";
  const old = [user("old"), answer(time, 1), ...call("old", "ok")];
  home.keep(sessionId("bbbb"), old.map((event) => ({ ...event, time })));
  // Of a session that goes on, only the work in the window counts.
  const time_before = "2026-10-21T23:50:00Z";
  const before = [user("old"), ...call("late", "ok", "src/b.ts"), ...call("gone", "ok")];
  home.keep(sessionId("cccc"), [
    ...before.map((event) => ({ ...event, time: time_before })),
    ...[answer("2026-11-21T10:00:00Z", 1), ...call("late", "ok", "src/b.ts")]
      .map((event) => ({ ...event, time: "2026-11-21T10:00:00Z" })),
  ]);
  const all = await textOf(askOf(home), "stats?since=all");
  assert.match(all, />late<\/td><td>2</);
  assert.match(all, /~\/work\/src\/b\.ts<\/a><\/td><td>2<\/td><td>\+2 −2<\/td>/);
  const body = await textOf(askOf(home), "stats");
  assert.match(body, />late<\/td><td>1</);
  assert.match(body, /~\/work\/src\/b\.ts<\/a><\/td><td>1<\/td><td>\+1 −1<\/td>/);
  assert.ok(!namesIn(body).includes("gone"));
  assert.match(body, />Edit<\/td><td>3<\/td><td>1 \(33 %\)<\/td>/);
  assert.match(body, />Read<\/td><td>1<\/td><td><\/td>/);
  assert.match(body, /~\/work\/src\/a\.ts<\/a><\/td><td>2<\/td><td>\+2 −2<\/td>/);
  assert.ok(!namesIn(body).includes("old"));
});

inHome.test("the page begins before the sessions are read, which tell how far they are", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi"), answer("2026-11-20T10:00:00Z", 2)]);
  home.keep(sessionId("bbbb"), [user("hi"), answer("2026-11-21T10:00:00Z", 2)]);
  const shares: number[] = [];
  await windowUsage(contextOf(home), {}, (done, all) => shares.push(done / all));
  assert.equal(shares.length, 2);
  assert.ok(Number(shares[0]) > 0 && Number(shares[0]) < 1 && shares[1] === 1, `${shares}`);
  const [start = "", ...figures] = (await textOf(askOf(home), "stats")).split(
    '<section class="stage"',
  );
  assert.match(start, /<nav class="pages" aria-label="Time">/);
  assert.match(figures.at(-1) ?? "", /^ aria-label="Figures">[^]*Cost by day/);
});

inHome.test("statistics take the words of a list, and count a model's answers alone", async (home) => {
  home.keep(sessionId("aaaa"), [
    user("hi"),
    answer("2026-11-20T10:00:00Z", 2),
    answer("2026-11-21T10:00:00Z", 3, "m-2"),
  ], { branch: "main" });
  home.keep(sessionId("bbbb"), [user("ho"), answer("2026-11-21T10:00:00Z", 7)], { title: "Ho" });
  const cost = async (words: string): Promise<string | undefined> =>
    /<dt>Cost<\/dt><dd>([^<]*)/.exec(await textOf(askOf(home), `stats?since=all&${words}`))?.[1];
  assert.equal(await cost(""), "$12.00");
  assert.equal(await cost("branch=main"), "$5.00");
  assert.equal(await cost("model=M-2"), "$3.00");
  assert.equal(await cost("title=ho"), "$7.00");
  assert.equal(await cost("status=interrupted&branch=main&model=m-1"), "$2.00");
  const body = await textOf(askOf(home), "stats?since=all&branch=main");
  assert.match(body, /<a href="stats\?since=all" aria-label="Without branch: main">/);
});

inHome.test("statistics show what a plan has left, and the sessions that took most of it", async (home) => {
  const now = contextOf(home).now().getTime();
  const id = "0199bbbb-0000-7000-8000-000000000001";
  const folder = `${home.path}/.codex/sessions/2026/11/22`;
  Deno.mkdirSync(folder, { recursive: true });
  const primary = { used_percent: 62, window_minutes: 300, resets_at: now / 1000 + 9000 };
  Deno.writeTextFileSync(
    `${folder}/rollout-2026-11-22T11-00-00-${id}.jsonl`,
    limitedRollout(id, home.work, [{ primary }], now - 3_600_000),
  );
  const body = await textOf(askOf(home), "stats");
  assert.match(body, /<h2>Plans<\/h2>\n<p>OpenAI Codex plan: 5 h 62 %, resets /);
  assert.match(
    body,
    new RegExp(`<li>~62 % <a href="session\\?ref=codex%3A${id}" dir="auto">Fix it`),
  );
  assert.doesNotMatch(await textOf(askOf(home), "stats?agent=pi"), /Plans/);
});

inHome.test("one day with far more than the others is torn, and says how much it was", async (home) => {
  const days = Array.from(
    { length: 10 },
    (_, at) => answer(`2026-11-${10 + at}T10:00:00Z`, at === 9 ? 90 : 1),
  );
  home.keep(sessionId("aaaa"), [user("hi"), ...days]);
  const body = await textOf(askOf(home), "stats");
  const [chart = ""] = /<figcaption>Cost by day[^]*?<\/figure>/.exec(body) ?? [];
  assert.equal(chart.split(' torn"').length - 1, 1);
  assert.match(chart, />\$90\.00<\/text>/);
  assert.match(chart, />\$1\.00<\/text>/);
});

inHome.test("columns, hours and windows beside each other lead to what is behind them", async (home) => {
  home.keep(sessionId("aaaa"), [
    user("hi"),
    answer("2026-11-10T10:00:00Z", 2),
    answer("2026-11-20T09:00:00Z", 2, "m-2"),
    answer("2026-11-20T09:00:00Z", 1, "m-2-20251101"),
  ]);
  const ask = askOf(home);
  const week = await textOf(ask, "stats?since=7d&agent=reprise");
  assert.match(
    week,
    /<a href="\.\/\?agent=reprise&amp;since=2026-11-20&amp;until=2026-11-20&amp;model=m-2" tabindex="-1"><rect class="part0"/,
  );
  assert.match(
    week,
    /<a href="stats\?agent=reprise&amp;since=7d&amp;hour=105" tabindex="-1"><rect class="heat-4"/,
  );
  const hour = await textOf(ask, "stats?since=30d&hour=105");
  assert.match(hour, /<dt>Cost<\/dt><dd>\$3\.00/);
  assert.match(hour, /aria-label="At any hour">Fri 09:00/);
  assert.match(await textOf(ask, "stats?since=30d&hour=900"), /<dd>\$5\.00/);
  const beside = await textOf(ask, "stats?since=7d&compare=1");
  assert.match(beside, /Cost by day, 2026-11-09 to 2026-11-15/);
  const rows = [...beside.matchAll(/<tr><td class="name">.*?<\/tr>/g)]
    .map(([row]) =>
      row.replaceAll(/<\/?t[dr][^>]*>/g, " ").replaceAll(/<[^>]*>/g, "").trim().split(/ +/)
    );
  assert.deepEqual(rows.slice(1, 4), [
    ["m-2", "$3.00", "new", "3.0k", "new"],
    ["m-1", "$2.00", "gone", "2.0k", "gone"],
    ["reprise", "$3.00", "$2.00", "+50", "%", "3.0k", "2.0k", "+50", "%"],
  ]);
  assert.match(beside, /\+50 %/);
});

inHome.test("two dates are a window, and charts are stacked by agent and project too", async (home) => {
  home.keep(sessionId("aaaa"), [
    user("hi"),
    answer("2026-11-01T10:00:00Z", 1),
    answer("2026-11-03T10:00:00Z", 2),
    answer("2026-11-05T10:00:00Z", 4),
    answer("2026-11-08T10:00:00Z", 8),
  ]);
  const ask = askOf(home);
  const dates = "stats?since=2026-11-03&until=2026-11-05";
  const body = await textOf(ask, `${dates}&by=agent`);
  assert.match(body, /2026-11-03 to 2026-11-05/);
  assert.match(body, /<dt>Cost<\/dt><dd>\$6\.00<span class="change">[^<]* the 3 days before/);
  assert.match(body, /<title>2026-11-05, reprise: \$4\.00/);
  assert.match(body, /aria-label="Chart: Cost by day from 2026-11-03 to 2026-11-05\./);
  assert.match(body, /name="by" value="agent"/);
  assert.match(await textOf(ask, `${dates}&by=project`), /since=2026-11-05&amp;until=2026-11-05/);
  assert.match(await textOf(ask, `${dates}&compare=1`), /Cost by day, 2026-10-31 to 2026-11-02/);
  // One that ends before it begins has no beginning.
  assert.match(await textOf(ask, "stats?since=2026-11-09&until=2026-11-05"), /<dd>\$7\.00/);
});
