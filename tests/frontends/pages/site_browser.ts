/**
 * What a browser makes of the served pages: a part of `deno task test:browser`. Ignored where there
 * is no Chromium.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "npm:axe-core@4.14.1";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { type CliHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { keepClaudeSession, putStatus } from "../../commands/_fake_agent.ts";
import type { Page } from "../../text/render/_browser.ts";
import { PAYLOADS } from "../../text/render/html_document/_hostile.ts";
import { browserTest } from "./_site_browser.ts";

const ID = sessionId("aaaa");
const LONG = sessionId("cccc");
const LIVE = sessionId("dddd");
const VIEWS = [390, 800, 1440].flatMap((width) => [{ width, dark: false }, { width, dark: true }]);

function answer(text: string, day: number): NewEvent {
  return {
    kind: "assistant_message",
    time: `2026-11-${String(day).padStart(2, "0")}T10:00:00.000Z`,
    payload: {
      ...{ content: `**${text}**\n\n\`\`\`ts\nconst a = "${day}";\n\`\`\``, model: "m-1" },
      ...{ usage: { input: 900 * day, output: 30 }, cost_usd: 0.01 * day },
    },
  };
}

/** A session whose pages hold all that there is to hold. */
function keepUsual(home: CliHome): void {
  const calls: NewEvent[] = [
    {
      kind: "assistant_message",
      payload: {
        content: [{ type: "tool_call", call_id: "c", name: "edit", input: { path: "src/a.ts" } }],
      },
    },
    { kind: "tool_end", payload: { call_id: "c", name: "edit", status: "ok", output: "zebra" } },
  ];
  const days = [10, 12, 13, 20];
  home.keep(ID, days.flatMap((day) => [user(`zebra ${day}`), answer("Found it", day), ...calls]), {
    title: "Zebra hunt",
  });
  const content = "const a = 1;\n".repeat(600);
  Deno.writeTextFileSync(join(home.work, "b.ts"), content);
  const input = { path: "b.ts", content };
  home.keep(LONG, [
    user("Write b.ts"),
    {
      kind: "assistant_message",
      payload: { content: [{ type: "tool_call", call_id: "w", name: "write", input }] },
    },
    { kind: "tool_end", payload: { call_id: "w", name: "write", status: "ok" } },
    ...Array.from({ length: 200 }, () => [user("zebra"), assistant("Done")]).flat(),
  ]);
  // It runs, and has a card.
  const running = keepClaudeSession(home, LIVE, home.work);
  const record = Deno.readTextFileSync(running.path);
  Deno.writeTextFileSync(running.path, record.replace("2026-11-21T20:00", "2026-11-22T11:59"));
  putStatus(home, LIVE, { status: "waiting", waitingFor: "permission prompt" });
  for (let at = 0; at < 60; at++) {
    home.keep(sessionId(`b${String(at).padStart(3, "0")}`), [
      user(`plant ${at}`),
      assistant("Done"),
    ]);
  }
}

/** Pages, and how each is looked at: those of another kind in every way. */
const PAGES = [
  ["", VIEWS],
  ["?q=zebra", VIEWS],
  ["stats?since=all", VIEWS],
  [`session?ref=${ID}`, VIEWS],
  [`blame?ref=${LONG}&file=b.ts`, [...VIEWS.slice(0, 1), ...VIEWS.slice(-1)]],
  [`session?ref=${LONG}&from=170&words=zebra`, VIEWS.slice(0, 1)],
  [`files?ref=${LONG}`, VIEWS.slice(0, 1)],
  [`context?ref=${LONG}`, VIEWS.slice(0, 1)],
  ["?page=2", VIEWS.slice(0, 1)],
  [`threads?ref=${ID}`, VIEWS.slice(-1)],
  ["no", VIEWS.slice(-1)],
  ["edits", [...VIEWS.slice(0, 1), ...VIEWS.slice(-1)]],
  [`go?ref=${ID}&q=e`, VIEWS.slice(0, 1)],
  ["digest", VIEWS.slice(0, 1)],
  ["index", VIEWS.slice(-1)],
  [`commit?ref=${ID}`, VIEWS.slice(-1)],
  [`hit?ref=${ID}&words=nothing`, VIEWS.slice(-1)],
  ["stats?since=30d&compare=1", VIEWS.slice(0, 2)],
] as const;

function assertQuiet(page: Page, address: string): void {
  assert.deepEqual(page.requests.filter((url) => !url.startsWith(address)), []);
  assert.deepEqual(page.dialogs, []);
}

