import assert from "node:assert/strict";
import { updateIndexLater } from "../../commands/search/background_index.ts";
import { contextLibrary } from "../../commands/_library.ts";
import {
  cliCommand,
  cliEnvironment,
  CollectedOutput,
  contextHere,
  jsonLines,
} from "../_support/cli.ts";
import { makeCacheFolder } from "../../lib/library/catalogue/cache/own_cache.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { eventually } from "../_support/eventually.ts";
import { atFullSize } from "../_support/full_size.ts";
import { user } from "../_support/log_bytes.ts";
import { needing, UNIX } from "../_support/needing.ts";
import { keepPiSession } from "./_pi_session.ts";

/** Keeps a session of pi that is long enough to be worth an index. */
function keepLong(home: CliHome): void {
  const { path } = keepPiSession(home, "1111aaaa", "Where is the ledger?");
  const fill = { type: "custom", id: "fill", parentId: null, data: "-".repeat(1e6) };
  for (let count = 0; count < 201; count++) {
    Deno.writeTextFileSync(path, `${JSON.stringify(fill)}\n`, { append: true });
  }
}

function refsIn(stdout: string): unknown[] {
  return jsonLines(stdout).map(({ ref }) => ref);
}

async function stateOf(home: CliHome): Promise<string> {
  const { stdout } = await home.run(["index", "status", "--json"]);
  return String(JSON.parse(stdout).state);
}

// The bytes that are worth an index are a constant of the command.
Deno.test({
  ...atFullSize(
    "a search of 201 MB has the index built by a process of its own, where it may, and says so once",
  ),
  fn: async () => {
    await using home = new CliHome();
    home.keep(sessionId("aaaa"), [user("Count the ledger")]);
    keepLong(home);
    const search = ["search", "ledger", "--all", "--json"];
    const uncached = await home.run([...search, "--no-cache"], { process: true });
    const short = await home.run([...search, "--agent", "reprise"], { process: true });
    assert.equal((await home.run(["config", "set", "search.auto_index", "false"])).status, 0);
    const off = await home.run(search, { process: true });
    assert.deepEqual([uncached.stderr, short.stderr, off.stderr], ["", "", ""]);
    assert.equal(await stateOf(home), "absent");
    assert.equal((await home.run(["config", "set", "search.auto_index", "true"])).status, 0);
    const first = await home.run(search, { process: true });
    assert.equal(first.status, 0, first.stderr);
    assert.match(
      first.stderr,
      /^Indexing all sessions in the background.*search\.auto_index false\n$/,
    );
    await eventually(async () => await stateOf(home) === "current");
    const again = await home.run(search, { process: true });
    assert.equal(again.stderr, "");
    assert.deepEqual(refsIn(again.stdout), refsIn(first.stdout));
    assert.equal(refsIn(first.stdout).length, 2);
  },
});

// Slow: processes of the program start.
Deno.test(
  needing(
    "after a search that read much, a process of its own builds the index, where it may",
    UNIX,
  ),
  async () => {
    for (const has_store of [true, false]) {
      await using home = new CliHome();
      keepPiSession(home);
      // A query keeps no list on a busy machine.
      makeCacheFolder(home.cache);
      if (has_store) home.keep(sessionId("aaaa"), [user("Count the ledger")]);
      const after = async (scanned_bytes: number, no_cache = false): Promise<string> => {
        const [options, stderr] = [{ home: home.path, cwd: home.work }, new CollectedOutput()];
        const streams = { stdin: () => new Blob([]).stream(), stdout: stderr, stderr };
        const env = Object.entries(cliEnvironment(options)).map(([name, value]) =>
          `${name}=${value}`
        );
        const program = ["env", "-i", ...env, ...cliCommand()];
        const context = { ...contextHere(options, streams), program, no_cache };
        const { entries } = await contextLibrary(context).query({});
        const started = await updateIndexLater(context, entries, { scanned_bytes });
        await started?.status;
        return stderr.end();
      };
      assert.deepEqual([await after(200e6), await after(200e6 + 1, true)], ["", ""]);
      if (has_store) {
        assert.equal((await home.run(["config", "set", "search.auto_index", "false"])).status, 0);
        assert.equal(await after(200e6 + 1), "");
        assert.equal((await home.run(["config", "set", "search.auto_index", "true"])).status, 0);
      }
      assert.equal(await stateOf(home), "absent");
      assert.match(
        await after(200e6 + 1),
        /^Indexing all sessions in the background.*search\.auto_index false\n$/,
      );
      assert.equal(await stateOf(home), "current");
      assert.equal(await after(200e6 + 1), "");
      if (!has_store) assert.throws(() => Deno.statSync(home.store), Deno.errors.NotFound);
    }
  },
);
