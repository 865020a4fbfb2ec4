import assert from "node:assert/strict";
import { join } from "node:path";
import { AcpClient } from "../_support/acp_client.ts";
import { furnishEditorHome, OTHERS } from "../_support/acp_home.ts";
import { CliHome } from "../_support/cli_home.ts";
import { STRACE, traceCommand } from "../_support/strace.ts";
import { CHANGES, isOurs, isRuntimes, touchedPaths } from "../_support/touched_paths.ts";
import { needing } from "../_support/needing.ts";

// Slow: strace follows a process of the program.
Deno.test({
  ...needing(
    "P8 list, load, resume, close and delete write nothing outside the store and the cache and call nobody",
    STRACE,
  ),
  fn: async () => {
    await using home = new CliHome();
    const { id } = furnishEditorHome(home);
    const file = join(home.path, "calls");
    // No model: that of a running Ollama would be asked for only by a prompt.
    await using editor = new AcpClient(home, {
      args: [],
      before: traceCommand(file, ["-e", `trace=${CHANGES}`]),
    });
    await editor.initialize();
    assert.equal((await editor.list()).flat().length, 3);
    for (const one of [id, ...Object.values(OTHERS)]) {
      assert.ok((await editor.load(one, home.work)).length > 2);
      await editor.resume(one, home.work);
    }
    const fresh = await editor.create(home.work);
    for (const sessionId of [fresh, ...Object.values(OTHERS)]) {
      await editor.agent.request("session/close", { sessionId });
    }
    await editor.agent.request("session/delete", { sessionId: id });
    assert.equal(await editor.hangUp(), 0);

    const [start = "", ...calls] = (await Deno.readTextFile(file)).split("\n");
    assert.match(start, /execve\(/);
    assert.deepEqual(calls.filter((call) => / (?:connect|listen)\(/.test(call)), []);
    assert.deepEqual(calls.filter((call) => / execve\(.* = 0/.test(call)), []);
    const outside = touchedPaths(calls)
      .filter((path) => !isRuntimes(path) && !isOurs(home, path));
    assert.deepEqual(outside, []);
    assert.ok(touchedPaths(calls).some((path) => path.startsWith(join(home.store, "trash"))));
  },
});
