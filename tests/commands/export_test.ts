import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { atifFaults } from "../_support/atif_rules.ts";
import { stsFaults } from "../_support/sts_rules.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { atTerminal, shellLine, Terminal } from "./_terminal.ts";
import { needing, UNIX } from "../_support/needing.ts";
import { onUnix } from "../_support/tests_in.ts";

// Put together here, so that nobody takes it for one that is in use.
const TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

const TALK: NewEvent[] = [
  { kind: "user_message", turn_id: "t1", payload: { content: `Use ${TOKEN}, please` } },
  {
    kind: "assistant_message",
    turn_id: "t1",
    payload: { content: "I **look**.", message_id: "m1", model: "m-1" },
  },
  {
    kind: "assistant_message",
    turn_id: "t1",
    payload: {
      content: [{ type: "tool_call", call_id: "c1", name: "read", input: { path: "a.ts" } }],
      message_id: "m1",
    },
  },
  {
    kind: "tool_end",
    turn_id: "t1",
    payload: { call_id: "c1", name: "read", status: "ok", output: `unearthed ${TOKEN}` },
  },
  { kind: "assistant_message", turn_id: "t1", payload: { content: "Done.", message_id: "m2" } },
];

function homeWithTalk(): { home: CliHome; path: string } {
  const home = new CliHome();
  const { path } = home.keep(sessionId("aaaa"), TALK, { title: "The talk" });
  return { home, path };
}

inHome.test("forms for people say after each turn what it took", async (home) => {
  const taken = { model: "m1", usage: { input: 1200, output: 30 }, cost_usd: 0.5 };
  const answer: NewEvent = { kind: "assistant_message", payload: { content: "Done.", ...taken } };
  home.keep(sessionId("aaaa"), [user("Go"), answer, user("More")]);
  for (const format of ["md", "html", "text"]) {
    const { stdout } = await home.run(["export", "aaaa", "--format", format]);
    assert.match(stdout, /Done\.[^]*m1 · 1\.2k in, 30 out, \$0\.50[^]*More/, format);
  }
});

// Slow: a session is exported in every format.
Deno.test("every format contains the messages, and formats for sharing contain no secret", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  for (const format of ["md", "html", "text", "atif", "sts", "otlp"]) {
    const { stdout, stderr } = await home.succeed(["export", "aaaa", "--format", format]);
    assert.match(stdout, /Done\./, format);
    assert.match(stdout, /unearthed/, format);
    assert.ok(!stdout.includes(TOKEN), format);
    assert.match(
      stderr,
      /Replaced \d+ secrets?(?: in \d+ places)?:\n[^]*#2 payload\.content/,
      format,
    );
    assert.ok(!stderr.includes(TOKEN));
    const placeholders = new Set(stdout.match(/\[redacted:[^\]]*\]/g));
    assert.equal(placeholders.size, 1, `${format}: ${[...placeholders]}`);
  }
  for (const format of ["json", "jsonl"]) {
    const { status, stdout, stderr } = await home.run(["export", "aaaa", "--format", format]);
    assert.deepEqual([status, stderr], [0, ""]);
    assert.ok(stdout.includes(TOKEN), format);
  }
});

Deno.test("documents for people say times in one way, readable and with their zone", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  for (const format of ["md", "html", "text"]) {
    const { stdout } = await home.run(["export", "aaaa", "--format", format]);
    assert.match(stdout, /2026-11-21 20:21 UTC/, format);
    const shown = stdout.replaceAll(/datetime="[^"]*"/g, "");
    assert.doesNotMatch(shown, /\d{4}-\d\d-\d\dT\d/, format);
  }
});

Deno.test("--redact and --no-redact and the setting decide, in this order", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const exported = async (...flags: string[]): Promise<boolean> =>
    (await home.run(["export", "aaaa", ...flags])).stdout.includes(TOKEN);
  assert.equal(await exported("--no-redact"), true);
  assert.equal(await exported("--format", "jsonl", "--redact"), false);
  assert.equal((await home.run(["config", "set", "redact.on_export", "false"])).status, 0);
  assert.equal(await exported(), true);
  assert.equal(await exported("--redact"), false);
});

