import assert from "node:assert/strict";
import type { NewEvent } from "../../../../lib/core/event/envelope.ts";
import {
  searchInStages,
  type SearchStage,
} from "../../../../lib/frontends/pages/list/staged_search.ts";
import { CliHome, inHome, sessionId } from "../../../_support/cli_home.ts";
import { assistant, user } from "../../../_support/log_bytes.ts";
import { askOf, contextOf } from "../_site.ts";

const ONE = sessionId("aaaa");
const OTHER = sessionId("bbbb");

function called(name: string, path: string, output: string): NewEvent[] {
  return [
    {
      kind: "assistant_message",
      payload: {
        content: [{ type: "tool_call", call_id: path, name, input: { path, text: "zebra" } }],
      },
    },
    { kind: "tool_end", payload: { call_id: path, name, status: "ok", output } },
  ] as NewEvent[];
}

function homeOfZebras(): CliHome {
  const home = new CliHome();
  const said = Array.from({ length: 5 }, (_, at) => user(`zebra ${at}`));
  home.keep(ONE, [...said, ...called("edit", "src/a.ts", "zebra stripes")], { title: "Hunt" });
  home.keep(OTHER, [user("Water"), ...called("read", "src/b.ts", "a zebra"), assistant("Done")]);
  return home;
}

Deno.test("roles, tools and files narrow a search to the hits that they count", async () => {
  await using home = homeOfZebras();
  const ask = askOf(home);
  const { body } = await ask("?q=zebra");
  const facets = [
    ...body.matchAll(
      /<a href="\.\/(\?q=zebra&amp;(?:role|tool|path)=[^"]+)"[^>]*>.*?class="note">(\d+)</g,
    ),
  ];
  assert.equal(facets.length, 6);
  for (const [, href = "", count] of facets) {
    const narrowed = await ask(href.replaceAll("&amp;", "&"));
    assert.match(
      narrowed.body,
      new RegExp(`<p class="note" role="status">${count} hits? in`),
      href,
    );
    assert.match(narrowed.body, /class="chips"/);
  }
});

/** Runs a staged search. */
async function stagesOf(home: CliHome, query: string, limit: number): Promise<SearchStage[]> {
  const site = contextOf(home);
  const { entries } = await site.library.query();
  const { signal } = new AbortController();
  return await Array.fromAsync(searchInStages(site, entries, { query, limit }, signal));
}

inHome.test("a search shows its first hits before it has read all, and ends with all", async (home) => {
  const filler = user("plant ".repeat(400_000));
  for (let at = 0; at < 4; at++) home.keep(sessionId(`c00${at}`), [user(`zebra ${at}`), filler]);
  const stages = await stagesOf(home, "zebra", 100);
  assert.ok(stages.length >= 2);
  const [first] = stages;
  assert.ok(first !== undefined && first.hits.length > 0 && first.read < 4 && !first.is_last);
  const last = stages.at(-1);
  assert.deepEqual([last?.hits.length, last?.read, last?.is_last, last?.possible], [4, 4, true, 4]);
  // The newest sessions are read first, and no other can precede their hits.
  const few = (await stagesOf(home, "zebra", 1)).at(-1);
  assert.deepEqual([few?.hits.map(({ ref }) => ref), few?.possible], [
    [sessionId("c003")],
    Infinity,
  ]);
  const { body } = await askOf(home)("?q=zebra");
  assert.match(body, /\d hits? in \d sessions? · reading \d of 4/);
  assert.match(body.slice(body.lastIndexOf('class="stage"')), /4 hits in 4 sessions/);
});

Deno.test("a search ends when its reader leaves", async () => {
  await using home = homeOfZebras();
  const site = contextOf(home);
  const { entries } = await site.library.query();
  const controller = new AbortController();
  controller.abort(new Error("left"));
  const stages = searchInStages(site, entries, { query: "zebra", limit: 9 }, controller.signal);
  await assert.rejects(Array.fromAsync(stages), /left/);
});
