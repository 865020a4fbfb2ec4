/**
 * The program's pages in a browser, beside its other commands: statistics, a team, threads. A part of
 * `deno task test:browser`.
 */
import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { CliHome, sessionId } from "../../_support/cli_home.ts";
import { eventually } from "../../_support/eventually.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { mirror } from "../../_support/mirrored.ts";
import { needing } from "../../_support/needing.ts";
import { keepPiSession } from "../../commands/_pi_session.ts";
import { BROWSER, openBrowser, type Page } from "../../text/render/_browser.ts";
import { browserTest } from "./_site_browser.ts";

/** Runs a test with the first page of `open`, started as a process, and its address. */
function programTest(
  name: string,
  keep: (home: CliHome) => void,
  args: readonly string[],
  test: (page: Page, address: string, home: CliHome) => Promise<void>,
): void {
  Deno.test(needing(`in Chromium, ${name}`, BROWSER), async () => {
    await using home = new CliHome();
    keep(home);
    const program = home.start(["open", "--no-browser", ...args]);
    try {
      const address = await program.line() ?? "";
      await using browser = await openBrowser();
      const page = await browser.open(address, { width: 1440 });
      await eventually(async () =>
        / · Reprise$/.test(await page.evaluate("document.title").catch(() => "") as string)
      );
      await test(page, address, home);
      assert.deepEqual(page.complaints, []);
    } finally {
      program.kill("SIGINT");
      await program.end();
    }
  });
}

const DAY_MS = 86_400_000;

function answer(days_ago: number, cost_usd: number): NewEvent {
  const time = new Date(Date.now() - days_ago * DAY_MS).toISOString();
  const usage = { input: 1000 * cost_usd, output: 0 };
  return {
    kind: "assistant_message",
    time,
    payload: { content: "ok", model: "m", usage, cost_usd },
  };
}

const FIGURES = `(() => {
  const stage = document.querySelector(".stage:last-of-type");
  const [title] = [...stage.querySelectorAll("[aria-label^='Chart: Cost']")].map((one) => one.ariaLabel);
  const [table] = stage.querySelectorAll(".groups table");
  return {
    tiles: [...stage.querySelectorAll(".tiles dd")].map((one) => one.firstChild.data),
    days: title.match(/\\d{4}-\\d\\d-\\d\\d/g).slice(0, 2),
    costs: [...table.querySelectorAll("tbody tr td:nth-child(2)")].map((one) => one.innerText),
  };
})()`;

programTest(
  "statistics count the days and sums that the command line counts",
  (home) => {
    home.keep(sessionId("aaaa"), [user("hi"), answer(60, 8), answer(31, 4), answer(28, 2)]);
    home.keep(sessionId("bbbb"), [user("hi"), answer(0, 1)]);
  },
  [],
  async (page, address, home) => {
    for (const [since, args, cost] of [["30d", ["--since", "30d"], 3], ["all", [], 15]] as const) {
      await page.follow(`location.href = "${address}stats?since=${since}"`);
      const { tiles, days, costs } = await page.evaluate(FIGURES) as Record<string, string[]>;
      assert.equal(tiles?.[0], `$${cost}.00`);
      const sum = costs?.reduce((sum, text) => sum + Number(text.replace("$", "")), 0);
      assert.equal(sum, cost);
      if (since === "30d") {
        assert.equal((Date.parse(days?.[1] ?? "") - Date.parse(days?.[0] ?? "")) / DAY_MS, 29);
      }
      const { stdout } = await home.succeed(["stats", "--all", ...args], { process: true });
      assert.match(stdout, new RegExp(`^all .*\\$${cost}\\.00`, "m"));
    }
  },
);

