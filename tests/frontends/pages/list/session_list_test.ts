import assert from "node:assert/strict";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import { CliHome, inHome, sessionId } from "../../../_support/cli_home.ts";
import { assistant, user } from "../../../_support/log_bytes.ts";
import { settle } from "../../../_support/settle.ts";
import { rowsOf as rowsIn } from "../../../../lib/library/query/candidate.ts";
import { countForOrder } from "../../../../lib/frontends/pages/list/count_changes.ts";
import { createSite } from "../../../../lib/frontends/pages/site.ts";
import { type Ask, askIn, askOf, cachingContextOf, KEY, requestOf } from "../_site.ts";
import { keepClaudeSession, putStatus } from "../../../commands/_fake_agent.ts";
import { testsWith } from "../../../_support/tests_in.ts";

const inHomeOfThree = testsWith(homeOfThree);

const DEAR = sessionId("aaaa");
const LONG = sessionId("bbbb");
const OLD = sessionId("cccc");

function answered(cost_usd: number): NewEvent {
  return {
    kind: "assistant_message",
    payload: { content: "Fixed.", model: "m-1", usage: { input: 9, output: 1 }, cost_usd },
  };
}

function homeOfThree(): CliHome {
  const home = new CliHome();
  const garden = `${home.path}/garden`;
  const day = (at: number): Date => new Date(Date.UTC(2026, 10, at, 10));
  home.keep(OLD, [user("Rake"), answered(0.1)], { cwd: garden, created: day(1), title: "Rake" });
  const talk = Array.from({ length: 9 }, () => [user("More"), assistant("Done")]).flat();
  home.keep(LONG, talk, { created: day(21), title: "Apples", branch: "fruit" });
  home.keep(DEAR, [user("Dig"), answered(2.5)], { cwd: garden, created: day(22), title: "Dig" });
  return home;
}

async function rowsOf(ask: Ask, path: string): Promise<string[]> {
  const { body } = await ask(path);
  return [...body.matchAll(/<tr data-row>.*?href="session\?ref=([^"&]+)/g)].map(([, id = ""]) =>
    id
  );
}

/** A change of a file, with the lines that it adds and removes. */
function change(path: string, added: number, removed: number): NewEvent[] {
  const of = (kind: "added" | "removed", count: number) =>
    Array.from({ length: count }, () => ({ kind, content: "x" }));
  const content = [{ type: "tool_call" as const, call_id: path, name: "edit", input: {} }];
  const lines = [...of("added", added), ...of("removed", removed)];
  return [
    { kind: "assistant_message", payload: { content } },
    { kind: "diff", payload: { call_id: path, path, lines } },
    { kind: "tool_end", payload: { call_id: path, name: "edit", status: "ok", output: "" } },
  ];
}

inHome.test("rows tell the changed files that statistics counted last", async (home) => {
  const changes = [...change("bed.txt", 2, 1), ...change("path.txt", 3, 0)];
  const created = new Date("2026-11-19T10:00:00Z");
  const kept = [
    home.keep(DEAR, [user("Dig"), ...changes]),
    home.keep(LONG, [user("Plant"), ...change("bed.txt", 9, 0)], { created }),
    home.keep(OLD, [user("Look"), assistant("Done")]),
  ];
  const settled = new Date("2026-11-20T10:00:00Z");
  for (const { path } of kept) Deno.utimeSync(path, settled, settled);
  await settle();
  const ask = askIn(cachingContextOf(home));
  const cells = async (): Promise<string[]> =>
    [...(await ask("?sort=files")).body.matchAll(/<td class="of-files">(.*?)<\/td>/g)]
      .map(([, cell = ""]) => cell.replace(/<[^>]*>/g, ""));
  assert.deepEqual(await cells(), ["", "", ""]);
  await ask("stats?since=365d");
  assert.deepEqual(await cells(), ["1 file +9 −0", "2 files +5 −1", ""]);
  assert.deepEqual(await rowsOf(ask, "?sort=files"), [LONG, DEAR, OLD]);
  assert.deepEqual(await rowsOf(ask, "?sort=-files"), [OLD, DEAR, LONG]);
  home.keep(LONG, [user("Plant"), assistant("Not yet")], { created });
  assert.deepEqual(await cells(), ["2 files +5 −1", "", "1 file +9 −0"]);
});

// Slow: the facts of a file are kept once it has settled.
inHome.test("an open list counts the changed files of its newest sessions, and is told then", async (home) => {
  const { path } = home.keep(DEAR, [user("Dig"), ...change("bed.txt", 2, 1)]);
  const settled = new Date("2026-11-20T10:00:00Z");
  Deno.utimeSync(path, settled, settled);
  const context = cachingContextOf(home);
  const cell = async (): Promise<string | undefined> =>
    /<td class="of-files">(.*?)<\/td>/.exec((await askIn(context)("")).body)?.[1];
  await settle();
  assert.equal(await cell(), "");
  const { body } = await createSite(context, KEY)(requestOf(`/${KEY.token}/events`));
  assert.ok(typeof body !== "string");
  const events = body[Symbol.asyncIterator]();
  await events.next();
  await events.next();
  assert.match(await cell() ?? "", /1 file.*\+2.*−1/);
  await events.return?.();
});

