/** `--max-chars` and `--cursor` of `list`, `search` and `show`. */
import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { mulberry32 } from "../_support/mulberry32.ts";

const MARK = /\n\[\d+ more characters of this item on the next page\]\n$/;
const LAST_LINE = /(?<=^|\n)(?:more: --cursor |\{"cursor":")([^"\s]+)(?:"\})?\n$/;

/** Reads all pages of a command line, without their last lines. */
async function pagesOf(home: CliHome, args: string[], most: number): Promise<string[]> {
  const pages: string[] = [];
  for (let on: string[] = []; pages.length < 2000;) {
    const { stdout } = await home.succeed([...args, "--max-chars", `${most}`, ...on]);
    assert.ok(stdout.length <= most, `${stdout.length} > ${most}`);
    const [, cursor] = LAST_LINE.exec(stdout) ?? [];
    pages.push(stdout.replace(LAST_LINE, "").replace(MARK, ""));
    if (cursor === undefined) return pages;
    on = ["--cursor", cursor];
  }
  throw new Error("It does not end");
}

/** Reads all pages of JSON, and joins cut lines. */
async function jsonPagesOf(home: CliHome, args: string[], most: number): Promise<string> {
  const pages = await pagesOf(home, [...args, "--json"], most);
  return pages.join("").trimEnd().split("\n").map((line) => {
    const value = JSON.parse(line);
    return "part" in value ? value.part : `${line}\n`;
  }).join("");
}

function randomSession(seed: number): NewEvent[] {
  const random = mulberry32(seed);
  const text = (most: number): string =>
    Array.from({ length: 1 + Math.floor(random() ** 3 * most) }, (_, at) => `w${at}🐟 "\\`).join(
      random() < 0.3 ? "\n" : " ",
    );
  return Array.from({ length: 4 }, (_, at): NewEvent[] => [
    user(text(40)),
    toolStart(`c${at}`, { path: text(4) }),
    toolEnd(`c${at}`, text(250)),
    assistant(text(120)),
  ]).flat();
}

// Slow: each page is a run of the command.
inHome.test("pages of show joined are what show prints, in each of its forms", async (home) => {
  home.keep(sessionId("aaaa"), randomSession(3), { title: "Long" });
  const forms = [[], ["--full"], ["--tools", "brief"], ["--tools", "none"], ["--last", "5"]];
  for (const form of forms) {
    const args = ["show", "aaaa", ...form];
    const [whole] = await home.runAll([[...args, "--max-chars", "10000000"]]);
    const plain = await home.run(args);
    // The tail alone is not numbered.
    if (!form.includes("--last")) assert.equal(whole?.stdout, plain.stdout);
    for (const most of form.length === 0 ? [700, 2500, 20_000] : [900]) {
      assert.equal((await pagesOf(home, args, most)).join(""), whole?.stdout, `${form} ${most}`);
    }
  }
  for (const form of [[], ["--last", "5"]]) {
    const args = ["show", "aaaa", ...form];
    const { stdout } = await home.run([...args, "--json"]);
    for (const most of [800, 5000]) assert.equal(await jsonPagesOf(home, args, most), stdout);
  }
});

inHome.test("pages of show begin a little before an event that is named, and events come in pages", async (home) => {
  home.keep(sessionId("aaaa"), randomSession(4), { title: "Long" });
  const named = await home.run(["show", "aaaa#10"]);
  assert.equal((await pagesOf(home, ["show", "aaaa#10"], 900)).join(""), named.stdout);
  const events = await home.run(["show", "aaaa", "--events", "--max-chars", "3000"]);
  assert.equal(jsonLines(events.stdout)[0]?.kind, "session_started");
  assert.match(events.stdout, /\{"cursor":"show:\S+"\}\n$/);
});

inHome.test("pages of list hold every session once, and ids that open it", async (home) => {
  for (let at = 0; at < 12; at++) {
    home.keep(sessionId(`aaaa${at + 10}`), [user(`Question ${at} ${"long ".repeat(at % 7 * 40)}`)]);
  }
  for (const most of [600, 1500, 1e6]) {
    const pages = await pagesOf(home, ["list"], most);
    const rows = pages.join("").match(/Question \d+/g);
    assert.deepEqual(rows, Array.from({ length: 12 }, (_, at) => `Question ${11 - at}`));
  }
  const { stdout } = await home.run(["list", "--json"]);
  for (const most of [500, 3000]) assert.equal(await jsonPagesOf(home, ["list"], most), stdout);
  const four = await pagesOf(home, ["list", "-n", "4"], 1e6);
  assert.equal(four.length, 3);
  const [, id = ""] = /^(aaaa\w+) /m.exec(four[2] ?? "") ?? [];
  assert.equal((await home.run(["path", id])).status, 0, `${id} names one session`);
});

// Slow: each page is a run of the command.
inHome.test("pages of search hold every hit once, in the order of the search", async (home) => {
  for (let at = 0; at < 5; at++) {
    home.keep(sessionId(`${at + 10}00`), [user(`A zebra ${at}.`), assistant(`The zebra ${at}!`)]);
  }
  for (const sort of ["relevance", "time"]) {
    const args = ["search", "zebra", "--sort", sort, "-n", "100"];
    const { stdout } = await home.run(args);
    const found = stdout.match(/^ {4}.*zebra.*$/gm);
    assert.equal(found?.length, 10);
    for (const most of [500, 900, 1e6]) {
      const pages = await pagesOf(home, args, most);
      assert.deepEqual(pages.join("").match(/^ {4}.*zebra.*$/gm), found, `${sort} ${most}`);
    }
    const lines = jsonLines(await jsonPagesOf(home, args, 500));
    const plain = jsonLines((await home.run([...args, "--json"])).stdout);
    const places = (hits: Record<string, unknown>[]): unknown[] =>
      hits.map(({ ref, seq, role }) => [ref, seq, role]);
    assert.deepEqual(places(lines), places(plain));
  }
});

inHome.test("a cursor of another search, or at a hit that is gone, is refused", async (home) => {
  const { directory } = home.keep(sessionId("aaaa"), randomSession(5));
  const { stdout } = await home.run(["search", "w1", "-n", "1", "--max-chars", "1000"]);
  const [, cursor = ""] = LAST_LINE.exec(stdout) ?? [];
  const refused = async (status: number, why: RegExp, ...args: string[]): Promise<void> => {
    const told = await home.run(["search", ...args, "--cursor", cursor]);
    assert.deepEqual([told.status, told.stdout], [status, ""]);
    assert.match(told.stderr, why);
  };
  await refused(2, /belongs to another query/, "w2");
  await refused(2, /belongs to another query/, "w1", "--role", "user");
  Deno.removeSync(directory, { recursive: true });
  await refused(1, /it points to a hit that no longer exists/, "w1");
});
