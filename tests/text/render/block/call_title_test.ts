import assert from "node:assert/strict";
import { callTitle } from "../../../../lib/text/render/block/call_title.ts";
import { summarizeInput } from "../../../../lib/text/render/input_summary.ts";

function title(name: string, input: unknown): string {
  const { name: verb, about, change } = callTitle({
    ...{ type: "call", seq: 1, name, input, outcome: [], content: [] },
    summary: summarizeInput(input, "/work"),
  }, 80);
  const counts = change === undefined ? "" : ` +${change.added} -${change.removed}`;
  return `${verb} ${about}${counts}`;
}

Deno.test("a call of a known tool is titled in plain words, and one of another by its name", () => {
  const edit = { replace_all: false, old_string: "a\nb\n", new_string: "a\nc\nd\n" };
  assert.equal(title("Edit", { file_path: "/work/src/a.ts", ...edit }), "Edit src/a.ts +2 -1");
  assert.equal(
    title("MultiEdit", { file_path: "/work/a.ts", edits: [edit, edit] }),
    "Edit a.ts +4 -2",
  );
  assert.equal(title("Bash", { command: "npm test", timeout: 5 }), "Run npm test");
  assert.equal(title("shell", { command: "cd /work/app && npm test" }), "Run npm test");
  assert.equal(title("read_file", { path: "/work/a.ts", limit: 5 }), "Read a.ts limit=5");
  const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n*** Add File: b.ts\n+c\n";
  assert.equal(title("apply_patch", patch), "Patch a.ts, b.ts");
  assert.equal(title("apply_patch", { input: patch }), "Patch a.ts, b.ts");
  assert.equal(title("deploy", { to: "prod" }), "deploy to=prod");
});
