import assert from "node:assert/strict";
import { join } from "node:path";
import { cliEnvironment } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { isHarmless } from "../text/render/_harmless.ts";
import { keepPiSession } from "./_pi_session.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";
import { needing, program } from "../_support/needing.ts";
import { testsWith } from "../_support/tests_in.ts";

const inKeptHome = testsWith(keptHome);

const SHELLS = ["bash", "zsh", "fish", "pwsh"];

function isThere(shell: string): boolean {
  if (Deno.build.os === "windows") return false;
  try {
    const args = ["-c", "exit 0"];
    return new Deno.Command(shell, { args, stdin: "null" }).outputSync().success;
  } catch {
    // Not installed.
    return false;
  }
}

function keptHome(): CliHome {
  const home = new CliHome();
  home.keep(sessionId("aaaa1111"), [user("Fix the login page")]);
  home.keep(sessionId("aaaa2222"), [user("学校のページを直す")]);
  home.keep(sessionId("bbbb"), [user("Asked elsewhere")], { cwd: join(home.path, "other") });
  return home;
}

/** Returns the completions of command lines, values and descriptions. */
async function complete(
  home: CliHome,
  lines: readonly (readonly string[])[],
  shell = "fish",
): Promise<string[][]> {
  const results = await home.runAll(lines.map((words) => ["completions", shell, "--", ...words]));
  return results.map(({ status, stdout, stderr }, index) => {
    assert.deepEqual([status, stderr], [0, ""], lines[index]?.join(" "));
    return stdout.split("\n").slice(0, -1);
  });
}

/** Flags that every command knows; the program's help has them. */
const COMMON = ["--no-cache", "--no-color"];

function values(lines: readonly string[] = []): string[] {
  return lines.map((line) => line.split("\t")[0] ?? "");
}

inKeptHome.test("every command and every option that help names can be completed, with its description", async (home) => {
  const [top] = await home.runAll([["help", "all"]]);
  const commands = [...top?.stdout.matchAll(/^ {2}(\w+).* {2,}(\S.*)$/gm) ?? []]
    .map(([, name = ""]) => name)
    .filter((name) => !["reprise", "my"].includes(name));
  assert.ok(commands.includes("show") && commands.includes("completions"), commands.join(" "));
  const [first] = await complete(home, [[""]]);
  assert.deepEqual(new Set(values(first)), new Set(commands));
  assert.doesNotMatch(top?.stdout ?? "", /\b(?:keep|scan)\b/);
  for (const flag of COMMON) assert.ok(top?.stdout.includes(flag), flag);
  assert.ok(first?.includes("show\tread a session in the terminal"));

  const helps = await home.runAll(commands.map((name) => [name, "--help"]));
  const offered = await complete(home, commands.map((name) => [name, "--"]));
  for (const [index, name] of commands.entries()) {
    const [, options = ""] = /^Options:\n([^]*?)\n(?:\n|$)/m.exec(helps[index]?.stdout ?? "") ?? [];
    const known = [...options.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = ""]) => flag);
    assert.ok(known.includes("--help"), name);
    assert.deepEqual(values(offered[index]).sort(), [...known, ...COMMON].sort(), name);
    assert.ok(offered[index]?.every((line) => /^--[\w-]+\t\S/.test(line)), name);
  }
});

inKeptHome.test("a reference is completed by sessions of this directory with their titles, else of all", async (home) => {
  const pi = keepPiSession(home, "1111aaaa-2222");
  // On a slow machine, completions come from the cache, which then has to know all sessions.
  await home.succeed(["list", "--all"]);
  const lines = [
    ["show", ""],
    ["resume", "AAAA1"],
    ["show", "bbbb"],
    ["show", "aaaa1111-0"],
    ["archive", "aaaa1111", "aaaa2"],
    ["record", "--resume", "aaaa1"],
    ["show", "p"],
    ["show", "pi:11"],
    ["show", "pi:1111aaaa-"],
    ["show", "111"],
    ["show", "zzzz"],
    ["show", "./x"],
    ["show", "aaaa1111", ""],
  ];
  assert.deepEqual(await complete(home, lines), [
    [
      "aaaa2222\t学校のページを直す",
      "aaaa1111\tFix the login page",
      "pi:1111aaaa\tAsked of pi",
    ],
    ["aaaa1111\tFix the login page"],
    ["bbbb0000\tAsked elsewhere"],
    [`${sessionId("aaaa1111")}\tFix the login page`],
    ["aaaa2222\t学校のページを直す"],
    ["aaaa1111\tFix the login page"],
    [
      "pi:\tsessions of this agent",
      "pearai:\tsessions of this agent",
      "prime:\tsessions of this agent",
    ],
    ["pi:1111aaaa\tAsked of pi"],
    [`${pi.ref}\tAsked of pi`],
    ["1111aaaa\tAsked of pi"],
    [":files"],
    [":files"],
    [],
  ]);
  assert.deepEqual(await complete(home, [["show", "aaaa1"]], "bash"), [
    ["aaaa1111\tFix the login page"],
  ]);
  await home.runAll([["delete", "aaaa1111"]]);
  assert.deepEqual(await complete(home, [["trash", "restore", ""], ["show", "aaaa"]]), [
    [`${sessionId("aaaa1111")}\tFix the login page`],
    ["aaaa2222\t学校のページを直す"],
  ]);
});

