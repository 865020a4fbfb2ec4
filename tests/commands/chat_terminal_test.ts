import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "../../mod.ts";
import { sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { type Dialect, ModelServer } from "../_support/model_servers.ts";
import {
  conversationOf,
  ENDED,
  inOrder,
  killChat,
  lastSession,
  openChat,
  readyChat,
  rebuilt,
  shownLines,
  type,
  WAITING,
} from "./_chat_terminal.ts";
import { atTerminal } from "./_terminal.ts";

const DIALECTS: readonly Dialect[] = ["openai", "anthropic"];

function bash(id: string, command: string): { id: string; name: string; input: unknown } {
  return { id, name: "bash", input: { command } };
}

for (const dialect of DIALECTS) {
  // Slow: a program in a terminal is answered key by key.
  atTerminal.test(`${dialect}: what is typed, answered and run stands on the screen as in the log`, async (home) => {
    await using server = new ModelServer(dialect, [
      { text: "Let me see.", calls: [bash("c1", "echo from bash"), bash("c2", "exit 3")] },
      { text: "It said from bash." },
    ]);
    await using terminal = await readyChat(home, server);
    await type(terminal, "What does it say? 日本");
    await terminal.until(/echo from bash[^]*Allow\?/);
    await terminal.press("y");
    await terminal.until(/exit 3[^]*Allow\?/);
    await terminal.press("a");
    await terminal.until(/It said from bash\./);
    await terminal.until(WAITING);
    await type(terminal, "/quit");
    const screen = await terminal.until(/terminal as before/);
    assert.match(screen, /status=0/);
    const id = await lastSession(home);
    assert.match(
      screen,
      new RegExp(`Session ${id}\nContinue with: reprise chat --resume ${id.slice(0, 8)}\n`),
    );
    const lines = await shownLines(home, id);
    assert.ok(lines.length > 10, lines.join("\n"));
    assert.deepEqual(inOrder(screen, lines.slice(0, -1)), [], screen);
    assert.equal(screen.match(/What does it say/g)?.length, 1, "typed text is not shown twice");
    assert.ok(
      !(await Deno.readTextFile((await openStore({ root: home.store }).last())!.path)).includes(
        "Allow",
      ),
    );
    const [first, second] = server.bodies;
    assert.equal(conversationOf(first!).length, 1);
    const all = await rebuilt(home, id, dialect);
    assert.deepEqual(conversationOf(second!), all.slice(0, -1));
  });

  // Slow: a program in a terminal is answered key by key.
  atTerminal.test(`${dialect}: ^C keeps what was shown, and the model is told so`, async (home) => {
    await using server = new ModelServer(dialect, [
      { text: "one two three four five six seven", holds_after: ["three"] },
      { text: "Gladly." },
    ]);
    await using terminal = await readyChat(home, server);
    await type(terminal, "Count");
    await terminal.until(/one two three/);
    await terminal.press("C-c");
    await terminal.until(/! Interrupted/);
    await terminal.until(WAITING);
    await type(terminal, "Go on");
    await terminal.until(/Gladly\./);
    await terminal.until(WAITING);
    const id = await lastSession(home);
    const all = await rebuilt(home, id, dialect);
    assert.deepEqual(conversationOf(server.bodies.at(-1)!), all.slice(0, -1));
    assert.match(JSON.stringify(all[1]), /one two three/);
    assert.doesNotMatch(JSON.stringify(all[1]), /seven/);
    assert.deepEqual(inOrder(await terminal.screen(), await shownLines(home, id)), []);
  });

  for (const moment of ["stream", "tool"] as const) {
    // Slow: a program in a terminal is answered key by key.
    atTerminal.test(`${dialect}: killed in mid-${moment}, it goes on where the log ends`, async (home) => {
      await using server = new ModelServer(dialect, [
        { text: "First answer." },
        moment === "stream"
          ? { text: "half of an answer that takes its time", holds_after: ["answer"] }
          : { text: "Running.", calls: [bash("c9", "echo started; sleep 60")] },
      ]);
      {
        await using terminal = await readyChat(home, server, ["--yes"]);
        await type(terminal, "First question");
        await terminal.until(/First answer\./);
        await terminal.until(WAITING);
        await type(terminal, "Second question");
        await terminal.until(moment === "stream" ? /half of an/ : /^ +started$/m);
        await killChat(home);
        await terminal.until(/status=137/);
      }
      const id = await lastSession(home);
      const before = await rebuilt(home, id, dialect);
      server.then_answer({ text: "Third answer." });
      await using terminal = await openChat(home, server, ["--resume", id.slice(0, 8)]);
      const replayed = await terminal.until(WAITING);
      assert.match(replayed, /First question[^]*First answer\.[^]*Second question/);
      if (moment === "tool") assert.match(replayed, /did not finish/);
      await type(terminal, "Third question");
      await terminal.until(/Third answer\./);
      await terminal.until(WAITING);
      const sent = conversationOf(server.bodies.at(-1)!);
      const all = await rebuilt(home, id, dialect);
      assert.deepEqual(sent, all.slice(0, -1));
      // What was said before the crash is what it was; the last message may have been joined.
      const common = before.length - 1;
      assert.ok(common >= 2);
      assert.deepEqual(sent.slice(0, common), before.slice(0, common));
      await home.succeed(["doctor", id]);
    });
  }

  // Slow: a program in a terminal is answered key by key.
  atTerminal.test(`${dialect}: after /compact the model gets the summary and what follows, resumed too`, async (home) => {
    await using server = new ModelServer(dialect, [
      { text: "Answer one." },
      { text: "Answer two." },
      { text: "THE SUMMARY" },
      { text: "Answer three." },
    ]);
    {
      await using terminal = await readyChat(home, server);
      await type(terminal, "Question one");
      await terminal.until(/Answer one\.[^]*^>\s*$/m);
      await type(terminal, "Question two");
      await terminal.until(/Answer two\.[^]*^>\s*$/m);
      await type(terminal, "/compact keep the numbers");
      await terminal.until(/THE SUMMARY[^]*^>\s*$/m);
      assert.match(JSON.stringify(server.bodies[2]), /keep the numbers/);
      await type(terminal, "Question three");
      await terminal.until(/Answer three\.[^]*^>\s*$/m);
      await type(terminal, "/quit");
      await terminal.until(ENDED);
    }
    const id = await lastSession(home);
    const third = conversationOf(server.bodies.at(-1)!);
    const all = await rebuilt(home, id, dialect);
    assert.deepEqual(third, all.slice(0, -1));
    assert.match(JSON.stringify(third), /THE SUMMARY/);
    assert.doesNotMatch(JSON.stringify(third), /Answer one/);
    await using terminal = await openChat(home, server, ["--continue"]);
    const replayed = await terminal.until(WAITING);
    assert.match(replayed, /Question one[^]*[Cc]onversation compacted[^]*Answer three/);
    await type(terminal, "Question four");
    await terminal.until(/Question four[^]*^ok$[^]*^>\s*$/m);
    assert.deepEqual(conversationOf(server.bodies.at(-1)!).slice(0, all.length), all);
  });
}

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a server that fails, refuses or is cut ends the turn and not the chat", async (home) => {
  await using server = new ModelServer("openai", [
    { status: 429, headers: { "retry-after": "0" } },
    { text: "After a while." },
    { status: 400, body: "no such thing" },
    { text: "half", broken: "reset" },
  ]);
  await using terminal = await readyChat(home, server);
  await type(terminal, "one");
  await terminal.until(/After a while\.[^]*^>\s*$/m);
  await type(terminal, "two");
  await terminal.until(/✗ Turn failed[^]*no such thing[^]*^>\s*$/m);
  await type(terminal, "three");
  await terminal.until(/three[^]*half[^]*^>\s*$/m);
  await type(terminal, "four");
  await terminal.until(/four[^]*^ok$[^]*^>\s*$/m);
  const id = await lastSession(home);
  assert.deepEqual(inOrder(await terminal.screen(), await shownLines(home, id)), []);
  assert.deepEqual(
    conversationOf(server.bodies.at(-1)!),
    (await rebuilt(home, id, "openai")).slice(0, -1),
  );
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("slash commands: sessions, new, fork, rename, export, status, help", async (home) => {
  home.keep(sessionId("aaaa"), [user("An older talk"), assistant("Indeed")]);
  await using terminal = await readyChat(home, undefined, ["--model", "mock"]);
  await type(terminal, "Hello there");
  await terminal.until(/You said: Hello there[^]*^>\s*$/m);
  await type(terminal, "/rename A better name");
  await terminal.until(/called "A better name"/);
  await type(terminal, "/status");
  await terminal.until(/^Model +mock:mock[^]*^Window +(?:about )?\d+ of 32000 tokens/m);
  await type(terminal, "/export talk.html");
  await terminal.until(/Wrote .*talk\.html/);
  assert.match(await Deno.readTextFile(join(home.work, "talk.html")), /A better name/);
  await type(terminal, "/fork");
  await terminal.until(/Continuing in a copy/);
  await type(terminal, "In the copy");
  await terminal.until(/You said: In the copy[^]*^>\s*$/m);
  await type(terminal, "/help");
  await terminal.until(/\/compact \[guidance\]/);
  await type(terminal, "/unknown");
  await terminal.until(/Unknown command \/unknown/);
  await type(terminal, "/sessions");
  await terminal.until(/type to filter/);
  await terminal.press("-l", "older");
  await terminal.until(/^❯ .*An older talk/m);
  await terminal.press("Enter");
  await terminal.until(/Continuing session aaaa[^]*^>\s*$/m);
  await type(terminal, "And now?");
  await terminal.until(/You said: And now\?[^]*^>\s*$/m);
  await type(terminal, "/new");
  await terminal.until(/New session with mock:mock[^]*New session with mock:mock/);
  await terminal.press("C-d");
  const screen = await terminal.until(/terminal as before/);
  assert.match(screen, /status=0/);
  const rows = await openStore({ root: home.store }).list();
  assert.deepEqual(rows.map(({ title, message_count }) => [title, message_count]), [
    ["An older talk", 4],
    ["A better name", 4],
    ["A better name", 2],
  ]);
  assert.deepEqual(rows.map(({ status }) => status), ["completed", "completed", "completed"]);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("nothing said leaves nothing behind, and ^C twice leaves with 130", async (home) => {
  await using terminal = await readyChat(home, undefined, ["--model", "mock"]);
  await terminal.press("-l", "not sent");
  await terminal.press("C-c");
  await terminal.press("C-c");
  await terminal.until(/\^C again/);
  await terminal.press("C-c");
  const screen = await terminal.until(/terminal as before/);
  assert.match(screen, /status=130/);
  assert.deepEqual(await openStore({ root: home.store }).list(), []);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a session that another process writes is gone on with in a copy, if the user wants", async (home) => {
  const store = openStore({ root: home.store });
  const held = store.create({ cwd: home.work });
  await held.append({ kind: "user_message", payload: { content: "Held here" } });
  await using terminal = await openChat(home, undefined, [
    "--model",
    "mock",
    "--resume",
    held.id,
  ]);
  await terminal.until(/Continue in a copy of the session\?/);
  await terminal.press("y");
  await terminal.until(/Held here[^]*Continuing session/);
  await type(terminal, "In a copy");
  await terminal.until(/You said: In a copy[^]*^>\s*$/m);
  const rows = await store.list();
  assert.equal(rows.length, 2);
  assert.equal(
    rows.find(({ session_id }) => session_id !== held.id)?.parent?.session_id,
    held.id,
  );
  await held.finish();
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a long answer on a small terminal that changes its size is shown whole and once", async (home) => {
  const lines = Array.from({ length: 40 }, (_, at) => `- line ${at + 1} 日本語`).join("\n");
  await using server = new ModelServer("openai", [{ text: lines, holds_after: ["10"] }]);
  await using terminal = await readyChat(home, server, [], { columns: 50, rows: 12 });
  await type(terminal, "Many lines");
  await terminal.until(/line 10$/m);
  await terminal.resize(80, 16);
  server.go_on();
  await terminal.until(/line 40[^]*^>\s*$/m);
  const screen = await terminal.screen();
  for (const at of [1, 20, 40]) {
    const count = screen.match(new RegExp(`line ${at} 日本語`, "g"))?.length ?? 0;
    assert.equal(count, 1, `line ${at}`);
  }
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a terminal that becomes narrower in mid-answer shows nothing of it twice", async (home) => {
  const text = Array.from({ length: 30 }, (_, at) => `word${at}`).join(" ");
  await using server = new ModelServer("openai", [{ text, holds_after: ["word12", "word18"] }]);
  await using terminal = await readyChat(home, server, [], { columns: 60, rows: 24 });
  await type(terminal, "Many words");
  await terminal.until(/word12/);
  await terminal.resize(25, 24);
  server.go_on();
  await terminal.until(/word18/);
  await terminal.resize(60, 24);
  server.go_on();
  const screen = await terminal.until(/word29[^]*^>\s*$/m);
  for (const at of [1, 10, 29]) {
    assert.equal(screen.match(new RegExp(`word${at}\\b`, "g"))?.length, 1, screen);
  }
});
