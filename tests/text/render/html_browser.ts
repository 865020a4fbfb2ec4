/**
 * What a browser makes of the page: `deno task test:browser`. Ignored where there is no Chromium.
 */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "npm:axe-core@4.14.1";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { DARK, LIGHT } from "../../../lib/text/render/html_document/palette.ts";
import { BROWSER, type Browser, openBrowser, type Page } from "./_browser.ts";
import { RICH_ITEMS, SAMPLE_ITEMS } from "./_sample_items.ts";
import { hostileHeader, hostileItems, PAYLOADS } from "./html_document/_hostile.ts";
import { HEADER, pageOf } from "./html_document/_page.ts";
import { eventually } from "../../_support/eventually.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { testsIn } from "../../_support/tests_in.ts";

const VIEWS = [390, 800, 1440].flatMap((width) => [false, true].map((dark) => ({ width, dark })));
/** Each width, by day or by night: the rules of access take long. */
const SOME_VIEWS = [VIEWS[0], VIEWS[1], VIEWS[2], VIEWS[5]].flatMap((view) => view ?? []);

const inFolder = testsIn(withDirectory, BROWSER);

/** Runs a test with a browser and a folder for its pages. */
function browserTest(
  name: string,
  test: (browser: Browser, write: (page: string) => Promise<string>) => Promise<void>,
): void {
  inFolder.test(`in Chromium, ${name}`, async (folder) => {
    await using browser = await openBrowser();
    let count = 0;
    await test(browser, async (page) => {
      const path = join(folder, `${++count}.html`);
      await Deno.writeTextFile(path, page);
      return pathToFileURL(path).href;
    });
  });
}

function renumbered(items: readonly TranscriptItem[], first: number): TranscriptItem[] {
  return items.map(({ end_seq: _end, ...item }, index) => ({ ...item, seq: first + index }));
}

const WHOLE = pageOf([...SAMPLE_ITEMS, ...renumbered(RICH_ITEMS, 100)]);

const OPEN_ALL = "document.querySelectorAll('details').forEach((one) => one.open = true)";
const CLOSE_ALL = "document.querySelectorAll('details').forEach((one) => one.open = false)";

/** How many different bytes the picture holds: a blank one holds next to none. */
function variety(png: Uint8Array): number {
  const data = Buffer.from(png);
  const chunks: Buffer[] = [];
  for (let at = 8; at < data.length; at += 12 + data.readUInt32BE(at)) {
    const type = data.toString("latin1", at + 4, at + 8);
    if (type === "IDAT") chunks.push(data.subarray(at + 8, at + 8 + data.readUInt32BE(at)));
  }
  return new Set(inflateSync(Buffer.concat(chunks))).size;
}

async function assertNothingLeaves(page: Page): Promise<void> {
  // What was started has the time to be seen.
  await page.evaluate(
    "new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))",
  );
  assert.deepEqual(page.requests, []);
  assert.deepEqual(page.dialogs, []);
  assert.deepEqual(page.complaints, []);
}

browserTest("the page fits a phone and a desk, by day and by night", async (browser, write) => {
  const url = await write(WHOLE);
  for (const view of VIEWS) {
    const page = await browser.open(url, view);
    for (const fold of [CLOSE_ALL, OPEN_ALL]) {
      await page.evaluate(fold);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      assert.equal(width, view.width, JSON.stringify(view));
      const beyond = await page.evaluate(`[...document.querySelectorAll("main *")].filter((one) =>
        !one.closest(".wide, .unseen, .short, .also, thead") &&
        one.getBoundingClientRect().right > innerWidth + 1
      ).map((one) => one.outerHTML.slice(0, 120))`);
      assert.deepEqual(beyond, []);
      assert.ok(variety(await page.screenshot()) > 50);
    }
    const ground = await page.evaluate(
      "getComputedStyle(document.documentElement).backgroundColor",
    );
    const { page: color } = view.dark ? DARK : LIGHT;
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
    assert.equal(ground, `rgb(${red}, ${green}, ${blue})`);
    await assertNothingLeaves(page);
    await page.close();
  }
  const blank = await browser.open(await write("<p>"), { width: 360 });
  assert.ok(variety(await blank.screenshot()) < 10);
});

browserTest(
  "contents and changes stand side by side where there is room",
  async (browser, write) => {
    const url = await write(WHOLE);
    const places = `(() => {
    const left = (selector) => document.querySelector(selector).getBoundingClientRect().left;
    const [before, after] = [".diff td.del:nth-child(2)", ".diff td.ins:nth-child(4)"].map(left);
    return { beside: left("main") > left("nav"), columns: after > before };
  })()`;
    const wide = await browser.open(url, { width: 1280 });
    assert.deepEqual(await wide.evaluate(places), { beside: true, columns: true });
    const narrow = await browser.open(url, { width: 360 });
    assert.deepEqual(await narrow.evaluate(places), { beside: false, columns: false });
  },
);

