import assert from "node:assert/strict";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { askOf } from "./_site.ts";

inHome.test("the page of a day lists prompts, what is open, and where nothing was done", async (home) => {
  const created = new Date("2026-11-22T10:00:00Z");
  home.keep(sessionId("aaaa"), [user("Fix <b>it</b>"), user("Now test it")], { created });
  const ask = askOf(home);
  const { status, body } = await ask("digest");
  assert.equal(status, 200);
  const page = body as string;
  assert.match(page, /1 session, 2 prompts, 1 unfinished/);
  assert.match(page, /Fix &lt;b&gt;it&lt;\/b&gt;<\/li>\s*<li><time>[^<]*<\/time> Now test it/);
  assert.match(page, /<b class="unfinished">unfinished: its last turn did not end<\/b>/);
  assert.match(page, /<h3><a href="session\?ref=aaaa0000[^"]*">Fix &lt;b&gt;/);
  assert.match(page, /<a href="digest" aria-current="page">/);
  home.keep(sessionId("bbbb"), [user("long ago")], { created: new Date("2026-11-01T10:00:00Z") });
  assert.doesNotMatch((await ask("digest?since=7d")).body as string, /long ago/);
  assert.match((await ask("digest?since=30d")).body as string, /long ago/);
  assert.match((await ask("digest?since=never")).body as string, /today<\/a>/);
});
