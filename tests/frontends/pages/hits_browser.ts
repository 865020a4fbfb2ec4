/** Hits in sessions of all agents: a part of `deno task test:browser`. */
import assert from "node:assert/strict";
import { serveLoopback } from "../../../commands/open/loopback.ts";
import { RedirectFile } from "../../../commands/open/open_pages.ts";
import { createSite, OpenedSessions, redirectPage } from "../../../lib/frontends/pages/site.ts";
import type { SiteContext } from "../../../lib/frontends/pages/site_context.ts";
import { Library } from "../../../lib/library/library.ts";
import { searchableTexts } from "../../../lib/library/search/searchable_text.ts";
import { allCases, homeOf } from "../../agents/_case.ts";
import { CliHome } from "../../_support/cli_home.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { needing } from "../../_support/needing.ts";
import { BROWSER, openBrowser } from "../../text/render/_browser.ts";
import { askIn, contextOf } from "./_site.ts";
import { enter, SEEN } from "./_site_browser.ts";

/** Number of hits in `deno task test:torture`. */
const HITS = 200;
const TOKEN = "hits-token";
const WORD = /\p{L}{4,}/u;

/** Returns the addresses of hits, one for each speaker of a home's sessions. */
async function hitsIn(context: SiteContext): Promise<string[]> {
  const words = new Map<string, string>();
  for (const { ref } of (await context.library.query({ archived: "any" })).entries) {
    const handle = await context.library.open(ref);
    for await (const events of handle.events({})) {
      for (const { role, pieces } of events.flatMap(searchableTexts)) {
        const [word] = WORD.exec(pieces.join(" ")) ?? [];
        if (word !== undefined && !words.has(role)) words.set(role, word);
      }
    }
  }
  const ask = askIn(context);
  const found = await Promise.all([...words].map(async ([role, word]) => {
    const { body } = await ask(`?${new URLSearchParams({ q: word, role, archived: "1" })}`);
    const { body: usual } = await ask(`?${new URLSearchParams({ q: word, role })}`);
    const [, href] = /<li data-row><a href="([^"]+)"/.exec(body + usual) ?? [];
    return href?.replaceAll("&amp;", "&") ?? [];
  }));
  return found.flat();
}

// Slow: a page of a browser for each hit, in homes of all agents.
Deno.test(needing("in Chromium, hits of all agents are seen and marked", BROWSER), async () => {
  await using own = new CliHome();
  const cases = allCases();
  const most = Math.ceil(roundsOf(HITS) / cases.length);
  const step = Math.max(1, Math.floor(cases.length / roundsOf(HITS)));
  let context = contextOf(own);
  const key = { token: TOKEN, cookie: "hits-cookie" };
  const server = await serveLoopback((authority) => async (request) =>
    await createSite(context, { authority, ...key })(request)
  );
  const address = `http://${server.authority}/${TOKEN}/`;
  const file = new RedirectFile(redirectPage(address).markup);
  const unseen: string[] = [];
  let count = 0;
  try {
    await using browser = await openBrowser();
    await enter(browser, file.path);
    const page = await browser.open(address, { width: 1280 });
    for (const given of cases.filter((_, at) => at % step === 0)) {
      await using home = await homeOf(given);
      const place = { ...context.library.place, environment: home.environment };
      const library = new Library(place, home.path);
      context = { ...contextOf(own), library, sessions: new OpenedSessions(library) };
      for (const href of (await hitsIn(context)).slice(0, most)) {
        await page.follow(
          `location.href = ${JSON.stringify(address + href.replace("#", `&at=${count}#`))}`,
        );
        const seen = await page.evaluate(`document.querySelector(".tools") && ${SEEN}`);
        count++;
        if (typeof seen !== "string") unseen.push(`${given.name} ${href} ${JSON.stringify(seen)}`);
      }
    }
  } finally {
    file.remove();
    await server.close();
  }
  assert.deepEqual(unseen, [], `of ${count}`);
  assert.ok(count >= 0.8 * roundsOf(HITS), `only ${count} hits`);
});
