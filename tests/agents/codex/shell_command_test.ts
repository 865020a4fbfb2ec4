import assert from "node:assert/strict";
import { patchOf, shellCommand } from "../../../lib/agents/codex/shell_command.ts";

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

Deno.test("what runs no command has none", () => {
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
