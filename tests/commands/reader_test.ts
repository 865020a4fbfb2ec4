import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { textWidth } from "../../lib/text/render/text_width.ts";
import { BlamedHome } from "../features/blame/_repository.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { eventually } from "../_support/eventually.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { isHarmless, withoutStyles } from "../text/render/_harmless.ts";
import { keepClaudeSession } from "./_fake_agent.ts";
import { shellLine, TERMINAL, Terminal, type TerminalOptions } from "./_terminal.ts";
import { testsNeeding, testsWith } from "../_support/tests_in.ts";

const atSessions = testsWith(sessions, TERMINAL);

const atTerminal = testsNeeding(TERMINAL);

const SIZE: TerminalOptions = { columns: 80, rows: 24 };
const LIST = /^❯ /m;

/** Runs the program, and says whether the terminal is then as it was before. */
const SCRIPT = [
  "trap : INT TERM",
  'stty -g > "$HOME/before"',
  shellLine([]),
  "echo status=$?",
  'stty -g > "$HOME/after"',
  'cmp "$HOME/before" "$HOME/after" && echo as before',
].join("\n");

/** Sessions: one of many turns, with calls; one in wide characters. */
function sessions(): CliHome {
  const home = new CliHome();
  const turns: NewEvent[] = Array.from({ length: 40 }, (_, at) => [
    user(`question ${at}`),
    toolStart(`c${at}`),
    toolEnd(`c${at}`),
    assistant(`answer ${at}${at === 7 ? " with a needle" : ""}`),
  ]).flat();
  home.keep(sessionId("bbbb"), [user("学校のページを直す".repeat(12)), assistant("直しました")]);
  home.keep(sessionId("aaaa"), [user("Fix the login page"), ...turns], {
    created: new Date("2026-12-01T00:00:00Z"),
  });
  return home;
}

async function open(home: CliHome, options: TerminalOptions = SIZE): Promise<Terminal> {
  return await Terminal.open(home, SCRIPT, options);
}

/** Opens the newest session. */
async function read(terminal: Terminal): Promise<string> {
  await terminal.until(LIST);
  await terminal.press("Enter");
  return await terminal.until(/\? keys/);
}

async function typed(terminal: Terminal, key: string, pattern: RegExp): Promise<string> {
  await terminal.type(key);
  return await terminal.until(pattern, "visible");
}

// Slow: a program in a terminal is answered key by key.
atSessions.test("reprise alone lists sessions; Enter reads from the end, q goes back, Esc leaves", async (home) => {
  await using terminal = await open(home);
  assert.match(await terminal.until(LIST), /Enter read/);
  const end = await read(terminal);
  assert.match(end, /^Fix the login page · Reprise · /);
  assert.match(end, /answer 39/);
  assert.doesNotMatch(end, /question 0$/m);
  await typed(terminal, "q", /Enter read/);
  await terminal.press("Escape");
  const left = await terminal.until(/as before/);
  assert.match(left, /^status=0$/m);
  // All was on the other screen.
  assert.doesNotMatch(left, /Fix the login page/);
});

// Slow: a program in a terminal is answered key by key.
atSessions.test("typing finds text of sessions, too, and shows it", async (home) => {
  await using terminal = await open(home);
  await terminal.until(LIST);
  await terminal.type("needle");
  await terminal.until(/^❯ .*Fix the login page[^]*^Match: .*with a needle/m);
  // Enter opens the session where it was said.
  await terminal.press("Enter");
  await terminal.until(/answer 7 with a needle[^]*“needle” · 1 of 1 block/, "visible");
  await terminal.press("Escape");
  await terminal.until(/\? keys/, "visible");
  await terminal.press("q");
  await terminal.until(/Enter read/, "visible");

  await terminal.press("C-u");
  await terminal.type("lgn");
  await terminal.until(/· 1 of 2[^]*^❯ .*Fix the login page/m);
  await terminal.press("Escape");
  await terminal.until(/as before/);
});

