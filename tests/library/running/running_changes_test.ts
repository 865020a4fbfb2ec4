/** What is noticed of running sessions: of real files, watches and processes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { libraryPlace } from "../../../lib/library/catalogue/library_place.ts";
import { RunningChanges } from "../../../lib/library/running/running_changes.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { eventually } from "../../_support/eventually.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const [ONE, OTHER] = ["11111111-1111-4111-8111-111111111111", "2222222222"];

// Slow: it waits for five notices of the system, one after the other.
Deno.test(
  needing("a change of a known session names it, and any other makes everything doubtful", UNIX),
  () =>
    withDirectory(async (home) => {
      const folder = join(home, ".claude/projects/w");
      const database = join(home, ".local/share/opencode/opencode.db");
      for (const path of [folder, join(home, ".claude/sessions"), join(database, "..")]) {
        Deno.mkdirSync(path, { recursive: true });
      }
      const known: AgentSession = { agent: "claude", id: ONE, path: join(folder, `${ONE}.jsonl`) };
      const row: AgentSession = { agent: "opencode", id: OTHER, path: database };
      Deno.writeTextFileSync(known.path, "{}\n");
      Deno.writeTextFileSync(database, "1");
      const client = new Deno.Command("sleep", { args: ["60"], stdin: "null" }).spawn();
      const variable = (name: string): string | undefined => name === "HOME" ? home : undefined;
      const place = libraryPlace({ root: join(home, "store"), variable, os: Deno.build.os });
      using changes = new RunningChanges(place, undefined);
      // What was before the watches is not known.
      assert.equal(changes.any, true);
      assert.equal(changes.take(), undefined);
      changes.follow([{ session: known, pid: client.pid }, { session: row, pid: undefined }]);
      const taken = async (): Promise<string[] | undefined> => {
        await eventually(() => changes.any);
        const ids = changes.take();
        return ids && [...ids];
      };
      Deno.writeTextFileSync(known.path, "{}\n", { append: true });
      assert.deepEqual(await taken(), [ONE]);
      // A client's mark is named by its process.
      Deno.writeTextFileSync(join(home, `.claude/sessions/${client.pid}.json`), "{}");
      assert.deepEqual(await taken(), [ONE]);
      // A database may have got another session. No watched folder holds it.
      Deno.writeTextFileSync(database, "12");
      assert.equal(await taken(), undefined);
      Deno.writeTextFileSync(join(folder, "33333333-1111-4111-8111-111111111111.jsonl"), "{}\n");
      assert.equal(await taken(), undefined);
      client.kill("SIGKILL");
      await client.status;
      assert.equal(await taken(), undefined);
    }),
);
