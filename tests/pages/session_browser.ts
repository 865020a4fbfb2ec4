/**
 * A session's page in a browser: keys, live growth and hits. A part of `deno task test:browser`.
 */
import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/event/envelope.ts";
import { sessionId } from "../_support/cli_home.ts";
import { eventually } from "../_support/eventually.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { browserTest } from "./_site_browser.ts";

const ID = sessionId("aaaa");
const created = new Date("2026-11-21T10:00:00Z");
const SESSION = `session?ref=${ID}`;

function turns(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, at) => [user(`prompt ${at + 1}`), assistant("Done")])
    .flat();
}

browserTest("a session grows on its page, and stays where its reader is", (home) => {
  home.keep(ID, turns(20), { created });
}, async (browser, address, home) => {
  const page = await browser.open(address + SESSION, { width: 1440, height: 600 });
  const count = "document.querySelectorAll('.item.is-message').length";
  assert.equal(await page.evaluate(count), 40);
  await page.evaluate("scrollTo(0, 300)");
  const before = await page.evaluate("scrollY");
  home.keep(ID, turns(21), { created });
  await eventually(async () => await page.evaluate(count) === 42);
  assert.equal(await page.evaluate("document.querySelectorAll('.turn').length"), 21);
  assert.equal(await page.evaluate("scrollY"), before);
  // At the end it follows.
  await page.evaluate("document.getElementById('end').scrollIntoView({ block: 'end' })");
  home.keep(ID, turns(30), { created });
  await eventually(async () => await page.evaluate(count) === 60);
  const end = "document.getElementById('end').getBoundingClientRect().top <= innerHeight + 1";
  await eventually(async () => await page.evaluate(end) === true);
  assert.deepEqual(page.complaints, []);
});