browserTest("the page has nothing that keeps anyone out", async (browser, write) => {
  const bare = pageOf(SAMPLE_ITEMS, HEADER, { tools: "none" });
  for (const text of [WHOLE, bare, pageOf([])]) {
    const url = await write(text);
    for (const view of SOME_VIEWS) {
      const page = await browser.open(url, view);
      await page.evaluate(axe.source);
      for (const fold of [CLOSE_ALL, OPEN_ALL]) {
        await page.evaluate(fold);
        const found = await page.evaluate(`axe.run(document).then(({ violations, passes }) => ({
          violations: violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
          passes: passes.map(({ id }) => id),
        }))`) as { violations: unknown[]; passes: string[] };
        assert.deepEqual(found.violations, [], JSON.stringify(view));
        assert.ok(found.passes.includes("color-contrast") && found.passes.length > 15);
      }
      await page.close();
    }
  }
});

browserTest("the check of access finds what keeps someone out", async (browser, write) => {
  const page = await browser.open(await write("<p style='color:#ccc'>faint<img src='data:,'>"), {
    width: 360,
  });
  await page.evaluate(axe.source);
  const ids = await page.evaluate("axe.run().then((all) => all.violations.map(({ id }) => id))");
  for (const id of ["color-contrast", "image-alt", "html-has-lang", "document-title"]) {
    assert.ok((ids as string[]).includes(id), id);
  }
});

/** What a page must not have. */
const HARM = `(() => {
  // What the page's own script made.
  const all = [...document.querySelectorAll("*")].filter((one) => one.closest(".tools") === null);
  const attributes = all.flatMap((one) => [...one.attributes].map(({ name, value }) => [name, value]));
  const of = (names) => all.filter((one) => names.includes(one.localName)).length;
  const named = (names) => attributes.filter(([name]) => names.includes(name)).length;
  const urls = attributes.filter(([name]) => ["href", "src"].includes(name)).map(([, url]) => url);
  return {
    scripts: of(["script"]),
    elements: of(["iframe", "frame", "object", "embed", "link", "base", "form", "input",
      "button", "video", "audio", "source", "svg", "math", "template", "area"]),
    styles: of(["style"]),
    metas: of(["meta"]),
    handlers: attributes.filter(([name]) => name.startsWith("on")).length,
    attributes: named(["style", "srcdoc", "action", "formaction", "xlink:href", "background",
      "ping", "srcset", "poster", "target", "autofocus"]),
    urls: urls.filter((url) => !/^(?:#|https?:|mailto:|data:image\\/(?:png|jpeg|gif|webp);)/.test(url)),
    external: all.filter((one) => one.localName === "img" && !one.src.startsWith("data:")).length,
  };
})()`;

const NO_HARM = {
  scripts: 1,
  elements: 0,
  styles: 1,
  metas: 6,
  handlers: 0,
  attributes: 0,
  urls: [],
  external: 0,
};

browserTest("300 hostile texts in every field do nothing", async (browser, write) => {
  for (let at = 0; at < PAYLOADS.length; at += 50) {
    const some = PAYLOADS.slice(at, at + 50);
    const items = some.flatMap((payload) => hostileItems(payload));
    const url = await write(
      pageOf(renumbered(items, 1), hostileHeader(some[0] ?? ""), { tools: "full" }),
    );
    const page = await browser.open(url, { width: 1280 });
    await page.evaluate(OPEN_ALL);
    assert.deepEqual(await page.evaluate(HARM), NO_HARM);
    const shown = await page.evaluate("document.querySelectorAll('.item').length");
    assert.ok(shown as number > some.length * (SAMPLE_ITEMS.length + 2), String(shown));
    const text = await page.evaluate("document.body.textContent") as string;
    assert.ok(text.split("alert(1)").length > 1000 || at >= 200, String(text.length));
    await assertNothingLeaves(page);
    await page.close();
  }
});

browserTest("the check of harm sees what a careless page would do", async (browser, write) => {
  const page = await browser.open(
    await write(
      "<script>alert(1)</script><img src='https://evil.example/x' onerror='1'><a href='javascript:1'>",
    ),
    { width: 360 },
  );
  assert.deepEqual(page.dialogs, ["1"]);
  assert.deepEqual(page.requests, ["https://evil.example/x"]);
  const harm = await page.evaluate(HARM) as typeof NO_HARM;
  const { scripts, elements, handlers, external, urls } = harm;
  assert.deepEqual([scripts, elements, handlers, external, urls.length], [1, 0, 1, 1, 1]);
});

browserTest("the policy of the page stops a script that got in", async (browser, write) => {
  const script =
    "<script>alert(1)</script><img src='https://evil.example/x'><p style='color:red' id='red'>";
  const page = await browser.open(
    await write(WHOLE.replace('<main id="main">', (main) => main + script)),
    {
      width: 360,
    },
  );
  assert.deepEqual(page.dialogs, []);
  assert.deepEqual(page.requests, ["https://evil.example/x"]);
  assert.deepEqual(page.blocked, ["csp"]);
  assert.equal(page.complaints.length, 3, page.complaints.join("\n"));
  const color = await page.evaluate("getComputedStyle(document.getElementById('red')).color");
  assert.notEqual(color, "rgb(255, 0, 0)");
});

