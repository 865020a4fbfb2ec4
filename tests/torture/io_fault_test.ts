/**
 * Each call on a file fails once: a command says in words what the system refused, never that the
 * fault is its own, and the same command runs again. `REPRISE_TORTURE=all` takes every call.
 */
import assert from "node:assert/strict";
import { ALL_TORTURE } from "../_support/torture.ts";
import { cliCommand, cliEnvironment } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { runTraced, STRACE } from "../_support/strace.ts";
import { type Command, FaultHome, IDS } from "./_fault_home.ts";
import { LINUX, needing } from "../_support/needing.ts";

/** The listener that tells of a file size limit stays as long as the process. */
const LENIENT = { sanitizeOps: false, sanitizeResources: false };
/** Calls of a command that fail in a usual run. */
const POINTS = 2;

const EVENTS = [user("one"), user("two")].map((event) => `${JSON.stringify(event)}\n`).join("");
const { whole, other, damaged, claude } = IDS;
const KEEP_ALL = ["backup", "--agent", "all", "--all"];

/** Nobody has its key. */
const RECIPIENT = "age1cq7lu8sgkena2rd6yguw2jsa3fydztag5ev2v9thmkys786xgczquekuss";

/** What runs before a command, and the commands that run from there. */
const TABLE: { before?: string[][]; commands: (string[] | Command)[] }[] = [
  {
    commands: [
      ["list"],
      ["list", "--all", "--json"],
      ["show", whole],
      ["show", whole, "--last", "1"],
      ["show", damaged, "--events"],
      ["show", claude],
      ["show", claude, "--threads"],
      ["conversation", whole],
      ["conversation", claude],
      ["conversation", "pi:1111aaaa"],
      ["stats", "--all"],
      ["search", "parser", "--all"],
      ["path", whole],
      ["resume", whole],
      ["doctor", whole],
      ["doctor", damaged],
      ["repair", damaged, "--out", "clean.jsonl"],
      ["doctor"],
      ["doctor", "--fix"],
      ["index", "build"],
      ["rename", whole, "New"],
      ["rename", claude, "New"],
      ["archive", whole],
      ["delete", whole],
      ["delete", "--older-than", "2026-11-22"],
      ["import", `claude:${claude}`],
      ["import", "pi:1111aaaa"],
      ["backup", `claude:${claude}`],
      KEEP_ALL,
      ["fork", whole],
      ["merge", whole, other],
      ["diff", whole, other],
      ["export", whole],
      ["export", whole, "--out", "a.html"],
      ["export", whole, "--format", "jsonl"],
      ["export", whole, "--encrypt", RECIPIENT, "--out", "a.age"],
      ["key", "new", "--out", "key.txt"],
      ["secrets", whole],
      ["relink", "/somewhere", ".", "--force"],
      ["config", "set", "chat.model", "mock"],
      ["config", "list"],
      { args: ["record"], stdin: EVENTS },
      { args: ["record", "--resume", whole], stdin: EVENTS },
      ["chat", "--model", "mock", "Hello"],
      ["chat", "--model", "mock", "--resume", whole, "Hello"],
    ],
  },
  {
    before: [["delete", other]],
    commands: [["trash", "list"], ["trash", "restore", other], ["trash", "empty", "--yes"]],
  },
  {
    before: [["index", "build"], ["rename", other, "New"]],
    commands: [
      ["search", "parser", "--all"],
      ["index", "build"],
      ["index", "status"],
      ["index", "drop"],
    ],
  },
  { before: [KEEP_ALL], commands: [KEEP_ALL] },
];

/** The calls that fail, of so many: all, or some that are spread over them. */
function pointsOf(total: number, first: number): number[] {
  const step = ALL_TORTURE ? 1 : Math.max(1, Math.floor(total / POINTS));
  const points: number[] = [];
  for (let at = 1 + (ALL_TORTURE ? 0 : first % step); at <= total; at += step) points.push(at);
  return points;
}

