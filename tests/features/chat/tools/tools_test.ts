/** The tools by themselves: what they do, where they stop, and what they say when they cannot. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { defaultTools } from "../../../../lib/features/chat/tools/default_tools.ts";
import type { ToolOutcome } from "../../../../lib/features/chat/tools/tool.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";
import { testData } from "../../../_support/test_data.ts";
import { assertGone } from "../_processes.ts";

const TOOLS = new Map(defaultTools().map((tool) => [tool.definition.name, tool]));

async function call(
  name: string,
  input: unknown,
  cwd: string,
  signal = new AbortController().signal,
): Promise<ToolOutcome> {
  const outcome = await TOOLS.get(name)?.run(input, { cwd, signal });
  assert.ok(outcome !== undefined);
  return outcome;
}

const CASES = testData<Case[]>("chat/tool_calls.json");

/** A call in a directory with some files, its outcome, and the files that it leaves. */
interface Case {
  proves: string;
  files?: Record<string, string>;
  tool: string;
  input: unknown;
  outcome: ToolOutcome;
  after?: Record<string, string>;
}

for (const { proves, files = {}, tool, input, outcome, after = {} } of CASES) {
  inDirectory.test(proves, async (cwd) => {
    for (const [name, text] of Object.entries(files)) Deno.writeTextFileSync(join(cwd, name), text);
    const { output, error, ...more } = await call(tool, input, cwd);
    const told = {
      ...more,
      ...(output !== undefined && { output: output.replace(cwd, "DIR") }),
      ...(error !== undefined && { error: error.replace(cwd, "DIR") }),
    };
    assert.deepEqual(told, outcome);
    for (const [name, text] of Object.entries(after)) {
      assert.deepEqual(Deno.readFileSync(join(cwd, name)), new TextEncoder().encode(text));
    }
  });
}

inDirectory.test("bash tells of a command that it cannot parse", async (cwd) => {
  const syntax = await call("bash", { command: "echo 'open" }, cwd);
  assert.ok(syntax.status === "error" && syntax.output !== undefined);
});

inDirectory.test("bash keeps the beginning and the end of long output, and says so", async (cwd) => {
  const outcome = await call("bash", { command: "seq 1 200000" }, cwd);
  assert.equal(outcome.truncated, true);
  const { output = "" } = outcome;
  assert.ok(output.length < 31_000 && output.startsWith("1\n2\n") && output.endsWith("200000\n"));
  assert.match(output, /\[\.\.\. \d+ characters left out \.\.\.\]/);
  const whole = await call("bash", { command: "seq 1 3000" }, cwd);
  assert.equal(whole.truncated, undefined);
});

// Slow: the shortest time limit of a command is a second.
inDirectory.test("bash ends slow and interrupted commands, with all their processes", async (cwd) => {
  const command = "(sleep 60; echo late > late) & echo $! > pid; echo begun; sleep 60";
  const late = await call("bash", { command, timeout_seconds: 1 }, cwd);
  assert.deepEqual(late, { status: "error", output: "begun\n", error: "Timed out after 1 s" });
  const pid = Number(await Deno.readTextFile(join(cwd, "pid")));
  await assertGone(pid);
  const stop = new AbortController();
  const running = call("bash", { command: "sleep 60" }, cwd, stop.signal);
  stop.abort();
  assert.equal((await running).status, "interrupted");
});

inDirectory.test("cuts long output between characters", async (cwd) => {
  const faces = `a${"\u{1f600}".repeat(20_000)}`;
  await Deno.writeTextFile(join(cwd, "faces"), faces);
  for (const [name, input] of [["bash", { command: "cat faces" }], ["read", { path: "faces" }]]) {
    const { output = "", truncated } = await call(String(name), input, cwd);
    assert.ok(truncated && output.length > 1000, String(name));
    assert.ok(output.isWellFormed(), String(name));
  }
});

inDirectory.test("bash does not wait for background processes, and hides the models' keys", async (cwd) => {
  Deno.env.set("ANTHROPIC_API_KEY", "secret-key");
  try {
    const command = "sleep 60 & echo $! > pid; echo $ANTHROPIC_API_KEY-";
    const outcome = await call("bash", { command }, cwd);
    // It would be gone if it had been waited for.
    Deno.kill(Number(await Deno.readTextFile(join(cwd, "pid"))), "SIGKILL");
    assert.deepEqual(outcome, { status: "ok", output: "-\n", exit_code: 0 });
  } finally {
    Deno.env.delete("ANTHROPIC_API_KEY");
  }
});