Deno.test("jsonl is the log byte for byte, and json all its events", async () => {
  const { home, path } = homeWithTalk();
  await using _ = home;
  const copy = await home.run(["export", "aaaa", "--format", "jsonl"]);
  assert.equal(copy.stdout, await Deno.readTextFile(path));
  const { summary, events } = JSON.parse(
    (await home.run(["export", "aaaa", "--format", "json"])).stdout,
  );
  assert.equal(summary.title, "The talk");
  const shown = jsonLines((await home.run(["show", "aaaa", "--events"])).stdout);
  assert.deepEqual(events, shown);
});

inHome.test("a damaged log is copied as it is, bytes that are no text too", async (home) => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('{"a":1}\n{"b'), 0xff, 0, 10]);
  home.keep(sessionId("aaaa"), [], { bytes });
  const out = join(home.work, "copy.jsonl");
  await home.succeed(["export", "aaaa", "--out", out]);
  assert.deepEqual(await Deno.readFile(out), bytes);
});

Deno.test("a redacted jsonl is a log of its own: verified, with the same events", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const out = join(home.work, "shared.jsonl");
  assert.equal((await home.run(["export", "aaaa", "--out", out, "--redact"])).status, 0);
  const { status, stdout } = await home.run(["doctor", out, "--json"]);
  assert.equal(status, 0, stdout);
  const before = jsonLines((await home.run(["show", "aaaa", "--events"])).stdout);
  const after = jsonLines((await home.run(["show", out, "--events"])).stdout);
  assert.deepEqual(
    after.map(({ kind, seq }) => [kind, seq]),
    before.map(({ kind, seq }) => [kind, seq]),
  );
});

Deno.test("an ATIF trajectory keeps Harbor's rules and names its agent", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const trajectory = JSON.parse(
    (await home.run(["export", "aaaa", "--format", "atif"])).stdout,
  );
  assert.deepEqual(atifFaults(trajectory), []);
  assert.equal(trajectory.agent.name, "reprise");
  assert.deepEqual(
    trajectory.steps.map(({ source }: { source: string }) => source),
    ["user", "agent", "agent"],
  );
  home.keep(sessionId("bbbb"), []);
  const empty = await home.run(["export", "bbbb", "--format", "atif"]);
  assert.deepEqual([empty.status, empty.stdout], [1, ""]);
  assert.match(empty.stderr, /the session has no messages.*use another --format/);
});

inHome.test("a session trace keeps the Hub's rules, also where ids of calls come again", async (home) => {
  const said = (call_id: string, text: string) => [
    {
      kind: "assistant_message",
      payload: {
        content: [
          { type: "reasoning", text: "Hm" },
          { type: "text", text },
          { type: "tool_call", call_id, name: "read", input: { path: "a" } },
        ],
        model: "m1",
      },
    },
    { kind: "tool_end", payload: { call_id, name: "read", status: "ok", output: `${text} out` } },
  ];
  const events = [
    { kind: "user_message", payload: { content: "Be short", role: "system" } },
    { kind: "user_message", payload: { content: "Go \ud83d\ude00\u2028" } },
    ...said("c1", "one"),
    ...said("c1", "two"),
  ];
  home.keep(sessionId("aaaa"), events as Parameters<typeof home.keep>[1]);
  home.keep(sessionId("bbbb"), []);
  const { stdout } = await home.succeed(["export", "aaaa", "--format", "sts"]);
  assert.deepEqual(stsFaults(stdout), []);
  const [head, ...lines] = jsonLines(stdout);
  assert.deepEqual([head?.type, head?.harness, head?.redacted], ["session", "reprise", true]);
  const messages = lines.map(({ message }) => message as Record<string, unknown>);
  assert.deepEqual(
    messages.map(({ role, content, toolCallId }) => [role, content, toolCallId]),
    [
      ["system", "Be short", undefined],
      ["user", "Go \ud83d\ude00\u2028", undefined],
      ["assistant", "one", undefined],
      ["tool", "one out", "c1"],
      ["assistant", "two", undefined],
      ["tool", "two out", "c1~2"],
    ],
  );
  assert.equal(messages[2]?.reasoningContent, "Hm");
  const empty = await home.run(["export", "bbbb", "--format", "sts"]);
  assert.deepEqual([empty.status, stsFaults(empty.stdout)], [0, []]);
});

