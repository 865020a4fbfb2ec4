import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { indexPath } from "../../lib/library/catalogue/cache/search_database.ts";
import { factsIn } from "../../lib/library/catalogue/facts_file.ts";
import { probeLock } from "../../lib/core/log/lock_file.ts";
import { textWidth } from "../../lib/text/render/text_width.ts";
import { isHarmless, withoutStyles } from "../text/render/_harmless.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { hostileLog } from "./_hostile.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";
import { testsNeeding } from "../_support/tests_in.ts";

const atTerminal = testsNeeding(TERMINAL);

const PROSE = "A sentence with **bold** words and `code`, long enough to be broken twice. ".repeat(
  3,
);
const DONE = /status=\d+$/m;

function talkingHome(): CliHome {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [
    user(PROSE),
    assistant(PROSE),
    toolStart("c1"),
    toolEnd("c1", "x".repeat(150)),
    assistant("| 学校 | name |\n|---|---|\n| 一 | two |"),
  ]);
  return home;
}

/** Returns a script that runs command lines in order and prints the last exit status. */
function script(...lines: (readonly string[])[]): string {
  return [...lines.map((args) => shellLine(args)), 'echo "status=$?"'].join("\n");
}

function styles(raw: string): number {
  return raw.split("\x1b[").length - 1;
}

for (const columns of [60, 100]) {
  atTerminal.test(`on a terminal of ${columns} columns, show colours and breaks lines at words`, async () => {
    await using home = talkingHome();
    await using terminal = await Terminal.open(home, script(["show", "aaaa"]), { columns });
    const screen = await terminal.until(DONE);
    assert.match(screen, /status=0/);
    // The terminal itself had to break no line: joined and not, they are the same.
    assert.equal(
      (await terminal.screen("-J")).replaceAll(/ +$/gm, "").trimEnd(),
      screen.trimEnd(),
    );
    const lines = screen.split("\n").filter((line) => line.startsWith("▌ "));
    assert.ok(lines.length > 2 * 60 / columns);
    for (const line of lines) assert.ok(textWidth(line) <= columns, line);
    assert.ok(lines.some((line) => textWidth(line) > columns - 15));
    const raw = terminal.raw();
    assert.ok(styles(raw) > 10);
    assert.ok(isHarmless(withoutStyles(raw).replaceAll("\r\n", "\n")));
  });
}

atTerminal.test("NO_COLOR takes the colours of a terminal away", async () => {
  await using home = talkingHome();
  const options = { columns: 80, env: { NO_COLOR: "1" } };
  await using terminal = await Terminal.open(home, script(["show", "aaaa"]), options);
  assert.match(await terminal.until(DONE), /status=0/);
  assert.equal(styles(terminal.raw()), 0);
});

atTerminal.test("long output opens the pager; ^C stays in it, q leaves it with the terminal in order", async () => {
  await using home = new CliHome();
  const talk = Array.from(
    { length: 200 },
    (_, at) => [user(`question ${at} é`), assistant("ok")],
  );
  home.keep(sessionId("aaaa"), talk.flat());
  const check = "stty -a | tr ' ;' '\\n\\n' | grep -xE -e '-?(echo|icanon)' | xargs";
  const env = { PAGER: "less" };
  const lines = `trap : INT\n${script(["show", "aaaa"])}\n${check}`;
  await using terminal = await Terminal.open(home, lines, { columns: 80, env });
  const first = await terminal.until(/question 2 é[^]*\n:\s*$/);
  assert.doesNotMatch(first, /question 190/);
  assert.ok((await terminal.screen("-e")).includes("\x1b["));
  await terminal.press("C-c");
  // An interrupted pager drops the keys that came before it was ready again.
  await terminal.pressUntil("G", /question 199[^]*\(END\)\s*$/);
  assert.doesNotMatch(await terminal.screen(), DONE);
  await terminal.press("q");
  assert.match(await terminal.until(/^-?icanon -?echo$/m), /status=0\nicanon echo/);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("no lock is held while a person reads in a pager", async () => {
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), Array.from({ length: 60 }, (_, at) => user(`question ${at}`)));
  await home.succeed(["index", "build"]);
  // The search updates the index.
  home.keep(sessionId("bbbb"), [user("another question")]);
  for (const args of [["search", "question", "-n", "60"], ["show", "aaaa"]]) {
    await using terminal = await Terminal.open(home, script(args), {
      columns: 80,
      env: { PAGER: "less" },
    });
    await terminal.until(/question[^]*\n:\s*$/);
    const locks = snapshot(home.path).map((line) => join(home.path, line.split(" ")[0] ?? ""))
      .filter((path) => /(?:^|[./])lock$/.test(path));
    for (const path of locks) assert.equal(probeLock(path), "free", path);
    for (const path of [indexPath(home.cache), ...factsIn(home.cache)]) {
      const database = new DatabaseSync(path, { timeout: 0 });
      // Throws where another process has the database locked.
      database.exec("BEGIN EXCLUSIVE; ROLLBACK");
      database.close();
    }
    await terminal.press("q");
    await terminal.until(DONE);
  }
});