inHomeOfThree.test("duration is active time, with the cache and without", async (home) => {
  const expected = ["17.0 s", "1.0 s", "1.0 s"];
  for (const ask of [askOf(home), askIn(cachingContextOf(home))]) {
    const cells = async (path: string): Promise<string[]> =>
      [...(await ask(path)).body.matchAll(/<td class="of-duration">(.*?)<\/td>/g)]
        .map(([, cell = ""]) => cell);
    assert.deepEqual((await cells("")).sort(), expected.toSorted());
    assert.deepEqual(await cells("?sort=duration"), expected);
    assert.deepEqual((await rowsOf(ask, "?sort=duration"))[0], LONG);
    assert.deepEqual((await rowsOf(ask, "?sort=-duration")).at(-1), LONG);
  }
});

// Slow: the facts of a file are kept once it has settled.
inHomeOfThree.test("an open list reads the sessions that lack the value of its order, once", async (home) => {
  const context = cachingContextOf(home);
  await settle();
  await context.library.query({ rows: true });
  for (
    const [order, is_lacking] of [["title", false], ["duration", true], ["cost", false]] as const
  ) {
    assert.equal(await countForOrder(context, order), is_lacking, order);
    assert.equal(await countForOrder(context, order), false, order);
  }
  const rows = await rowsIn((await context.library.query({ rows: true })).entries);
  assert.deepEqual(rows.map(({ active_ms }) => active_ms), [1000, 17_000, 1000]);
  const { body } = await askIn(context)("?sort=-duration");
  assert.match(body, /data-events="events\?sort=duration"/);
});

inHome.test("the links to other pages stand above and below, each with a name of its own", async (home) => {
  for (let at = 0; at < 51; at++) {
    home.keep(sessionId(`b${String(at).padStart(3, "0")}`), [user(`plant ${at}`)]);
  }
  const { body } = await askOf(home)("?tag=&agent=reprise&page=2&sort=title");
  const names = [...body.matchAll(/<nav [^>]*aria-label="([^"]+)"/g)].map(([, name]) => name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(names.filter((name) => name?.startsWith("Pages")).length, 2);
  assert.match(body, /<a data-step="earlier" href="\.\/\?agent=reprise&amp;sort=title">/);
  assert.deepEqual((await rowsOf(askOf(home), "?page=2")).length, 1);
});

inHome.test("cards above the list say which sessions run, and which wait for the user, and for what", async (home) => {
  const id = sessionId("dddd");
  const { path } = keepClaudeSession(home, id, home.work);
  const content = [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "<b>publish" } }];
  const record = {
    ...{ type: "assistant", uuid: "a2", parentUuid: "u1", isSidechain: false, sessionId: id },
    ...{ timestamp: "2026-11-21T20:00:01.000Z", message: { role: "assistant", content } },
  };
  Deno.writeTextFileSync(path, `${JSON.stringify(record)}\n`, { append: true });
  putStatus(home, id, { status: "busy" });
  const working = await askOf(home)("");
  assert.match(working.body, /<b class="running">running<\/b>/);
  assert.match(working.body, /id="now"><h2>Now<\/h2><ul><li class="working">/);
  const session = (await askOf(home)(`session?ref=claude:${id}`)).body;
  assert.match(session, /class="end">.*?running/);
  assert.doesNotMatch(session, /did not finish/);
  putStatus(home, id, { status: "waiting", waitingFor: "permission prompt" });
  const head = (await askOf(home)(`session?ref=claude:${id}`)).body;
  assert.match(head, /<b class="waits">waits for permission: Bash &lt;b&gt;publish<\/b>/);
  const { body } = await askOf(home)("");
  assert.match(body, new RegExp(`<a href="session.ref=claude%3A${id}&amp;end=1#end"`));
  assert.match(body, /data-waiting="1"><h2>1 session waits for you<\/h2>/);
  assert.match(
    body,
    /<p class="doing" dir="auto">waits for permission: Bash &lt;b&gt;publish<\/p>/,
  );
  assert.match(body, /<b class="waits">waits for you<\/b>/);
  // Its pid file goes with its client, and no other file changes.
  const site = askIn(cachingContextOf(home));
  assert.match((await site(`session?ref=claude:${id}`)).body, /<b class="waits">/);
  const pid = `${home.path}/.claude/sessions/${id}.json`;
  const says = Deno.readTextFileSync(pid);
  Deno.removeSync(pid);
  assert.doesNotMatch(
    (await site(`session?ref=claude:${id}`)).body,
    /<b class="(waits|ok running)">/,
  );
  Deno.writeTextFileSync(pid, says);
  // It has its card also when newer sessions have taken its row.
  const created = new Date("2026-11-22T10:00:00Z");
  for (let at = 0; at < 51; at++) {
    home.keep(sessionId(`b${String(at).padStart(3, "0")}`), [user(`plant ${at}`)], { created });
  }
  const { body: full } = await askOf(home)("");
  assert.doesNotMatch(full, /<b class="waits">waits for you<\/b>/);
  assert.match(full, /data-waiting="1"/);
});

inHome.test("a session without tokens shows no cost, in pages, list and show", async (home) => {
  home.keep(sessionId("aaaa"), [user("Where is the okapi?"), {
    kind: "assistant_message",
    payload: { content: "There", model: "claude-opus-4-5-20251101" },
  }]);
  const ask = askIn(cachingContextOf(home));
  assert.match((await ask("")).body, /<td class="of-cost"><\/td>/);
  assert.doesNotMatch((await ask(`session?ref=${sessionId("aaaa")}`)).body, /\$0\.00/);
  for (const args of [["list", "--all"], ["show", "aaaa"], ["stats", "--all"]]) {
    assert.doesNotMatch((await home.succeed(args)).stdout, /\$0\.00/, args.join());
  }
});