Deno.test("the rules of session traces find what breaks them", () => {
  const head = '{"type":"session","harness":"a","id":"b"}\n';
  const broken = [
    '{"type":"session","id":"b"}',
    `${head}{"type":"message","message":{"role":"bot","content":""}}`,
    `${head}{"type":"message","message":{"role":"user"}}`,
    `${head}{"type":"message","message":{"role":"tool","content":"","toolCallId":"x"}}`,
    `${head}{"type":"message","message":{"role":"assistant","content":"","toolCalls":[{"id":"x","function":{"name":"f","arguments":{}}}]}}`,
    `${head}{"type":"message","message":{"role":"user","content":"","timestamp":"now"}}`,
  ];
  for (const text of broken) assert.notDeepEqual(stsFaults(text), [], text);
});

Deno.test("--out names the form by its ending, makes a file of the user alone, and replaces none", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const out = join(home.work, "talk.html");
  const first = await home.run(["export", "aaaa", "--out", out]);
  assert.equal(first.status, 0, first.stderr);
  assert.equal(first.stdout, "");
  assert.match(first.stderr, /Wrote .*talk\.html/);
  assert.match(await Deno.readTextFile(out), /^<!doctype html>/i);
  if (Deno.build.os !== "windows") assert.equal((await Deno.stat(out)).mode! & 0o777, 0o600);
  const again = await home.run(["export", "aaaa", "--out", out, "--format", "text"]);
  assert.equal(again.status, 1);
  assert.match(again.stderr, /the file exists; to replace it, add --force/);
  assert.match(await Deno.readTextFile(out), /^<!doctype html>/i);
  assert.equal(
    (await home.run(["export", "aaaa", "--out", out, "--format", "text", "--force"])).status,
    0,
  );
  assert.match(await Deno.readTextFile(out), /^The talk/);
  assert.deepEqual([...Deno.readDirSync(home.work)].map(({ name }) => name), ["talk.html"]);
});

onUnix.test("--out never takes the place of a folder, a device or a pipe, not even with --force", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const pipe = join(home.work, "pipe");
  await new Deno.Command("mkfifo", { args: [pipe] }).output();
  const link = join(home.work, "link");
  await Deno.symlink("pipe", link);
  const places = [
    ...[pipe, link].map((path) =>
      [path, /the path is not a regular file; .*redirect stdout/] as const
    ),
    [home.work, /the path is a directory; name a file in it/] as const,
  ];
  for (const [path, reason] of places) {
    for (const force of [[], ["--force"]]) {
      const { status, stderr } = await home.run([
        "export",
        "aaaa",
        "--format",
        "md",
        "--out",
        path,
        ...force,
      ]);
      assert.equal(status, 1, path);
      assert.match(stderr, reason);
    }
  }
  assert.equal((await Deno.stat(pipe)).isFifo, true);
  assert.deepEqual([...Deno.readDirSync(home.work)].map(({ name }) => name).sort(), [
    "link",
    "pipe",
  ]);
});

Deno.test("--tools chooses how much of calls is shown, and is refused where it means nothing", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  for (const format of ["md", "html", "text"]) {
    const shown = async (tools: string): Promise<boolean[]> => {
      const { stdout } = await home.run([
        "export",
        "aaaa",
        "--format",
        format,
        "--tools",
        tools,
      ]);
      return [stdout.includes("a.ts"), stdout.includes("unearthed"), stdout.includes("Done.")];
    };
    assert.deepEqual(await shown("full"), [true, true, true], format);
    assert.deepEqual(await shown("brief"), [true, false, true], format);
    assert.deepEqual(await shown("none"), [false, false, true], format);
  }
  const refused = await home.run(["export", "aaaa", "--format", "json", "--tools", "none"]);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /--tools works only with md, html and text/);
});

Deno.test("bad input is told with what to do, and leaves no file", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const missing = join(home.work, "none", "x.md");
  const cases: [string[], number, RegExp][] = [
    [["export", "ffff"], 1, /Cannot find session/],
    [["export", "aaaa", "--out", "x.pdf"], 2, /Cannot choose a format: .* Add --format/],
    [["export", "aaaa", "--format", "pdf"], 2, /Choices: md, html/],
    [["export", "aaaa", "--out", missing], 1, /Cannot write export/],
    [["export", "aaaa#2"], 1, /name the session only, without #EVENT/],
    [["export", "aaaa", "--thread", "x"], 1, /Cannot find branch or subagent "x"/],
  ];
  for (const [args, expected, message] of cases) {
    const { status, stderr } = await home.run(args);
    assert.equal(status, expected, args.join(" "));
    assert.match(stderr, message);
  }
  assert.deepEqual([...Deno.readDirSync(home.work)], []);
});

