/**
 * The list beside a session, notices of waiting sessions, and copying. A part of `deno task
 * test:browser`.
 */
import assert from "node:assert/strict";
import { sessionId } from "../../_support/cli_home.ts";
import { eventually } from "../../_support/eventually.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { keepClaudeSession, putStatus } from "../../commands/_fake_agent.ts";
import { axeFindings, browserTest } from "./_site_browser.ts";

const FIRST = sessionId("aaaa");
const SECOND = sessionId("bbbb");
const THIRD = sessionId("cccc");
const LIVE = sessionId("dddd");

browserTest("a wide page has the list that one came from beside its session", (home) => {
  for (const [id, tag] of [[FIRST, "stripes"], [SECOND, "stripes"], [THIRD, "dots"]] as const) {
    const created = new Date(`2026-11-2${1 + Number(id === FIRST)}T10:00:00Z`);
    home.keep(id, [user(tag), assistant("Yes")], { title: tag, branch: tag, created });
  }
}, async (browser, address) => {
  const page = await browser.open(`${address}?branch=stripes`, { width: 1280 });
  await page.follow("document.querySelector('main [data-row] a').click()");
  const rows = "[...document.querySelectorAll('.beside [data-row] a:first-child')]";
  await eventually(async () => await page.evaluate(`${rows}.length`) === 2);
  const current = "document.querySelector('.beside [aria-current=page]')?.href ?? ''";
  assert.match(await page.evaluate(current) as string, new RegExp(FIRST));
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 1280);
  assert.equal(await page.evaluate("document.querySelectorAll('.beside #contents li').length"), 1);
  assert.deepEqual(await axeFindings(page), []);
  // Keys still go through the session's turns, and brackets through the list.
  await page.follow(
    `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "]", bubbles: true }))`,
  );
  await eventually(async () => new RegExp(SECOND).test(await page.evaluate(current) as string));
  assert.match(await page.evaluate("location.href") as string, new RegExp(SECOND));
  assert.deepEqual(page.complaints, []);
  // A window that gets narrow has the session alone again, and a wide one the list.
  const sized = async (width: number): Promise<void> => {
    const size = { width, height: 800, deviceScaleFactor: 1, mobile: false };
    await page.send("Emulation.setDeviceMetricsOverride", size);
  };
  const shown = "document.querySelector('.beside') !== null";
  await sized(390);
  await eventually(async () => await page.evaluate(shown) === false);
  assert.equal(await page.evaluate("document.querySelectorAll('#contents li').length"), 1);
  assert.equal(await page.evaluate("document.body.classList.contains('has-list')"), false);
  await sized(1280);
  await eventually(async () => await page.evaluate(`${rows}.length`) === 2);
  const narrow = await browser.open(`${address}session?ref=${FIRST}`, { width: 1024 });
  assert.equal(await narrow.evaluate("document.querySelector('.beside')"), null);
});

browserTest("a tab that may says in its title and by a notice which session waits", (home) => {
  keepClaudeSession(home, LIVE, home.work);
  putStatus(home, LIVE, { status: "busy" });
}, async (browser, address, home) => {
  const page = await browser.open(address, { width: 1280 });
  // What the browser would show is kept, as it has no window.
  await page.evaluate(`
    window.said = [];
    window.Notification = class {
      static permission = "default";
      static requestPermission = async () => Notification.permission = "granted";
      constructor(title, { body }) { said.push(body); }
    };
    document.querySelector(".notices").click();
  `);
  const pressed = "document.querySelector('.notices').getAttribute('aria-pressed')";
  await eventually(async () => await page.evaluate(pressed) === "true");
  putStatus(home, LIVE, { status: "waiting", waitingFor: "permission prompt" });
  await eventually(async () =>
    /^\(1 wait\) /.test(await page.evaluate("document.title") as string)
  );
  assert.match(String(await page.evaluate("said")), /^waits for /);
  await page.evaluate("document.querySelector('.notices').click()");
  assert.equal(await page.evaluate(pressed), "false");
});

browserTest("a message, a block of code and a link to a message are copied", (home) => {
  home.keep(FIRST, [user("Show **it**"), assistant("So:\n\n```ts\nconst a = 1;\n```\n")]);
}, async (browser, address) => {
  const page = await browser.open(`${address}session?ref=${FIRST}`, { width: 1024 });
  const permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
  await page.send("Browser.grantPermissions", { permissions });
  await page.send("Page.bringToFront");
  const copied = async (does: string): Promise<string> => {
    await page.evaluate(`navigator.clipboard.writeText("")`);
    await page.evaluate(does);
    let text = "";
    await eventually(async () =>
      (text = String(await page.evaluate("navigator.clipboard.readText()"))) !== ""
    );
    return text;
  };
  const over = (selector: string, button: string): string =>
    `document.querySelector("${selector}").dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    [...document.querySelectorAll(".here button")].find((one) => one.innerText === "${button}").click()`;
  assert.equal(await copied(over("#e2 .said", "Copy")), "Show it");
  assert.equal(await copied(over("#e3 pre", "Copy code")), "const a = 1;");
  const link = await copied(over("#e3 .said", "Link"));
  assert.equal(link, `${address}session?ref=${FIRST}&seq=3#e3`);
  const key = (name: string): string =>
    `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "${name}", bubbles: true }))`;
  assert.match(await copied(key("l")), /#e[123]$/);
  await page.evaluate(key("j"));
  assert.equal(await copied(key("c")), "Show it");
});
