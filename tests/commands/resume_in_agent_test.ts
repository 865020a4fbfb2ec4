/** `resume` at a terminal: real programs on `PATH`, real keys, real signals. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { keepClaudeSession, putProgram, TELLING } from "./_fake_agent.ts";
import { keepPiSession } from "./_pi_session.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";
import { testsNeeding } from "../_support/tests_in.ts";

const atTerminal = testsNeeding(TERMINAL);

const UUID = "3f2a91c0-1111-4222-8333-444455556666";

/** Returns a shell with job control that runs `resume`, and prints its status and its stops. */
function shellOf(args: readonly string[]): string {
  return [
    "set -m",
    // A shell ends with a program that ^C ended, and here it has to say how that was.
    "trap : INT",
    shellLine(["resume", ...args]),
    "status=$?",
    'while [ $status -ge 147 ] && [ $status -le 150 ]; do echo "shell again"; read go; fg; status=$?; done',
    'echo "status=$status"',
  ].join("\n");
}

async function opened(
  home: CliHome,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Terminal> {
  return await Terminal.open(home, shellOf(args), { columns: 160, env });
}

// Slow: a program in a terminal is answered key by key.
atTerminal.test("resume runs the agent in the session's directory, in this terminal, and ends as it does", async () => {
  for (const status of [0, 3]) {
    await using home = new CliHome();
    const cwd = join(home.work, "学校 with spaces");
    await Deno.mkdir(cwd);
    const env = putProgram(
      home,
      "claude",
      `${TELLING}\ntest -t 0 && test -t 1 && test -t 2 && echo terminal\nread word; echo "got $word"; exit ${status}`,
    );
    const { ref } = keepClaudeSession(home, UUID, cwd);
    await using terminal = await opened(home, [ref], env);
    const screen = await terminal.until(/^terminal$/m);
    assert.ok(screen.includes(`in=${cwd}\n${cwd}\n<--resume>\n<${UUID}>\n`), screen);
    await terminal.type("hello");
    await terminal.press("Enter");
    assert.match(
      await terminal.until(/status=/),
      new RegExp(`got hello\nstatus=${status}$`, "m"),
    );
  }
});

atTerminal.test("^C is the agent's, and does not end resume", async () => {
  await using home = new CliHome();
  const env = putProgram(
    home,
    "pi",
    'trap "echo interrupted" INT\necho ready\nread a || read a\necho "got $a"; exit 5',
  );
  const { ref } = keepPiSession(home);
  await using terminal = await opened(home, [ref], env);
  await terminal.until(/^ready$/m);
  await terminal.press("C-c");
  await terminal.until(/interrupted/);
  await terminal.type("more");
  await terminal.press("Enter");
  assert.match(await terminal.until(/status=/), /got more\nstatus=5$/m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("an agent that a signal ends makes resume end by the same signal", async () => {
  for (const [signal, status] of [["INT", 130], ["TERM", 143], ["KILL", 137]] as const) {
    await using home = new CliHome();
    const env = putProgram(home, "pi", `kill -${signal} $$`);
    const { ref } = keepPiSession(home);
    await using terminal = await opened(home, [ref], env);
    await terminal.until(new RegExp(`status=${status}$`, "m"));
  }
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("SIGTERM and SIGHUP of resume reach the agent, which may do what it must", async () => {
  for (const signal of ["TERM", "HUP"]) {
    await using home = new CliHome();
    const env = putProgram(
      home,
      "pi",
      `trap "echo saved; exit 7" ${signal}\necho "parent=$PPID"\nwhile :; do sleep 0.05; done`,
    );
    const { ref } = keepPiSession(home);
    await using terminal = await opened(home, [ref], env);
    const [, parent] = /^parent=(\d+)$/m.exec(await terminal.until(/^parent=\d+$/m)) ?? [];
    Deno.kill(Number(parent), `SIG${signal}` as Deno.Signal);
    assert.match(await terminal.until(/status=/), /saved\nstatus=7$/m);
  }
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("job control works: ^Z of the terminal, and an agent that stops itself alone", async () => {
  await using home = new CliHome();
  // As Claude Code does: the signal goes to its own process, not to the group.
  const alone = putProgram(
    home,
    "claude",
    'echo ready\nread a\nkill -STOP $$\necho back\nread a\necho "got $a"',
  );
  // A key that comes before the agent goes on may be the shell's.
  putProgram(
    home,
    "pi",
    'trap "echo again" CONT\necho ready\nread a || read a\necho "got $a"',
  );
  const claude = keepClaudeSession(home, UUID, home.work);
  {
    await using terminal = await opened(home, [claude.ref], alone);
    await terminal.until(/^ready$/m);
    await terminal.press("Enter");
    await terminal.until(/shell again/);
    await terminal.press("Enter");
    await terminal.until(/^back$/m);
    await terminal.type("one");
    await terminal.press("Enter");
    assert.match(await terminal.until(/status=/), /got one\nstatus=0$/m);
  }
  const { ref } = keepPiSession(home);
  await using terminal = await opened(home, [ref], alone);
  await terminal.until(/^ready$/m);
  await terminal.press("C-z");
  await terminal.until(/shell again/);
  await terminal.press("Enter");
  await terminal.until(/^again$/m);
  await terminal.type("two");
  await terminal.press("Enter");
  assert.match(await terminal.until(/status=/), /got two\nstatus=0$/m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("the program never comes from the session's directory, nor from a relative entry of PATH", async () => {
  await using home = new CliHome();
  putProgram(home, "pi", "echo hostile", home.work);
  putProgram(home, "pi", "echo hostile", join(home.work, "node_modules", ".bin"));
  const usual = Deno.env.get("PATH") ?? "";
  const hostile = `:.:./node_modules/.bin:${home.work}:${
    join(home.work, "node_modules/.bin")
  }:${usual}:`;
  const { ref } = keepPiSession(home);
  {
    await using terminal = await opened(home, [ref], { PATH: hostile });
    const screen = await terminal.until(/status=/);
    assert.match(screen, /there is no program pi on PATH\s[^]*reprise chat --resume pi:1111aaaa/);
    assert.doesNotMatch(screen, /^hostile/m);
    assert.match(screen, /status=1$/m);
  }
  const { PATH } = putProgram(home, "pi", "echo the right one");
  await using terminal = await opened(home, [ref], { PATH: `.:${home.work}:${PATH}` });
  assert.match(await terminal.until(/status=/), /^the right one\nstatus=0$/m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a program in the home directory runs for a session of the home directory", async () => {
  await using home = new CliHome();
  const env = putProgram(home, "claude", "echo at home", join(home.path, ".local", "bin"));
  const { ref } = keepClaudeSession(home, UUID, home.path);
  await using terminal = await opened(home, [ref], env);
  assert.match(await terminal.until(/status=/), /^at home\nstatus=0$/m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("nothing is started where the directory is gone, nor where the output goes into a pipe", async () => {
  await using home = new CliHome();
  const env = putProgram(home, "claude", "echo started");
  const gone = keepClaudeSession(home, UUID, join(home.path, "gone"));
  {
    await using terminal = await opened(home, [gone.ref], env);
    const screen = await terminal.until(/status=/);
    assert.match(screen, /the session's directory is gone[^]*reprise relink[^]*status=1$/m);
    assert.doesNotMatch(screen, /^started/m);
  }
  const { ref } = keepPiSession(home);
  const piped = `${shellLine(["resume", ref])} | cat; echo "status=$?"`;
  await using terminal = await Terminal.open(home, piped, { columns: 160, env });
  assert.match(await terminal.until(/status=/), /^pi --session /m);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a session of Reprise goes on in its chat, in its directory", async () => {
  await using home = new CliHome();
  const cwd = join(home.path, "project");
  await Deno.mkdir(cwd);
  home.keep(sessionId("aaaa"), [user("What was it?"), assistant("The cookie")], { cwd });
  Deno.writeTextFileSync(join(home.store, "config.json"), '{"chat.model":"mock"}');
  await using terminal = await opened(home, ["aaaa"], {});
  await terminal.until(/The cookie/);
  await terminal.type("/exit");
  await terminal.press("Enter");
  await terminal.until(/status=0$/m);
});
