import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { textWidth } from "../../lib/text/render/text_width.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { atFullSize } from "../_support/full_size.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { isHarmless, withoutStyles } from "../text/render/_harmless.ts";
import { keepPiSession } from "./_pi_session.ts";
import { shellLine, TERMINAL, Terminal, type TerminalOptions } from "./_terminal.ts";
import { needing } from "../_support/needing.ts";
import { settle } from "../_support/settle.ts";
import { testsNeeding, testsWith } from "../_support/tests_in.ts";

const atThreeSessions = testsWith(threeSessions, TERMINAL);

const atTerminal = testsNeeding(TERMINAL);

const READY = /^❯ /m;
const DONE = /^status=\d+$/m;
const SIZE: TerminalOptions = { columns: 100, rows: 30, env: { PAGER: "" } };

/** Returns a script that prints the exit status, and whether the terminal was restored. */
function script(args: readonly string[]): string {
  return [
    "trap : INT TERM",
    'stty -g > "$HOME/before"',
    shellLine(args),
    "echo status=$?",
    'stty -g > "$HOME/after"',
    'cmp "$HOME/before" "$HOME/after" && echo as before',
  ].join("\n");
}

function threeSessions(): CliHome {
  const home = new CliHome();
  home.keep(sessionId("aaaa"), [user("Fix the login page"), assistant("It was the cookie")]);
  home.keep(sessionId("bbbb"), [user("学校のページを直す"), assistant("直しました")]);
  home.keep(sessionId("cccc"), [user("👨‍👩‍👧 émoji everywhere"), assistant("The end of cccc")]);
  home.keep(sessionId("dddd"), [user("Asked elsewhere")], { cwd: join(home.path, "other") });
  return home;
}

async function open(
  home: CliHome,
  args: readonly string[] = ["show"],
  options: TerminalOptions = SIZE,
): Promise<Terminal> {
  return await Terminal.open(home, script(args), options);
}

/** Waits for the highlighted line. */
async function chosen(terminal: Terminal, pattern: RegExp): Promise<void> {
  await terminal.until(new RegExp(`^❯ .*${pattern.source}`, "m"));
}

// Slow: a program in a terminal is answered key by key.
atThreeSessions.test("a typed order reads the sessions that it needs; a wrong one names the orders", async (home) => {
  const payload = { content: "Answer", model: "m-1", cost_usd: 2 };
  home.keep(sessionId("eeee"), [user("A long task"), {
    kind: "assistant_message",
    time: "2026-11-21T20:24:00.000Z",
    payload,
  }]);
  await using terminal = await open(home, ["show", "--last", "1"]);
  await terminal.until(READY);
  await terminal.type("sort:duration");
  const sorted = await terminal.until(/^Sessions · this project · 4 of 4 · sorted by duration$/m);
  assert.match(sorted, /^ +updated +messages +duration +title/m);
  await chosen(terminal, /2m 02s .*A long task/);
  await terminal.type("x");
  await terminal.until(/^Sessions · Cannot sort by durationx; sort by one of updated, created,/m);
  await terminal.press("Escape");
  await terminal.until(DONE);
});

// Slow: a program in a terminal is answered key by key.
atThreeSessions.test("a typed file keeps the sessions that changed it, in any folder", async (home) => {
  const input = { file_path: "src/App.ts", content: "1\n" };
  const content = [{ type: "tool_call" as const, call_id: "c", name: "write", input }];
  home.keep(sessionId("eeee"), [
    user("Change the app"),
    { kind: "assistant_message", payload: { content } },
    { kind: "tool_end", payload: { call_id: "c", name: "write", status: "ok", output: "" } },
  ]);
  await using terminal = await open(home, ["show", "--last", "1"]);
  await terminal.until(/this project · 4$/m);
  await terminal.type("file:App.ts");
  const found = await terminal.until(/^Sessions · this project · 1 of 4$/m);
  assert.match(found, /Change the app/);
  await terminal.press("Escape");
  await terminal.until(DONE);
});

// Slow: a program in a terminal is answered key by key.
atThreeSessions.test("without a REF sessions of this project are listed; typing narrows it down, Enter shows", async (home) => {
  await using terminal = await open(home, ["show", "--last", "1"]);
  const first = await terminal.until(READY);
  assert.match(first, /^Sessions · this project · 3$/m);
  assert.match(first, /^ +updated +messages +title$/m);
  assert.match(first, /^❯ \S.* 2 {2}👨‍👩‍👧 émoji everywhere$/m);
  assert.match(first, /Enter show · Tab all projects · Esc cancel/);
  // Rows are as wide as the screen: its last column too.
  assert.match(first, /^─{100}$/m);
  assert.doesNotMatch(first, /elsewhere/);
  await terminal.type("LOGIN fix");
  assert.doesNotMatch(await terminal.until(/· 1 of 3$/m), /学校/);
  await chosen(terminal, /Fix the login page/);
  await terminal.press("Enter");
  const shown = await terminal.until(/as before/);
  assert.match(shown, /It was the cookie/);
  assert.match(shown, /^status=0$/m);
  // The list was on the other screen.
  assert.doesNotMatch(shown, /Sessions ·/);
});

