/**
 * A session's page in a browser: keys, live growth and hits. A part of `deno task test:browser`.
 */
import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { type CliHome, sessionId } from "../../_support/cli_home.ts";
import { eventually } from "../../_support/eventually.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { keepPiSession } from "../../commands/_pi_session.ts";
import { isPageLeft, type Page } from "../../text/render/_browser.ts";
import { browserTest, SEEN } from "./_site_browser.ts";

const ID = sessionId("aaaa");
const created = new Date("2026-11-21T10:00:00Z");
const SESSION = `session?ref=${ID}`;
const WIDE = { width: 1440 };

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

browserTest("contents are one list in order, and grow with their session", (home) => {
  home.keep(ID, turns(200), { created });
}, async (browser, address, home) => {
  const page = await browser.open(`${address}${SESSION}&from=300#e302`, WIDE);
  const numbers =
    "[...document.querySelectorAll('#contents .number')].map((one) => +one.innerText)";
  const shown = await page.evaluate(numbers) as number[];
  assert.deepEqual(shown, Array.from(shown, (_, at) => (shown[0] ?? 0) + at));
  assert.equal(shown.at(-1), 200);
  // It is one line each, and the same element after an update.
  const line = "document.querySelector('#contents li:last-child')";
  assert.ok(await page.evaluate(`${line}.offsetHeight`) as number < 36);
  await page.evaluate(`window.last = ${line}`);
  home.keep(ID, turns(201), { created });
  await eventually(async () => (await page.evaluate(numbers) as number[]).at(-1) === 201);
  assert.equal(await page.evaluate("last.isConnected"), true);
  await page.evaluate(`${line}.querySelector("a").click()`);
  const current = "document.querySelector('#contents [aria-current] .number')?.innerText";
  await eventually(async () => await page.evaluate(current) === "201");
  assert.deepEqual(page.complaints, []);
});

const PI_SESSION = "session?ref=pi:1111aaaa";

/** Keeps a session of pi whose end is read by itself, as it is longer than a megabyte. */
function keepPiTurns(home: CliHome, count: number, length = 3000): string {
  const { path } = keepPiSession(home, "1111aaaa", "prompt 1");
  const lines = Array.from({ length: count }, (_, at) => {
    const timestamp = new Date(created.getTime() + 1000 * at).toISOString();
    const said = (role: string, text: string): object => ({
      role,
      content: [{ type: "text", text }],
    });
    const record = (id: string, parentId: string, message: object): string =>
      JSON.stringify({ type: "message", id, parentId, timestamp, message });
    const before = at === 1 ? "a1" : `b${at - 1}`;
    return [
      at === 0 ? "" : record(`a${at + 1}`, before, said("user", `prompt ${at + 1}`)),
      at === 0 ? "" : record(`b${at}`, `a${at + 1}`, {
        ...said("assistant", "x".repeat(length)),
        stopReason: "stop",
      }),
    ].filter((line) => line !== "").map((line) => `${line}\n`).join("");
  });
  Deno.writeTextFileSync(path, lines.join(""), { append: true });
  return path;
}

browserTest("an anchor of another page leads there, and the end has numbered turns", (home) => {
  home.keep(ID, turns(400), { created });
  keepPiTurns(home, 400);
}, async (browser, address) => {
  const page = await browser.open(`${address}${SESSION}#e602`, WIDE);
  const target = "document.querySelector('.item:target')?.innerText ?? ''";
  await eventually(async () => /prompt 301/.test(await asked(page, target)));
  await page.evaluate("location.hash = '#e4'");
  await eventually(async () => /prompt 2$/m.test(await asked(page, target)));
  // No event has this number: the page says so, and goes nowhere else.
  await page.evaluate("location.hash = '#e99999'");
  const text = "document.body?.innerText ?? ''";
  await eventually(async () => /Cannot find event 99999/.test(await asked(page, text)));
  for (const session of [SESSION, PI_SESSION]) {
    const end = await browser.open(`${address}${session}&end=1#end`, WIDE);
    const numbers = "[...document.querySelectorAll('.turn h2')].map((one) => one.firstChild.data)";
    await eventually(async () => (await end.evaluate(numbers) as string[]).at(-1) === "Turn 400");
    const below =
      "document.documentElement.scrollHeight - scrollY - document.getElementById('end').getBoundingClientRect().bottom";
    await end.evaluate("scrollTo(0, 1e7)");
    assert.ok(await end.evaluate(below) as number < 130, session);
    await end.close();
  }
});

let long = "";

