/** A chat at a terminal that cannot save, may not save, or is ended from outside. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openStore } from "../../mod.ts";
import { cliProcess } from "../_support/cli.ts";
import { CliHome, inHome, testsAtHome } from "../_support/cli_home.ts";
import { eventually } from "../_support/eventually.ts";
import { ModelServer } from "../_support/model_servers.ts";
import { fill, SMALL_DISK, withSmallDisk } from "../_support/small_disk.ts";
import { user } from "../_support/log_bytes.ts";
import {
  blockSessions,
  ENDED,
  inOrder,
  killChat,
  lastSession,
  openChat,
  readyChat,
  serverEnvironment,
  shownLines,
  type,
  WAITING,
} from "./_chat_terminal.ts";
import { atTerminal, TERMINAL } from "./_terminal.ts";
import { LINUX, needing, UNIX } from "../_support/needing.ts";

const atLinuxTerminal = testsAtHome(TERMINAL, LINUX);
const onUnix = testsAtHome(UNIX);

// Slow: a program in a terminal is answered key by key.
Deno.test({
  ...needing(
    "a full disk is told once, the chat goes on, and all is written when there is room",
    TERMINAL,
    SMALL_DISK,
  ),
  async fn(): Promise<void> {
    await withSmallDisk(async (disk) => {
      await using home = new CliHome();
      await using server = new ModelServer("openai", [
        { text: "Answer one." },
        { text: `Answer two. ${"word ".repeat(2000)}` },
        { text: "Answer three." },
        { text: "Answer four." },
      ]);
      const env = { REPRISE_HOME: join(disk, "store") };
      await using terminal = await openChat(home, server, [], { env });
      const ask = async (word: string): Promise<string> => {
        await type(terminal, `Question ${word}`);
        return await terminal.until(new RegExp(`Answer ${word}\\.[^]*^>\\s*$`, "m"));
      };
      await terminal.until(WAITING);
      await ask("one");
      const free = fill(disk);
      await ask("two");
      const full = await ask("three");
      assert.equal(full.match(/the disk is full/g)?.length, 1, full);
      await type(terminal, "/status");
      await terminal.until(/^Unsaved +\d+ events? \(only in memory\)/m);
      await free();
      const screen = await ask("four");
      assert.equal(screen.match(/Saving works again/g)?.length, 1);
      await type(terminal, "/quit");
      await terminal.until(/status=0/);
      const store = openStore({ root: env.REPRISE_HOME });
      const [row] = await store.list();
      assert.deepEqual([row?.message_count, row?.status], [8, "completed"]);
      const { messages } = await store.load(row?.session_id ?? "");
      const said = messages.map(({ content }) => /^\w+ \w+\b\.?/.exec(String(content))?.[0]);
      assert.deepEqual(
        said,
        ["one", "two", "three", "four"].flatMap((word) => [
          `Question ${word}`,
          `Answer ${word}.`,
        ]),
      );
    });
  },
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a store that cannot be made is told once, the chat goes on, and what is lost is told", async (home) => {
  await blockSessions(home);
  await using terminal = await readyChat(home, undefined, ["--model", "mock"]);
  await type(terminal, "Hello");
  await terminal.until(/You said: Hello[^]*^>\s*$/m);
  await type(terminal, "Again");
  // Where a line is broken depends on the folder that it names.
  const screen = (await terminal.until(/You said: Again[^]*^>\s*$/m)).replaceAll(/\s+/g, " ");
  assert.equal(screen.match(/The chat continues, and tries to save again/g)?.length, 1, screen);
  await type(terminal, "/quit");
  const end = await terminal.until(ENDED);
  assert.match(end, /Could not save \d+ events? of this session. The events? (?:is|are) lost/);
  assert.match(end, /status=1/);
});

// Slow: the chat tries again by itself after five seconds.
atTerminal.test("a session that cannot be written yet says so, and its saving is told above the typed line", async (home) => {
  const obstacle = await blockSessions(home);
  await using terminal = await readyChat(home, undefined, ["--model", "mock"], { columns: 60 });
  await type(terminal, "Hello");
  await terminal.until(/You said: Hello[^]*^>\s*$/m);
  await type(terminal, "/status");
  await terminal.until(/^Session +not saved to disk yet$/m);
  await type(terminal, "/export");
  await terminal.until(/Cannot write export: saving the session to disk failed/);
  await type(terminal, "/fork");
  await terminal.until(/Cannot fork session: the session is not/);
  const typed = "a line that is longer than the sixty columns of the terminal and not sent";
  await terminal.type(typed);
  await terminal.until(/not sent$/m);
  await Deno.remove(obstacle);
  await terminal.until(/Saving works again/);
  const screen = await terminal.until(/not sent$/m);
  assert.match(
    screen,
    /^Saving works again\n\n> a line that[^\n]*\n[^\n]*not sent$/m,
  );
  assert.equal(screen.match(/a line that/g)?.length, 1, screen);
  await terminal.press("Enter");
  const sent = await terminal.until(/You said: a line[^]*^>\s*$/m);
  assert.equal(sent.match(/▌ a line that/g)?.length, 1, sent);
  const { messages } = await openStore({ root: home.store }).load(await lastSession(home));
  assert.equal(messages.at(-2)?.content, typed);
});

// Slow: the chat tries again by itself after five seconds.
atTerminal.test("a question still stands when it is told that saving works, and lost events fail the run", async (home) => {
  const obstacle = await blockSessions(home);
  const call = { id: "c1", name: "bash", input: { command: "echo ran" } };
  await using server = new ModelServer("openai", [{ text: "First." }, { calls: [call] }]);
  await using terminal = await readyChat(home, server);
  await type(terminal, "Lost");
  await terminal.until(/First\.[^]*^>\s*$/m);
  await type(terminal, "/new");
  await terminal.until(/Could not save .*\. The events? (?:is|are) lost[^]*^>\s*$/m);
  await type(terminal, "Run it");
  await terminal.until(/echo ran\n[^\n]*Allow\?/);
  await Deno.remove(obstacle);
  const asked = await terminal.until(/Saving works again\n\n[^]*echo ran\n[^\n]*Allow\?/);
  assert.equal(asked.match(/Allow\?/g)?.length, 1, asked);
  await terminal.press("y");
  await terminal.until(/^ +ran$[^]*^ok$[^]*^>\s*$/m);
  await type(terminal, "/quit");
  await terminal.until(/status=1/);
  const [row] = await openStore({ root: home.store }).list();
  assert.deepEqual([row?.message_count, row?.status], [2, "completed"]);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("nothing is kept where sessions are off, and the chat says so", async (home) => {
  await home.run(["config", "set", "session.enabled", "false"]);
  await using terminal = await openChat(home, undefined, ["--model", "mock"]);
  await terminal.until(/Recording is off[^]*^>\s*$/m);
  await type(terminal, "Hello");
  await terminal.until(/You said: Hello[^]*^>\s*$/m);
  await type(terminal, "/quit");
  assert.doesNotMatch(await terminal.until(/status=0/), /--resume/);
  assert.deepEqual(await openStore({ root: home.store }).list(), []);
});

atTerminal.test("with session.resume_last_on_start a chat goes on where the last one stopped", async (home) => {
  const { id } = home.keep("aaaa0000-0000-4000-8000-000000000000", [user("An older talk")]);
  await home.run(["config", "set", "session.resume_last_on_start", "true"]);
  await using terminal = await openChat(home, undefined, ["--model", "mock"]);
  await terminal.until(
    new RegExp(`An older talk[^]*Continuing session ${id}[^]*^>\\s*$`, "m"),
  );
});

for (const signal of ["SIGTERM", "SIGHUP"] as const) {
  // Slow: a program in a terminal is answered key by key.
  atTerminal.test(`${signal} in mid-turn keeps what was shown and closes the session as failed`, async (home) => {
    await using server = new ModelServer("openai", [
      { text: "one two three", broken: "silent" },
    ]);
    await using terminal = await readyChat(home, server);
    await type(terminal, "Count");
    await terminal.until(/one two three/);
    await killChat(home, signal);
    const screen = await terminal.until(/terminal as before/);
    assert.match(screen, /status=143/);
    const [row] = await openStore({ root: home.store }).list();
    assert.equal(row?.status, "failed");
    const { messages } = await openStore({ root: home.store }).load(row?.session_id ?? "");
    assert.match(JSON.stringify(messages[1]), /one two three/);
    const lines = await shownLines(home, row?.session_id ?? "");
    assert.deepEqual(inOrder(screen, lines.slice(0, -1)), [], screen);
  });
}

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a terminal that is closed in mid-turn leaves a session that is closed as failed", async (home) => {
  await using server = new ModelServer("openai", [
    { text: "one two three", broken: "silent" },
  ]);
  {
    await using terminal = await readyChat(home, server);
    await type(terminal, "Count");
    await terminal.until(/one two three/);
  }
  await assertCutOff(home);
});

// Slow: a program in a terminal is answered key by key.
atLinuxTerminal.test("a terminal that is closed without a signal leaves a session that is closed as failed", async (home) => {
  await using server = new ModelServer("openai", [
    { text: "one two three", broken: "silent" },
  ]);
  {
    // In a session of its own the chat learns of the end by its input alone.
    await using terminal = await readyChat(home, server, [], { through: "setsid -w" });
    await type(terminal, "Count");
    await terminal.until(/one two three/);
  }
  await assertCutOff(home);
});

// Slow: a process of the program starts.
onUnix.test("without a terminal SIGTERM ends the turn, closes the session as failed, and gives 143", async (home) => {
  await using server = new ModelServer("openai", [
    { text: "one two three", broken: "silent" },
  ]);
  const options = { home: home.path, cwd: home.work, env: serverEnvironment(server) };
  const child = cliProcess(["chat", "Count"], options).spawn();
  const store = openStore({ root: home.store });
  await eventually(() => server.asked.length > 0);
  child.kill("SIGTERM");
  const { code } = await child.output();
  assert.equal(code, 143);
  const [row] = await store.list();
  assert.equal(row?.status, "failed");
});

// Slow: a process of the program starts.
inHome.test("closes the session as failed if the answer's reader has gone, without a terminal", async (home) => {
  const options = { home: home.path, cwd: home.work };
  const child = cliProcess(["chat", "--model", "mock", "--json", "Hello"], options).spawn();
  await child.stdout.cancel();
  await Promise.all([child.status, child.stderr.cancel()]);
  const [row] = await openStore({ root: home.store }).list();
  assert.equal(row?.status, "failed");
});

/** Waits for the end of the session, which was cut off in its first answer. */
async function assertCutOff(home: CliHome): Promise<void> {
  const store = openStore({ root: home.store });
  const row = await eventually(async () => {
    const [first] = await store.list();
    return first?.status !== "running" && first;
  });
  assert.equal(row.status, "failed");
  const { messages } = await store.load(row.session_id);
  assert.match(JSON.stringify(messages[1]), /one two three/);
}
