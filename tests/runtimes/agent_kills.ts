/**
 * An agent that is killed again and again, under Node and Bun: what was acknowledged is there, and
 * the next prompt lands in its own session. Slow: each kill takes a quarter of a second, or more.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openStore } from "../../mod.ts";
import { seededRandom } from "../bench/random.ts";
import { roundsOf } from "../_support/few_rounds.ts";
import { installedPackage } from "../_support/installed_package.ts";
import { anthropicFaults } from "../_support/provider_rules.ts";
import { ROOT } from "../_support/source_code.ts";
import { withDirectory } from "../_support/temp_directory.ts";

const PROGRAM = "killed_agent.mjs";
const KILLS = 100;
/** Events of two turns and a compaction, so that a kill falls anywhere. */
const MOST_EVENTS = 45;

interface Acknowledged {
  id: string;
  seq: number;
}

/** What an agent said until it was killed. */
interface Life {
  begun: { id: string; request: unknown; skipped?: unknown } | undefined;
  acknowledged: Acknowledged[];
}

/** Runs the agent until it has acknowledged so many events, and kills it. */
async function live(program: string, args: string[], events: number): Promise<Life> {
  const child = new Deno.Command(program, { args, stdout: "piped", stderr: "inherit" }).spawn();
  const said: string[] = [];
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) said.push(line);
    if (said.length <= events) continue;
    try {
      child.kill("SIGKILL");
    } catch {
      // It has just been killed.
    }
  }
  await child.status;
  const [begun, ...acknowledged] = said.map((line) => JSON.parse(line));
  return { begun, acknowledged };
}

Deno.test("a killed agent loses no acknowledged event, and goes on in its own session", async () => {
  const { folder, runtimes } = await installedPackage();
  Deno.copyFileSync(
    fileURLToPath(new URL("tests/runtimes/_killed_agent.mjs", ROOT)),
    join(folder, PROGRAM),
  );
  const random = seededRandom(49);
  for (const { name, program } of runtimes) {
    await withDirectory(async (cwd) => {
      const root = join(cwd, "store");
      const store = openStore({ root });
      const all: Acknowledged[] = [];
      let main: string | undefined;
      for (let kill = 0; kill < roundsOf(KILLS, 6); kill++) {
        const place = `${name}, kill ${kill}`;
        const args = [join(folder, PROGRAM), root, cwd];
        const { begun, acknowledged } = await live(program, args, random.below(MOST_EVENTS));
        assert.ok(begun !== undefined, place);
        assert.equal(begun.skipped, undefined, place);
        // Until something was acknowledged, there is no session to go on with.
        if (all.some(({ id }) => id === main)) assert.equal(begun.id, main, place);
        main = begun.id;
        const { messages } = begun.request as { messages: unknown[] };
        if (messages.length > 0) assert.deepEqual(anthropicFaults(begun.request), [], place);
        all.push(...acknowledged);
      }
      const kept = new Map<string, Set<number>>();
      for (const id of new Set(all.map(({ id }) => id))) {
        const seqs = new Set<number>();
        for await (const events of store.events(id)) for (const { seq } of events) seqs.add(seq);
        kept.set(id, seqs);
      }
      assert.deepEqual(all.filter(({ id, seq }) => !kept.get(id)?.has(seq)), []);
      assert.ok(all.length > 0);
    });
  }
});
