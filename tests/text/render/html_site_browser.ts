/**
 * What a browser makes of an exported site, opened from a file: a part of `deno task test:browser`.
 * Ignored where there is no Chromium.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "npm:axe-core@4.14.1";
import { CliHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { needing } from "../../_support/needing.ts";
import { BROWSER, openBrowser, type Page } from "./_browser.ts";

const VIEWS = [{ width: 390, dark: true }, { width: 768 }, { width: 1440 }];

async function site(home: CliHome): Promise<string> {
  home.keep(sessionId("aaaa"), [
    user("Where is the zebra? __proto__ <img src=x onerror=alert(1)>"),
    assistant("Behind the constructor, 日本語のテキスト"),
    user("Thanks"),
    assistant("You are welcome"),
  ]);
  home.keep(sessionId("bbbb"), [
    user("Where is the lion?"),
    assistant("Beside the zebra crossing"),
  ]);
  assert.equal((await home.run(["export", "--all", "--out", "site"])).status, 0);
  return pathToFileURL(join(home.work, "site")).href;
}

/** Searches, and waits for the number of pages. */
async function search(page: Page, words: string): Promise<{ count: string; rows: string[] }> {
  return await page.evaluate(`new Promise((resolve) => {
    const count = document.querySelector("#count");
    count.textContent = "";
    const look = () => {
      const rows = [...document.querySelectorAll("#found > li")];
      const expected = Math.min(20, parseInt(count.textContent, 10));
      if (rows.length !== expected) return;
      observer.disconnect();
      resolve({ count: count.textContent, rows: rows.map((row) => row.innerText) });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.querySelector("main"), { childList: true, subtree: true });
    document.querySelector("#q").value = ${JSON.stringify(words)};
    document.querySelector("form").requestSubmit();
  })`) as { count: string; rows: string[] };
}

Deno.test({
  ...needing("in Chromium, a site is searched from a file", BROWSER),
  fn: async () => {
    await using home = new CliHome();
    const address = await site(home);
    await using browser = await openBrowser();
    const page = await browser.open(`${address}/search.html`, { width: 1440 });
    for (
      const [words, rows] of [
        ["zebra", 2],
        ["ZEB where", 2],
        ["zebra lion", 1],
        ["__proto__", 1],
        ["constructor", 1],
        ["日本語", 1],
        ["valueOf", 0],
        ["ebra", 0],
      ] as const
    ) {
      const found = await search(page, words);
      assert.equal(found.rows.length, rows, words);
      assert.match(found.count, new RegExp(`^${rows} page`), words);
    }
    const { rows } = await search(page, "onerror");
    assert.match(rows[0] ?? "", /<img src=x onerror=alert\(1\)>/);
    assert.equal(await page.evaluate("document.querySelectorAll('img').length"), 0);
    assert.equal(
      await page.evaluate("document.querySelector('#found mark').textContent"),
      "onerror",
    );
    await page.follow("document.querySelector('#found .hit a').click()");
    const place = await page.evaluate("document.querySelector(location.hash).innerText");
    assert.match(String(place), /zebra/);
    assert.deepEqual([page.complaints, page.blocked, page.dialogs], [[], [], []]);
  },
});

Deno.test({
  ...needing("in Chromium, pages of a site fit each screen and keep no one out", BROWSER),
  fn: async () => {
    await using home = new CliHome();
    const address = await site(home);
    await using browser = await openBrowser();
    for (const name of ["index.html", "projects.html", "search.html#q=zebra"]) {
      for (const view of VIEWS) {
        const page = await browser.open(`${address}/${name}`, view);
        const what = `${name} at ${view.width}`;
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), view.width, what);
        await page.evaluate(axe.source);
        const violations = await page.evaluate(
          "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))",
        );
        assert.deepEqual(violations, [], what);
        await page.close();
      }
    }
  },
});