atTerminal.test("show pages by itself, unless a variable says how or that it should not", async () => {
  const talk = Array.from({ length: 60 }, (_, at) => user(`question ${at}`));
  const cases: [setting: string, shown: RegExp][] = [
    ["unset PAGER", /question 1\n[^]*\n:\s*$/],
    ["REPRISE_PAGER=less PAGER=cat; export REPRISE_PAGER PAGER", /question 1\n[^]*\n:\s*$/],
    ["REPRISE_PAGER= PAGER=less; export REPRISE_PAGER PAGER", DONE],
  ];
  for (const [setting, shown] of cases) {
    await using home = new CliHome();
    home.keep(sessionId("aaaa"), talk);
    const lines = `${setting}\n${script(["show", "aaaa"])}`;
    await using terminal = await Terminal.open(home, lines, { columns: 80 });
    await terminal.until(shown);
    if (shown === DONE) continue;
    await terminal.press("q");
    assert.match(await terminal.until(DONE), /status=0/);
  }
});

atTerminal.test("a pager that is left at once, in the middle of a long log, is quiet success", async () => {
  await using home = new CliHome();
  const talk = Array.from({ length: 6_000 }, (_, at) => user(`question ${at}`));
  home.keep(sessionId("aaaa"), talk);
  const env = { PAGER: "less" };
  await using terminal = await Terminal.open(home, script(["show", "aaaa"]), {
    columns: 80,
    env,
  });
  await terminal.until(/question 1\n[^]*\n:\s*$/);
  await terminal.press("q");
  const screen = await terminal.until(DONE);
  assert.match(screen, /\nstatus=0\n/);
  assert.doesNotMatch(screen, /reprise:/);
});

atTerminal.test("text that fits on the screen needs no key, and a missing pager is not missed", async () => {
  for (const PAGER of ["less", "no-such-pager-anywhere", "cat", " "]) {
    await using home = new CliHome();
    home.keep(sessionId("aaaa"), [user("short")]);
    const options = { columns: 80, env: { PAGER } };
    await using terminal = await Terminal.open(home, script(["show", "aaaa"]), options);
    assert.match(await terminal.until(DONE), /short[^]*status=0/);
  }
});

atTerminal.test("list keeps its columns in line and its lines on one row, in every script and width", async () => {
  for (const columns of [60, 100]) {
    await using home = new CliHome();
    const long = "このセッションでは学校のページを直します。".repeat(8);
    home.keep(sessionId("aaaa"), [user(long)], { cwd: `${home.path}/学校/日本語` });
    home.keep(sessionId("bbbb"), [user("plain words ".repeat(20))], { cwd: `${home.path}/a` });
    home.keep(sessionId("cccc"), [user("👨‍👩‍👧 émoji über alles ".repeat(9))]);
    const options = { columns };
    await using terminal = await Terminal.open(home, script(["list", "--all"]), options);
    const screen = await terminal.until(DONE);
    const [head = "", ...rest] = screen.trim().split("\n");
    const rows = rest.slice(0, 3);
    assert.deepEqual(rows.map((row) => row.slice(0, 4)), ["cccc", "bbbb", "aaaa"]);
    const title = textWidth(head.slice(0, head.indexOf("title")));
    for (const row of rows) {
      assert.ok(textWidth(row) <= columns, row);
      assert.ok(row.endsWith("…"), row);
      assert.ok(columnsAt(row).has(title), `${row}\n${head}`);
    }
    assert.equal(
      (await terminal.screen("-J")).replaceAll(/ +$/gm, "").trimEnd(),
      screen.trimEnd(),
    );
  }
});

