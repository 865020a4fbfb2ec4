import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { snapshot } from "../_support/store_snapshot.ts";
import { runTraced, STRACE } from "../_support/strace.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { needing } from "../_support/needing.ts";
import { EXECUTABLE } from "../_support/cli.ts";
import { testsNeeding } from "../_support/tests_in.ts";

const inExecutable = testsNeeding(EXECUTABLE);

const BINARY = Deno.env.get("REPRISE_BIN");

/** The file in which the runtime would keep compiled code. Any user may have made one. */
const PLANTED = "deno-compile-reprise.cache";

/** Longer than the command takes, also on a machine that does much else. */
const ENDS_MS = 60_000;

/** Files that another user could leave under that name. */
const PLANTS: readonly ((path: string) => void)[] = [
  (path) => Deno.writeTextFileSync(path, "planted"),
  ...Deno.build.os === "windows" ? [] : [
    (path: string) => void new Deno.Command("mkfifo", { args: [path] }).outputSync(),
    (path: string) => Deno.symlinkSync("/dev/zero", path),
    (path: string) => Deno.symlinkSync(join(dirname(path), "would be made"), path),
  ],
];

function environment(directory: string): Record<string, string> {
  const temporary = join(directory, "tmp");
  return { HOME: directory, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
}

inExecutable.test("the executable neither reads nor writes compiled code in the folder of temporary files", async () => {
  await withDirectory(async (directory) => {
    const env = environment(directory);
    const temporary = env.TMPDIR ?? "";
    Deno.mkdirSync(temporary);
    const run = async (): Promise<void> => {
      // A pipe that is opened is waited for.
      const signal = AbortSignal.timeout(ENDS_MS);
      const options = { args: ["list"], env, signal };
      const command = new Deno.Command(BINARY ?? "", { ...options, stdin: "null" });
      assert.equal((await command.output()).code, 0);
    };
    await run();
    assert.deepEqual([...Deno.readDirSync(temporary)], []);
    for (const plant of PLANTS) {
      const path = join(temporary, PLANTED);
      plant(path);
      const before = snapshot(temporary);
      await run();
      assert.deepEqual(snapshot(temporary), before);
      Deno.removeSync(path);
    }
  });
});

Deno.test({
  ...needing(
    "the executable does not open a file that was planted as its compiled code",
    EXECUTABLE,
    STRACE,
  ),
  fn: async () => {
    await withDirectory(async (directory) => {
      const env = environment(directory);
      Deno.mkdirSync(env.TMPDIR ?? "");
      for (const plant of PLANTS) {
        const path = join(env.TMPDIR ?? "", PLANTED);
        plant(path);
        const options = ["-e", "trace=file"];
        const { status, calls } = await runTraced(options, [BINARY ?? "", "list"], { env });
        assert.equal(status, 0);
        assert.ok(calls.some((call) => call.includes("openat(")));
        assert.deepEqual(calls.filter((call) => call.includes("deno-compile")), []);
        Deno.removeSync(path);
      }
    });
  },
});
