/** The keyboard of a chat: lines, pasting, history, what is typed meanwhile, keys that stop. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "../../mod.ts";
import type { CliHome } from "../_support/cli_home.ts";
import { ModelServer } from "../_support/model_servers.ts";
import {
  inOrder,
  lastSession,
  readyChat,
  rebuilt,
  shownLines,
  type,
  WAITING,
} from "./_chat_terminal.ts";
import { atTerminal, shellLine, Terminal } from "./_terminal.ts";

/** Returns the user's messages in the session that was updated last. */
async function prompts(home: CliHome): Promise<unknown[]> {
  const { messages } = await openStore({ root: home.store }).load(await lastSession(home));
  return messages.filter(({ role }) => role === "user").map(({ content }) => content);
}

// Slow: a program in a terminal is answered key by key.
atTerminal.test("pasted lines are one message, a backslash goes on, and arrows bring lines back", async (home) => {
  await using terminal = await readyChat(home, undefined, ["--model", "mock"]);
  await terminal.paste("first pasted\nsecond pasted\n  third");
  await terminal.until(/first pasted.*second pasted.*third/);
  await terminal.press("-l", " and typed");
  await terminal.press("Enter");
  await terminal.until(/You said: first pasted\s+second pasted\s+third and typed[^]*^>\s*$/m);
  await type(terminal, "one\\");
  await terminal.until(/^…\s*$/m);
  await type(terminal, "two");
  await terminal.until(/You said: one\s+two[^]*^>\s*$/m);
  await terminal.press("Up");
  await terminal.until(/^> two/m);
  await terminal.press("Up");
  await terminal.press("Up");
  await terminal.until(/^> first pasted/m);
  await terminal.press("-l", " again");
  await terminal.press("Enter");
  await terminal.until(
    /You said: first pasted\s+second pasted\s+third and typed again[^]*^>\s*$/m,
  );
  const pasted = "first pasted\nsecond pasted\n  third and typed";
  assert.deepEqual(await prompts(home), [pasted, "one\ntwo", `${pasted} again`]);
});

