import assert from "node:assert/strict";
import { join } from "node:path";
import { ON_DISK } from "../../_support/memory_folder.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { onUnix } from "../../_support/tests_in.ts";

// Slow: a watch is silent only after a time without an answer.
onUnix.test("WatchProbe notices a watch that a pipe blocks, where Deno alone can watch", async () => {
  await withDirectory(async (directory) => {
    for (const name of ["sessions", "backups"]) Deno.mkdirSync(join(directory, name));
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-check", "--no-prompt", `--allow-read`, `--allow-write=${directory}`],
        ...["--allow-env", "--allow-sys", join(import.meta.dirname ?? "", "_probe_child.ts")],
        directory,
      ],
      stdout: "piped",
    }).spawn();
    let said = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (said !== "watching\n") continue;
      const pipe = join(directory, "sessions", "pipe");
      assert.ok(new Deno.Command("mkfifo", { args: [pipe] }).outputSync().success);
    }
    assert.equal(said, "watching\nsilent\n");
    assert.equal((await child.status).code, 0);
  }, ON_DISK);
});