browserTest("the turns at the end of a session above 8 MB get numbers, and keep them", (home) => {
  long = keepPiTurns(home, 400, 24_000);
}, async (browser, address) => {
  const end = await browser.open(`${address}${PI_SESSION}&end=1#end`, WIDE);
  const last = "[...document.querySelectorAll('.turn h2')].at(-1).firstChild.data";
  await eventually(async () => await end.evaluate(last) === "Turn 400");
  const line = "[...document.querySelectorAll('#contents .number')].at(-1).innerText";
  assert.equal(await end.evaluate(line), "400");
  const record = {
    ...{ type: "message", id: "z1", parentId: "b399", timestamp: created.toISOString() },
    message: { role: "user", content: [{ type: "text", text: "zebra" }] },
  };
  Deno.writeTextFileSync(long, `${JSON.stringify(record)}\n`, { append: true });
  await eventually(async () => await end.evaluate(last) === "Turn 401");
  assert.equal(await end.evaluate(line), "401");
  assert.deepEqual(end.complaints, []);
});

/** What an expression gives; nothing while the page leads on to another one. */
async function asked(page: Page, expression: string): Promise<string> {
  try {
    return String(await page.evaluate(expression));
  } catch (error) {
    if (!isPageLeft(error)) throw error;
    return "";
  }
}

browserTest("what is hidden stays hidden on the next page, and bars are not printed", (home) => {
  home.keep(ID, turns(200), { created });
}, async (browser, address) => {
  const page = await browser.open(address + SESSION, WIDE);
  const boxes = "[...document.querySelectorAll('.showing input')].map((one) => one.checked)";
  await page.evaluate("document.querySelectorAll('.showing input')[1].click()");
  assert.deepEqual(await page.evaluate(boxes), [true, false, true]);
  await page.follow("document.querySelector('.steps a:not([hidden])[href*=from]').click()");
  assert.deepEqual(await page.evaluate(boxes), [true, false, true]);
  const hidden = "[...document.body.classList].filter((one) => one.startsWith('no-'))";
  assert.deepEqual(await page.evaluate(hidden), ["no-thinking"]);
  await page.evaluate("document.querySelectorAll('.showing input')[1].click()");
  await page.follow("document.querySelector('.steps a:not([hidden])[href*=before]').click()");
  assert.deepEqual(await page.evaluate(boxes), [true, true, true]);
  await page.send("Emulation.setEmulatedMedia", { media: "print" });
  const printed =
    "['.bar', '.steps', '.acts', '.tools'].filter((one) => document.querySelector(one).offsetHeight > 0)";
  assert.deepEqual(await page.evaluate(printed), []);
  assert.deepEqual(page.complaints, []);
});

browserTest(
  "a long prompt reads as an answer does, folded at 16 lines until it is opened",
  (home) => {
    const lines = Array.from({ length: 60 }, (_, at) => `- step ${at + 1}`).join("\n");
    home.keep(ID, [user(`## Plan\n\n${lines}\n\n| a |\n|---|\n| the zebra |`), assistant("Done")], {
      created,
    });
  },
  async (browser, address) => {
    const page = await browser.open(address + SESSION, WIDE);
    assert.equal(await page.evaluate("document.querySelector('.prompt h3').innerText"), "Plan");
    const height = "document.querySelector('.prompt').offsetHeight";
    const folded = await page.evaluate(height) as number;
    assert.ok(folded < 560, `${folded}`);
    assert.match(
      await page.evaluate("document.querySelector('.whole').innerText") as string,
      /All 66/,
    );
    await page.evaluate("document.querySelector('.whole summary').click()");
    assert.ok(await page.evaluate(height) as number > 2 * folded);
    await page.evaluate("document.querySelector('.whole summary').click()");
    // A hit in the folded part opens it.
    await page.evaluate("document.querySelector('.query').value = 'zebra'");
    await page.evaluate(`document.querySelector(".query").dispatchEvent(
    new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }))`);
    assert.equal(await page.evaluate(SEEN), "zebra");
    assert.deepEqual(page.complaints, []);
  },
);

/** A call whose output holds a word, among others that are long. */
function calls(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, at) => at + 1).flatMap((at): NewEvent[] => [
    {
      kind: "assistant_message",
      payload: {
        content: [{ type: "tool_call", call_id: `c${at}`, name: "run", input: { command: "ls" } }],
      },
    },
    {
      kind: "tool_end",
      payload: {
        ...{ call_id: `c${at}`, name: "run", status: "ok" },
        output: `${"line\n".repeat(200)}zebra ${at}\n${at === 3 ? "long ".repeat(600_000) : ""}`,
      },
    },
  ]);
}