// Slow: the sessions are so long that it takes a while to read them.
programTest(
  "the first statistics tell how far they are, and other pages come meanwhile",
  (home) => {
    const lines = Array.from({ length: 1500 }, (_, at) => {
      const message = {
        ...{ role: "assistant", content: [{ type: "text", text: "x".repeat(3000) }], model: "m" },
        ...{ usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, stopReason: "stop" },
      };
      const parentId = at === 0 ? "a1" : `b${at - 1}`;
      return JSON.stringify({
        ...{ type: "message", id: `b${at}`, parentId, timestamp: "2026-11-21T20:01:00Z", message },
      });
    });
    for (const id of ["1111aaaa", "2222aaaa", "3333aaaa", "4444aaaa", "5555aaaa", "6666aaaa"]) {
      const { path } = keepPiSession(home, id);
      Deno.writeTextFileSync(path, lines.join("\n") + "\n", { append: true });
    }
  },
  [],
  async (page, address) => {
    const told = await page.evaluate(`(async () => {
    const reader = (await fetch("${address}stats?since=all")).body.getReader();
    const decoder = new TextDecoder();
    const seen = { text: "" };
    let ends = false;
    const other = fetch("${address}go?q=a").then((one) => one.text()).then(() => ends);
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      seen.text += decoder.decode(piece.value, { stream: true });
    }
    ends = true;
    return { text: seen.text, came_late: await other };
  })()`) as { text: string; came_late: boolean };
    const shares = [...told.text.matchAll(/Reading token usage: (\d+) %/g)].map(([, one]) =>
      Number(one)
    );
    assert.ok(shares.some((share) => share > 0 && share < 100), `${shares}`);
    assert.match(told.text, /aria-label="Figures"/);
    assert.equal(told.came_late, false);
  },
);

programTest(
  "a team's session has the time of its last event, and its member",
  (home) => {
    const events = [user("Where is the okapi?"), assistant("There")];
    mirror(home.store, { owner: "ann", session: sessionId("cccc") }, events);
    const device = { id: "c0ffee00-0000-4000-8000-000000000001", label: "laptop" };
    const settings = {
      version: 1,
      url: "postgresql://ann@db.example.com/zoo",
      device,
      projects: [],
    };
    Deno.writeTextFileSync(`${home.store}/sync.json`, JSON.stringify(settings));
  },
  [],
  async (page) => {
    const text = await page.evaluate("document.querySelector('main').innerText") as string;
    // It was pulled just now.
    assert.match(text, /Friday, 2026-11-20/);
    assert.match(text, /Where is the okapi\?\s+(?:shared )?by ann/);
  },
);

const ID = sessionId("aaaa");

function call(call_id: string, name: string, input: object, output: string): NewEvent[] {
  const content = [{ type: "tool_call" as const, call_id, name, input }];
  return [
    { kind: "assistant_message", payload: { content } },
    { kind: "tool_end", payload: { call_id, name, status: "ok", output } },
  ] as NewEvent[];
}

browserTest(
  "threads are a table below their parents, and only what is read is coloured",
  (home) => {
    home.keep(ID, [
      user("Go on"),
      ...call("r", "read", { path: "src/a.ts" }, 'const zebra = "black";'),
      ...call("s", "shell", { command: "cat src/a.ts" }, 'const okapi = "brown";'),
      user("Turn left"),
      { kind: "conversation_branched", payload: { from_seq: 6 } },
      user("Turn right"),
    ]);
  },
  async (browser, address) => {
    const page = await browser.open(`${address}threads?ref=${ID}`, { width: 1440 });
    const cells = `[...document.querySelectorAll("tr[data-row]")].map((row) =>
    [...row.cells].map((cell) => [cell.innerText, cell.getBoundingClientRect().left]))`;
    const [main = [], branch = []] = await page.evaluate(cells) as [string, number][][];
    assert.deepEqual([main.slice(0, 3).map(([text]) => text), branch[1]?.[0]], [
      ["Main thread", "main", "2"],
      "branch",
    ]);
    assert.ok(new Set(main.map(([, left]) => left)).size === 6, "a column each");
    const indent =
      "getComputedStyle(document.querySelectorAll('tr[data-row] .name')[1]).paddingLeft";
    assert.ok(parseInt(await page.evaluate(indent) as string) > 8);
    await page.follow(`location.href = "${address}session?ref=${ID}"`);
    const coloured = (text: string): string =>
      `[...document.querySelectorAll("[class^=c-]")].some((one) => one.innerText.includes('${text}'))`;
    await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
    assert.equal(await page.evaluate(coloured("black")), true);
    assert.equal(await page.evaluate(coloured("brown")), false);
    assert.match(
      await page.evaluate("document.querySelector('main').innerText") as string,
      /brown/,
    );
  },
);
