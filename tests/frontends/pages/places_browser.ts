/**
 * Ways through the pages in a browser: the palette, a search in a whole session, subagents, edits. A
 * part of `deno task test:browser`.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { type CliHome, sessionId } from "../../_support/cli_home.ts";
import { eventually } from "../../_support/eventually.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import type { Page } from "../../text/render/_browser.ts";
import { browserTest } from "./_site_browser.ts";

const ID = sessionId("aaaa");
const WIDE = { width: 1440 };
const created = new Date("2026-11-21T10:00:00Z");

function turns(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, at) => [
    { ...user(`prompt ${at + 1}`), time: new Date(Date.UTC(2026, 10, 21, 8, at)).toISOString() },
    assistant(at === 2 ? "a striped horse" : "Done"),
  ]).flat();
}

/** Presses a key where the focus is. */
async function press(page: Page, key: string, more = {}): Promise<void> {
  await page.evaluate(
    `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", ${
      JSON.stringify({ key, bubbles: true, cancelable: true, ...more })
    }))`,
  );
}

/** Types into the palette, and waits for a line that it finds. */
async function find(page: Page, text: string, line: RegExp): Promise<void> {
  await page.evaluate(`(() => {
    const field = document.querySelector(".palette input");
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new Event("input", { bubbles: true }));
  })()`);
  const found = "document.querySelector('.palette #found')?.innerText ?? ''";
  await eventually(async () => line.test(await page.evaluate(found) as string), () => text);
}

browserTest("Ctrl-K leads to sessions, projects, turns, times, pages and words", (home) => {
  home.keep(ID, turns(200), { title: "Long talk" });
  home.keep(sessionId("bbbb"), [user("Feed the okapi")], { title: "Okapi" });
}, async (browser, address) => {
  const page = await browser.open(`${address}session?ref=${ID}`, WIDE);
  const open = "document.querySelector('.palette').open";
  await press(page, "k", { ctrlKey: true });
  assert.equal(await page.evaluate(open), true);
  await find(page, "okapi", /^session\s+Okapi/);
  await press(page, "ArrowDown");
  assert.match(await page.evaluate("document.activeElement.innerText") as string, /Okapi/);
  await press(page, "ArrowUp");
  await page.follow(
    `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }))`,
  );
  assert.match(await page.evaluate("location.href") as string, new RegExp(sessionId("bbbb")));
  const target = "document.querySelector('.item:target')?.innerText ?? ''";
  for (
    const [text, line, wanted] of [
      ["180", /Turn 180/, /prompt 180$/m],
      ["10:30", /Turn at 10:30/, /prompt 151$/m],
      ["striped", /“striped” in this session/, /a striped horse/],
    ] as const
  ) {
    await page.follow(`location.href = ${JSON.stringify(`${address}session?ref=${ID}&n=${text}`)}`);
    await press(page, "k", { metaKey: true });
    await find(page, text, line);
    await page.follow("document.querySelector('.palette #found a').click()");
    assert.match(await page.evaluate(target) as string, wanted);
  }
  // Buttons of the page are actions.
  await press(page, "k", { ctrlKey: true });
  await find(page, "archive", /action\s+Archive/);
  await press(page, "k", { ctrlKey: true });
  assert.equal(await page.evaluate(open), false);
  assert.deepEqual(page.complaints, []);
});

browserTest("the field of a session searches all of its pages", (home) => {
  home.keep(ID, [...turns(200), user("the last zebra")]);
}, async (browser, address) => {
  const page = await browser.open(`${address}session?ref=${ID}`, WIDE);
  const field = "document.querySelector('.query')";
  assert.equal(await page.evaluate(`${field}.placeholder`), "Search in this session");
  await page.evaluate(`${field}.value = "zebra"`);
  await page.follow(`${field}.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }))`);
  const target = "document.querySelector('.item:target')?.innerText";
  assert.match(await page.evaluate(target) as string, /the last zebra/);
  assert.equal(await page.evaluate(`${field}.value`), "zebra");
  assert.deepEqual(page.complaints, []);
});

browserTest("the first key of a page skips what is above its list", (home) => {
  for (const id of ["aaaa", "bbbb"]) home.keep(sessionId(id), [user(id)], { title: id });
}, async (browser, address) => {
  const page = await browser.open(address, WIDE);
  const tab = async (key: string): Promise<string> => {
    await page.send("Input.dispatchKeyEvent", {
      type: "rawKeyDown",
      key,
      code: key,
      windowsVirtualKeyCode: key === "Tab" ? 9 : 13,
    });
    if (key === "Enter") await page.send("Input.dispatchKeyEvent", { type: "char", text: "\r" });
    await page.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key });
    return await page.evaluate("document.activeElement.innerText") as string;
  };
  assert.equal(await tab("Tab"), "Skip to the list");
  await tab("Enter");
  assert.equal(await tab("Tab"), "bbbb");
});

const SESSION = "c0ffee00-0000-4000-8000-000000000041";
const FOLDER = ".claude/projects/-home-dev-src-app";