Deno.test(
  needing("an export that is interrupted leaves no file, and its status says so", UNIX),
  async () => {
    await using home = new CliHome();
    const text = "word ".repeat(20_000);
    home.keep(sessionId("aaaa"), Array.from({ length: 60 }, () => user(text)));
    const names = (): string[] => [...Deno.readDirSync(home.work)].map(({ name }) => name);
    for (const flags of [["--out", "x.md", "--no-redact"], ["--out", "x.jsonl"]]) {
      let cancelled = false;
      // On a busy machine the program may be done before the signal reaches it.
      for (let attempt = 0; attempt < 8 && !cancelled; attempt++) {
        const before = names().length;
        const running = home.talk(["export", "aaaa", ...flags, "--force"]);
        const ended = running.end();
        while (names().length === before) await new Promise((next) => setTimeout(next, 1));
        running.kill("SIGINT");
        cancelled = (await ended).status === 130;
        if (!cancelled) { for (const name of names()) await Deno.remove(join(home.work, name)); }
      }
      assert.ok(cancelled, flags.join(" "));
      assert.deepEqual(names(), []);
    }
  },
);

Deno.test("exporting changes nothing of the log", async () => {
  const { home, path } = homeWithTalk();
  await using _ = home;
  const before = [await Deno.readTextFile(path), (await Deno.stat(path)).mtime];
  for (const format of ["md", "html", "text", "atif", "sts", "otlp", "json", "jsonl"]) {
    assert.equal((await home.run(["export", "aaaa", "--format", format])).status, 0);
  }
  assert.deepEqual([await Deno.readTextFile(path), (await Deno.stat(path)).mtime], before);
});

// Slow: a program in a terminal is answered key by key.
atTerminal.test("an exact copy is refused on a terminal, and every other form is harmless there", async (home) => {
  home.keep(sessionId("aaaa"), [
    { kind: "user_message", payload: { content: "\x1b]0;owned\x07 \x9b31m \u202e abc" } },
  ]);
  const script = `${shellLine(["export", "aaaa", "--format", "jsonl"])}; echo status $?`;
  await using terminal = await Terminal.open(home, script, { columns: 100 });
  await terminal.until(/status 2/);
  for (const format of ["md", "html", "text", "atif", "sts", "otlp", "json"]) {
    const { stdout } = await home.run(["export", "aaaa", "--format", format]);
    assert.match(stdout, /owned.* abc/, format);
    assert.doesNotMatch(
      stdout,
      /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u,
      format,
    );
  }
});

inHome.test("a redacted jsonl keeps its marks: what was changed in the log is no verified event", async (home) => {
  const logs = new URL("../../testdata/logs/", import.meta.url);
  for (const name of ["checksum_mismatch", "newer_version", "invalid_payload", "rfc_plain"]) {
    const log = fileURLToPath(new URL(`${name}.jsonl`, logs));
    const out = join(home.work, `${name}.jsonl`);
    await home.succeed(["export", log, "--out", out, "--redact"]);
    const shown = async (path: string): Promise<unknown[]> =>
      jsonLines((await home.run(["show", path, "--events"])).stdout).map((event) => {
        const { integrity, ...rest } = event;
        // A line that had no checksum gets one, and one that named no version that of all such.
        return { v: 1, ...rest, integrity: integrity === "unverified" ? "verified" : integrity };
      });
    assert.deepEqual(await shown(out), await shown(log), name);
  }
});

inHome.test("a secret that is named in a record the form does not show is replaced where it is shown", async (home) => {
  const secret = "Tr0ub4dor" + "-9xQz-71kk";
  home.keep(sessionId("aaaa"), [
    { kind: "user_message", payload: { content: `Try it with ${secret}` } },
    { kind: "extension", payload: { agent: "pi", type: "settings", data: { password: secret } } },
  ]);
  for (const format of ["md", "html", "text", "atif", "sts", "otlp"]) {
    const { stdout } = await home.succeed(["export", "aaaa", "--format", format]);
    assert.match(stdout, /Try it with/);
    assert.ok(!stdout.includes(secret), format);
  }
});
