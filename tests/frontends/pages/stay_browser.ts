/** A page that one keeps open: its end, its menus and its list. A part of `deno task test:browser`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionId } from "../../_support/cli_home.ts";
import { eventually } from "../../_support/eventually.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { assistant, linesOf, user } from "../../_support/log_bytes.ts";
import type { Page } from "../../text/render/_browser.ts";
import { browserTest } from "./_site_browser.ts";

const ID = sessionId("aaaa");
const LONG = Array.from({ length: 45 }, (_, at) => [
  user(`Prompt ${at}`),
  assistant(`Answer ${at}\n\n${"A line of it.\n\n".repeat(at % 9)}`),
]).flat();

async function press(page: Page, key: string, code: number): Promise<void> {
  for (const type of ["rawKeyDown", "keyUp"]) {
    await page.send("Input.dispatchKeyEvent", {
      type,
      key,
      code: key,
      windowsVirtualKeyCode: code,
    });
  }
}

async function seesEnd(page: Page): Promise<void> {
  const top = "document.getElementById('end').getBoundingClientRect().top - innerHeight";
  let last: unknown;
  await eventually(async () => Number(last = await page.evaluate(top)) <= 0, () => `${last}`);
}

browserTest("who is at the end stays there, also where the page is full", (home) => {
  home.keep(ID, LONG, { title: "Long" });
}, async (browser, address, home) => {
  const page = await browser.open(`${address}session?ref=${ID}&end=1#end`, { width: 1280 });
  await seesEnd(page);
  const start = await browser.open(`${address}session?ref=${ID}`, { width: 1280 });
  await press(start, "End", 35);
  await seesEnd(start);
  const [log = ""] = filesBelow(join(home.store, "sessions")).filter((path) =>
    path.endsWith(".jsonl")
  );
  const more = Array.from({ length: 40 }, (_, at) => [user(`More ${at}`), assistant("Yes")]).flat();
  for (const line of linesOf(more, LONG.length + 2)) {
    Deno.writeFileSync(log, line, { append: true });
  }
  const words = "document.body.innerText.includes('More 39')";
  await eventually(async () =>
    await start.evaluate(`${words} && location.hash`).catch(() => "") === "#end"
  );
  await seesEnd(start);
  assert.deepEqual([...page.complaints, ...start.complaints], []);
});

browserTest("menus close, and an address has only what was chosen", (home) => {
  home.keep(ID, [user("Where is the zebra?")]);
}, async (browser, address) => {
  const page = await browser.open(address, { width: 1280 });
  const open = "document.querySelectorAll('.menu[open]').length";
  const click = "document.querySelector('.menu summary').click()";
  await page.evaluate(click);
  assert.equal(await page.evaluate(open), 1);
  await page.evaluate("document.querySelector('h2, .above').click()");
  assert.equal(await page.evaluate(open), 0);
  await page.evaluate(click);
  await press(page, "Escape", 27);
  assert.equal(await page.evaluate(open), 0);
  await page.evaluate("document.querySelector('[data-go]').click()");
  await page.evaluate("document.querySelector('.palette input').value = 'z'");
  await press(page, "Escape", 27);
  assert.equal(await page.evaluate("document.querySelector('.palette').open"), false);
  await page.evaluate("document.querySelector('#q').value = 'zebra'");
  await page.follow("document.querySelector('.filter').requestSubmit()");
  assert.equal(await page.evaluate("location.search"), "?q=zebra");
  await page.follow(
    "document.querySelector('#q').value = '', document.querySelector('#tag').value = 'a', document.querySelector('.filter').requestSubmit()",
  );
  assert.equal(await page.evaluate("location.search"), "?tag=a");
});

browserTest(
  "a session has its width at once, with the list that stood beside the last one",
  (home) => {
    home.keep(ID, [user("Where is the zebra?")], { title: "Zebra" });
  },
  async (browser, address) => {
    const page = await browser.open(`${address}session?ref=${ID}`, { width: 1280 });
    const rows = "document.querySelectorAll('.beside [data-row]').length";
    await eventually(async () => await page.evaluate(rows) === 1);
    const left = await page.evaluate("document.querySelector('main').offsetLeft");
    // Nothing comes from the server after the page itself.
    const source = "window.fetch = () => new Promise(() => {})";
    await page.send("Page.addScriptToEvaluateOnNewDocument", { source });
    await page.follow("location.reload()");
    assert.equal(await page.evaluate(rows), 1);
    assert.equal(await page.evaluate("document.querySelector('main').offsetLeft"), left);
  },
);
