import assert from "node:assert/strict";
import { sharedCall } from "../../../lib/features/handover/handed_call.ts";

const CWD = "/home/dev/app";

Deno.test("a command is shared where it says no more than what to run, in the session's directory", () => {
  const run = { kind: "bash", call: { command: "ls" } };
  const cases: [name: string, input: unknown, shared: unknown][] = [
    ["Bash", { command: "ls" }, run],
    ["exec_command", { cmd: "ls", yield_time_ms: 1000 }, run],
    ["shell", { command: ["bash", "-lc", "ls"], workdir: ".", timeout_ms: 1000 }, run],
    ["shell", { command: ["bash", "-lc", "ls"], workdir: CWD }, run],
    ["shell", { command: ["bash", "-lc", "ls"], workdir: "/elsewhere" }, undefined],
    ["shell", { command: ["python", "-c", "ls"] }, undefined],
    ["Bash", { command: "ls", run_in_background: true }, undefined],
    ["Bash", { command: "ls", unheard_of: 1 }, undefined],
    ["run", { command: "ls" }, undefined],
    ["Bash", "ls", undefined],
  ];
  for (const [name, input, shared] of cases) {
    assert.deepEqual(sharedCall(name, input, CWD), shared, JSON.stringify([name, input]));
  }
});

Deno.test("files are read, written and edited by one shape, whatever the arguments are called", () => {
  const edit = { path: "/a", old_text: "x", new_text: "y" };
  const cases: [name: string, input: unknown, shared: unknown][] = [
    ["Read", { file_path: "/a", offset: 2 }, { kind: "read", call: { path: "/a", offset: 2 } }],
    ["read", { path: "/a", pages: "1" }, undefined],
    ["Write", { file_path: "/a", content: "x" }, {
      kind: "write",
      call: { path: "/a", content: "x" },
    }],
    ["Edit", { file_path: "/a", old_string: "x", new_string: "y" }, { kind: "edit", call: edit }],
    ["edit", { path: "/a", edits: [{ oldText: "x", newText: "y" }] }, { kind: "edit", call: edit }],
    ["edit", { path: "/a", edits: [{}, {}] }, undefined],
    ["Edit", { file_path: "/a", old_string: "x", new_string: "y", replace_all: true }, {
      kind: "edit",
      call: { ...edit, all: true },
    }],
  ];
  for (const [name, input, shared] of cases) {
    assert.deepEqual(sharedCall(name, input, CWD), shared, JSON.stringify([name, input]));
  }
});
