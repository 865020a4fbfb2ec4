import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { answerInPi, keepPiSession } from "../../commands/_pi_session.ts";
import { snapshot } from "../../_support/store_snapshot.ts";
import { type Ask, askOf, COOKIE, KEY, requestOf, siteOf, whole } from "./_site.ts";
import { testsWith } from "../../_support/tests_in.ts";

const inUsedHome = testsWith(usedHome);

const ONE = sessionId("aaaa");
const OTHER = sessionId("bbbb");
const HOSTILE = `<script>alert(1)</script><img src=x onerror="alert(1)">`;

function edit(path: string): NewEvent[] {
  return [
    {
      kind: "assistant_message",
      payload: {
        content: [{
          ...{ type: "tool_call", call_id: path, name: "write" },
          input: { file_path: path, content: "1\n" },
        }],
      },
    },
    { kind: "tool_end", payload: { call_id: path, name: "write", status: "ok", output: "done" } },
  ] as NewEvent[];
}

function usedHome(): CliHome {
  const home = new CliHome();
  const answer: NewEvent = {
    kind: "assistant_message",
    payload: {
      content: "Fixed.",
      model: "m-1",
      usage: { input: 1200, output: 30 },
      cost_usd: 0.25,
    },
  };
  home.keep(ONE, [user("Where is the zebra?"), ...edit("src/zebra.ts"), answer], {
    title: "Zebra hunt",
  });
  home.keep(OTHER, [user("Water the plants"), assistant("Done"), ...edit("src/plants.ts")], {
    cwd: `${home.path}/garden`,
    title: HOSTILE,
  });
  return home;
}

/** The references of the sessions that a page links to, in order. */
async function linked(ask: Ask, path: string): Promise<string[]> {
  const { status, body } = await ask(path);
  assert.equal(status, 200, path);
  const rows = body.slice(body.indexOf("<main"));
  return [...rows.matchAll(/href="session\?ref=([^"&]+)/g)].map(([, ref = ""]) => ref);
}

inUsedHome.test("the first request gets the cookie, and the browser redirects to the page", async (home) => {
  const site = siteOf(home);
  const target = `/${KEY.token}/session?ref=${ONE}&seq=3&q=%22%3E%3Cscript%3E`;
  const entered = await whole(await site(requestOf(target, { cookie: undefined })));
  assert.deepEqual([entered.status, entered.headers["set-cookie"]?.split(";")[0]], [200, COOKIE]);
  assert.doesNotMatch(entered.body, /zebra|<script/i);
  const [, to = ""] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(entered.body) ?? [];
  const next = new URL(to.replaceAll("&amp;", "&"), `http://${KEY.authority}${target}`);
  assert.equal(next.href, `http://${KEY.authority}${target}#e3`);
  const page = await whole(await site(requestOf(target)));
  assert.deepEqual([page.status, page.headers["set-cookie"]], [200, undefined]);
  assert.match(page.body, /Zebra hunt/);
  assert.equal((await site(requestOf(target, { cookie: undefined }))).status, 403);
  const outside = await whole(
    await siteOf(home)(requestOf(`/${KEY.token}///evil.example/`, { cookie: "" })),
  );
  assert.match(outside.body, /url=\.\/\/\/evil\.example/);
});

inUsedHome.test("the first page lists all sessions, the newest first", async (home) => {
  const ask = askOf(home);
  assert.deepEqual(await linked(ask, ""), [OTHER, ONE]);
  const { body } = await ask("");
  assert.match(body, /Zebra hunt/);
  assert.equal(body.split("<script").length, 2);
});

inUsedHome.test("a search shows its hits, marked, and leads to their place", async (home) => {
  const ask = askOf(home);
  const { body } = await ask("?q=zebra");
  assert.match(body, /Where is the <mark>zebra<\/mark>\?/);
  const [, link = ""] = /href="(session\?[^"]*)#e2"/.exec(body) ?? [];
  const page = await ask(link.replaceAll("&amp;", "&"));
  assert.match(page.body, /id="e2"/);
  assert.match(
    (await ask(`?q=plants&project=${encodeURIComponent(home.work)}`)).body,
    /In all projects:/,
  );
  const broken = await ask("?q=" + encodeURIComponent("(zebra"));
  assert.equal(broken.status, 200);
  assert.match(broken.body, /Cannot search/);
});

inUsedHome.test("statistics show tokens and cost by day, model and project without a script", async (home) => {
  const { body, status } = await askOf(home)("stats?since=all");
  assert.equal(status, 200);
  for (const text of ["By day", "By model", "By project", "1.2k", "$0.25", "m-1", "~/work"]) {
    assert.ok(body.includes(text), text);
  }
  assert.match(body, /<th class="name" scope="col">Day<\/th><th scope="col">Cost<\/th>/);
  assert.match(body, /<rect [^>]*><title>2026-11-21, m-1: 1\.2k<\/title>/);
  assert.equal(body.split("<script").length, 2);
});

inUsedHome.test("a session is shown as its export looks, with its own script alone", async (home) => {
  const { body, headers } = await askOf(home)(`session?ref=${ONE}`);
  assert.match(body, /Zebra hunt/);
  assert.match(body, /<div class="item is-message" id="e2">/);
  assert.match(body, /src\/zebra\.ts/);
  assert.equal(body.split("<script").length, 2);
  const policy = headers["content-security-policy"] ?? "";
  assert.match(policy, /script-src \S+\/assets\/site\.[\w-]{22}\.js;/);
  assert.match(policy, /connect-src 'self'(?:;|$)/);
});

