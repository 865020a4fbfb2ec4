/** The command from the npm package does under Node and Bun what it does under Deno. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTool } from "../_support/installed_package.ts";
import { ROOT } from "../_support/source_code.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { commandLines, deno, run } from "./_command_lines.ts";

/** Runs a test with a copy of the demo store. */
async function withDemo(test: (home: string) => Promise<void>): Promise<void> {
  await withDirectory(async (home) => {
    const demo = fileURLToPath(new URL("testdata/demo", ROOT));
    await runTool("cp", ["-r", demo, join(home, "store")], home);
    // Modes of a checkout may be wider than those of a store.
    await runTool("chmod", ["-R", "go-rwx", join(home, "store")], home);
    await test(home);
  });
}

/** Command lines whose output must be the same everywhere. */
const READING: string[][] = [
  ["--version"],
  ["version"],
  ["--help"],
  ["list", "--all"],
  ["list", "--all", "--json"],
  ["list", "--all", "--no-cache"],
  ["show", "8d1f0c4e"],
  ["show", "8d1f0c4e", "--json"],
  ["conversation", "8d1f0c4e"],
  ["export", "8d1f0c4e", "--format", "markdown"],
  ["export", "8d1f0c4e", "--format", "html"],
  ["search", "balance", "--all"],
  ["list", "--all", "--max-chars", "600"],
  ["show", "8d1f0c4e", "--max-chars", "2000"],
  ["setup", "--print-skill"],
  ["search", "balance", "--all", "--no-index"],
  ["stats", "--all"],
  ["doctor", "8d1f0c4e"],
  ["secrets", "8d1f0c4e"],
  ["doctor"],
  ["path", "8d1f0c4e"],
  ["show", "nothing"],
  ["list", "--bogus"],
];

/** What `version` says of the program's build, which Deno may run from its sources. */
const BUILD = /^(?:running from source|built from .*)$/m;

Deno.test("sessions print alike under Deno, Node and Bun", async () => {
  await withDemo(async (home) => {
    for (const more of READING) {
      const expected = await run({ ...deno, home }, more);
      const is_whole = !more.includes("--max-chars");
      if (more[0] === "list" && more[1] === "--all" && is_whole) {
        assert.match(expected.stdout, /8d1f0c4e/);
      }
      for (const { name, ...line } of await commandLines()) {
        const printed = await run({ ...line, home }, more);
        const stdout = printed.stdout.replace(BUILD, BUILD.exec(expected.stdout)?.[0] ?? "");
        assert.deepEqual({ ...printed, stdout }, expected, `${name}: ${more.join(" ")}`);
      }
    }
  });
});
