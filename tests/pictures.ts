/**
 * Takes the pictures of pages in `.github/pictures`: six pages, light and dark, always of the same
 * sessions. `deno task pictures`; `deno task pictures FOLDER WIDTH`: elsewhere, at another width.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serveLoopback } from "../commands/open/loopback.ts";
import { createSite, redirectPage } from "../lib/frontends/pages/site.ts";
import { cachingContextOf } from "./frontends/pages/_site.ts";
import {
  keepPictureHome,
  PICTURE_NOW,
  PICTURE_PERSON,
  SHOWN,
} from "./frontends/pages/_picture_home.ts";
import { CliHome } from "./_support/cli_home.ts";
import { openBrowser } from "./text/render/_browser.ts";

const REF = `ref=claude:${SHOWN}`;
const PAGES: Readonly<Record<string, string>> = {
  sessions: "",
  session: `session?${REF}`,
  search: "?q=rounded",
  stats: "stats?since=30d",
  digest: "digest?since=7d",
  files: `files?${REF}`,
};

const [folder = ".github/pictures", width = "1280"] = Deno.args;
await using home = new CliHome();
keepPictureHome(home);
for (const args of [["pin", `claude:${SHOWN}`], ["tag", `claude:${SHOWN}`, "money"]]) {
  await home.succeed(args);
}
const context = { ...cachingContextOf(home), now: () => PICTURE_NOW, home: PICTURE_PERSON };
const [token, cookie] = ["picture-token", "picture-cookie"];
const server = await serveLoopback((authority) =>
  createSite(context, { authority, token, cookie })
);
const address = `http://${server.authority}/${token}/`;
const entrance = join(home.path, "enter.html");
Deno.writeTextFileSync(entrance, redirectPage(address).markup);
Deno.mkdirSync(folder, { recursive: true });
try {
  await using browser = await openBrowser();
  const first = await browser.open(pathToFileURL(entrance).href, { width: 800 });
  while (!String(await first.evaluate("document.title").catch(() => "")).endsWith(" · Reprise")) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await first.close();
  for (const [name, path] of Object.entries(PAGES)) {
    for (const dark of [false, true]) {
      const page = await browser.open(address + path, {
        ...{ width: Number(width), height: 800, dark },
      });
      // A session gets the list beside it, and a list what it has counted.
      const waits = "document.readyState !== 'complete' ||" +
        " innerWidth >= 1280 && document.body.matches('.served:not(.has-list)') ||" +
        " document.querySelector('main #list td.of-messages:empty') !== null";
      for (let tries = 0; tries < 100 && await page.evaluate(waits); tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const picture = await page.screenshot();
      Deno.writeFileSync(join(folder, `${name}-${dark ? "dark" : "light"}.png`), picture);
      if (page.complaints.length > 0) throw new Error(`${path}: ${page.complaints.join()}`);
      await page.close();
    }
  }
} finally {
  await server.close();
}
