import assert from "node:assert/strict";
import configuration from "../deno.json" with { type: "json" };
import { cliCommand, cliEnvironment } from "./_support/cli.ts";
import { CliHome, inHome, sessionId } from "./_support/cli_home.ts";
import { assistant, user } from "./_support/log_bytes.ts";
import { LINUX, needing, UNIX } from "./_support/needing.ts";
import { ALL_TORTURE } from "./_support/torture.ts";

const COMMANDS = [
  ...[
    "list",
    "show",
    "watch",
    "resume",
    "handover",
    "conversation",
    "record",
    "rename",
    "archive",
    "delete",
    "path",
  ],
  ...["fork", "merge", "diff", "repair", "doctor", "config", "stats", "help"],
];

inHome.test("--help lists the commands of every day in 24 lines, and help all lists all", async (home) => {
  const [long, short, word, plain, all] = await Promise.all([
    home.run(["--help"]),
    home.run(["-h"]),
    home.run(["help"]),
    home.run(["--no-color", "--help"]),
    home.run(["help", "all"]),
  ]);
  assert.deepEqual([long.status, long.stderr], [0, ""]);
  for (const same of [short, word, plain]) assert.deepEqual(same, long);
  const lines = long.stdout.trimEnd().split("\n");
  assert.ok(lines.length < 24 && lines.every((line) => line.length <= 80), long.stdout);
  for (const name of ["list", "search", "show", "resume", "handover", "delete", "setup"]) {
    assert.match(long.stdout, new RegExp(`^.{16}${name} {2,}[a-z]`, "m"));
  }
  assert.match(long.stdout, /reprise help all/);
  assert.deepEqual([all.status, all.stderr], [0, ""]);
  for (const name of COMMANDS) assert.match(all.stdout, new RegExp(`^  ${name}\\b`, "m"));
  assert.match(all.stdout, /REPRISE_HOME/);
});

inHome.test("each command has help, the same by its name, by the option and by the command", async (home) => {
  const help = (await home.run(["help", "all"])).stdout;
  const [list = ""] = help.slice(help.indexOf("\nFind and read:\n")).split("\nREF names");
  const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name);
  assert.deepEqual(COMMANDS.filter((name) => !names.includes(name)), []);
  const options = await Promise.all(
    names.map((name) => home.run([name, "--help"], { process: false })),
  );
  const words = await Promise.all(names.map((name) => home.run(["help", name])));
  for (const [index, { status, stdout, stderr }] of options.entries()) {
    const name = names[index];
    assert.deepEqual([status, stderr], [0, ""], name);
    assert.match(stdout, new RegExp(`^Usage: reprise ${name}\\b`), name);
    assert.match(stdout, /^ {2}-h, --help +show help$/m, name);
    assert.match(stdout, /Examples?:\n/, name);
    assert.deepEqual(words[index], options[index], name);
  }
});

inHome.test("help of what is no command has status 2 and says so", async (home) => {
  const result = await home.run(["help", "nope"]);
  assert.equal(result.status, 2);
  assert.equal(result.stdout, "");
  assert.match(result.stderr, /^reprise: .*nope/);
});

inHome.test("a command of a command has help of its own", async (home) => {
  const [option, word] = await Promise.all([
    home.run(["config", "set", "--help"]),
    home.run(["help", "config", "set"]),
  ]);
  assert.equal(option.status, 0);
  assert.match(option.stdout, /^Usage: reprise config set/);
  assert.deepEqual(word, option);
});

inHome.test("the version is that of the package", async (home) => {
  for (const args of [["--version"], ["-v"], ["-V"]]) {
    const result = await home.run(args);
    assert.deepEqual(result, { status: 0, stdout: `${configuration.version}\n`, stderr: "" });
  }
});

inHome.test("the version is told behind flags that every command knows, too", async (home) => {
  const lines = [["--no-color", "-v"], ["--version", "--no-color"], [
    "--no-catalogue",
    "--version",
  ]];
  for (const { status, stdout } of await home.runAll(lines)) {
    assert.deepEqual([status, stdout], [0, `${configuration.version}\n`]);
  }
});

inHome.test("without arguments and terminal, the help goes to stderr with status 2", async (home) => {
  const result = await home.run([]);
  assert.equal(result.status, 2);
  assert.equal(result.stdout, "");
  assert.match(result.stderr, /^Usage: reprise/);
  assert.match(
    result.stderr,
    /\nreprise: Cannot choose a session without a terminal\. Give a command/,
  );
});

