/** `--max-chars` and `--cursor` of `list`, `search` and `show`. */
import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, logOf, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { mulberry32 } from "../_support/mulberry32.ts";

const MARK = /\n\[\d+ more characters of this item on the next page\]\n$/;

interface TextPage {
  text: string;
  cursor: string | undefined;
}

/** Splits the last lines off a page. */
function textPage(stdout: string): TextPage {
  const [, body = stdout, cursor] = /^([^]*?)more: --cursor (\S+)\n$/.exec(stdout) ?? [];
  return { text: body.replace(MARK, ""), cursor };
}

/** Reads all pages of a command line. */
async function pagesOf(home: CliHome, args: string[], most: number): Promise<string[]> {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const on = cursor === undefined ? [] : ["--cursor", cursor];
    const { stdout } = await home.succeed([
      ...[...args, "--max-chars", `${most}`, ...on],
    ]);
    assert.ok(stdout.length <= most, `${stdout.length} > ${most}`);
    const page = textPage(stdout);
    pages.push(page.text);
    cursor = page.cursor;
  } while (cursor !== undefined && pages.length < 1000);
  return pages;
}

/** Reads all pages of JSON, and joins cut lines. */
async function jsonPagesOf(home: CliHome, args: string[], most: number): Promise<string> {
  let [whole, cursor] = ["", ""];
  for (let pages = 0; pages < 2000; pages++) {
    const on = cursor === "" ? [] : ["--cursor", cursor];
    const { stdout } = await home.succeed([
      ...[...args, "--json", "--max-chars", `${most}`, ...on],
    ]);
    assert.ok(stdout.length <= most, `${stdout.length} > ${most}`);
    cursor = "";
    for (const line of stdout.trimEnd().split("\n")) {
      const value = JSON.parse(line);
      if ("cursor" in value) cursor = value.cursor;
      else whole += "part" in value ? value.part : `${line}\n`;
    }
    if (cursor === "") return whole;
  }
  throw new Error("It does not end");
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

inHome.test("a cursor of another query, command or session is refused with status 2", async (home) => {
  home.keep(sessionId("aaaa"), randomSession(5), { title: "Zebra" });
  home.keep(sessionId("bbbb"), randomSession(6), { title: "Zebra" });
  const cursorOf = async (args: string[]): Promise<string> => {
    const { stdout } = await home.run(args);
    const { cursor } = textPage(stdout);
    assert.ok(cursor !== undefined, `${args}: ${stdout}`);
    return cursor;
  };
  const list = await cursorOf(["list", "-n", "1", "--max-chars", "1000"]);
  const search = await cursorOf(["search", "w1", "-n", "1", "--max-chars", "1000"]);
  const show = await cursorOf(["show", "aaaa", "--max-chars", "1000"]);
  const cases: [string[], RegExp][] = [
    [["list", "--title", "Zebra", "--cursor", list], /belongs to another query/],
    [["list", "--all", "--cursor", list], /belongs to another query/],
    [["list", "--cursor", show], /list cannot continue from this cursor, because it is from show/],
    [["search", "w2", "--cursor", search], /belongs to another query/],
    [["search", "w1", "--role", "user", "--cursor", search], /belongs to another query/],
    [
      ["search", "w1", "--cursor", list],
      /search cannot continue from this cursor, because it is from list/,
    ],
    [["show", "bbbb", "--cursor", show], /belongs to another query/],
    [["show", "aaaa", "--full", "--cursor", show], /belongs to another query/],
    [["show", "aaaa", "--cursor", "show:rubbish"], /Reprise did not print this cursor/],
    [["show", "aaaa", "--cursor", ""], /Reprise did not print this cursor/],
    [["show", "aaaa", "--cursor", `${show}~1`], /Reprise did not print this cursor/],
    [["show", "aaaa", "--max-chars", "100"], /Give at least 500 characters/],
    [["show", "aaaa", "--max-chars", "x"], /whole number/],
    [["show", "aaaa", "--max-chars", "1000", "--follow"], /cannot be used with/],
  ];
  const results = await home.runAll(cases.map(([args]) => args));
  for (const [index, { status, stdout, stderr }] of results.entries()) {
    const [args, message] = cases[index] ?? [[], /./];
    assert.deepEqual([status, stdout], [2, ""], `${args}`);
    assert.match(stderr, message, `${args}`);
  }
});

inHome.test("a cursor into what was deleted or changed since is refused with status 1", async (home) => {
  const { path, directory } = home.keep(sessionId("aaaa"), randomSession(5));
  const { cursor: show = "" } = textPage(
    (await home.run(["show", "aaaa", "--max-chars", "3000"])).stdout,
  );
  const { cursor: search = "" } = textPage(
    (await home.run(["search", "w1", "-n", "1", "--max-chars", "1000"])).stdout,
  );
  await Deno.writeFile(path, logOf([{ kind: "user_message", payload: { content: "Anew" } }]));
  const changed = await home.run(["show", "aaaa", "--cursor", show]);
  assert.equal(changed.status, 1);
  assert.match(
    changed.stderr,
    /has changed since that page was printed\. Start again without --cursor/,
  );
  const gone = await home.run(["search", "w1", "--cursor", search]);
  assert.equal(gone.status, 1);
  assert.match(gone.stderr, /it points to a hit that no longer exists/);
  await Deno.remove(directory, { recursive: true });
  const deleted = await home.run(["show", "aaaa", "--cursor", show]);
  assert.equal(deleted.status, 1);
  assert.match(deleted.stderr, /Cannot find session/);
});
