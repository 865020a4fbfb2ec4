/** No text of a log, an argument or a file name takes over the terminal. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { isHarmless, withoutStyles } from "../text/render/_harmless.ts";
import type { CliResult } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";
import { HOSTILE, HOSTILE_NAME, hostileLog } from "./_hostile.ts";
import { UNIX } from "../_support/needing.ts";

/** Command lines, behind semicolons; TEXT stands for the hostile text. */
function linesIn(lines: string, text = ""): string[][] {
  return lines.trim().split(/;\s+/).map((line) =>
    line.split(" ").map((word) => word.replaceAll("TEXT", text))
  );
}

function assertHarmless(results: readonly CliResult[], lines: readonly string[][]): void {
  for (const [index, { stdout, stderr }] of results.entries()) {
    const about = JSON.stringify(lines[index]);
    assert.ok(stdout.length + stderr.length > 0, `nothing was said: ${about}`);
    const bad = `${stdout}\n${stderr}`.split("\n").find((line) => !isHarmless(line));
    assert.equal(bad, undefined, `${about}: ${JSON.stringify(bad)}`);
  }
}

/** Asserts that command lines succeeded, but for those that found damage. */
function assertStatuses(results: readonly CliResult[], lines: readonly string[][]): void {
  const told = lines.map((line, index) => `${line.join(" ")}: ${results[index]?.status}`);
  const found = (line: string[]): number => line.join(" ").startsWith("doctor aaaa") ? 1 : 0;
  assert.deepEqual(told, lines.map((line) => `${line.join(" ")}: ${found(line)}`));
}

/** Keeps a session for each hostile text. */
function keepHostile(home: CliHome): void {
  for (const [index, title] of HOSTILE.entries()) {
    const named = { kind: "session_renamed" as const, payload: { title } };
    home.keep(sessionId(`b${index}`.padEnd(8, "0")), [user(title), named]);
  }
}

