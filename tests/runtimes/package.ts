/** The tarball is small, and what is installed from it keeps sessions under each runtime. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { installedPackage, runTool } from "../_support/installed_package.ts";
import { ROOT } from "../_support/source_code.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { commandLines, deno, run } from "./_command_lines.ts";

// Decision 110.
const MAX_TARBALL_BYTES = 600_000;

Deno.test("the tarball is small", async () => {
  const { tarball_bytes } = await installedPackage();
  assert.ok(tarball_bytes < MAX_TARBALL_BYTES, `${tarball_bytes}`);
});

Deno.test("each entry of the package has its own names under Node and Bun", async () => {
  const { folder, runtimes } = await installedPackage();
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))) as {
    exports: Record<string, string>;
  };
  for (const [entry, path] of Object.entries(exports)) {
    const ours = Object.keys(await import(new URL(path, ROOT).href)).sort();
    const name = entry.replace(".", "@reprise/reprise");
    const program = join(folder, "names.mjs");
    const print = "console.log(JSON.stringify(Object.keys(names).sort()));";
    await Deno.writeTextFile(program, `import * as names from "${name}";\n${print}\n`);
    for (const runtime of runtimes) {
      const printed = await runTool(runtime.program, [program], folder);
      assert.deepEqual(JSON.parse(printed), ours, `${runtime.name}: ${name}`);
    }
  }
});

Deno.test("each runtime records into one session, and goes on with what another wrote", async () => {
  await withDirectory(async (home) => {
    const lines = [{ name: "deno", ...deno }, ...await commandLines()];
    const texts = ["first", "second", "third"];
    let id = "";
    for (const [index, { name, ...line }] of lines.entries()) {
      const event = { kind: "user_message", payload: { content: texts[index] } };
      const resume = id === "" ? [] : ["--resume", id];
      const ran = await run({ ...line, home }, ["record", ...resume], JSON.stringify(event) + "\n");
      assert.equal(ran.code, 0, `${name}: ${ran.stderr}`);
      const answer = JSON.parse(ran.stdout.split("\n")[0] ?? "") as Record<string, unknown>;
      assert.equal(answer.state, "synced", name);
      id = String(answer.session_id);
    }
    for (const { name, ...line } of lines) {
      const shown = await run({ ...line, home }, ["show", id]);
      for (const text of texts) assert.ok(shown.stdout.includes(text), `${name}: ${text}`);
      const verified = await run({ ...line, home }, ["verify", id]);
      assert.equal(verified.code, 0, `${name}: ${verified.stdout}${verified.stderr}`);
    }
  });
});