inHome.test("bad usage has status 2, says what is wrong and where help is, and prints no data", async (home) => {
  const cases: [string[], RegExp][] = [
    [
      ["lsit"],
      /^reprise: Unknown command "lsit"\. Did you mean: reprise list\nSee: reprise --help\n$/,
    ],
    [["--verion"], /^reprise: Unknown flag --verion\. Did you mean --version\?\nSee: /],
    [["list", "--al"], /Unknown flag --al\. Did you mean --all\?\nSee: reprise list --help\n$/],
    [["list", "--errors"], /Unknown flag --errors\. Did you mean --failed\?\n/],
    [["list", "--error=x"], /Unknown flag --error\S*\. Did you mean --failed\?\n/],
    [["list", "--expensive"], /\. Did you mean --sort cost\?\n/],
    [["stats", "--group-by", "model"], /\. Did you mean --by\?\n/],
    [["claude"], /"claude"\. To list its sessions: reprise list --agent claude\nSee: /],
    [["cladue"], /"cladue"\. To list its sessions: reprise list --agent claude\nSee: /],
    [["Claude Code"], /"Claude Code"\. To list its sessions: reprise list --agent claude\nSee: /],
    [["resume", "codex"], /"codex" is an agent\. .*: reprise resume --agent codex\n/],
    [["handover", "Codex", "--to", "pi"], /: reprise handover --agent codex --to pi\n/],
    [["show"], /^reprise: Cannot ask which session: .*\. Give a REF \(see: reprise list\)\n$/],
    [["config", "gte"], /"gte"\. Did you mean get\?\nSee: reprise config --help\n$/],
    [["config", "get"], /Missing argument: key\nSee: reprise config get --help\n$/],
    [["config"], /^Usage: reprise config/],
    [
      ["list", "extra"],
      /^reprise: reprise list takes no argument\. To search: reprise search extra\n/,
    ],
    [["list", "Codex"], /no argument\. Did you mean: reprise list --agent codex\n/],
    [["stats", "last", "week"], /: reprise stats --since last-week --until last-week\n/],
    [["rename", "3f2a"], /Give a title/],
    [["archive"], /argument: refs/],
    [["repair", "3f2a"], /--out FILE for a clean copy, or --in-place/],
    [["list", "--limit"], /^reprise: Missing value: -n, --limit <count>\n/],
  ];
  const results = await home.runAll(cases.map(([args]) => args));
  for (const [index, [args, message]] of cases.entries()) {
    const { status, stdout, stderr = "" } = results[index] ?? {};
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
  }
});

inHome.test("an option value that cannot be is refused with status 2 and what it may be", async (home) => {
  const cases: [string[], RegExp][] = [
    ...["0", "-1", "1.5", "x", "", "1e3", "99999999999999999999"].flatMap((value) =>
      [["list", "-n"], ["show", "aaaa", "--last"]].map((
        args,
      ): [string[], RegExp] => [[...args, value], /whole number above 0/])
    ),
    ...["", "x", "1", "7y", "d", "-1d", "2026-13-01", "2026-02-31", "99999999999999999999d", "now"]
      .map((value): [string[], RegExp] => [["list", "--since", value], /30m, 12h, 7d or 2w/]),
    ...["", "xml", "Plain"].map((value): [string[], RegExp] => [
      ["conversation", "aaaa", "--format", value],
      /plain, openai, anthropic, ai-sdk/,
    ]),
    [["conversation", "aaaa", "--tools", "x"], /include, omit/],
    [["conversation", "aaaa", "--reasoning", "x"], /include, omit/],
    [["record", "--durability", "always"], /boundary, event, none/],
    [
      ["show", "aaaa", "--json", "--events"],
      /^reprise: --(json|events) cannot be used with --(json|events)\n/,
    ],
    [["list", "--all", "--cwd", "."], /--(all|cwd) ?.* cannot be used with/],
    [["record", "--resume", "aaaa", "--cwd", "."], /cannot be used with/],
    [["record", "--resume", "aaaa", "--app", "x"], /cannot be used with/],
  ];
  const results = await home.runAll(cases.map(([args]) => args), { process: false });
  for (const [index, [args, message]] of cases.entries()) {
    const { status, stdout, stderr = "" } = results[index] ?? {};
    assert.deepEqual([status, stdout], [2, ""], `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, message);
    assert.match(stderr, new RegExp(`^See: reprise ${args[0]} --help$`, "m"));
  }
});

// Slow: each command line is a process that writes more than a pipe holds.
Deno.test(needing("a pipe that is closed early is quiet success", UNIX), async () => {
  await using home = new CliHome();
  const long = Array.from(
    { length: 800 },
    (_, at) => [user("x".repeat(90)), assistant(`${at}`)],
  );
  home.keep(sessionId("aaaa"), long.flat());
  const words = cliCommand().map((word) => `'${word}'`).join(" ");
  const env = cliEnvironment({ home: home.path });
  const more = ["show aaaa --events", "conversation aaaa"];
  const lines = ["show aaaa", "show aaaa --json", "--help", ...ALL_TORTURE ? more : []];
  const results = await Promise.all(lines.map(async (line) => {
    const script = `{ ${words} ${line}; echo "status $?" >&2; } | head -c 1`;
    const shell = new Deno.Command("sh", { args: ["-c", script], env, cwd: home.work });
    const { stdout, stderr } = await shell.output();
    return [stdout.length, new TextDecoder().decode(stderr)];
  }));
  assert.deepEqual(results, lines.map(() => [1, "status 0\n"]));
});

Deno.test(needing("an output that cannot be written is a failure", LINUX), async () => {
  await using home = new CliHome();
  home.keep(sessionId("aaaa"), [user("hi")]);
  const words = cliCommand().map((word) => `'${word}'`).join(" ");
  const env = cliEnvironment({ home: home.path });
  for (const argument of ["list", "--version"]) {
    const script = `${words} ${argument} > /dev/full; echo "status $?" >&2`;
    const options = { args: ["-c", script], env, cwd: home.work };
    const { stderr } = await new Deno.Command("sh", options).output();
    assert.match(
      new TextDecoder().decode(stderr),
      /^reprise: Cannot write: the disk is full;.*\nstatus 1\n$/,
      argument,
    );
  }
});

inHome.test("nothing is coloured that does not go to a terminal", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi"), assistant("**bold** `code`")]);
  const env = { FORCE_COLOR: "1", COLORTERM: "truecolor", TERM: "xterm-256color" };
  for (const args of [["show", "aaaa"], ["list"], ["resume"], ["--help"], ["nope"]]) {
    const { stdout, stderr } = await home.run(args, { env });
    assert.ok(stdout.length + stderr.length > 10);
    assert.ok(!(stdout + stderr).includes("\x1b"), args.join(" "));
  }
});