inDirectory.test("read stops at the bounds of lines and of characters", async (cwd) => {
  await Deno.writeTextFile(join(cwd, "long"), `${"x".repeat(5_000_000)}\nend\n`);
  const long = await call("read", { path: "long" }, cwd);
  assert.ok(long.truncated && long.output?.endsWith("x\n2\tend\n"), long.output?.slice(-20));
  await Deno.writeTextFile(join(cwd, "many"), "line\n".repeat(100_000));
  const many = await call("read", { path: "many" }, cwd);
  assert.match(many.output ?? "", /2000\tline\n\[more follows: continue with offset 2001\]\n$/);
});

inDirectory.test("write shows no lines of a huge file", async (cwd) => {
  const huge = Array.from({ length: 9000 }, (_, index) => `${index}\n`).join("");
  const shown = await call("write", { path: "huge", content: huge }, cwd);
  assert.deepEqual(shown.diff?.lines.map(({ kind }) => kind), ["hunk"]);
  assert.equal(await Deno.readTextFile(join(cwd, "huge")), huge);
});

inDirectory.test("edit leaves a file that is not UTF-8 as it is", async (cwd) => {
  const bytes = new Uint8Array([0x61, 0xff, 0x62]);
  await Deno.writeFile(join(cwd, "a"), bytes);
  const { error } = await call("edit", { path: "a", old_text: "a", new_text: "b" }, cwd);
  assert.match(error ?? "", /not UTF-8/);
  assert.deepEqual(await Deno.readFile(join(cwd, "a")), bytes);
});

inDirectory.test("asks about paths out of the directory, by links as well", async (cwd) => {
  await Deno.mkdir(join(cwd, "in"));
  await Deno.symlink("/etc", join(cwd, "link"));
  await Deno.symlink("/nowhere/new", join(cwd, "dangling"));
  await Deno.symlink("loop", join(cwd, "loop"));
  const asked = (name: string, path: string): boolean =>
    TOOLS.get(name)?.asks?.({ path }, cwd) !== undefined;
  for (const name of ["read", "write", "edit"]) {
    for (const path of ["in/a", "a", "./in/../a", join(cwd, "x"), "..a"]) {
      assert.ok(!asked(name, path), `${name} ${path}`);
    }
    const outside = ["../a", "/etc/passwd", "link/passwd", "in/../../a", "link/new/file"];
    for (const path of [...outside, "dangling", "loop"]) {
      assert.ok(asked(name, path), `${name} ${path}`);
    }
  }
});

inDirectory.test("asks about no file in the directory, whoever runs it, nor about a second name", async (cwd) => {
  const writes = TOOLS.get("write");
  const run_by_others = ["Makefile", "a.sh", ".husky/pre-commit", ".envrc", ".vscode/tasks.json"];
  for (const path of run_by_others) assert.equal(writes?.asks?.({ path }, cwd), undefined, path);
  const outside = await Deno.makeTempFile();
  await Deno.link(outside, join(cwd, "name"));
  assert.equal(writes?.asks?.({ path: "name" }, cwd), undefined);
  assert.ok(writes?.asks?.({ path: outside }, cwd));
  await Deno.remove(outside);
});

inDirectory.test("whatever a model writes as input, a tool answers in words", async (cwd) => {
  const inputs = [
    ...[null, 7, "text", [], {}, { path: 7 }, { path: "\0" }, { path: "", content: "" }],
    ...[{ command: "" }, { command: "a\0b" }, { path: "a", offset: 0 }, { path: "a", limit: "x" }],
  ];
  for (const name of TOOLS.keys()) {
    for (const input of inputs) {
      const { status, error } = await call(name, input, cwd);
      assert.equal(status, "error", `${name} ${JSON.stringify(input)}`);
      assert.match(error ?? "", /^(Invalid input|Cannot)/, `${name} ${JSON.stringify(input)}`);
    }
  }
});