browserTest("a link to an event leads to it, however long the page", async (browser, write) => {
  const turns = Array.from({ length: 150 }, () => [...RICH_ITEMS, ...SAMPLE_ITEMS]);
  const items = renumbered(turns.flat(), 1);
  const target = { ...items[2000], end_seq: 9000 } as TranscriptItem;
  const url = await write(pageOf(items.with(2000, target)));
  for (const [hash, width] of [["e2001", 360], ["e9000", 1280]] as const) {
    const page = await browser.open(`${url}#${hash}`, { width });
    const top = await page.evaluate("document.getElementById('e2001').getBoundingClientRect().top");
    assert.ok(Math.abs(top as number) < 200, String(top));
    assert.ok(await page.evaluate("scrollY") as number > 10_000);
    await page.close();
  }
});

/** Types into the search of the page, and goes on from hit to hit. */
function search(words: string, keys: number): string {
  return `(() => {
    const field = document.querySelector(".tools .query");
    field.value = ${JSON.stringify(words)};
    const enter = () => field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    for (let at = 0; at < ${keys}; at++) enter();
    const current = [...(CSS.highlights.get("current") ?? [])][0];
    return {
      count: document.querySelector(".tools .count").textContent,
      found: String(current ?? ""),
      seen: current?.startContainer.parentElement.checkVisibility() ?? false,
    };
  })()`;
}

browserTest("the page finds texts, also in what is folded or hidden", async (browser, write) => {
  const items: TranscriptItem[] = [1, 2, 3].flatMap((turn) =>
    [
      {
        type: "message",
        role: "user",
        content: `Prompt ${turn}`,
        seq: turn * 10,
        integrity: "verified",
      },
      {
        ...{ type: "tool", name: "read", call_id: "c", input: { path: "a.ts" }, status: "ok" },
        ...{
          output: `before\nthe needle ${turn}\nafter`,
          seq: turn * 10 + 1,
          integrity: "verified",
        },
      },
    ] as TranscriptItem[]
  );
  const page = await browser.open(await write(pageOf(items)), { width: 1440 });
  assert.deepEqual(await page.evaluate(search("NEEDLE 2", 1)), {
    ...{ count: "1 of 1", found: "needle 2", seen: true },
  });
  assert.deepEqual(await page.evaluate(search("needle", 3)), {
    ...{ count: "3 of 3", found: "needle", seen: true },
  });
  assert.deepEqual(await page.evaluate(search("nowhere", 1)), {
    ...{ count: "0 hits", found: "", seen: false },
  });
  await page.evaluate("document.querySelectorAll('.tools [type=checkbox]')[0].click()");
  const shown =
    "[...document.querySelectorAll('.is-call')].filter((one) => one.checkVisibility()).length";
  assert.equal(await page.evaluate(shown), 0);
  assert.deepEqual(await page.evaluate(search("needle", 1)), {
    ...{ count: "1 of 3", found: "needle", seen: true },
  });
  assert.equal(await page.evaluate(shown), 3);
  await assertNothingLeaves(page);
});

browserTest(
  "parts are hidden and shown, all is unfolded, the place is marked",
  async (browser, write) => {
    const page = await browser.open(await write(WHOLE), { width: 1440 });
    const visible = (selector: string): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
      .filter((one) => one.checkVisibility()).length`);
    const click = (at: number): Promise<unknown> =>
      page.evaluate(`document.querySelectorAll(".tools [type=checkbox]")[${at}].click()`);
    await page.evaluate("document.querySelector('.tools .showing button').click()");
    assert.equal(
      await page.evaluate("document.querySelectorAll('main details:not([open])').length"),
      0,
    );
    for (const [at, selector] of [".is-command", ".is-thinking", ".out"].entries()) {
      assert.ok(await visible(selector) as number > 0, selector);
      await click(at);
      assert.equal(await visible(selector), 0, selector);
      await click(at);
      assert.ok(await visible(selector) as number > 0, selector);
    }
    const current = "document.querySelector('.contents [aria-current]')?.hash";
    const last = await page.evaluate(
      "[...document.querySelectorAll('.contents li a')].at(-1).hash",
    );
    await page.evaluate(`location.hash = ${JSON.stringify(last)}`);
    await eventually(async () => await page.evaluate(current) === last);
  },
);

browserTest("without scripts everything can be read", async (browser, write) => {
  const page = await browser.open(await write(WHOLE), { width: 800 });
  const count = "document.querySelectorAll('.item').length";
  const before = await page.evaluate(count);
  await page.send("Emulation.setScriptExecutionDisabled", { value: true });
  await page.follow("location.reload()");
  assert.equal(await page.evaluate("document.querySelectorAll('.tools').length"), 0);
  assert.equal(await page.evaluate(count), before);
  assert.ok(variety(await page.screenshot()) > 50);
});