browserTest(
  "served pages fit each screen and keep no one out",
  keepUsual,
  async (browser, address) => {
    for (const [path, views] of PAGES) {
      for (const view of views) {
        const page = await browser.open(address + path, view);
        const what = `${path} at ${view.width}${view.dark ? ", dark" : ""}`;
        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), view.width, what);
        await page.evaluate(axe.source);
        const found = await page.evaluate(`axe.run(document).then(({ violations, passes }) => ({
        violations: violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
        passes: passes.map(({ id }) => id),
      }))`) as { violations: unknown[]; passes: string[] };
        assert.deepEqual(found.violations, [], what);
        assert.ok(found.passes.includes("color-contrast"), what);
        if (path === "") {
          assert.equal(await page.evaluate("document.querySelectorAll('.now li').length"), 1);
        }
        assertQuiet(page, address);
        await page.close();
      }
    }
  },
);

browserTest("a search leads to its place, and filters to their sessions", keepUsual, async (
  browser,
  address,
) => {
  const page = await browser.open(address, { width: 1440 });
  await page.follow(`(() => {
    document.querySelector("#q").value = "zebra";
    document.querySelector("form").requestSubmit();
  })()`);
  assert.ok(await page.evaluate("document.querySelectorAll('mark').length") as number >= 4);
  await page.follow(`document.querySelector(".rows a[href*='${ID}']").click()`);
  assert.match(await page.evaluate("location.href") as string, /session\?ref=.*#e\d+$/);
  assert.ok(await page.evaluate("document.querySelector('.item:target') !== null"));
  assert.ok(await page.evaluate("document.querySelector('.tools') !== null"));
  // Also in what stands after a turn.
  const count = await page.evaluate(`(() => {
    const query = document.querySelector(".tools .query");
    query.value = "30 out";
    query.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    return document.querySelector(".tools .count").textContent;
  })()`);
  assert.equal(count, "1 of 2 here");
  assert.deepEqual(page.complaints, []);
  assertQuiet(page, address);
});

browserTest("hostile texts do nothing on served pages", (home) => {
  for (const [at, payload] of PAYLOADS.slice(0, 40).entries()) {
    const id = sessionId(`c${String(at).padStart(3, "0")}`);
    home.keep(id, [user(payload), assistant(payload)], { title: payload });
  }
  home.keep(ID, PAYLOADS.flatMap((payload) => [user(payload), assistant(payload)]));
}, async (browser, address) => {
  const harm = `[...document.querySelectorAll("*")].filter((one) =>
    ["iframe", "object", "embed", "base", "video", "audio", "template"].includes(one.localName) ||
    [...one.attributes].some(({ name, value }) => name.startsWith("on") || name === "style" ||
      (["href", "src", "action"].includes(name) && /^\\s*(?:javascript|data:text|vbscript)/i.test(value)))
  ).map((one) => one.outerHTML.slice(0, 200))`;
  const scripts = "document.querySelectorAll('script').length";
  const query = encodeURIComponent("<img src=x onerror=alert(1)>");
  const lists = ["", "?q=alert", `?file=${query}&project=${query}`, `?q=${query}`];
  const sessions = [`session?ref=${ID}`, `session?ref=${ID}&end=1`, `session?ref=${query}`];
  for (const path of [...lists, ...sessions]) {
    const page = await browser.open(address + path, { width: 1440 });
    await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
    assert.deepEqual(await page.evaluate(harm), [], path);
    assert.equal(await page.evaluate(scripts), 1, path);
    assertQuiet(page, address);
    await page.close();
  }
});

browserTest("a long session comes in pages of a few thousand elements", (home) => {
  const turns = Array.from({ length: 400 }, (_, at) => [user(`Prompt ${at}`), answer("Said", 10)]);
  home.keep(ID, turns.flat());
}, async (browser, address) => {
  const page = await browser.open(`${address}session?ref=${ID}`, { width: 1440 });
  const seen = new Set<string>();
  for (let steps = 0; steps < 50; steps++) {
    assert.ok(await page.evaluate("document.querySelectorAll('*').length") as number < 6000);
    const ids = await page.evaluate(
      "[...document.querySelectorAll('.item[id]')].map(({ id }) => id)",
    );
    for (const id of ids as string[]) seen.add(id);
    const href = await page.evaluate(
      "[...document.querySelectorAll('.steps a')].find((one) => one.textContent === 'Later')?.href ?? ''",
    );
    if (href === "") break;
    await page.follow(`location.href = ${JSON.stringify(href)}`);
  }
  assert.equal(seen.size, 801);
});

browserTest("another site neither frames nor reads the pages", keepUsual, async (
  browser,
  address,
  home,
) => {
  const path = join(home.path, "evil.html");
  await Deno.writeTextFile(path, `<p>evil<iframe src="${address}"></iframe><img src="${address}">`);
  const page = await browser.open(pathToFileURL(path).href, { width: 800 });
  const read = await page.evaluate(
    `fetch(${JSON.stringify(address)}).then((all) => all.text(), () => "refused")`,
  );
  assert.equal(read, "refused");
  const framed = await page.evaluate("document.querySelector('iframe').contentDocument === null");
  assert.ok(framed);
  assert.ok(
    page.complaints.some((text) => /403|frame|X-Frame-Options/i.test(text)),
    page.complaints.join("\n"),
  );
});