browserTest("a hit is seen and marked on arrival, also in an output of any length", (home) => {
  const prompts = Array.from({ length: 30 }, (_, at) => user(`prompt ${at}`));
  home.keep(ID, [...prompts, ...calls(3), ...prompts], { created });
}, async (browser, address) => {
  for (const width of [390, 800, 1440]) {
    const list = await browser.open(`${address}?q=zebra`, { width });
    const links = await list.evaluate(
      "[...document.querySelectorAll('.rows ol a[href*=words]')].map(({ href }) => href)",
    ) as string[];
    assert.equal(links.length, 3);
    for (const link of links) {
      const page = await browser.open(link, { width });
      assert.equal(await page.evaluate(SEEN), "zebra", `${link} at ${width}`);
      await page.close();
    }
    await list.close();
  }
  const page = await browser.open(`${address}${SESSION}&seq=33&words=zebra#e33`, { width: 1440 });
  const count = "document.querySelector('.count').textContent";
  const first = await page.evaluate(count) as string;
  await page.evaluate("document.querySelector('[data-hit=next]').click()");
  assert.notEqual(await page.evaluate(count), first);
  assert.equal(await page.evaluate(SEEN), "zebra");
});

browserTest("every key has its control, and does what that does", (home) => {
  home.keep(sessionId("bbbb"), turns(1));
  home.keep(ID, [...turns(3), ...calls(2)]);
  home.keep(sessionId("cccc"), turns(1));
}, async (browser, address) => {
  const page = await browser.open(address + SESSION, { width: 1440 });
  const press = (key: string): Promise<unknown> =>
    page.evaluate(
      `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: ${
        JSON.stringify(key)
      }, bubbles: true }))`,
    );
  const chosen = "document.querySelector('.chosen h2')?.textContent";
  await press("j");
  await press("j");
  assert.equal(await page.evaluate(chosen), "Turn 2: prompt 2");
  await press("k");
  assert.equal(await page.evaluate(chosen), "Turn 1: prompt 1");
  const open = "document.querySelectorAll('main details[open]').length";
  await press("j");
  await press("j");
  await press("o");
  assert.equal(await page.evaluate(open), 2);
  await press("o");
  assert.equal(await page.evaluate(open), 0);
  await press("e");
  assert.ok(await page.evaluate(open) as number >= 3);
  await press("?");
  assert.equal(await page.evaluate("document.querySelector('dialog').open"), true);
  const keys = "document.querySelectorAll('dialog dt').length";
  assert.ok(await page.evaluate(keys) as number >= 10);
  await press("?");
  await press("/");
  assert.equal(await page.evaluate("document.activeElement.className"), "query");
  // In a field, keys are letters.
  await press("?");
  assert.equal(await page.evaluate("document.querySelector('dialog').open"), false);
  await press("Escape");
  await page.evaluate(`navigator.clipboard.writeText = (text) => { window.copied = text; }`);
  await press("r");
  assert.equal(await page.evaluate("window.copied"), `reprise resume ${ID}`);
  await page.follow(`document.querySelector("[data-step=later]").click()`);
  assert.match(await page.evaluate("location.href") as string, new RegExp(sessionId("cccc")));
  await page.follow(`dispatchEvent(new KeyboardEvent("keydown", { key: "[" }))`);
  assert.match(await page.evaluate("location.href") as string, new RegExp(ID));
  assert.deepEqual(page.complaints, []);
});

browserTest("the key for the next hit goes on to the next page, and back", (home) => {
  const hit = [user("the first zebra"), ...turns(200), user("the second zebra"), ...turns(200)];
  home.keep(ID, hit, { created });
}, async (browser, address) => {
  const page = await browser.open(`${address}${SESSION}&seq=2&words=zebra#e2`, { width: 1440 });
  const key = (name: string): string =>
    `dispatchEvent(new KeyboardEvent("keydown", { key: "${name}" }))`;
  const turn = "document.querySelector('.item:target')?.innerText";
  assert.match(await page.evaluate(turn) as string, /the first zebra/);
  await page.follow(key("n"));
  assert.match(await page.evaluate(turn) as string, /the second zebra/);
  assert.equal(await page.evaluate(SEEN), "zebra");
  await page.follow(key("p"));
  assert.match(await page.evaluate(turn) as string, /the first zebra/);
  assert.deepEqual(page.complaints, []);
});
