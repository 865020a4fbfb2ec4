import assert from "node:assert/strict";
import { join } from "node:path";
import { isHarmless, withoutStyles } from "../text/render/_harmless.ts";
import type { CliResult } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";
import { HOSTILE, HOSTILE_NAME, hostileLog } from "./_hostile.ts";
import { needing, UNIX } from "../_support/needing.ts";

function assertHarmless(results: readonly CliResult[], about: readonly unknown[]): void {
  for (const [index, { stdout, stderr }] of results.entries()) {
    assert.ok(stdout.length + stderr.length > 0, `nothing was said: ${about[index]}`);
    for (const text of [stdout, stderr]) {
      const bad = text.split("\n").find((line) => !isHarmless(line));
      assert.equal(bad, undefined, `${JSON.stringify(about[index])}: ${JSON.stringify(bad)}`);
    }
  }
}

inHome.test("no hostile text of a log reaches the terminal through any command that reads it", async (home) => {
  home.keep(sessionId("aaaa"), [], { bytes: hostileLog() });
  for (const [index, title] of HOSTILE.entries()) {
    home.keep(sessionId(`b${index}`.padEnd(8, "0")), [user(title), {
      kind: "session_renamed",
      payload: { title },
    }]);
  }
  const lines = [
    ...["list", "list --json", "list --all --exact", "list --title x --all"],
    ...["show aaaa", "show aaaa --full", "show aaaa --json", "show aaaa --events --last 900"],
    ...["resume aaaa", "resume aaaa --json", "doctor aaaa", "doctor aaaa --json", "doctor"],
    ...["plain", "openai", "anthropic", "ai-sdk"].map((shape) =>
      `conversation aaaa --reasoning include --format ${shape}`
    ),
    ...["diff aaaa b0000000", "diff b0000000 aaaa --full", "diff aaaa b0000000 --json --full"],
    ...["md", "html", "text", "atif", "sts", "otlp", "json"].map((format) =>
      `export aaaa --format ${format}`
    ),
    ...[
      "secrets aaaa",
      "secrets aaaa --json",
      "search x",
      "search x --json",
      "search --regex . -n 500",
    ],
    ...["fork aaaa --cwd . --json", "merge b0000000 aaaa --json"],
    ...["delete --max-size 1B --dry-run", "delete --max-size 1B --dry-run --json"],
    ...["bash", "zsh", "fish"].map((shell) => `completions ${shell} -- show b0`),
    ...["index build", "search --regex . -n 500", "search x --json", "stats --by project"],
  ];
  const results = await home.runAll(lines.map((line) => line.split(" ")));
  assertHarmless(results, lines);
  const statuses = results.map(({ status }, index) => `${lines[index]}: ${status}`);
  assert.deepEqual(
    statuses,
    lines.map((line) => `${line}: ${line.startsWith("doctor aaaa") ? 1 : 0}`),
  );
  // It is shown, not dropped.
  assert.match(results[4]?.stdout ?? "", /␛\[2J␛\[H/);
  assert.match(results[0]?.stdout ?? "", /␛\[2J␛\[H/);
});

inHome.test("no hostile text reaches a terminal, where colours are written too", async (home) => {
  home.keep(sessionId("aaaa"), [], { bytes: hostileLog() });
  const store = `${home.path}/st\x1b[2Jo\u202ere`;
  await Deno.rename(home.store, store);
  const lines = [
    ...[["list"], ["show", "aaaa", "--full"], ["resume", "aaaa"], ["doctor", "aaaa"]],
    ...[["conversation", "aaaa"], ["show", "\x1b[2J\x9b31m"], ["path"], ["config", "path"]],
  ];
  const results = await home.runAll(lines, {
    columns: 90,
    env: { REPRISE_HOME: store, PAGER: "" },
  });
  const styles = results.map(({ stdout }) => stdout.split("\x1b[").length - 1);
  assert.ok((styles[1] ?? 0) > 1000, styles.join());
  const plain = results.map((result) => ({
    ...result,
    stdout: withoutStyles(result.stdout),
    stderr: withoutStyles(result.stderr),
  }));
  assertHarmless(plain, lines);
  assert.deepEqual(results.map(({ status }) => status), [0, 0, 0, 1, 0, 1, 0, 0]);
  for (const { stdout } of plain.slice(6)) assert.ok(stdout.includes("st␛[2Jo<U+202E>re"), stdout);
});

inHome.test("no hostile text of another agent's session or of the trash reaches the terminal", async (home) => {
  const { ref } = keepPiSession(home, "1111aaaa", HOSTILE.join("\n"));
  for (const [index, title] of HOSTILE.entries()) {
    home.keep(sessionId(`b${index}`.padEnd(8, "0")), [user(title)]);
  }
  const lines = [
    ...["list --agent all", "list --agent pi --json", `show ${ref}`, `export ${ref}`],
    ...[`import ${ref}`, `backup ${ref}`, `rename ${ref} T`, "backup --agent pi --all --json"],
    ...[`import ${ref} --again --json`, `diff ${ref} b0000000`, "search --agent pi --regex ."],
    ...["delete --max-size 1B", "trash list", "trash list --json", "trash empty --dry-run"],
    ...["trash restore b0000000", "trash empty --yes", "trash empty --yes --json"],
  ];
  const results = await home.runInOrder(lines.map((line) => line.split(" ")));
  assertHarmless(results.slice(0, -1), lines);
  const statuses = results.map(({ status }, index) => `${lines[index]}: ${status}`);
  assert.deepEqual(statuses, lines.map((line) => `${line}: 0`));
  assert.match(results[0]?.stdout ?? "", /␛\[2J␛\[H/);
});

inHome.test("no hostile argument reaches the terminal through an error", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi")]);
  // An argument cannot hold NUL.
  const text = HOSTILE.join(" ").replaceAll("\0", "");
  const lines = [
    [text],
    [`--${text}`],
    ["show", text],
    ["show", `./${text}.jsonl`],
    ["show", `aaaa#${text}`],
    ["show", `${text}:aaaa`],
    ["list", "--cwd", text],
    ["list", "--title", text],
    ["list", "--since", text],
    ["list", "--agent", text],
    ["conversation", "aaaa", "--format", text],
    ["repair", "aaaa", "--out", `no/${text}`],
    ["config", "get", text],
    ["config", "set", "session.enabled", text],
    ["help", text],
    ["delete", text],
    ["export", "aaaa", "--out", `no/${text}`],
    ["export", "aaaa", "--format", text],
    ["search", text],
    ["search", "--regex", text],
    ["import", text],
    ["backup", text],
    ["relink", text, text],
    ["trash", "restore", text],
    ["completions", text],
    ["chat", "--model", text, "hi"],
    ["chat", "--resume", text, "hi"],
  ];
  assertHarmless(await home.runAll(lines), lines);
});

inHome.test("no hostile line of input comes back through an answer of record", async (home) => {
  const stdin = HOSTILE.flatMap((text) => [
    text.replaceAll("\n", " "),
    JSON.stringify({ kind: text, payload: {} }),
    JSON.stringify({ kind: "user_message", payload: {}, [text]: 1 }),
    JSON.stringify({ kind: "tool_end", payload: { call_id: "c", name: "n", status: text } }),
  ]).join("\n");
  const result = await home.run(["record"], { stdin });
  assertHarmless([result], ["record"]);
  assert.equal(result.stdout.trimEnd().split("\n").length, 4 * HOSTILE.length);
});

Deno.test(needing("no hostile name of a folder or file reaches the terminal", UNIX), async () => {
  await using home = new CliHome();
  const name = HOSTILE_NAME;
  const env = { REPRISE_HOME: join(home.path, `store ${name}`) };
  const cwd = join(home.path, `work ${name}`);
  await Deno.mkdir(cwd);
  const stdin = '{"kind":"user_message","payload":{"content":"hi"}}\n';
  const first = [["list"], ["doctor"], ["resume"]];
  assertHarmless(await home.runAll(first, { cwd, env }), first);
  const { session_id } = JSON.parse((await home.run(["record"], { cwd, env, stdin })).stdout);
  await Deno.writeTextFile(join(cwd, `${name}.jsonl`), "nonsense");
  await Deno.writeTextFile(join(env.REPRISE_HOME, `${name}.tmp`), "");
  await Deno.writeTextFile(join(env.REPRISE_HOME, "config.json"), "nonsense");
  const lines = [
    ["list"],
    ["list", "--all"],
    ["show", session_id],
    ["resume"],
    ["doctor"],
    ["show", `./${name}.jsonl`],
    ["doctor", `./${name}.jsonl`],
    ["config", "list"],
    ["repair", session_id, "--out", `${name}.out`],
    ["rename", session_id, name],
  ];
  assertHarmless(await home.runAll(lines, { cwd, env }), lines);
  const deleted = await home.run(["delete", session_id], { cwd, env });
  assertHarmless([deleted], ["delete"]);
  assert.equal(deleted.status, 0, deleted.stderr);
});