function put(home: CliHome, path: string, ...records: object[]): void {
  const whole = join(home.path, path);
  Deno.mkdirSync(dirname(whole), { recursive: true });
  const lines = records.map((record, at) =>
    `${
      JSON.stringify({
        ...{ parentUuid: at === 0 ? null : `u${at}`, isSidechain: false, userType: "external" },
        ...{ cwd: "/home/dev/src/app", sessionId: SESSION, version: "2.1.29", uuid: `u${at + 1}` },
        ...{ timestamp: `2026-11-21T10:00:0${at}.000Z`, ...record },
      })
    }\n`
  );
  Deno.writeTextFileSync(whole, lines.join(""));
}

function said(role: "user" | "assistant", content: unknown): object {
  return { type: role, message: { role, content } };
}

browserTest("a subagent unfolds below its call, and grows there", (home) => {
  const input = { description: "Feed", prompt: "Feed the zebra", subagent_type: "general" };
  put(
    home,
    `${FOLDER}/${SESSION}.jsonl`,
    said("user", "Care for the animals"),
    said("assistant", [{ type: "tool_use", id: "t1", name: "Task", input }]),
  );
  keepSubagent(home, 1);
}, async (browser, address, home) => {
  const page = await browser.open(`${address}session?ref=claude:${SESSION}`, WIDE);
  await page.evaluate("document.querySelector('.subagent summary').click()");
  const text = "document.querySelector('.subagent').innerText";
  await eventually(async () => /fed 1 times/.test(await page.evaluate(text) as string));
  keepSubagent(home, 2);
  await eventually(async () => /fed 2 times/.test(await page.evaluate(text) as string));
  assert.equal(await page.evaluate("document.querySelector('.subagent details').open"), true);
  await page.follow("document.querySelector('.subagent .note a').click()");
  assert.match(await page.evaluate("location.href") as string, /thread=abc/);
  assert.deepEqual(page.complaints, []);
});

function keepSubagent(home: CliHome, answers: number): void {
  const sub = { isSidechain: true, agentId: "abc" };
  put(
    home,
    `${FOLDER}/${SESSION}/subagents/agent-abc.jsonl`,
    { ...said("user", "Feed the zebra"), ...sub },
    ...Array.from({ length: answers }, (_, at) => ({
      ...said("assistant", [{ type: "text", text: `fed ${at + 1} times` }]),
      ...sub,
    })),
  );
}

browserTest("the edits of all sessions come newest first, each with its prompt", (home) => {
  for (const [id, day, path] of [["aaaa", 20, "a.ts"], ["bbbb", 21, "b.ts"]] as const) {
    const time = `2026-11-${day}T10:00:00.000Z`;
    home.keep(sessionId(id), [
      { ...user(`Change ${path}`), time },
      {
        kind: "diff",
        time,
        payload: { path, lines: [{ kind: "added", content: `const ${id} = 1;` }] },
      },
    ], { created: new Date(time) });
  }
}, async (browser, address, home) => {
  const page = await browser.open(`${address}edits`, WIDE);
  const prompts = "[...document.querySelectorAll('.edit h2')].map((one) => one.innerText)";
  assert.deepEqual(await page.evaluate(prompts), ["Change b.ts", "Change a.ts"]);
  assert.match(
    await page.evaluate("document.querySelector('.edit').innerText") as string,
    /const bbbb/,
  );
  home.keep(sessionId("cccc"), [user("Change c.ts"), {
    kind: "diff",
    payload: { path: "c.ts", lines: [{ kind: "added", content: "c" }] },
  }]);
  await eventually(async () => (await page.evaluate(prompts) as string[]).includes("Change c.ts"));
  await page.follow("document.querySelectorAll('.edit h2 a')[2].click()");
  assert.match(
    await page.evaluate("document.querySelector('.item:target').innerText") as string,
    /Change a/,
  );
  assert.deepEqual(page.complaints, []);
});

browserTest("marks are set in place, and usage above a page is told once", (home) => {
  home.keep(ID, usedTurns(30), { created });
}, async (browser, address, home) => {
  const page = await browser.open(`${address}session?ref=${ID}&from=3`, { ...WIDE, height: 500 });
  const above = "document.querySelectorAll('#items > .is-turn').length";
  assert.equal(await page.evaluate(above), 1);
  await page.evaluate("scrollTo(0, 400)");
  const top = await page.evaluate("scrollY") as number;
  const href = await page.evaluate("location.href");
  await page.evaluate(`(() => {
    document.querySelector(".marks").open = true;
    document.querySelector(".marks [name=tags]").value = "zebra";
    document.querySelector(".marks form").requestSubmit();
  })()`);
  const head = "document.querySelector('#head').innerText";
  await eventually(async () => /#zebra/.test(await page.evaluate(head) as string));
  await page.evaluate("document.querySelector('.acts [name=pinned]').click()");
  await eventually(async () => /Unpin/.test(await page.evaluate(head) as string));
  assert.equal(await page.evaluate("location.href"), href);
  // A tag may make the head a line higher.
  assert.ok(Math.abs(await page.evaluate("scrollY") as number - top) < 40);
  home.keep(ID, usedTurns(31), { created });
  await eventually(async () =>
    /prompt 31/.test(await page.evaluate("document.querySelector('#items').textContent") as string)
  );
  assert.equal(await page.evaluate(above), 1);
  assert.deepEqual(page.complaints, []);
});

function usedTurns(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, at) => [user(`prompt ${at + 1}`), {
    kind: "assistant_message" as const,
    payload: { content: "Done", model: "m", usage: { input: 9, output: 30 }, cost_usd: 0.5 },
  }]).flat();
}