inKeptHome.test("values of options, settings, sub-commands, files and directories are completed", async (home) => {
  const lines = [
    ["conversation", "aaaa", "--format", ""],
    ["conversation", "--format=o"],
    ["conversation", "--tools", "omit", "--re"],
    ["list", "--agent", "clau"],
    ["list", "--agent", "al"],
    ["search", "--agent=re"],
    ["stats", "--agent", "re"],
    ["backup", "--agent", "re"],
    ["config", "set", "session.durability", ""],
    ["config", "set", "session.enabled", "f"],
    ["config", "set", "session.retention_days", ""],
    ["config", "set", "nope", ""],
    ["config", "get", "session.enabled", ""],
    ["config", "se"],
    ["doctor", "ag"],
    ["config", "get", "session.e"],
    ["help", "docto"],
    ["repair", "aaaa", "--out", ""],
    ["list", "--cwd", ""],
    ["completions", "z"],
    ["sho"],
    ["show", "--json", "--js"],
    ["list", "--", "--al"],
    ["list", "--title", ""],
    ["nope", ""],
    ["--ver"],
  ];
  assert.deepEqual((await complete(home, lines)).map(values), [
    [
      "plain",
      "openai",
      "anthropic",
      "ai-sdk",
      "openai-responses",
      "gemini",
      "bedrock",
      "ai-sdk-ui",
      "openai-agents",
    ],
    ["--format=openai", "--format=openai-responses", "--format=openai-agents"],
    ["--reasoning"],
    ["claude", "claude-desktop"],
    ["all"],
    ["--agent=reprise"],
    ["reprise"],
    [],
    ["boundary", "event", "none"],
    ["false"],
    [],
    [],
    [],
    ["set"],
    ["agents"],
    ["session.enabled"],
    ["doctor"],
    [":files"],
    [":directories"],
    ["zsh"],
    ["show"],
    [],
    [],
    [],
    [],
    ["--version"],
  ]);
  // PowerShell before 7.3 would leave an empty word out, so its script puts a dot before the last.
  const [dotted] = await complete(home, [["conversation", "--format", ".open"]], "pwsh");
  assert.deepEqual(dotted, ["openai", "openai-responses", "openai-agents"]);
});

inHome.test("a title cannot do anything to the terminal, nor make words of its own", async (home) => {
  const hostile = "\x1b[2J\x9b31m\u202e`id`$(id)\n--evil\tx\r";
  home.keep(sessionId("aaaa"), [user("first")], { title: hostile });
  const [lines = []] = await complete(home, [["show", ""]]);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /^aaaa0000\t␛\[2J/);
  assert.ok(isHarmless(lines[0] ?? ""));
  assert.equal(lines[0]?.split("\t").length, 2);
});

inKeptHome.test("completes an impossible command line with nothing, and without an error", async (home) => {
  const nowhere = { REPRISE_HOME: undefined, HOME: undefined, USERPROFILE: undefined };
  const words = ["completions", "zsh", "--", "show", ""];
  const { status, stdout, stderr } = await home.run(words, { env: nowhere });
  assert.deepEqual([status, stdout, stderr], [0, "", ""]);
  const wrong = await home.runAll([["completions"], ["completions", "tcsh"]]);
  assert.deepEqual(wrong.map((result) => [result.status, result.stdout]), [[2, ""], [2, ""]]);
  assert.match(wrong[1]?.stderr ?? "", /bash, zsh, fish, pwsh/);
});