atTerminal.test("a paste that the terminal hands over in many pieces is one message", async (home) => {
  await using terminal = await readyChat(home, undefined, ["--model", "mock"]);
  // A terminal hands over some 4 KiB at once.
  const word = `pasted${"-word".repeat(50)}`;
  const pasted = Array.from({ length: 40 }, (_, at) => `${word}-${at}`).join("\n");
  await terminal.paste(pasted);
  await terminal.until(/word-39/);
  await terminal.press("-l", " and typed");
  await terminal.press("Enter");
  await terminal.until(/You said:\s+pasted[^]*word-39 and typed[^]*^>\s*$/m);
  assert.deepEqual(await prompts(home), [`${pasted} and typed`]);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("text that is typed during a turn waits for the next line, and Esc stops a turn", async (home) => {
  await using server = new ModelServer("openai", [
    { text: "slow words that take their time", holds_after: ["words"] },
    { text: "Second answer." },
    { text: "endless words that take their time", holds_after: ["words"] },
    { text: "Fourth answer." },
  ]);
  await using terminal = await readyChat(home, server);
  await type(terminal, "First");
  await terminal.until(/slow words/);
  await type(terminal, "Typed meanwhile");
  await terminal.press("-l", "and a beginning");
  server.go_on();
  await terminal.until(
    /slow words that take their time[^]*Second answer\.[^]*^> and a beginning/m,
  );
  await terminal.press("Enter");
  await terminal.until(/endless words/);
  await terminal.press("Escape");
  await terminal.until(/! Interrupted[^]*^>\s*$/m);
  await type(terminal, "Go on");
  await terminal.until(/Fourth answer\.[^]*^>\s*$/m);
  // Two prompts with nothing kept between them would be joined; here each has its answer.
  assert.deepEqual(await prompts(home), ["First", "Typed meanwhile", "and a beginning", "Go on"]);
  const id = await lastSession(home);
  assert.deepEqual(inOrder(await terminal.screen(), await shownLines(home, id)), []);
});

for (const [key, name] of [["C-c", "^C"], ["Escape", "Esc"]] as const) {
  // Slow: a program in a terminal is answered key by key.
  atTerminal.test(`${name} where a call is to be allowed ends the turn, and makes no call`, async (home) => {
    const call = (id: string): { id: string; name: string; input: unknown } => ({
      id,
      name: "bash",
      input: { command: `touch made-${id}` },
    });
    await using server = new ModelServer("openai", [
      { text: "Two calls.", calls: [call("c1"), call("c2")] },
      { text: "Well then." },
    ]);
    await using terminal = await readyChat(home, server);
    await type(terminal, "Go");
    await terminal.until(/touch made-c1[^]*Allow\?/);
    await terminal.press(key);
    await terminal.until(/[✗!] [^\n]*nterrupted[^]*^>\s*$/m);
    assert.equal(server.asked.length, 1, "the turn has ended");
    assert.deepEqual([...Deno.readDirSync(home.work)], []);
    await type(terminal, "And now?");
    await terminal.until(/Well then\.[^]*^>\s*$/m);
    const all = await rebuilt(home, await lastSession(home), "openai");
    assert.match(JSON.stringify(all), /Interrupted by the user/);
    assert.equal(all.length, 6);
  });
}

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a long pasted line that is changed in its middle stands once", async (home) => {
  const options = { columns: 40, rows: 20 };
  await using terminal = await readyChat(home, undefined, ["--model", "mock"], options);
  await terminal.paste(`begin ${"middle ".repeat(14)}end`);
  await terminal.until(/end$/m);
  await terminal.press("Left", "Left", "Left");
  await terminal.type("the ");
  const screen = await terminal.until(/the end$/m);
  assert.equal(screen.match(/begin/g)?.length, 1, screen);
  await terminal.press("Enter");
  await terminal.until(/You said: begin[^]*the end[^]*^>\s*$/m);
  assert.deepEqual(await prompts(home), [`begin ${"middle ".repeat(14)}the end`]);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("text that is being typed when a call asks for permission does not answer it", async (home) => {
  const call = { id: "c1", name: "bash", input: { command: "touch made" } };
  await using server = new ModelServer("openai", [
    { text: "some words before the call", holds_after: ["words"], calls: [call] },
    { text: "Well then." },
  ]);
  await using terminal = await readyChat(home, server);
  await type(terminal, "Go");
  await terminal.until(/some words/);
  let typed = 0;
  for (let after = 0; after < 5 && typed < 300; typed++) {
    await terminal.type("a");
    // As a person types; more slowly where a busy machine keeps the question back.
    await new Promise((resolve) => setTimeout(resolve, typed < 50 ? 20 : 200));
    if (typed === 3) server.go_on();
    if (/Allow\?/.test(await terminal.screen())) after++;
  }
  assert.match(await terminal.screen("-S", "0"), /touch made\n[^\n]*Allow\?/);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await terminal.press("n");
  await terminal.until(/did not allow[^]*Well then\.[^]*^> a/m);
  await terminal.press("Enter");
  await terminal.until(/Well then\.[^]*^ok$[^]*^>\s*$/m);
  assert.deepEqual(await prompts(home), ["Go", "a".repeat(typed)]);
  assert.deepEqual([...Deno.readDirSync(home.work)], []);
});

atTerminal.test("a line that is typed while the terminal becomes narrower and wider stands once", async (home) => {
  const options = { columns: 70, rows: 20 };
  await using terminal = await readyChat(home, undefined, ["--model", "mock"], options);
  await terminal.type("begin of a line that is wider than thirty columns");
  await terminal.until(/columns$/m);
  await terminal.resize(30, 20);
  await terminal.until(/^> begin of a line that is wide$/m);
  await terminal.type(" and on");
  const narrow = await terminal.until(/and on$/m);
  assert.equal(narrow.match(/begin/g)?.length, 1, narrow);
  await terminal.resize(70, 20);
  await terminal.type(" and over");
  const screen = await terminal.until(/^> begin .* thirty columns and on and over$/m);
  assert.equal(screen.match(/begin/g)?.length, 1, screen);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("^Z gives the terminal back to the shell, and fg goes on with the line", async (home) => {
  const script = [
    "set -m",
    shellLine(["chat", "--model", "mock"]),
    'echo "stopped: $?"',
    'stty -a | grep -o " icanon"',
    "read answer",
    'echo "the shell reads $answer"',
    "fg",
    'echo "over=$?"',
  ].join("\n");
  await using terminal = await Terminal.open(home, script, { columns: 80, rows: 24 });
  await terminal.until(WAITING);
  await terminal.type("half a li");
  await terminal.until(/half a li/);
  await terminal.press("C-z");
  await terminal.until(/stopped: \d+\s+icanon/);
  await type(terminal, "well");
  await terminal.until(/the shell reads well[^]*^> half a li$/m);
  await type(terminal, "ne");
  await terminal.until(/You said: half a line[^]*^>\s*$/m);
  await terminal.press("C-d");
  await terminal.until(/over=0/);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("thirty columns, wide characters in the prompt, and a question longer than the screen", async (home) => {
  const command = Array.from({ length: 30 }, (_, at) => `echo step ${at} >> steps`).join("\n");
  await using server = new ModelServer("openai", [
    { text: "日本語の返事です。".repeat(8) },
    { calls: [{ id: "c", name: "bash", input: { command } }] },
    { text: "All done." },
  ]);
  await using terminal = await readyChat(home, server, [], { columns: 30, rows: 14 });
  const prompt = "これは日本語の長い質問です、二行になります";
  await type(terminal, prompt);
  await terminal.until(/返事です[^]*^>\s*$/m);
  const screen = await terminal.screen("-J");
  assert.equal(screen.match(/これは/g)?.length, 1, screen);
  await type(terminal, "Many steps");
  const question = await terminal.until(/step 29 [^]*Allow\?/);
  assert.match(question, /echo step 0 [^]*echo step 15 [^]*echo step 29 /, "all of it is seen");
  await terminal.press("y");
  await terminal.until(/All done\.[^]*^>\s*$/m);
  assert.equal((await Deno.readTextFile(join(home.work, "steps"))).split("\n").length, 31);
  const id = await lastSession(home);
  assert.deepEqual((await prompts(home))[0], prompt);
  assert.equal((await openStore({ root: home.store }).load(id)).messages.length, 6);
});