inHome.test("no hostile text of a log reaches the terminal through any command that reads it", async (home) => {
  home.keep(sessionId("aaaa"), [], { bytes: hostileLog() });
  keepHostile(home);
  const shapes = ["plain", "openai", "anthropic", "ai-sdk"];
  const formats = ["md", "html", "text", "atif", "sts", "otlp", "json"];
  const lines = linesIn(`
    list; list --json; list --all --exact; list --title x --all; show aaaa; show aaaa --full;
    show aaaa --json; show aaaa --events --last 900; resume aaaa; resume aaaa --json; doctor aaaa;
    doctor aaaa --json; doctor; diff aaaa b0000000; diff b0000000 aaaa --full;
    diff aaaa b0000000 --json --full; secrets aaaa; secrets aaaa --json; search x; search x --json;
    search --regex . -n 500; fork aaaa --cwd . --json; merge b0000000 aaaa --json;
    delete --max-size 1B --dry-run; delete --max-size 1B --dry-run --json;
    handover b0000000 --to claude --out out.jsonl; completions bash -- show b0;
    completions zsh -- show b0; completions fish -- show b0; index build;
    search --regex . -n 500; search x --json; stats --by project;
    ${shapes.map((one) => `conversation aaaa --reasoning include --format ${one}`).join("; ")};
    ${formats.map((one) => `export aaaa --format ${one}`).join("; ")}
  `);
  const results = await home.runAll(lines);
  assertHarmless(results, lines);
  assertStatuses(results, lines);
  // It is shown, not dropped.
  for (const at of [0, 4]) assert.match(results[at]?.stdout ?? "", /␛\[2J␛\[H/);
});

inHome.test("no hostile text reaches a terminal, where colours are written too", async (home) => {
  home.keep(sessionId("aaaa"), [], { bytes: hostileLog() });
  const store = `${home.path}/st\x1b[2Jo\u202ere`;
  await Deno.rename(home.store, store);
  const text = "\x1b[2J\x9b31m";
  const lines = linesIn(
    "list; show aaaa --full; resume aaaa; doctor aaaa; conversation aaaa; show TEXT; path; config path",
    text,
  );
  const results = await home.runAll(lines, {
    columns: 90,
    env: { REPRISE_HOME: store, PAGER: "" },
  });
  const styles = results.map(({ stdout }) => stdout.split("\x1b[").length - 1);
  assert.ok((styles[1] ?? 0) > 1000, styles.join());
  const plain = results.map(({ status, stdout, stderr }) => ({
    ...{ status, stdout: withoutStyles(stdout), stderr: withoutStyles(stderr) },
  }));
  assertHarmless(plain, lines);
  assert.deepEqual(results.map(({ status }) => status), [0, 0, 0, 1, 0, 1, 0, 0]);
  for (const { stdout } of plain.slice(6)) assert.ok(stdout.includes("st␛[2Jo<U+202E>re"), stdout);
});

inHome.test("no hostile text of another agent's session or of the trash reaches the terminal", async (home) => {
  const { ref } = keepPiSession(home, "1111aaaa", HOSTILE.join("\n"));
  keepHostile(home);
  const lines = linesIn(
    `list --agent all; list --agent pi --json; show TEXT; export TEXT; import TEXT; backup TEXT;
    rename TEXT T; backup --agent pi --all --json; import TEXT --again --json; diff TEXT b0000000;
    search --agent pi --regex .; delete --max-size 1B; trash list; trash list --json;
    trash empty --dry-run; trash restore b0000000; trash empty --yes; trash empty --yes --json`,
    ref,
  );
  const results = await home.runInOrder(lines);
  assertHarmless(results.slice(0, -1), lines);
  assertStatuses(results, lines);
  assert.match(results[0]?.stdout ?? "", /␛\[2J␛\[H/);
});

inHome.test("no hostile argument reaches the terminal through an error", async (home) => {
  home.keep(sessionId("aaaa"), [user("hi")]);
  // An argument cannot hold NUL.
  const lines = linesIn(
    `TEXT; --TEXT; show TEXT; show ./TEXT.jsonl; show aaaa#TEXT; show TEXT:aaaa; list --cwd TEXT;
    list --title TEXT; list --since TEXT; list --agent TEXT; conversation aaaa --format TEXT;
    repair aaaa --out no/TEXT; config get TEXT; config set session.enabled TEXT; help TEXT;
    delete TEXT; export aaaa --out no/TEXT; export aaaa --format TEXT; search TEXT;
    search --regex TEXT; import TEXT; backup TEXT; relink TEXT TEXT; trash restore TEXT;
    completions TEXT; chat --model TEXT hi; chat --resume TEXT hi;
    handover aaaa --to claude --out out.jsonl --title TEXT`,
    HOSTILE.join(" ").replaceAll("\0", ""),
  );
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
  assertHarmless([result], [["record"]]);
  assert.equal(result.stdout.trimEnd().split("\n").length, 4 * HOSTILE.length);
});

testsAtHome(UNIX).test("no hostile name of a folder or file reaches the terminal", async (home) => {
  const name = HOSTILE_NAME;
  const env = { REPRISE_HOME: join(home.path, `store ${name}`) };
  const cwd = join(home.path, `work ${name}`);
  await Deno.mkdir(cwd);
  const stdin = '{"kind":"user_message","payload":{"content":"hi"}}\n';
  const first = linesIn("list; doctor; resume");
  assertHarmless(await home.runAll(first, { cwd, env }), first);
  const { session_id } = JSON.parse((await home.run(["record"], { cwd, env, stdin })).stdout);
  await Deno.writeTextFile(join(cwd, `${name}.jsonl`), "nonsense");
  await Deno.writeTextFile(join(env.REPRISE_HOME, `${name}.tmp`), "");
  await Deno.writeTextFile(join(env.REPRISE_HOME, "config.json"), "nonsense");
  const lines = linesIn(
    `list; list --all; show ${session_id}; resume; doctor; show ./TEXT.jsonl; doctor ./TEXT.jsonl;
    config list; repair ${session_id} --out TEXT.out; rename ${session_id} TEXT`,
    name,
  );
  assertHarmless(await home.runAll(lines, { cwd, env }), lines);
  const deleted = await home.run(["delete", session_id], { cwd, env });
  assertHarmless([deleted], [["delete"]]);
  assert.equal(deleted.status, 0, deleted.stderr);
});