inKeptHome.test("each shell's script is one that the shell can read", async (home) => {
  const scripts = await home.runAll(SHELLS.map((shell) => ["completions", shell]));
  for (const [index, shell] of SHELLS.entries()) {
    const { status, stdout = "" } = scripts[index] ?? {};
    assert.equal(status, 0);
    assert.match(stdout, new RegExp(`completions ${shell}`));
    if (shell === "pwsh" || !isThere(shell)) continue;
    const path = join(home.path, shell);
    await Deno.writeTextFile(path, stdout);
    const { success, stderr } = await new Deno.Command(shell, { args: ["-n", path] }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  }
});

/** Puts the program where a shell finds it; gives the environment. */
async function installed(
  home: CliHome,
  script = `exec ${shellLine([])} "$@"`,
  shell = "sh",
): Promise<Record<string, string>> {
  const bin = join(home.path, "bin");
  await Deno.mkdir(bin);
  await Deno.writeTextFile(join(bin, "reprise"), `#!/usr/bin/env ${shell}\n${script}\n`, {
    mode: 0o755,
  });
  return { PATH: `${bin}:${Deno.env.get("PATH") ?? ""}` };
}

/** Runs a script of a shell, whose program has its command lines run by this process. */
async function runShell(home: CliHome, shell: string, script: string): Promise<string[]> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const env = await installed(
    home,
    `exec 3<>/dev/tcp/127.0.0.1/${listener.addr.port}; printf '%s\\0' "$@" $'\\n' >&3; cat <&3`,
    "bash",
  );
  const serve = async (): Promise<void> => {
    for await (const { readable, writable } of listener) {
      let asked = "";
      const reader = readable.pipeThrough(new TextDecoderStream()).getReader();
      while (!asked.endsWith("\n\0")) asked += (await reader.read()).value;
      const { stdout } = await home.run(asked.split("\0").slice(0, -2));
      await new Blob([stdout]).stream().pipeTo(writable);
      await reader.cancel();
    }
  };
  const served = serve();
  const options = {
    args: ["-c", script],
    env: cliEnvironment({ home: home.path, env }),
    clearEnv: true,
    cwd: home.work,
    stdin: "null",
  };
  const { stdout, stderr } = await new Deno.Command(shell, options as Deno.CommandOptions).output();
  listener.close();
  await served;
  assert.equal(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout).split("\n").slice(0, -1);
}

Deno.test({
  ...needing(
    "bash completes commands, sessions, values behind = and :, and files",
    program("bash"),
  ),
  async fn(): Promise<void> {
    await using home = keptHome();
    keepPiSession(home);
    await Deno.writeTextFile(join(home.work, "my file.md"), "");
    const script = `source <(reprise completions bash)
      try() {
        COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDBREAKS=$' \\t\\n"><=;|&(:'
        _reprise reprise 2>/dev/null
        echo "$1|\${COMPREPLY[*]}"
      }
      try 'reprise sho'
      try 'reprise show '
      try 'X=1 reprise show aaaa1'
      try 'reprise conversation --format=op'
      try 'reprise show pi:1'
      try 'reprise show p'
      try 'reprise repair aaaa --out my'
      COMP_TYPE=63
      try 'reprise show '
      try 'reprise show aaaa1'
      COMP_WORDBREAKS=' ' COMP_LINE='reprise show pi:1' COMP_POINT=17
      _reprise reprise 2>/dev/null
      echo "whole|\${COMPREPLY[*]}"
      complete -p reprise`;
    assert.deepEqual(await runShell(home, "bash", script), [
      "reprise sho|show",
      "reprise show |aaaa2222 aaaa1111 pi:1111aaaa",
      "X=1 reprise show aaaa1|aaaa1111",
      "reprise conversation --format=op|openai openai-responses openai-agents",
      "reprise show pi:1|1111aaaa",
      "reprise show p|pi: pearai: prime:",
      "reprise repair aaaa --out my|my file.md",
      "reprise show |aaaa2222           -- 学校のページを直す aaaa1111           -- Fix the login page pi:1111aaaa        -- Asked of pi",
      "reprise show aaaa1|aaaa1111",
      "whole|pi:1111aaaa",
      "complete -F _reprise reprise",
    ]);
  },
});

Deno.test({
  ...needing("fish completes commands, sessions with titles, values and files", program("fish")),
  async fn(): Promise<void> {
    await using home = keptHome();
    await Deno.writeTextFile(join(home.work, "my file.md"), "");
    const lines = [
      "reprise sho",
      "reprise show ",
      "reprise show --fo",
      "reprise repair a --out my",
    ];
    const script = ["reprise completions fish | source"]
      .concat(lines.map((line) => `complete -C '${line}'`)).join("\n");
    assert.deepEqual(await runShell(home, "fish", script), [
      "show\tread a session in the terminal",
      "aaaa2222\t学校のページを直す",
      "aaaa1111\tFix the login page",
      "--follow\tshow new events as they arrive, until ^C",
      "my file.md",
    ]);
  },
});

Deno.test({
  ...needing("zsh lists sessions with their titles, and completes them", TERMINAL, program("zsh")),
  async fn(): Promise<void> {
    await using home = keptHome();
    const env = await installed(home);
    const script = `PATH='${env.PATH}' PS1='%% ' exec zsh -f`;
    await using terminal = await Terminal.open(home, script, { columns: 100, env });
    await terminal.until(/^%/m);
    await terminal.type("source <(reprise completions zsh); echo loa''ded");
    await terminal.press("Enter");
    await terminal.until(/^loaded$/m);
    await terminal.type("reprise conversation aaaa1");
    await terminal.press("Tab");
    await terminal.until(/^% reprise conversation aaaa1111$/m);
    await terminal.type("--format=op");
    await terminal.press("Tab");
    await terminal.until(/--format=openai/);
    await terminal.press("C-u");
    await terminal.type("reprise show aaaa");
    await terminal.press("Tab");
    await terminal.until(/^aaaa2222 +-- 学校のページを直す\naaaa1111 +-- Fix the login page$/m);
  },
});
