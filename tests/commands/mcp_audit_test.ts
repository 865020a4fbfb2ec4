import assert from "node:assert/strict";
import { join } from "node:path";
import { furnishEditorHome, OTHER_FOLDERS, OTHERS } from "../_support/acp_home.ts";
import { cliProcess } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { STRACE, traceCommand } from "../_support/strace.ts";
import { CHANGES, isOurs, isRuntimes, touchedPaths } from "../_support/touched_paths.ts";
import { needing } from "../_support/needing.ts";

const CALLS: readonly [name: string, args: object][] = [
  ["list_sessions", {}],
  ["list_sessions", { title: "bug", since: "7d" }],
  ["search_sessions", { query: "the" }],
  ["search_sessions", { query: "bug", role: "tool" }],
  ...Object.values(OTHERS).map((ref): [string, object] => ["read_session", { ref }]),
  ["read_session", { ref: OTHERS.claude, last: 2, tools: "full" }],
  ["read_session", { ref: "/etc/passwd" }],
];

function frames(own: string): string {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const calls = [...CALLS, ["read_session", { ref: own }]].map(([name, args], index) => ({
    ...{ jsonrpc: "2.0", id: index + 1, method: "tools/call" },
    params: { name, arguments: args },
  }));
  return [{ jsonrpc: "2.0", id: 0, method: "initialize", params }, ...calls]
    .map((frame) => `${JSON.stringify(frame)}\n`).join("");
}

// Slow: strace follows a process of the program.
Deno.test({
  ...needing(
    "P8 mcp writes nothing outside the store and the cache, calls nobody and starts nothing",
    STRACE,
  ),
  fn: async () => {
    await using home = new CliHome();
    const { id } = furnishEditorHome(home);
    const folders = OTHER_FOLDERS.map((name) => join(home.path, name));
    const before = folders.map(snapshot);
    const file = join(home.path, "calls");
    const options = { home: home.path, cwd: home.work, stdin: "" };
    const tracer = traceCommand(file, ["-e", `trace=${CHANGES}`]);
    const child = cliProcess(["mcp", "--all"], options, tracer).spawn();
    const output = child.output();
    const input = child.stdin.getWriter();
    await input.write(new TextEncoder().encode(frames(id)));
    await input.close();
    const { code, stdout } = await output;
    assert.equal(code, 0);
    const answers = new TextDecoder().decode(stdout).trimEnd().split("\n")
      .map((line) => JSON.parse(line)).sort((one, other) => one.id - other.id);
    const failed = answers.filter(({ result }) => result.isError).map(({ id }) => id);
    assert.deepEqual([answers.length, failed], [CALLS.length + 2, [CALLS.length]]);

    const [start = "", ...calls] = (await Deno.readTextFile(file)).split("\n");
    assert.match(start, /execve\(/);
    assert.deepEqual(calls.filter((call) => / (?:connect|listen)\(/.test(call)), []);
    assert.deepEqual(calls.filter((call) => / execve\(.* = 0/.test(call)), []);
    const outside = touchedPaths(calls)
      .filter((path) => !isRuntimes(path) && !isOurs(home, path));
    assert.deepEqual(outside, []);
    assert.deepEqual(folders.map(snapshot), before);
  },
});