let number = 0;
for (const { before = [], commands } of TABLE) {
  let made: Promise<FaultHome> | undefined;
  let left = commands.length;
  for (const given of commands) {
    const command = Array.isArray(given) ? { args: given } : given;
    const first = number++;
    const name = [...before.map(([word]) => word), command.args.join(" ")].join(", ");
    const options = command.args[0] === "record" ? LENIENT : {};
    Deno.test(`a call on a file that fails is told in words: ${name}`, options, async () => {
      const home = await (made ??= FaultHome.make(before));
      await using _last = --left === 0 ? home : undefined;
      home.reset();
      const clean = await home.withFault(command, 0);
      assert.ok(clean.calls > 0);
      for (const at of pointsOf(clean.calls, first)) {
        home.reset();
        const { failed, status, stdout, stderr } = await home.withFault(command, at);
        const place = `call ${at}, ${failed?.name} ${failed?.path}: ${stdout}${stderr}`;
        assert.ok([0, 1, 2].includes(status), `status ${status} at ${place}`);
        assert.doesNotMatch(stdout + stderr, /^ {4}at .*:\d+:\d+/m, place);
        if (status !== clean.status) assert.match(stdout + stderr, /Cannot |problem/, place);
        const again = await home.run(command);
        if (again.status !== clean.status) {
          assert.equal(again.status, 1, `again, after ${place}: ${again.stderr}`);
          assert.match(again.stderr, /^reprise: Cannot /m, `again, after ${place}`);
        }
        await home.assertSound(whole);
      }
    });
  }
}

/** Calls of the system on a log that fail, and the commands that make them. */
const REAL: [syscalls: string, error: string, args: string[]][] = [
  ["read", "EIO", ["conversation", whole]],
  ["read", "EIO", ["rename", whole, "New"]],
  ["read", "EIO", ["show", whole, "--last", "1"]],
  ["fstat,statx", "EIO", ["doctor", whole]],
  ["write", "EIO", ["rename", whole, "New"]],
  ["fdatasync", "EIO", ["rename", whole, "New"]],
];

// Slow: a traced process reads a log.
Deno.test(needing("the system's own errors are told in words too", STRACE), async () => {
  for (const [syscalls, error, args] of ALL_TORTURE ? REAL : REAL.slice(0, 1)) {
    for (let when = 1, injected = true; injected; when++) {
      await using home = new CliHome();
      const { path } = home.keep(whole, [user("one")]);
      const fault = `inject=${syscalls}:error=${error}:when=${when}`;
      const options = ["-P", path, "-e", `trace=${syscalls}`, "-e", fault];
      const traced = await runTraced(options, [...cliCommand(), ...args], {
        env: cliEnvironment({ home: home.path }),
        cwd: home.work,
      });
      injected = traced.calls.some((call) => call.includes("INJECTED"));
      const place = `${args.join(" ")}, ${syscalls} ${when}: ${traced.stderr}`;
      assert.ok([0, 1].includes(traced.status), place);
      if (traced.status === 1) assert.match(traced.stderr, /^reprise: Cannot /m, place);
      assert.equal((await home.run(args)).status, 0, place);
      if (!ALL_TORTURE) break;
    }
  }
});

Deno.test(needing("an output that takes nothing is told on stderr", LINUX), async () => {
  await using home = new CliHome();
  home.keep(whole, [user("one")]);
  const { code, stderr } = await new Deno.Command("sh", {
    args: ["-c", 'exec "$@" > /dev/full', "sh", ...cliCommand(), "conversation", whole],
    env: cliEnvironment({ home: home.path }),
    cwd: home.work,
    clearEnv: true,
    stdin: "null",
  }).output();
  const told = new TextDecoder().decode(stderr);
  assert.equal(code, 1, told);
  assert.match(told, /^reprise: Cannot write: the disk is full; .*: standard output$/m);
});