inHome.test("the head of another agent's session says models, tokens and cost, as its export does", async (home) => {
  const { ref, path } = keepPiSession(home);
  answerInPi(path, 12_345);
  const ask = askOf(home);
  const { body } = await ask(`session?ref=${ref}`);
  const facts = [["Models", "m-pi"], ["Tokens", "12\\.3k in · 1 out[^<]*"], [
    "Cost",
    "\\?",
  ]] as const;
  for (const [name, value] of facts) {
    assert.match(body, new RegExp(`<dt>${name}</dt><dd>${value}</dd>`));
  }
  assert.match(
    body,
    /<div class="item is-turn"><div class="body"><p class="note">m-pi · 12\.3k in, 1 out<\/p>/,
  );
  const long = keepPiSession(home, "2222bbbb", "x".repeat(9_000_000));
  answerInPi(long.path, 1);
  const other = await ask(`session?ref=${long.ref}`);
  assert.match(other.body, /For tokens and cost, see <a href="stats\?since=all">/);
  assert.ok(!other.body.includes('class="item is-turn"'));
  assert.ok(!other.body.includes("<dt>Tokens") && other.body.length < 100_000);
});

inUsedHome.test("an address opens no file but those that the person named", async (home) => {
  const { path } = home.keep(sessionId("cccc"), [user("Elsewhere")]);
  const copy = `${home.path}/copy.jsonl`;
  await Deno.copyFile(path, copy);
  const link = `session?${new URLSearchParams({ ref: copy })}`;
  assert.equal((await askOf(home)(link)).status, 404);
  const { status, body } = await askOf(home, [copy])(link);
  assert.equal(status, 200);
  assert.match(body, /Elsewhere/);
});

inUsedHome.test("every response forbids foreign content and is not cached", async (home) => {
  const site = siteOf(home);
  const pages = ["", "stats", `session?ref=${ONE}`, `threads?ref=${ONE}`, "nothing"];
  const requests = [
    ...pages.map((path) => requestOf(`/${KEY.token}/${path}`)),
    requestOf("/"),
    requestOf(`/${KEY.token}/`, {}, "POST"),
  ];
  for (const request of requests) {
    const { headers } = await site(request);
    const policy = headers["content-security-policy"] ?? "";
    assert.match(policy, /^default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    const own = `http://${KEY.authority}/${KEY.token}/assets/site.`;
    assert.ok(!/unsafe|https?:|\*/.test(policy.replaceAll(own, "")), policy);
    assert.equal(headers["cache-control"], "no-store");
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["cross-origin-resource-policy"], "same-origin");
    assert.ok(!Object.keys(headers).some((name) => name.startsWith("access-control")));
  }
  assert.equal((await site(requestOf(`/${KEY.token}/`, {}, "POST"))).headers["allow"], "GET, HEAD");
});

inUsedHome.test("texts of sessions and addresses are text in every page", async (home) => {
  const ask = askOf(home);
  const hostile = encodeURIComponent(HOSTILE);
  const paths = [
    "",
    `?q=${hostile}`,
    `?project=${hostile}&file=${hostile}`,
    `session?ref=${hostile}`,
  ];
  for (
    const path of [
      ...paths,
      `session?ref=${OTHER}&thread=${hostile}`,
      `stats?since=${hostile}`,
      hostile,
    ]
  ) {
    const { body } = await ask(path);
    assert.ok(!/<img|<script>alert|onerror="/.test(body), path);
    if (paths.includes(path)) assert.match(body, /&lt;script&gt;alert\(1\)/, path);
  }
});

inUsedHome.test("asking changes nothing in the store", async (home) => {
  const before = snapshot(home.store);
  const ask = askOf(home);
  for (const path of ["", "?q=zebra", "?file=zebra", "stats?since=all", `session?ref=${ONE}`]) {
    assert.equal((await ask(path)).status, 200);
  }
  assert.deepEqual(snapshot(home.store), before);
});

inUsedHome.test("style and script are files of their own, kept for good and behind the cookie", async (home) => {
  const site = siteOf(home);
  await site(requestOf(`/${KEY.token}/`, { cookie: undefined }));
  for (const path of ["", `session?ref=${ONE}`, "nothing"]) {
    const { body, headers } = await whole(await site(requestOf(`/${KEY.token}/${path}`)));
    const links = [...body.matchAll(/(?:href|src)="(assets\/[^"]*)"/g)].map(([, link]) => link);
    assert.equal(links.length, 2, path);
    assert.doesNotMatch(body, /<style|<script>/);
    for (const link of links) {
      const target = `/${KEY.token}/${link}`;
      const asset = await site(requestOf(target));
      assert.equal(asset.status, 200);
      assert.equal(asset.headers["cache-control"], "private, max-age=31536000, immutable");
      assert.equal(asset.headers["x-content-type-options"], "nosniff");
      // The policy allows this file alone.
      const policy = headers["content-security-policy"]?.split(/[ ;]+/) ?? [];
      assert.ok(policy.includes(`http://${KEY.authority}${target}`), policy.join());
      assert.equal((await site(requestOf(target, { cookie: undefined }))).status, 403);
      assert.equal((await site(requestOf(`/other/${link}`))).status, 403);
    }
    assert.equal((await site(requestOf(`/${KEY.token}/assets/site.css`))).status, 404);
  }
});
