/**
 * What `session/load` of 100 MB takes, for each agent whose sessions are read from their end: `deno
 * task test:clients`. `$REPRISE_BIN` names the executable, which takes less memory than `deno run`.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { namespaceOf } from "../../../lib/core/workspace/namespace.ts";
import { folderName } from "../../../lib/core/store/session_id.ts";
import { AcpClient } from "../../_support/acp_client.ts";
import { CliHome, sessionId } from "../../_support/cli_home.ts";
import { makeAgentHome } from "../../bench/agent_sessions.ts";
import { writeSessionLog } from "../../bench/bench_log.ts";
import { seededRandom } from "../../bench/random.ts";
import { textPool } from "../../bench/text_pool.ts";

const BYTES = 100e6;
/** Most memory, in MiB: of the executable, and of the program under `deno run`. */
const MOST_MEMORY = Deno.env.has("REPRISE_BIN") ? 160 : 260;

/** Where all sessions were recorded, as generated logs say. */
const DIRECTORY = "/home/ada/src/ledger";

/** A log of the store, of 100 MB. */
function keepLong(home: CliHome): void {
  const [session_id, cwd] = [sessionId("aaaa"), DIRECTORY];
  const created = new Date("2026-11-01T08:00:00.000Z");
  const folder = join(home.store, "sessions", namespaceOf(cwd), folderName(created, session_id));
  const path = join(folder, "transcript_events.jsonl");
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const random = seededRandom(7);
  const source = { random, text: textPool(random) };
  writeSessionLog(path, { source, bytes: BYTES, session_id, created, cwd, closed: true });
}

function peakMemory(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

Deno.test({
  name: "the end of 100 MB is replayed in little memory",
  ignore: Deno.build.os !== "linux",
  fn: async (test) => {
    await using home = new CliHome();
    keepLong(home);
    for (const agent of ["claude", "codex", "pi"] as const) {
      makeAgentHome(agent, home.path, { count: 1, bytes: BYTES });
    }
    const rows = await (async () => {
      await using editor = new AcpClient(home, { before: [] });
      await editor.initialize();
      return (await editor.list(DIRECTORY)).flat();
    })();
    assert.equal(rows.length, 4);
    for (const { sessionId, _meta } of rows) {
      await test.step(String(_meta?.["reprise/agent"]), async () => {
        await using editor = new AcpClient(home, { before: [] });
        await editor.initialize();
        const began = performance.now();
        const first = editor.until(() => true).then(() => Math.round(performance.now() - began));
        const updates = await editor.load(sessionId, home.work);
        const memory = Math.round(peakMemory(editor.child.pid));
        const all = Math.round(performance.now() - began);
        // deno-lint-ignore no-console
        console.log(`first update ${await first} ms, all ${all} ms, ${memory} MiB`);
        assert.ok(updates.length > 100);
        assert.ok(memory <= MOST_MEMORY, `${memory} MiB`);
      });
    }
  },
});
