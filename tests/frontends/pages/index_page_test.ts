import assert from "node:assert/strict";
import { buildButton } from "../../../lib/frontends/pages/index_page.ts";
import { createSite } from "../../../lib/frontends/pages/site.ts";
import { indexStatus } from "../../../lib/library/search/index/index_status.ts";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import {
  askIn,
  askOf,
  cachingContextOf,
  contextOf,
  KEY,
  requestOf,
  siteOf,
  whole,
} from "./_site.ts";

const OWN = { origin: `http://${KEY.authority}`, "sec-fetch-site": "same-origin" };

async function behind({ library }: ReturnType<typeof cachingContextOf>): Promise<number> {
  return indexStatus(library.cache, await library.sessions()).behind_sessions;
}

inHome.test("a button after a search that read much builds the index, and its page shows the progress", async (home) => {
  for (let at = 0; at < 4; at++) home.keep(sessionId(`c00${at}`), [user("zebra")]);
  const context = cachingContextOf(home);
  assert.equal(buildButton(context, "zebra", 1e6).markup, "");
  const { markup } = buildButton(context, "zebra", 3e8);
  const [, action = ""] = /<form [^>]*method="post" action="([^"]+)"/.exec(markup) ?? [];
  assert.equal(action, "index?q=zebra");
  assert.equal(await behind(context), 4);
  const site = createSite(context, KEY);
  const { body } = await whole(await site(requestOf(`/${KEY.token}/${action}`, OWN, "POST")));
  assert.match(body, /<progress max="\d+" value="\d+"/);
  const outcome = body.slice(body.lastIndexOf('class="stage"'));
  assert.match(
    outcome,
    /The index is complete: .*<a href="\.\/\?q=zebra">Search again: zebra<\/a>/,
  );
  assert.equal(await behind(context), 0);
  const { body: after } = await whole(await site(requestOf(`/${KEY.token}/index`)));
  assert.match(after, /The index contains 4 sessions and takes/);
  assert.ok(!after.includes("<form"));
});

inHome.test("a link shows the state of the index and does not build it, and without a cache there is none", async (home) => {
  home.keep(sessionId("aaaa"), [user("zebra")]);
  const context = cachingContextOf(home);
  const ask = askIn(context);
  const { status, body } = await ask("index?q=zebra");
  assert.equal(status, 200);
  assert.match(
    body,
    /There is no search index yet\. Without one, each search reads all session files\. <button type="submit">Build the index<\/button>/,
  );
  assert.match(body, /<form class="build" method="post" action="index\?q=zebra">/);
  assert.equal(await behind(context), 1);
  assert.match((await askOf(home)("index")).body, /The cache is switched off/);
  assert.equal(buildButton(contextOf(home), "zebra", 3e8).markup, "");
  const post = requestOf(`/${KEY.token}/index`, OWN, "POST");
  assert.match((await whole(await siteOf(home)(post))).body, /The cache is switched off/);
});
