/** A site of a temporary home in a browser, as `reprise open` serves it. */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import axe from "npm:axe-core@4.14.1";
import { serveLoopback } from "../../../commands/open/loopback.ts";
import { RedirectFile } from "../../../commands/open/open_pages.ts";
import { createSite, redirectPage } from "../../../lib/frontends/pages/site.ts";
import { CliHome } from "../../_support/cli_home.ts";
import { needing } from "../../_support/needing.ts";
import {
  BROWSER,
  type Browser,
  isPageLeft,
  openBrowser,
  type Page,
} from "../../text/render/_browser.ts";
import { contextOf } from "./_site.ts";

const TOKEN = "browser-token";

/** Tells whether the current hit is seen, below the bar; else what is there. */
export const SEEN = `(() => {
  const [range] = CSS.highlights.get("current") ?? [];
  const { top = 0, bottom = 0, height = 0 } = range?.getBoundingClientRect() ?? {};
  const bar = document.querySelector(".tools").getBoundingClientRect();
  const least = getComputedStyle(document.querySelector(".tools")).position === "sticky" ? bar.bottom : 0;
  return height > 0 && top >= least && bottom <= innerHeight ? String(range) : [top, least, bottom];
})()`;

/** Runs a test with a browser and the pages of a home. */
export function browserTest(
  name: string,
  keep: (home: CliHome) => void,
  test: (browser: Browser, address: string, home: CliHome) => Promise<void>,
): void {
  Deno.test(needing(`in Chromium, ${name}`, BROWSER), async () => {
    await using home = new CliHome();
    keep(home);
    const site = contextOf(home);
    const server = await serveLoopback((authority) =>
      createSite(site, { authority, token: TOKEN, cookie: "browser-cookie" })
    );
    const address = `http://${server.authority}/${TOKEN}/`;
    const file = new RedirectFile(redirectPage(address).markup);
    try {
      await using browser = await openBrowser();
      await enter(browser, file.path);
      await test(browser, address, home);
    } finally {
      file.remove();
      await server.close();
    }
  });
}

/** Opens the file that a browser is given, and waits until it has led to the sessions. */
export async function enter(browser: Browser, path: string): Promise<void> {
  const page = await browser.open(pathToFileURL(path).href, { width: 800 });
  for (let tries = 0; tries < 300; tries++) {
    if ((await titleOf(page)).endsWith(" · Reprise")) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`It shows ${await page.evaluate("location.href + document.body.innerText")}`);
}

/** Returns the title; none while the page leads on to another one. */
async function titleOf(page: Page): Promise<string> {
  try {
    return String(await page.evaluate("document.title"));
  } catch (error) {
    if (!isPageLeft(error)) throw error;
    return "";
  }
}

/** What axe finds wrong on a page: rules, each with its elements. */
export async function axeFindings(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return await page.evaluate(
    `axe.run(document).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))`,
  );
}
