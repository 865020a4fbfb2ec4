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

async function textOf(ask: Ask, path: string): Promise<string> {
  const { status, body } = await ask(path);
  assert.equal(status, 200);
  return body as string;
}

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
