import assert from "node:assert/strict";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import { type CliHome, inHome, sessionId } from "../../../_support/cli_home.ts";
import { assistant, user } from "../../../_support/log_bytes.ts";
import { keepPiSession } from "../../../commands/_pi_session.ts";
import { type Ask, askIn, askOf, contextOf } from "../_site.ts";

const ID = sessionId("aaaa");
const TURNS = 400;

/** Items of a page, and the ways to others by their names. */
async function look(
  ask: Ask,
  path: string,
): Promise<{ items: string[]; steps: Record<string, string> }> {
  const { status, body } = await ask(path);
  assert.equal(status, 200, path);
  const [, nav = ""] = /<nav class="steps"[^>]*>(.*?)<\/nav>/.exec(body) ?? [];
  const links = [...nav.matchAll(/<a href="([^"]*)">(\w+)<\/a>/g)];
  return {
    items: [...body.matchAll(/<div class="item [^"]*" id="(e\d+)"/g)].map(([, id = ""]) => id),
    steps: Object.fromEntries(
      links.map(([, href = "", name = ""]) => [
        name,
        href.replaceAll("&amp;", "&").replace(/#.*/, ""),
      ]),
    ),
  };
}

/** All items from a page on, in the order in which a way leads to them. */
async function walk(ask: Ask, path: string, way: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next !== undefined && pages.length < 50;) {
    const { items, steps }: Awaited<ReturnType<typeof look>> = await look(ask, next);
    pages.push(items);
    next = steps[way];
  }
  return pages;
}

inHome.test("a long session is read from page to page, in both directions", async (home) => {
  home.keep(ID, Array.from({ length: TURNS }, (_, at) => [user(`${at}`), assistant("Yes")]).flat());
  const ask = askOf(home);
  const all = Array.from({ length: 2 * TURNS + 1 }, (_, at) => `e${at + 1}`);
  const forwards = await walk(ask, `session?ref=${ID}`, "Later");
  assert.ok(forwards.length > 2, String(forwards.length));
  assert.deepEqual(forwards.flat(), all);
  const { steps } = await look(ask, `session?ref=${ID}`);
  assert.deepEqual(Object.keys(steps), ["Later", "End"]);
  const end = await look(ask, steps["End"] ?? "");
  assert.deepEqual(Object.keys(end.steps), ["Start", "Earlier"]);
  const backwards = await walk(ask, steps["End"] ?? "", "Earlier");
  assert.ok(backwards.every((items) => items.length > 1), String(backwards.map((x) => x.length)));
  assert.deepEqual(backwards.toReversed().flat(), all);
});

// Slow: a page shows up to two megabytes of an item.
inHome.test("a long item is on a page of its own, and one without end shows its beginning", async (home) => {
  const [long, endless] = [150_000, 3_000_000].map((size) => "<é ".repeat(size / 3));
  home.keep(ID, [user("One"), assistant(long ?? ""), user("Two"), assistant(endless ?? "")]);
  const ask = askOf(home);
  const { body } = await ask(`session?ref=${ID}`);
  assert.ok(body.length < 200_000, String(body.length));
  const links = [
    ...body.matchAll(/<a href="([^"]*whole=1)">show it on its own page<\/a> \((over )?/g),
  ];
  assert.equal(links.length, 2);
  const pages = await Promise.all(
    links.map(async ([, href = ""]) => (await ask(href.replaceAll("&amp;", "&"))).body),
  );
  assert.deepEqual(pages.map((page) => page.includes("Only the beginning is shown")), [
    false,
    true,
  ]);
  assert.ok((pages[0]?.split("&lt;é").length ?? 0) > 50_000);
  assert.ok((pages[1]?.length ?? 0) > 100_000 && (pages[1]?.length ?? 0) < 2_500_000);
  assert.match(pages[1] ?? "", /reprise show REF#5 --full/);
});

inHome.test("each turn is followed by what it took, on whatever page", async (home) => {
  const turns = Array.from({ length: TURNS }, (_, at): NewEvent[] => [
    user(`${at}`),
    {
      kind: "assistant_message",
      payload: { content: "Yes", model: "m", usage: { input: 1, output: at + 1000 }, cost_usd: 1 },
    },
  ]);
  home.keep(ID, turns.flat());
  const ask = askOf(home);
  const seen: string[] = [];
  let path: string | undefined = `session?ref=${ID}`;
  while (path !== undefined) {
    const { body } = await ask(path);
    const marks = body.matchAll(
      /id="e(\d+)"|class="item is-turn"><div class="body"><p class="note">[^<]*?([\d.]+k) out/g,
    );
    for (const [, item, turn] of marks) seen.push(item ?? `turn ${turn}`);
    path = (await look(ask, path)).steps["Later"];
  }
  assert.equal(seen.filter((mark) => mark.startsWith("turn")).length, TURNS);
  assert.equal(seen.at(-1), "turn 1.4k");
  for (const [at, mark] of seen.entries()) {
    if (!mark.startsWith("turn")) continue;
    // Behind an answer, before the next prompt.
    assert.equal(Number(seen[at - 1]) % 2, 1, `${seen.slice(at - 2, at + 2)}`);
  }
});

const PROMPTS = 600;

/** A session of some megabytes, by the program that wrote it. */
const LONG_SESSIONS: Readonly<Record<string, (home: CliHome, prompts: string[]) => string>> = {
  "a log of ours": (home, prompts) => home.keep(ID, prompts.map((text) => user(text))).id,
  "another agent's session": (home, prompts) => {
    const { ref, path } = keepPiSession(home);
    const timestamp = "2026-11-21T20:01:00.000Z";
    const lines = prompts.map((text, at) => {
      const [id, parentId] = [`p${at}`, at === 0 ? "a1" : `p${at - 1}`];
      const message = { role: "user", content: [{ type: "text", text }] };
      return JSON.stringify({ type: "message", id, parentId, timestamp, message }) + "\n";
    });
    Deno.writeTextFileSync(path, lines.join(""), { append: true });
    return ref;
  },
};

for (const [name, keepLong] of Object.entries(LONG_SESSIONS)) {
  // Slow: the session is longer than the end that is read by itself.
  inHome.test(`the end of ${name} leads back and forth without a read of all of it`, async (home) => {
    const texts = Array.from({ length: PROMPTS }, (_, at) => {
      return `prompt ${at}. ${"word ".repeat(at === PROMPTS - 3 ? 40_000 : 600)}`;
    });
    const ref = keepLong(home, texts);
    const context = contextOf(home);
    const ask = askIn(context);
    const show = async (path: string): Promise<{ body: string; prompts: number[] }> => {
      const { body } = await ask(path);
      // A long one is on a page of its own.
      const shown = body.matchAll(/<p(?: class="plain")?>prompt (\d+)\.|show it on its own page/g);
      return { body, prompts: [...shown].map(([, number]) => Number(number ?? PROMPTS - 3)) };
    };
    const { items } = await context.sessions.open(ref);
    const end = `session?ref=${ref}&end=1`;
    const pages: number[][] = [];
    for (let path: string | undefined = end; path !== undefined;) {
      pages.unshift((await show(path)).prompts);
      const { steps } = await look(ask, path);
      if (pages.length === 5) {
        assert.equal((await show(steps["Later"] ?? "")).prompts[0], pages[1]?.[0]);
        const [, alone = ""] = /<a href="([^"]*whole=1)">/.exec((await show(end)).body) ?? [];
        assert.deepEqual((await show(alone.replaceAll("&amp;", "&"))).prompts, [PROMPTS - 3]);
        assert.deepEqual([items.progress.read_bytes, items.progress.total], [0, undefined]);
      }
      path = steps["Earlier"];
    }
    assert.deepEqual(pages.flat(), Array.from({ length: PROMPTS }, (_, at) => at));
    assert.ok(pages.length > 10, String(pages.length));
  });
}