// Slow: a program in a terminal is answered key by key.
atSessions.test("keys scroll, jump between prompts, fold, list the contents and find", async (home) => {
  await using terminal = await open(home);
  await read(terminal);
  await typed(terminal, "g", /^(?:┃| ) session +aaaa0000/m);
  await typed(terminal, "]", /^┃ ▌ user #2[^]*Fix the login page/m);
  await typed(terminal, "]", /^┃ ▌ user #3 [^\n]*\n┃ ▌ question 0$/m);
  await typed(terminal, "[", /^Fix[^\n]*\n┃ ▌ user #2/);
  await typed(terminal, "/needle", /^\/needle$/m);
  await terminal.press("Enter");
  await terminal.until(/answer 7 with a needle/, "visible");
  await typed(terminal, "n", /“needle” · 1 of 1 block · search wrapped around to the begin/);
  await terminal.press("Escape");
  await typed(terminal, "c", /^Contents · 41 prompts\n\n/m);
  await terminal.press("Home", "Enter");
  await terminal.until(/^Fix[^\n]*\n┃ ▌ user #2/, "visible");
  await terminal.press("Tab");
  await terminal.until(/Tool calls and thinking are collapsed/, "visible");
  await typed(terminal, "?", /^Keys\n/m);
  await typed(terminal, "x", /\? keys/);
  await typed(terminal, "G", /answer 39[^]*100 %/);
  // The wheel, as terminals report it.
  await terminal.type("\x1b[<64;10;10M\x1b[<64;10;10M");
  await terminal.until(/question 38\n[^]* 9\d % · 122 blocks/, "visible");
  await terminal.press("C-c");
  assert.match(await terminal.until(/as before/), /^status=130$/m);
});

// Slow: a program in a terminal is answered key by key.
atSessions.test("y copies the selected block, e writes the session to a file", async (home) => {
  await using terminal = await open(home);
  await read(terminal);
  await typed(terminal, "g", /^(?:┃| ) session +aaaa/m);
  await typed(terminal, "]", /^Fix[^\n]*\n┃ ▌ user #2/m);
  await typed(terminal, "y", /Copied 18 characters/);
  await terminal.rawWith(`\x1b]52;c;${btoa("Fix the login page")}\x07`);
  await typed(terminal, "e", /Export to: aaaa0000-[-\w]+\.html/);
  await terminal.press("C-u");
  await terminal.type("out.md");
  await terminal.press("Enter");
  await terminal.until(/Exported to out\.md/);
  assert.match(await Deno.readTextFile(join(home.work, "out.md")), /question 39/);
  await typed(terminal, "e", /Export to/);
  await terminal.press("C-u");
  await terminal.type("out.md");
  await terminal.press("Enter");
  await terminal.until(/Cannot write export: the file exists/);
  await terminal.press("C-c");
  await terminal.until(/as before/);
});

// Slow: a program in a terminal is answered key by key.
atSessions.test("f shows what is appended", async (home) => {
  await using terminal = await open(home);
  await read(terminal);
  await typed(terminal, "f", /following/);
  const { stdout } = await home.run(["path", "aaaa0000"]);
  const more = { kind: "assistant_message", payload: { content: "said just now" } };
  await Deno.writeTextFile(stdout.trim(), JSON.stringify({ seq: 999, ...more }) + "\n", {
    append: true,
  });
  await terminal.until(/said just now/, "visible");
  await terminal.press("C-c");
  await terminal.until(/as before/);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("f shows what was added since the session was opened, and what a sub-agent adds", async () => {
  await using home = new CliHome();
  const id = "3f2a91c0-1111-4222-8333-444455556666";
  const { path } = keepClaudeSession(home, id, home.work);
  const folder = join(dirname(path), id, "subagents");
  await Deno.mkdir(folder, { recursive: true });
  const thread = join(folder, "agent-abc.jsonl");
  const ask = (file: string, uuid: string, parentUuid: string | null, content: string): void => {
    const of_thread = file === thread ? { isSidechain: true, agentId: "abc" } : {};
    const record = {
      ...{ type: "user", uuid, parentUuid, isSidechain: false, sessionId: id, ...of_thread },
      ...{ timestamp: "2026-11-21T20:01:00.000Z", message: { role: "user", content } },
    };
    Deno.writeTextFileSync(file, `${JSON.stringify(record)}\n`, { append: true });
  };
  ask(thread, "s1", null, "Find the zebra");
  await using terminal = await open(home);
  await read(terminal);
  ask(path, "u2", "u1", "said before f");
  await typed(terminal, "f", /following/);
  await terminal.until(/said before f/, "visible");
  await typed(terminal, "t", /^Threads[^]*zebra/m);
  await terminal.press("End", "Enter");
  await terminal.until(/^┃ ▌[^\n]*\n┃ ▌ Find the zebra/m, "visible");
  ask(thread, "s2", "s1", "said to the sub-agent");
  await terminal.until(/said to the sub-agent/, "visible");
  await terminal.press("C-c");
  await terminal.until(/as before/);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("x tells what the model has and what was dropped, and Enter goes there", async () => {
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), [
    user("Find the zebra"),
    ...Array.from({ length: 40 }, (_, at) => assistant(`answer ${at}`)),
    { kind: "compaction_applied", payload: { status: "", summary: "An animal was found." } },
    user("Go on"),
  ]);
  await using terminal = await open(home);
  await read(terminal);
  const list = await typed(terminal, "x", /^The model's context has 2 messages/m);
  assert.match(list, /At event #43, compaction 1 left out 41 messages/);
  await terminal.press("End", "Enter");
  await terminal.until(/▌ Find the zebra/, "visible");
  await terminal.press("C-c");
  await terminal.until(/as before/);
});

// Slow: a program in a terminal is answered key by key.
atSessions.test("T tags the session that is read, and p pins it; the list then finds both", async (home) => {
  assert.equal((await home.run(["note", "aaaa", "Ask Ann"])).status, 0);
  await using terminal = await open(home);
  await read(terminal);
  await terminal.type("T");
  await terminal.until(/^Tags:/m, "visible");
  await terminal.type("bug later");
  await terminal.press("Enter");
  await terminal.until(/Tags: #bug #later/, "visible");
  await terminal.until(/^#bug #later Fix the login page/m, "visible");
  await typed(terminal, "p", /Pinned/);
  await terminal.until(/^★ #bug #later Fix the login page · Ask Ann · /m, "visible");
  await terminal.press("C-c");
  await terminal.until(/as before/);
  const { stdout } = await home.run(["list", "--all", "--tag", "later", "--pinned"]);
  assert.match(stdout, /★ #bug #later Fix the login page/);
});

// Slow: a program in a terminal is answered key by key.
atSessions.test("the terminal is given back on SIGTERM, and while ^Z has stopped the program", async (home) => {
  const pid = join(home.path, "pid");
  const started = SCRIPT.replace(
    shellLine([]),
    () => `sh -c 'echo $$ > "$HOME/pid"; exec "$@"' sh ${shellLine([])}`,
  );
  await using killed = await Terminal.open(home, started, SIZE);
  await read(killed);
  Deno.kill(Number(await Deno.readTextFile(pid)), "SIGTERM");
  const ended = await killed.until(/as before/);
  assert.match(ended, /^status=143$/m);
  assert.doesNotMatch(ended, /\? keys/);

  await using stopped = await Terminal.open(home, "exec env PS1='$ ' sh -i", SIZE);
  await stopped.until(/^\$/m);
  await stopped.type(`stty -g > before; ${shellLine([])}`);
  await stopped.press("Enter");
  await read(stopped);
  await stopped.press("C-z");
  await stopped.until(/[Ss]topped/);
  await stopped.type("stty -g > during; cmp before during && echo the same");
  await stopped.press("Enter");
  assert.doesNotMatch(await stopped.until(/^the same$/m), /\? keys/);
  await stopped.type("fg");
  await stopped.press("Enter");
  await stopped.until(/answer 39[^]*\? keys/, "visible");
  await stopped.press("C-c");
  await stopped.until(/\$\s*$/);
  await stopped.type("expr 40 + 2");
  await stopped.press("Enter");
  await stopped.until(/42$/m);
});

// Slow: a program in a terminal is answered key by key.
atSessions.test("a session is shown at any size, after a resize, and in wide characters", async (home) => {
  for (const [columns, rows] of [[40, 24], [20, 5], [200, 40], [12, 1]] as const) {
    await using terminal = await open(home, { columns, rows });
    await terminal.until(LIST);
    await terminal.press("Down", "Enter");
    const shown = await terminal.until(/直しました|し/, "visible");
    for (const line of shown.split("\n")) assert.ok(textWidth(line) <= columns, line);
    await terminal.resize(60, 20);
    await terminal.until(/学校のページを直す[^]*直しました[^]*\? keys/, "visible");
    await terminal.press("C-c");
    await terminal.until(/as before/);
  }
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("NO_COLOR shows no style; what a session holds is never obeyed", async () => {
  await using home = new CliHome();
  const hostile = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202eevil\r";
  home.keep(sessionId("aaaa"), [user(`${hostile} title`), assistant(`${hostile} answer`)]);
  await using plain = await open(home, { ...SIZE, env: { NO_COLOR: "1" } });
  await read(plain);
  await plain.press("C-c");
  await plain.until(/as before/);
  // deno-lint-ignore no-control-regex -- a style
  assert.doesNotMatch(plain.raw(), /\x1b\[[0-9;]*m/);

  await using terminal = await open(home);
  await read(terminal);
  await typed(terminal, "/evil", /^\/evil/m);
  await terminal.press("Enter");
  await typed(terminal, "c", /^Contents/m);
  await terminal.press("C-c");
  await terminal.until(/as before/);
  const own =
    // deno-lint-ignore no-control-regex -- the escapes that the program itself writes
    /\x1b\[(?:\?(?:1049|2026|2004|1000|1006|25|7)[hl]|\d+;\d+H|[HJK]|2J|2?7m)/g;
  const raw = withoutStyles(terminal.raw().replaceAll(own, ""))
    .replaceAll(/\r+\n/g, "\n");
  const bad = raw.split("\n").find((line) => !isHarmless(line));
  assert.equal(bad, undefined, JSON.stringify(bad));
});

// Slow: a program in a terminal is answered key by key.
atSessions.test("in the list, ? shows the keys, ^X exports, ^R resumes, ^T tags, ^F pins and ^O archives", async (home) => {
  await using terminal = await open(home);
  await terminal.until(LIST);
  await typed(
    terminal,
    "?",
    /^Keys$[^]*Ctrl\+R +resume the session in its agent[^]*any key: back/m,
  );
  await terminal.press("Escape");
  await terminal.until(/Enter read/, "visible");
  await terminal.press("C-x");
  await terminal.until(/^Exported to aaaa0000-.*\.html$/m, "visible");
  const { size } = await Deno.stat(join(home.work, `${sessionId("aaaa")}.html`));
  assert.ok(size > 1000);
  // The message stays until the next key, and a file is not written over.
  await terminal.press("C-x");
  await terminal.until(/^Cannot write export: the file exists/m, "visible");
  await terminal.press("C-r");
  await terminal.until(/^Cannot choose a model/m, "visible");
  await terminal.press("C-t");
  await terminal.until(/^Tags:/m, "visible");
  await terminal.type("bug");
  await terminal.press("Enter");
  await terminal.until(/^❯ .*#bug Fix the login page/m, "visible");
  await terminal.press("C-f");
  await terminal.until(/^❯ .*★ #bug Fix the login page/m, "visible");
  await terminal.type("tag:bug needle");
  await terminal.until(/· 1 of 2[^]*^Match: .*needle/m, "visible");
  await terminal.press("C-o");
  await terminal.until(/^Archived\. Undo: reprise archive --undo/m, "visible");
  await terminal.until(/No session matches "tag:bug needle"/, "visible");
  await terminal.press("C-c");
  assert.match(await terminal.until(/as before/), /^status=130$/m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("o opens the file of the selected edit at its line, Y copies the code of an answer", async () => {
  await using home = new CliHome();
  const lines = [{ kind: "added" as const, new: 7, content: "let two" }];
  home.keep(sessionId("aaaa"), [
    user("Edit it"),
    toolStart("c"),
    { kind: "diff", turn_id: "t1", payload: { call_id: "c", path: "a.ts", lines } },
    toolEnd("c", "The file was edited: let two"),
    assistant("Run:\n```sh\nls -l\n```"),
  ]);
  await Deno.writeTextFile(join(home.work, "a.ts"), "");
  const editor = join(home.path, "vim");
  await Deno.writeTextFile(editor, '#!/bin/sh\necho "$@" > "$HOME/edited"\n', { mode: 0o700 });
  await using terminal = await open(home, { ...SIZE, env: { EDITOR: editor } });
  // The last answer is selected, and the edit is shown once.
  const end = await read(terminal);
  assert.match(end, /^┃ assistant #[^]*^┃ .*ls -l$/m);
  assert.equal(end.match(/let two/g)?.length, 1);
  await typed(terminal, "Y", /Copied 5 characters/);
  await terminal.rawWith(`\x1b]52;c;${btoa("ls -l")}\x07`);
  await typed(terminal, "o", /This block does not change a file/);
  await terminal.press("Left");
  await terminal.until(/^┃ ± a\.ts/m, "visible");
  await terminal.type("o");
  const written = (): Promise<string> => Deno.readTextFile(join(home.path, "edited"));
  // The shell makes the file before it writes into it.
  const edited = await eventually(
    () => written().then((text) => text !== "" && text, () => false),
    () => "the editor ran",
  );
  assert.equal(edited, `+7 ${join(home.work, "a.ts")}\n`);
  await terminal.until(/\? keys/, "visible");
  await terminal.press("C-c");
  await terminal.until(/as before/);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("B lists commits of the directory, and Enter tells who wrote the lines", async () => {
  await using home = new BlamedHome();
  home.commit("2026-11-20T10:00:00Z", { "a.ts": "one\n" });
  const change = { path: "a.ts", old_string: "one\n", new_string: "one\ntwo <b>\nthree\n" };
  home.edits("aaaa", [{ ...change, time: "2026-11-20T11:00:00Z" }]);
  home.commit("2026-11-20T12:00:00Z", { "a.ts": "one\ntwo <b>\nthree\nof a person\n" });
  await using terminal = await open(home);
  await read(terminal);
  const commits = await typed(terminal, "B", /Commits of this directory/);
  assert.match(commits, /❯ [0-9a-f]{8} {2}at 2026-11-20T12[^]*[0-9a-f]{8} {2}at 2026-11-20T10/);
  await terminal.press("Enter");
  const writers = await terminal.until(/3 added lines: 2 proven, 1 unknown/, "visible");
  assert.match(writers, /Who wrote [0-9a-f]{8} {2}at 2026[^]*proven +likely +cost +session/);
  await terminal.press("Escape");
  await terminal.until(/\? keys/, "visible");
  const help = await typed(terminal, "?", /F B +F: files/);
  assert.match(help, /B: who wrote a commit[^]*q Esc/);
  assert.ok(!help.includes("…"), "no key's text is cut");
});
