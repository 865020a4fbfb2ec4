import assert from "node:assert/strict";
import { patchOf, readOutcome, shellCommand } from "../../../lib/agents/codex/shell_command.ts";

Deno.test("a script for a shell is the command, other words are quoted", () => {
  assert.equal(shellCommand("shell", { command: ["bash", "-lc", "ls | wc"] }), "ls | wc");
  assert.equal(shellCommand("shell", { command: ["/bin/zsh", "-c", "ls"] }), "ls");
  assert.equal(
    shellCommand("shell", { command: ["echo", "it's", "a b"] }),
    `echo 'it'\\''s' 'a b'`,
  );
  assert.equal(shellCommand("shell_command", { command: "ls -l" }), "ls -l");
  assert.equal(shellCommand("exec_command", { cmd: "ls" }), "ls");
});

Deno.test("other calls have no command", () => {
  assert.equal(shellCommand("update_plan", { command: ["ls"] }), undefined);
  assert.equal(shellCommand("shell", "no object"), undefined);
  assert.equal(shellCommand("shell", { command: [] }), undefined);
  assert.equal(shellCommand("shell", { command: ["ls", 1] }), undefined);
});

Deno.test("a patch comes by its own tool, or by the shell", () => {
  assert.equal(patchOf("apply_patch", "*** Begin Patch"), "*** Begin Patch");
  assert.equal(patchOf("apply_patch", { input: "*** Begin Patch" }), "*** Begin Patch");
  assert.equal(
    patchOf("shell", { command: ["apply_patch", "*** Begin Patch"] }),
    "*** Begin Patch",
  );
  assert.equal(patchOf("shell", { command: ["ls", "*** Begin Patch"] }), undefined);
});

Deno.test("a patch in a script that does nothing else is a patch, in the script's directory", () => {
  const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-1\n+2\n*** End Patch";
  const scripts: [string, string | undefined][] = [
    [`apply_patch <<'EOF'\n${patch}\nEOF`, patch],
    [`applypatch <<END\n${patch}\nEND\n`, patch],
    [`cd "my app/" && apply_patch <<"EOF"\n${patch}\nEOF`, patch.replace("a.ts", "my app/a.ts")],
    [
      `cd lib && apply_patch <<'EOF'\n${patch.replace("a.ts", "/b.ts")}\nEOF`,
      patch.replace("a.ts", "/b.ts"),
    ],
    [`apply_patch <<'EOF'\n${patch}\nEOF\nls`, undefined],
    [`cat <<'EOF'\n${patch}\nEOF`, undefined],
  ];
  for (const [script, expected] of scripts) {
    assert.equal(patchOf("shell", { command: ["bash", "-lc", script] }), expected, script);
    assert.equal(patchOf("exec_command", { cmd: script }), expected, script);
  }
});

Deno.test("an output is taken out of the wrapping of its version", () => {
  const cases: [string, unknown][] = [
    ['{"output":"a\\n","metadata":{"exit_code":0,"duration_seconds":1.5}}', {
      status: "ok",
      output: "a\n",
      exit_code: 0,
      duration_ns: 1_500_000_000,
    }],
    ["Exit code: 2\nWall time: 0.5 seconds\nTotal output lines: 1\nOutput:\na\n", {
      status: "error",
      output: "a\n",
      exit_code: 2,
      duration_ns: 500_000_000,
    }],
    [
      "Chunk ID: 1f\nWall time: 0.0000 seconds\nProcess exited with code 0\n" +
      "Original token count: 2\nOutput:\na\nOutput:\nb",
      { status: "ok", output: "a\nOutput:\nb", exit_code: 0, duration_ns: 0 },
    ],
  ];
  for (const [text, outcome] of cases) assert.deepEqual(readOutcome(text), outcome);
});

Deno.test("an output without a wrapping stays as it is", () => {
  const running = "Chunk ID: 1f\nWall time: 1.0 seconds\nProcess running with session ID 7\n" +
    "Output:\nhalf";
  for (const text of ["", "plain", '{"output":1}', '{"output":"torn', running]) {
    assert.deepEqual(readOutcome(text), { status: "ok", output: text });
  }
});

Deno.test("words tell of calls that were stopped, refused, or failed", () => {
  const said = {
    "aborted by user after 1.2s": "interrupted",
    "aborted": "interrupted",
    "exec command rejected by user": "skipped",
    "patch rejected by user": "skipped",
    "unsupported call: fly": "error",
    "failed to parse function arguments: EOF": "error",
    "apply_patch verification failed: no such file": "error",
  };
  for (const [text, status] of Object.entries(said)) {
    assert.equal(readOutcome(text).status, status, text);
  }
});