// Slow: a program in a terminal is answered key by key.
atThreeSessions.test("remembered sessions are shown first, then corrected; the cursor stays on its session", async (home) => {
  const { directory } = home.keep(sessionId("eeee"), [user("Deleted since")]);
  const changed = home.keep(sessionId("ffff"), [user("Renamed since")]);
  await settle();
  assert.equal((await home.run(["list"])).stdout.match(/since$/gm)?.length, 2);
  await Deno.remove(directory, { recursive: true });
  await home.run(["rename", changed.id, "Its new name"]);
  const later = new Date("2099-01-01T00:00:00Z");
  home.keep(sessionId("9999"), [user("Made since")], { created: later });

  await using terminal = await open(home);
  const screen = await terminal.until(/^Sessions · this project · 5$/m);
  assert.doesNotMatch(screen, /Deleted since|Renamed since/);
  assert.match(screen, /Made since\n❯ .*Its new name\n/);
  const [first] = terminal.raw().split("Made since");
  assert.match(first ?? "", /this project · 5 · loading/);
  assert.match(first ?? "", /Deleted since/);
  await terminal.press("Escape");
  await terminal.until(DONE);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("arrows, ^N, ^P, Page and End keys move; text in any script is filtered and edited", async () => {
  await using home = new CliHome();
  for (let at = 0; at < 60; at++) {
    home.keep(sessionId(`aaaa${at + 10}`), [user(`question ${at}`)]);
  }
  home.keep(sessionId("bbbb"), [user("学校のページを直す")]);
  await using terminal = await open(home);
  await chosen(terminal, /学校/);
  const moves: [string, RegExp][] = [
    ["Down", /question 59/],
    ["C-n", /question 58/],
    ["C-p", /question 59/],
    ["Up", /学校/],
    ["Up", /学校/],
    ["End", /question 0$/],
    ["PPage", /question 1\d$/],
    ["NPage", /question 0$/],
    ["Home", /学校/],
  ];
  for (const [key, pattern] of moves) {
    await terminal.press(key);
    await chosen(terminal, pattern);
  }
  await terminal.type("学校x");
  await terminal.until(/No session matches "学校x"/);
  await terminal.press("Enter");
  await terminal.press("BSpace");
  await terminal.until(/^> 学校$[^]*^❯ .*学校/m);
  await terminal.press("C-u");
  await terminal.until(/this project · 61$/m);
  await terminal.press("Escape");
  assert.match(await terminal.until(/as before/), /^status=130$/m);
});

// Slow: a program in a terminal is answered key by key.
atThreeSessions.test("Tab goes from this project to all projects; other agents' sessions are shown too", async (home) => {
  keepPiSession(home);
  await using terminal = await open(home);
  const agents = await terminal.until(/this project · 4$/m);
  assert.match(agents, /messages +agent +title[^]*pi +Asked of pi/);
  await terminal.press("Tab");
  const all = await terminal.until(/all projects · 5$/m);
  assert.match(
    all,
    /updated +(?:created +)?messages +agent +directory +title[^]*~\/other +Asked elsewhere/,
  );
  await terminal.press("Tab");
  await terminal.until(/this project · 4$/m);
  await terminal.press("BTab");
  await terminal.type("pi");
  await chosen(terminal, /Asked of pi/);
  await terminal.until(/user · [^]*Asked of pi/);
  await terminal.press("Enter");
  assert.match(await terminal.until(/as before/), /Asked of pi/);
});

// Slow: a program in a terminal is answered key by key.
atThreeSessions.test("the last messages of the highlighted session are shown, of a long log too", async (home) => {
  const long = Array.from({ length: 1500 }, (_, at) => assistant(`${at} ${"word ".repeat(200)}`));
  home.keep(sessionId("eeee"), [user("A long one"), ...long, user("Its last question")]);
  await using terminal = await open(home);
  await terminal.until(/^❯ .*A long one[^]*Its last question/m);
  await terminal.press("Down");
  await terminal.until(/^❯ .*émoji[^]*^─+$[^]*The end of cccc/m);
  await terminal.press("Up");
  await terminal.until(/Its last question/);
  await terminal.press("C-c");
  assert.match(await terminal.until(/as before/), /^status=130$/m);
});

// Slow: a program in a terminal is answered key by key.
atThreeSessions.test("the screen is right at any size, and after a resize, with wide characters on it", async (home) => {
  const title = "このセッションでは学校のページを直します。".repeat(8);
  home.keep(sessionId("eeee"), [user(title), assistant(`${title}\n`.repeat(9))]);
  await using terminal = await open(home, ["show"], { ...SIZE, columns: 20, rows: 5 });
  const small = await terminal.until(/^❯ [^]*Enter show/m);
  assert.equal(small.trimEnd().split("\n").length, 5);
  for (const [columns, rows] of [[120, 40], [61, 15], [33, 8], [20, 4], [100, 24]] as const) {
    await terminal.resize(columns, rows);
    // The last row is the footer, so the whole screen is drawn anew.
    const keys = columns < 40 ? "Enter show" : "Tab all projects";
    // Where there is room, the highlighted session's last messages stand below a rule once they are read.
    const rule = rows > 13 ? "(?=[^]*\\n─+\\n)" : "";
    const screen = await terminal.until(
      new RegExp(`^${rule}Sessions ·.*\\n(?:.*\\n){${rows - 2}}.*${keys}.*\\s*$`),
    );
    const lines = screen.trimEnd().split("\n");
    assert.equal(lines.length, rows, screen);
    assert.equal(screen.match(/^Sessions ·/gm)?.length, 1, screen);
    assert.equal(screen.match(/^❯ /gm)?.length, 1, screen);
    for (const line of lines) assert.ok(textWidth(line) <= columns, line);
    if (rows >= 10) {
      assert.equal(lines.filter((line) => /^─+$/.test(line)).length, Number(rows > 13));
    }
  }
  await terminal.press("Down");
  await chosen(terminal, /émoji/);
  await terminal.press("Escape");
  assert.match(await terminal.until(/as before/), /^status=130$/m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("all sessions are shown where the project has none; an empty store says how to make one", async () => {
  await using home = new CliHome();
  home.keep(sessionId("dddd"), [user("Asked elsewhere")], { cwd: join(home.path, "other") });
  await using terminal = await open(home);
  await terminal.until(/all projects · 1$/m);
  await chosen(terminal, /Asked elsewhere/);
  await terminal.press("Tab");
  const screen = await terminal.until(/No sessions of this project yet/);
  assert.match(screen, /Tab: show all projects[^]*reprise record/);
  await terminal.press("Enter");
  await terminal.press("Escape");
  assert.match(await terminal.until(/as before/), /^status=130$/m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("the key after Enter is for the pager", async () => {
  await using home = new CliHome();
  home.keep(
    sessionId("aaaa"),
    Array.from({ length: 100 }, (_, at) => user(`question ${at}`)),
  );
  await using terminal = await open(home, ["show"], { ...SIZE, env: { PAGER: "less" } });
  await terminal.until(READY);
  await terminal.press("Enter");
  await terminal.until(/question 2\n[^]*\n:\s*$/);
  await terminal.press("G");
  await terminal.until(/question 99[^]*\(END\)\s*$/);
  await terminal.press("q");
  assert.match(await terminal.until(/as before/), /^status=0$/m);
});

// Slow: a program in a terminal is answered key by key.
atThreeSessions.test("text that is typed after Esc is for the next reader, and a text that is pasted is one", async (home) => {
  const child = fileURLToPath(new URL("./_picker_then_line.ts", import.meta.url));
  const lines = `'${Deno.execPath()}' run -A '${child}'`;
  await using terminal = await Terminal.open(home, lines, SIZE);
  await terminal.until(READY);
  await terminal.type("fix the login page ".repeat(20));
  await terminal.until(/· 1 of 3$/m);
  await terminal.press("Escape");
  await terminal.until(/^picked nothing$/m);
  await terminal.type("the next line");
  await terminal.press("Enter");
  await terminal.until(/^read "the next line\\n"$/m);
});

// Slow: a program in a terminal is answered key by key.
atThreeSessions.test("the terminal is given back on SIGTERM, and when something fails", async (home) => {
  const pid = join(home.path, "pid");
  const lines = script([]).replace(
    shellLine([]),
    () => `sh -c 'echo $$ > "$HOME/pid"; exec "$@"' sh ${shellLine([])}`,
  );
  await using terminal = await Terminal.open(home, lines, SIZE);
  await terminal.until(READY);
  Deno.kill(Number(await Deno.readTextFile(pid)), "SIGTERM");
  assert.match(await terminal.until(/as before/), /^status=143$/m);

  await using other = threeSessions();
  const main = shellLine([]);
  const fault = fileURLToPath(new URL("./_throwing_picker.ts", import.meta.url));
  const throwing = script([]).replace(main, () => `'${Deno.execPath()}' run -A '${fault}'`);
  await using failing = await Terminal.open(other, throwing, SIZE);
  await failing.until(READY);
  await failing.press("Down");
  const screen = await failing.until(/as before/);
  assert.match(screen, /ended by: RangeError: a fault of ours[^]*^status=70$/m);
  assert.doesNotMatch(screen, /Sessions ·/);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("titles and messages that are hostile are shown, not obeyed", async () => {
  await using home = new CliHome();
  const hostile = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202eevil\r";
  home.keep(sessionId("aaaa"), [user(`${hostile} title`), assistant(`${hostile} answer`)]);
  await using terminal = await open(home);
  await terminal.until(/^❯ .*␛\[2J␛\]0;owned[^]*answer/m);
  await terminal.press("Escape");
  await terminal.until(DONE);
  // deno-lint-ignore no-control-regex -- the escapes that the picker itself writes
  const own = /\x1b\[(?:\?(?:1049|2026|2004|1000|1006|25|7)[hl]|\d+;\d+H|[HJK]|2J)/g;
  const raw = withoutStyles(terminal.raw().replaceAll(own, "")).replaceAll(
    /\r+\n/g,
    "\n",
  );
  const bad = raw.split("\n").find((line) => !isHarmless(line));
  assert.equal(bad, undefined, JSON.stringify(bad));
});

// Only with thousands the list still grows when the first letters are typed.
for (
  const [test, count] of [
    [needing("with hundreds of sessions, what is typed at once is not lost", TERMINAL), 200],
    [atFullSize("with thousands of sessions, what is typed at once is not lost", TERMINAL), 3000],
  ] as const
) {
  // Slow: a program in a terminal is answered key by key.
  Deno.test({
    ...test,
    async fn(): Promise<void> {
      await using home = new CliHome();
      for (let at = 0; at < count; at++) {
        home.keep(sessionId(at.toString(16).padStart(8, "0")), [user(`question ${at}.`)]);
      }
      await using terminal = await open(home);
      await terminal.until(/^Sessions ·/m);
      await terminal.type(`${count - 1}.`);
      await terminal.until(new RegExp(`· 1 of ${count}$`, "m"));
      await chosen(terminal, new RegExp(`question ${count - 1}\\.`));
      await terminal.press("Escape");
      assert.match(await terminal.until(/as before/), /^status=130$/m);
    },
  });
}

atThreeSessions.test("a terminal that cannot be drawn on is refused with status 2", async (home) => {
  await using terminal = await open(home, ["show"], { ...SIZE, env: { TERM: "dumb" } });
  const screen = await terminal.until(DONE);
  assert.match(screen, /Cannot ask which session: [^]*REF \(see: reprise list\)\n[^]*status=2$/m);
});

Deno.test("without a terminal nothing is asked: show refuses, resume takes the latest", async () => {
  await using home = threeSessions();
  const [alone, show, resume] = await home.runAll([[], ["show"], ["resume"]], { stdin: "\r" });
  assert.deepEqual([alone?.status, alone?.stdout], [2, ""]);
  assert.match(alone?.stderr ?? "", /^Usage: reprise/);
  assert.deepEqual([show?.status, show?.stdout], [2, ""]);
  assert.match(show?.stderr ?? "", /^reprise: Cannot ask which session: .*REF.*reprise list/);
  assert.equal(resume?.status, 0);
  assert.match(resume?.stdout ?? "", /chat --resume cccc0000-/);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("the picker goes on in all projects where this one has nothing", async () => {
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), [user("Asked here")]);
  home.keep(sessionId("bbbb"), [user("Fly"), assistant("to Sydney")], { cwd: home.path });
  await home.run(["tag", "bbbb", "bug"]);
  await using terminal = await open(home);
  await terminal.until(/Asked here/);
  await terminal.type("Sydney");
  await terminal.until(/Nothing in this project\. In all projects:[^]*Fly/);
  await terminal.press("C-u");
  await terminal.until(/this project · 1$[^]*Asked here/m, "visible");
  await terminal.type("tag:bug");
  await terminal.until(/Nothing in this project\. In all projects:[^]*Fly/, "visible");
  await terminal.press("C-u");
  await terminal.until(/this project · 1$[^]*Asked here/m, "visible");
  await terminal.press("Escape");
});