/** Returns the columns that follow two spaces. */
function columnsAt(row: string): Set<number> {
  return new Set(
    [...row.matchAll(/ {2}(?=\S)/g)].map(({ index }) => textWidth(row.slice(0, index + 2))),
  );
}

atTerminal.test("a list that is longer than the screen opens the pager", async () => {
  await using home = new CliHome();
  for (let at = 10; at < 40; at++) home.keep(sessionId(`aaaa${at}`), [user(`question ${at}`)]);
  const options = { columns: 80, env: { PAGER: "less" } };
  await using terminal = await Terminal.open(home, script(["list"]), options);
  assert.doesNotMatch(await terminal.until(/question 39\n[^]*\n:\s*$/), /question 10/);
  await terminal.press("q");
  assert.match(await terminal.until(DONE), /status=0/);
});

atTerminal.test("no hostile text reaches a terminal, where colours are written too", async () => {
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), [], { bytes: hostileLog() });
  const lines = script(["show", "aaaa", "--full"], ["path"]);
  const store = `${home.path}/st\x1b[2Jo\u202ere`;
  await Deno.rename(home.store, store);
  const options = { columns: 90, env: { REPRISE_HOME: store, PAGER: "" } };
  await using terminal = await Terminal.open(home, lines, options);
  assert.match(await terminal.until(DONE), /status=0/);
  const raw = terminal.raw();
  const bad = withoutStyles(raw).replaceAll("\r\n", "\n").split("\n")
    .find((line) => !isHarmless(line));
  assert.equal(bad, undefined, JSON.stringify(bad));
  assert.ok(styles(raw) > 1000);
  assert.ok(raw.includes("st␛[2Jo<U+202E>re"));
});

atTerminal.test("record on a terminal says that it waits; ^D ends the session, ^C cancels it", async () => {
  for (const [key, status] of [["C-d", 0], ["C-c", 130]] as const) {
    await using home = new CliHome();
    // A shell ends itself where a command dies of ^C; this one ends by itself, with 130.
    const lines = `trap : INT\n${script(["record"])}`;
    await using terminal = await Terminal.open(home, lines, { columns: 100 });
    await terminal.until(/\^D ends/);
    await terminal.press("-l", '{"kind":"user_message","payload":{"content":"typed"}}');
    await terminal.press("Enter");
    await terminal.until(/"seq":2/);
    await terminal.press(key);
    assert.match(await terminal.until(DONE), new RegExp(`status=${status}$`, "m"));
    const { stdout } = await home.run(["list"]);
    assert.match(stdout, key === "C-d" ? /completed +\S+ +typed/ : /failed +\S+ +typed/);
  }
});

atTerminal.test("list says how long ago at a terminal, and exactly when in a pipe", async () => {
  await using home = new CliHome();
  const at = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  home.keep(sessionId("aaaa"), [], { created: at(2.5) });
  home.keep(sessionId("bbbb"), [], { created: new Date("2020-01-02T12:00:00Z") });
  const lines = script(["list"]) + `\n${shellLine(["list"])} | cat`;
  await using terminal = await Terminal.open(home, lines, { columns: 80, rows: 40 });
  const screen = await terminal.until(/2020-01-02 \d\d:00 /);
  assert.match(screen, /^aaaa0000 +2h ago +2h ago /m);
  assert.match(screen, /^bbbb0000 +2020-01-02 +2020-01-02 /m);
});
