/**
 * `resume` at a terminal: real programs on `PATH`, real keys, real signals. Each test is slow, for a
 * program in a terminal is answered key by key.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { keepClaudeSession, putProgram, TELLING } from "./_fake_agent.ts";
import { keepPiSession } from "./_pi_session.ts";
import { atTerminal, shellLine, Terminal } from "./_terminal.ts";

const UUID = "3f2a91c0-1111-4222-8333-444455556666";

/** Returns a shell with job control that runs `resume`, and prints its status and its stops. */
function shellOf(ref: string): string {
  return [
    "set -m",
    // A shell ends with a program that ^C ended, and here it has to say how that was.
    "trap : INT",
    shellLine(["resume", ref]),
    "status=$?",
    'while [ $status -ge 147 ] && [ $status -le 150 ]; do echo "shell again"; read go; fg; status=$?; done',
    'echo "status=$status"',
  ].join("\n");
}

/** What to do at a terminal: wait for a pattern, press `C-c` or the like, or type a line. */
type Step = RegExp | string;

/** Runs `resume` of a session, or a script, and does steps; returns the screen at the end. */
async function resumed(
  home: CliHome,
  { ref, script = shellOf(ref) }: { ref: string; script?: string },
  env: Record<string, string>,
  ...steps: Step[]
): Promise<string> {
  await using terminal = await Terminal.open(home, script, { columns: 160, env });
  for (const step of steps) {
    if (step instanceof RegExp) await terminal.until(step);
    else if (/^C-.$/.test(step)) await terminal.press(step);
    else {
      if (step !== "") await terminal.type(step);
      await terminal.press("Enter");
    }
  }
  return await terminal.until(/status=\d/);
}

atTerminal.test("resume runs the agent in the session's directory, in this terminal, and ends as it does", async (home) => {
  const cwd = join(home.work, "学校 with spaces");
  Deno.mkdirSync(cwd);
  const terminal = "test -t 0 && test -t 1 && test -t 2 && echo terminal";
  const env = putProgram(home, "claude", `${TELLING}\n${terminal}\nread word; exit "$word"`);
  for (const status of [0, 3]) {
    const screen = await resumed(
      home,
      keepClaudeSession(home, UUID, cwd),
      env,
      /^terminal$/m,
      `${status}`,
    );
    assert.ok(screen.includes(`in=${cwd}\n${cwd}\n<--resume>\n<${UUID}>\n`), screen);
    assert.match(screen, new RegExp(`status=${status}$`, "m"));
  }
});

atTerminal.test("^C is the agent's, and does not end resume", async (home) => {
  const trap = 'trap "echo interrupted" INT';
  const env = putProgram(
    home,
    "pi",
    `${trap}\necho ready\nread a || read a\necho "got $a"; exit 5`,
  );
  const steps = [/^ready$/m, "C-c", /interrupted/, "more"];
  const screen = await resumed(home, keepPiSession(home), env, ...steps);
  assert.match(screen, /got more\nstatus=5$/m);
});

atTerminal.test("an agent that a signal ends makes resume end by the same signal", async (home) => {
  for (const [signal, status] of [["INT", 130], ["TERM", 143], ["KILL", 137]] as const) {
    const env = putProgram(home, "pi", `kill -${signal} $$`);
    const screen = await resumed(home, keepPiSession(home), env);
    assert.match(screen, new RegExp(`status=${status}$`, "m"));
  }
});

atTerminal.test("SIGTERM and SIGHUP of resume reach the agent, which may do what it must", async (home) => {
  for (const signal of ["TERM", "HUP"]) {
    const trap = `trap "echo saved; exit 7" ${signal}`;
    const killing = `kill -${signal} $PPID\nwhile :; do sleep 0.05; done`;
    const env = putProgram(home, "pi", `${trap}\n${killing}`);
    assert.match(await resumed(home, keepPiSession(home), env), /saved\nstatus=7$/m);
  }
});

atTerminal.test("job control works: ^Z of the terminal, and an agent that stops itself alone", async (home) => {
  // As Claude Code does: the signal goes to its own process, not to the group.
  const alone = 'echo ready\nread a\nkill -STOP $$\necho back\nread a\necho "got $a"';
  // A key that comes before the agent goes on may be the shell's.
  const again = 'trap "echo again" CONT\necho ready\nread a || read a\necho "got $a"';
  const env = putProgram(home, "claude", alone);
  putProgram(home, "pi", again);
  const stop = [/shell again/, ""];
  const claude = keepClaudeSession(home, UUID, home.work);
  const one = await resumed(home, claude, env, /^ready$/m, "", ...stop, /^back$/m, "one");
  assert.match(one, /got one\nstatus=0$/m);
  const pi = keepPiSession(home);
  const two = await resumed(home, pi, env, /^ready$/m, "C-z", ...stop, /^again$/m, "two");
  assert.match(two, /got two\nstatus=0$/m);
});

atTerminal.test("the program never comes from the session's directory, nor from a relative entry of PATH", async (home) => {
  const folders = [home.work, join(home.work, "node_modules", ".bin")];
  for (const folder of folders) putProgram(home, "pi", "echo hostile", folder);
  const hostile = [...["", ".", "./node_modules/.bin"], ...folders, Deno.env.get("PATH"), ""];
  const pi = keepPiSession(home);
  const none = await resumed(home, pi, { PATH: hostile.join(":") });
  assert.match(
    none,
    /there is no program pi on PATH\s[^]*reprise chat --resume pi:1111aaaa[^]*status=1$/m,
  );
  assert.doesNotMatch(none, /^hostile/m);
  const { PATH } = putProgram(home, "pi", "echo the right one");
  const right = await resumed(home, pi, { PATH: `.:${home.work}:${PATH}` });
  assert.match(right, /^the right one\nstatus=0$/m);
});

atTerminal.test("a program in the home directory runs for a session of the home directory", async (home) => {
  const env = putProgram(home, "claude", "echo at home", join(home.path, ".local", "bin"));
  const screen = await resumed(home, keepClaudeSession(home, UUID, home.path), env);
  assert.match(screen, /^at home\nstatus=0$/m);
});

atTerminal.test("nothing is started where the directory is gone, nor where the output goes into a pipe", async (home) => {
  const env = putProgram(home, "claude", "echo started");
  const gone = await resumed(home, keepClaudeSession(home, UUID, join(home.path, "gone")), env);
  assert.match(gone, /the session's directory is gone[^]*reprise relink[^]*status=1$/m);
  assert.doesNotMatch(gone, /^started/m);
  const { ref } = keepPiSession(home);
  const script = `${shellLine(["resume", ref])} | cat; echo "status=$?"`;
  assert.match(await resumed(home, { ref, script }, env), /^pi --session /m);
});

atTerminal.test("a session of Reprise goes on in its chat, in its directory", async (home) => {
  const cwd = join(home.path, "project");
  Deno.mkdirSync(cwd);
  home.keep(sessionId("aaaa"), [user("What was it?"), assistant("The cookie")], { cwd });
  Deno.writeTextFileSync(join(home.store, "config.json"), '{"chat.model":"mock"}');
  assert.match(await resumed(home, { ref: "aaaa" }, {}, /The cookie/, "/exit"), /status=0$/m);
});
