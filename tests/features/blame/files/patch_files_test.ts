import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { jsonLines } from "../../../_support/cli.ts";
import { CliHome } from "../../../_support/cli_home.ts";

const ID = "01a21de5-df9e-7771-8b13-b6b9ff90ee21";

/** A rollout in the form of Codex 0.169, whose patches tell no whole file but a new or deleted one. */
class PatchedHome extends CliHome {
  readonly #lines: string[] = [];

  constructor() {
    super();
    this.#add("session_meta", { id: ID, cwd: this.work, cli_version: "0.169.0" });
    const content = [{ type: "input_text", text: "change things" }];
    this.#add("response_item", { type: "message", role: "user", content });
  }

  #add(type: string, payload: unknown): void {
    const timestamp = new Date(Date.UTC(2026, 10, 21, 20, 0, this.#lines.length)).toISOString();
    this.#lines.push(JSON.stringify({ timestamp, type, payload }));
  }

  patch(body: string): void {
    const call_id = `call_${this.#lines.length}`;
    const input = `*** Begin Patch\n${body}\n*** End Patch`;
    this.#add("response_item", { type: "custom_tool_call", name: "apply_patch", call_id, input });
    const output = JSON.stringify({ output: "Success.", metadata: { exit_code: 0 } });
    this.#add("response_item", { type: "custom_tool_call_output", call_id, output });
  }

  /** Applies a patch by a script of the shell. */
  script(body: string): void {
    const call_id = `call_${this.#lines.length}`;
    const script = `apply_patch <<'EOF'\n*** Begin Patch\n${body}\n*** End Patch\nEOF`;
    const text = JSON.stringify({ command: ["bash", "-lc", script] });
    const call = { type: "function_call", name: "shell", arguments: text, call_id };
    this.#add("response_item", call);
    const output = JSON.stringify({ output: "Success.", metadata: { exit_code: 0 } });
    this.#add("response_item", { type: "function_call_output", call_id, output });
  }

  save(files: Record<string, string>): void {
    const name = `rollout-2026-11-21T20-00-00-${ID}.jsonl`;
    const path = join(this.path, ".codex", "sessions", "2026", "11", "21", name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeTextFileSync(path, this.#lines.map((line) => `${line}\n`).join(""));
    for (const [name, text] of Object.entries(files)) {
      Deno.writeTextFileSync(join(this.work, name), text);
    }
  }

  tree(): Record<string, string> {
    return Object.fromEntries(
      [...Deno.readDirSync(this.work)].map(({ name }) => [
        name,
        Deno.readTextFileSync(join(this.work, name)),
      ]).sort(),
    );
  }
}

Deno.test("a session of patches is taken back from the files there are, through a rename", async () => {
  await using home = new PatchedHome();
  home.patch("*** Add File: made.md\n+# made\n+line");
  home.patch("*** Update File: kept.ts\n@@\n first\n-second\n+2");
  home.patch("*** Update File: old.txt\n*** Move to: new.txt\n@@\n name\n-one\n+1");
  const after = { "kept.ts": "first\n2\n", "made.md": "# made\nline\n", "new.txt": "name\n1\n" };
  home.save(after);
  const listed = jsonLines((await home.run(["files", ID, "--json"])).stdout);
  assert.deepEqual(
    listed.map(({ path, grade, doubt, gone }) => [
      String(path).slice(home.work.length + 1),
      ...[grade, doubt, gone],
    ]),
    [
      ["kept.ts", "likely", "present", undefined],
      // The file there is now confirms how its lines end.
      ["made.md", "proven", undefined, undefined],
      ["new.txt", "likely", "present", undefined],
      ["old.txt", "proven", undefined, true],
    ],
  );
  const args = ["files", `${ID}#2`, "--restore", "--write", "--likely", "--yes"];
  const restored = await home.run(args);
  // Nothing tells that there was no `made.md`, but that it was added.
  assert.equal(restored.status, 0);
  assert.deepEqual(home.tree(), { "kept.ts": "first\nsecond\n", "old.txt": "name\none\n" });
  const undone = await home.run(["files", ID, "--undo", "--write"]);
  assert.deepEqual([undone.status, home.tree()], [0, after]);
});

Deno.test("a file that a later patch does not fit is left alone", async () => {
  await using home = new PatchedHome();
  home.patch("*** Update File: kept.ts\n@@\n first\n-second\n+2");
  home.save({ "kept.ts": "first\n2 and more\n" });
  const { status, stderr } = await home.run(["files", `${ID}#2`, "--restore", "--write"]);
  assert.equal(status, 1);
  assert.match(stderr, /the file's content at that time is unknown/);
  assert.deepEqual(home.tree(), { "kept.ts": "first\n2 and more\n" });
});

Deno.test("a patch that a script of the shell applied changes its file", async () => {
  await using home = new PatchedHome();
  home.script("*** Update File: kept.ts\n@@\n first\n-second\n+2");
  home.save({ "kept.ts": "first\n2\n" });
  const listed = jsonLines((await home.run(["files", ID, "--json"])).stdout);
  assert.deepEqual(listed.map(({ path }) => path), [join(home.work, "kept.ts")]);
  const found = jsonLines((await home.run(["list", "--file", "kept.ts", "--json"])).stdout);
  assert.deepEqual(found.map(({ session_id }) => session_id), [ID]);
});
