import assert from "node:assert/strict";
import { join } from "node:path";
import { snapshot } from "../_support/store_snapshot.ts";
import { HAS_STRACE, runTraced } from "../_support/strace.ts";
import { withDirectory } from "../_support/temp_directory.ts";

const BINARY = Deno.env.get("REPRISE_BIN");

/** Where the runtime would keep compiled code: anybody may have made a file of that name there. */
const PLANTED = "deno-compile-reprise.cache";

function environment(directory: string): Record<string, string> {
  const temporary = join(directory, "tmp");
  return { HOME: directory, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
}

Deno.test({
  name: "the executable neither reads nor writes compiled code in the folder of temporary files",
  ignore: BINARY === undefined,
  fn: async () => {
    await withDirectory(async (directory) => {
      const env = environment(directory);
      const temporary = env.TMPDIR ?? "";
      Deno.mkdirSync(temporary);
      const run = async (): Promise<void> => {
        const command = new Deno.Command(BINARY ?? "", { args: ["list"], env, stdin: "null" });
        assert.equal((await command.output()).code, 0);
      };
      await run();
      assert.deepEqual([...Deno.readDirSync(temporary)], []);
      Deno.writeTextFileSync(join(temporary, PLANTED), "planted");
      const before = snapshot(temporary);
      await run();
      assert.deepEqual(snapshot(temporary), before);
    });
  },
});

Deno.test({
  name: "the executable does not open a file that was planted as its compiled code",
  ignore: BINARY === undefined || !HAS_STRACE,
  fn: async () => {
    await withDirectory(async (directory) => {
      const env = environment(directory);
      Deno.mkdirSync(env.TMPDIR ?? "");
      Deno.writeTextFileSync(join(env.TMPDIR ?? "", PLANTED), "planted");
      const options = ["-e", "trace=file"];
      const { status, calls } = await runTraced(options, [BINARY ?? "", "list"], { env });
      assert.equal(status, 0);
      assert.ok(calls.some((call) => call.includes("openat(")));
      assert.deepEqual(calls.filter((call) => call.includes("deno-compile")), []);
    });
  },
});
