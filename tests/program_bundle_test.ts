import assert from "node:assert/strict";
import { bundleProgram } from "../.ci/program_bundle.ts";
import { inDirectory } from "./_support/temp_directory.ts";

// Slow: two bundlers start.
inDirectory.test("a bundle disposes of a resource that is used once", async (directory) => {
  const program = `${directory}/program.ts`;
  Deno.writeTextFileSync(
    program,
    `function lock(): Disposable {
        return { [Symbol.dispose]: () => console.log("let go") };
      }
      function isLocked(): boolean {
        using held = lock();
        return held !== undefined;
      }
      console.log(isLocked());`,
  );
  const args = ["run", "--no-lock", await bundleProgram(`${directory}/bundle`, program)];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert.equal(new TextDecoder().decode(stdout), "let go\ntrue\n");
});
