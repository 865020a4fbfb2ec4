/**
 * What a browser makes of the statistics: a part of `deno task test:browser`. Ignored where there is
 * no Chromium.
 */
import assert from "node:assert/strict";
import axe from "npm:axe-core@4.14.1";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { browserTest } from "./_site_browser.ts";

const VIEWS = [{ width: 390, dark: true }, { width: 768 }, { width: 1440 }];

/** Sizes of all labels, and the pairs that cover each other, of texts that are on one line. */
const LABELS = `(() => {
  const boxes = [...document.querySelectorAll(".chart text")].map((one) => ({
    chart: one.closest("svg"), text: one.textContent, box: one.getBoundingClientRect(),
  }));
  const covered = boxes.filter(({ chart, box }, at) => boxes.some((other, index) =>
    index > at && other.chart === chart && box.left < other.box.right && other.box.left < box.right &&
    box.top < other.box.bottom - 2 && other.box.top < box.bottom - 2));
  const outside = boxes.filter(({ box }) => box.left < 0 || box.right > innerWidth);
  return {
    count: boxes.length,
    low: Math.min(...boxes.map(({ box }) => box.height)),
    covered: covered.map(({ text }) => text),
    outside: outside.map(({ text }) => text),
  };
})()`;

browserTest("labels of charts can be read on each screen", (home) => {
  const events = Array.from({ length: 300 }, (_, at): NewEvent => ({
    kind: "assistant_message",
    time: new Date(Date.parse("2026-11-22T10:00:00Z") - at * 86_400_000).toISOString(),
    payload: { content: "ok", model: "m", usage: { input: 9000 + 100 * at }, cost_usd: at / 10 },
  }));
  home.keep(sessionId("aaaa"), [user("hi"), ...events.toReversed()]);
}, async (browser, address) => {
  for (const since of ["7d", "30d", "90d", "365d", "all"]) {
    for (const view of VIEWS) {
      const page = await browser.open(`${address}stats?since=${since}`, view);
      const what = `${since} at ${view.width}`;
      const labels = await page.evaluate(LABELS) as Record<string, unknown>;
      assert.ok(
        Number(labels.count) > 15 && Number(labels.low) >= 10,
        `${what} ${JSON.stringify(labels)}`,
      );
      assert.deepEqual([labels.covered, labels.outside], [[], []], what);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), view.width, what);
      if (since === "30d") {
        await page.evaluate(axe.source);
        const violations = await page.evaluate(
          "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))",
        );
        assert.deepEqual(violations, [], what);
      }
      await page.close();
    }
  }
});

browserTest("a column of a chart, an hour and two windows lead on", (home) => {
  for (const day of [10, 20]) {
    const time = `2026-11-${day}T09:00:00.000Z`;
    const usage = { input: 1000 * day };
    home.keep(sessionId(`a${day}a`), [user("hi"), {
      kind: "assistant_message",
      time,
      payload: { content: "ok", model: `m-${day}`, usage, cost_usd: day },
    }], { created: new Date(time) });
  }
}, async (browser, address) => {
  const page = await browser.open(`${address}stats?since=7d`, { width: 1440 });
  const follow = (selector: string): Promise<void> =>
    page.follow(
      `document.querySelector("${selector}").dispatchEvent(new MouseEvent("click", { bubbles: true }))`,
    );
  await follow(".chart .part0");
  const rows = "document.querySelectorAll('[data-row]').length";
  assert.equal(await page.evaluate(rows), 1);
  await page.follow(`location.href = "${address}stats?since=7d"`);
  await follow(".heat-4");
  assert.match(
    await page.evaluate("document.querySelector('.stage:last-of-type .chips').innerText") as string,
    /Fri 09:00/,
  );
  await page.follow(`location.href = "${address}stats?since=7d"`);
  await page.follow(
    "[...document.querySelectorAll('.pages a')].find((one) => one.innerText.startsWith('Beside')).click()",
  );
  assert.equal(
    await page.evaluate("document.querySelectorAll('.stage:last-of-type .chart').length"),
    5,
  );
  await page.evaluate(axe.source);
  const violations = await page.evaluate(
    "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))",
  );
  assert.deepEqual(violations, []);
  assert.deepEqual(page.complaints, []);
});
