/** The tools by themselves: what they do, where they stop, and what they say when they cannot. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { defaultTools } from "../../../../lib/features/chat/tools/default_tools.ts";
import type { ToolOutcome } from "../../../../lib/features/chat/tools/tool.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";
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

inDirectory.test("bash gives both outputs in order, the exit code, and works in the directory", async (cwd) => {
  const command = "echo one; echo two >&2; echo three; pwd; exit 3";
  const outcome = await call("bash", { command }, cwd);
  const output = `one\ntwo\nthree\n${cwd}\n`;
  assert.deepEqual(outcome, { status: "error", output, exit_code: 3 });
  assert.deepEqual(await call("bash", { command: "true" }, cwd), { status: "ok", exit_code: 0 });
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

inDirectory.test("read gives numbered lines, in parts where there are many", async (cwd) => {
  await Deno.writeTextFile(join(cwd, "a"), "one\r\ntwo\nthree");
  assert.deepEqual(await call("read", { path: "a" }, cwd), {
    status: "ok",
    output: "1\tone\n2\ttwo\n3\tthree\n",
  });
  const part = await call("read", { path: "a", offset: 2, limit: 1 }, cwd);
  assert.deepEqual(part, {
    status: "ok",
    output: "2\ttwo\n[more follows: continue with offset 3]\n",
    truncated: true,
  });
  const rest = await call("read", { path: "a", offset: 3 }, cwd);
  assert.deepEqual(rest, { status: "ok", output: "3\tthree\n" });
  const beyond = await call("read", { path: "a", offset: 9 }, cwd);
  assert.equal(beyond.error, "Cannot read line 9: the file has only 3 lines");
  await Deno.writeTextFile(join(cwd, "empty"), "");
  assert.deepEqual(await call("read", { path: "empty" }, cwd), { status: "ok", output: "" });
  await Deno.writeTextFile(join(cwd, "long"), `${"x".repeat(5_000_000)}\nend\n`);
  const long = await call("read", { path: "long" }, cwd);
  assert.ok(long.truncated && long.output?.endsWith("x\n2\tend\n"), long.output?.slice(-20));
  await Deno.writeTextFile(join(cwd, "many"), "line\n".repeat(100_000));
  const many = await call("read", { path: "many" }, cwd);
  assert.match(many.output ?? "", /2000\tline\n\[more follows: continue with offset 2001\]\n$/);
});

inDirectory.test("read refuses files that are not text, in words", async (cwd) => {
  await Deno.writeFile(join(cwd, "bin"), new Uint8Array([1, 0, 2]));
  const errors = await Promise.all(
    ["bin", ".", "gone", "/dev/zero"].map(async (path) =>
      (await call("read", { path }, cwd)).error
    ),
  );
  assert.match(errors[0] ?? "", /it is binary/);
  assert.match(errors[1] ?? "", /not a regular file/);
  assert.match(errors[2] ?? "", /does not exist: gone/);
  assert.match(errors[3] ?? "", /not a regular file/);
});

inDirectory.test("write creates a file with its folders, replaces one, and shows what changes", async (cwd) => {
  const made = await call("write", { path: "new/a.txt", content: "1\n2\n" }, cwd);
  assert.deepEqual(made, {
    status: "ok",
    output: "Created new/a.txt",
    diff: {
      path: "new/a.txt",
      lines: [
        { kind: "hunk", content: "@@ -0,0 +1,2 @@" },
        { kind: "added", new: 1, content: "1" },
        { kind: "added", new: 2, content: "2" },
      ],
    },
    touched: "new/a.txt",
  });
  const replaced = await call("write", { path: "new/a.txt", content: "1\n3\n" }, cwd);
  assert.equal(replaced.output, "Replaced new/a.txt");
  assert.deepEqual(replaced.diff?.lines.slice(1), [
    { kind: "context", old: 1, new: 1, content: "1" },
    { kind: "removed", old: 2, content: "2" },
    { kind: "added", new: 2, content: "3" },
  ]);
  const huge = Array.from({ length: 9000 }, (_, index) => `${index}\n`).join("");
  const shown = await call("write", { path: "huge", content: huge }, cwd);
  assert.deepEqual(shown.diff?.lines.map(({ kind }) => kind), ["hunk"]);
  assert.equal(await Deno.readTextFile(join(cwd, "huge")), huge);
});

inDirectory.test("edit replaces a text that stands there once, and nothing else", async (cwd) => {
  const path = join(cwd, "a");
  await Deno.writeTextFile(path, "\ufeffone\r\ntwo $1\r\ntwo\r\n");
  const edit = (old_text: string, new_text: string): Promise<ToolOutcome> =>
    call("edit", { path: "a", old_text, new_text }, cwd);
  assert.match((await edit("two", "2")).error ?? "", /more than once/);
  assert.match((await edit("three", "3")).error ?? "", /does not contain old_text/);
  assert.match((await edit("", "3")).error ?? "", /empty/);
  assert.equal((await edit("two $1", "$& $$")).status, "ok");
  assert.equal(await Deno.readTextFile(path), "\ufeffone\r\n$& $$\r\ntwo\r\n");
  await Deno.writeFile(path, new Uint8Array([0x61, 0xff, 0x62]));
  assert.match((await edit("a", "b")).error ?? "", /not UTF-8/);
  assert.deepEqual(await Deno.readFile(path), new Uint8Array([0x61, 0xff, 0x62]));
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
    for (
      const path of [
        "../a",
        "/etc/passwd",
        "link/passwd",
        "in/../../a",
        "link/new/file",
        "dangling",
        "loop",
      ]
    ) {
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
    null,
    7,
    "text",
    [],
    {},
    { path: 7 },
    { path: "\0" },
    { path: "", content: "" },
    {
      command: "",
    },
    { command: "a\0b" },
    { path: "a", offset: 0 },
    { path: "a", limit: "x" },
  ];
  for (const name of TOOLS.keys()) {
    for (const input of inputs) {
      const { status, error } = await call(name, input, cwd);
      assert.equal(status, "error", `${name} ${JSON.stringify(input)}`);
      assert.match(error ?? "", /^(Invalid input|Cannot)/, `${name} ${JSON.stringify(input)}`);
    }
  }
});
