/** Lists and searches in a browser. A part of `deno task test:browser`. */
import assert from "node:assert/strict";
import axe from "npm:axe-core@4.14.1";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { type CliHome, sessionId } from "../../_support/cli_home.ts";
import { eventually } from "../../_support/eventually.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { browserTest } from "./_site_browser.ts";

function keepMany(home: CliHome): void {
  for (let at = 0; at < 60; at++) {
    const call = { type: "tool_call", call_id: "c", name: "edit", input: { path: `src/${at}.ts` } };
    const said = { kind: "assistant_message", payload: { content: [call], model: "m-1" } };
    home.keep(sessionId(`b${String(at).padStart(3, "0")}`), [
      ...[user(`plant a zebra ${at}`), user("zebra"), said as NewEvent, assistant("Done")],
    ], {
      title: `Plant ${at}, with a title that is longer than a line of a phone`,
      branch: "main",
    });
  }
}

/** Returns how many rows are seen whole. */
const SEEN = `[...document.querySelectorAll("[data-row]")]
  .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`;

browserTest("a list shows 15 rows and more on a screen, and some on a phone", keepMany, async (
  browser,
  address,
) => {
  for (const [view, least] of [[{ width: 1440 }, 18], [{ width: 390, height: 844 }, 5]] as const) {
    const page = await browser.open(address, view);
    const seen = await page.evaluate(SEEN) as number;
    assert.ok(seen >= least, `${seen} at ${view.width}`);
    await page.close();
  }
});

browserTest("lists and hits are accessible in every form", keepMany, async (browser, address) => {
  const views = [{ width: 1440 }, { width: 390, dark: true }];
  const paths = [
    "?group=project&columns=title,branch,size,created,agent&since=999d",
    "?sort=-title&page=2&branch=main",
    "?q=zebra&role=user",
    "?q=zebra",
  ];
  for (const path of paths) {
    for (const view of views) {
      const page = await browser.open(address + path, view);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
      const what = `${path} at ${view.width}`;
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), view.width, what);
      await page.evaluate(axe.source);
      const found = await page.evaluate(
        `axe.run(document).then(({ violations }) =>
          violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
      );
      assert.deepEqual(found, [], what);
      assert.deepEqual(page.complaints, [], what);
      await page.close();
    }
  }
});

/** Presses keys of letters. */
function press(keys: string): string {
  return `for (const key of ${JSON.stringify(keys)}) {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  }`;
}

browserTest("keys go from row to row and open one, in lists and hits", keepMany, async (
  browser,
  address,
) => {
  for (const [path, wanted] of [["", "b057"], ["?q=plant", "b059"]] as const) {
    const page = await browser.open(address + path, { width: 1440 });
    await page.evaluate(press("jjkjj"));
    await page.follow(`(() => { ${press("o")} })()`);
    const href = await page.evaluate("location.href") as string;
    if (path === "") assert.match(href, new RegExp(`session\\?ref=${wanted}`));
    else assert.match(href, /session\?ref=b05.*words=plant#e2/);
    await page.close();
  }
});

browserTest("a new session appears on the list", (home) => {
  home.keep(sessionId("aaaa"), [user("First")], { title: "First" });
}, async (browser, address, home) => {
  const page = await browser.open(address, { width: 1440 });
  const titles =
    "[...document.querySelectorAll('.list td.of-title a')].map((one) => one.textContent).join()";
  assert.equal(await page.evaluate(titles), "First");
  home.keep(sessionId("bbbb"), [user("Second")], { title: "Second" });
  await eventually(async () => await page.evaluate(titles) === "Second,First");
});

browserTest("the chosen row stays chosen when a list grows", (home) => {
  for (const id of ["aaaa", "bbbb"]) home.keep(sessionId(id), [user(id)], { title: id });
}, async (browser, address, home) => {
  const page = await browser.open(address, { width: 1440 });
  await page.evaluate(press("jj"));
  const chosen = "document.querySelector('.chosen td.of-title')?.textContent";
  assert.equal(await page.evaluate(chosen), "aaaa");
  home.keep(sessionId("cccc"), [user("cccc")], { title: "cccc" });
  await eventually(async () =>
    await page.evaluate("document.querySelectorAll('[data-row]').length") === 3
  );
  assert.equal(await page.evaluate(chosen), "aaaa");
  assert.equal(await page.evaluate("document.activeElement.textContent"), "aaaa");
  await page.evaluate(press("k"));
  assert.equal(await page.evaluate(chosen), "bbbb");
  await page.close();
});

browserTest("Back keeps the chosen row", keepMany, async (browser, address) => {
  const page = await browser.open(address, { width: 1440 });
  await page.evaluate(press("jjj"));
  const chosen = "document.querySelector('.chosen a')?.getAttribute('href')";
  const row = await page.evaluate(chosen);
  await page.follow(`(() => { ${press("o")} })()`);
  assert.match(await page.evaluate("location.href") as string, /session\?ref=/);
  await page.follow("history.back()");
  assert.equal(await page.evaluate(chosen), row);
  // A click chooses too.
  await page.follow("document.querySelectorAll('[data-row] a')[5].click()");
  await page.follow("history.back()");
  assert.equal(
    await page.evaluate(chosen),
    await page.evaluate("document.querySelectorAll('[data-row] a')[5].getAttribute('href')"),
  );
});

browserTest("a form of the site is admitted by its own pages alone", keepMany, async (
  browser,
  address,
) => {
  const page = await browser.open(address, { width: 1440 });
  await page.follow(`(() => {
    const form = Object.assign(document.createElement("form"), { method: "post", action: "index?q=a" });
    document.body.append(form);
    form.submit();
  })()`);
  assert.match(
    await page.evaluate("document.body.innerText") as string,
    /The cache is switched off/,
  );
  await page.close();
});
