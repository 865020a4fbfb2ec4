import assert from "node:assert/strict";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { locateCodex } from "../../../lib/agents/codex/locate.ts";
import { codexUsageHome, writeCodexHome } from "../../_support/codex_usage_home.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const KINDS = {
  "forks and agents": {},
  "compactions that only a usage record counts": { silent_compactions: true },
  "counts said again within a second": { quick_repeats: true },
  "forks that name no parent": { unnamed_forks: true },
  "forks whose parent is gone": { lost_parents: true },
  "compressed rollouts": { packed: true },
};

for (const [name, options] of Object.entries(KINDS)) {
  Deno.test(`each answer in generated homes of Codex counts once: ${name}`, async () => {
    let compared = 0;
    for (let seed = 1; seed <= 25; seed++) {
      const home = codexUsageHome(seed, options);
      await withDirectory(async (folder) => {
        writeCodexHome(folder, home);
        const found: string[] = [];
        for await (
          const session of locateCodex({
            folder,
            home: folder,
            variable: () => undefined,
            os: Deno.build.os,
          })
        ) {
          for await (const batch of codexAgent.open(session).usage()) {
            for (const { time, model, usage } of batch) {
              const { input, output, cache_read, cache_write, reasoning } = usage;
              found.push(
                `${session.id} ${time} ${model} ${[
                  input,
                  output,
                  cache_read,
                  cache_write,
                  reasoning,
                ]}`,
              );
            }
          }
        }
        const made = home.answers.map(({ session, time, model, took }) =>
          `${session} ${time} ${model} ${took}`
        );
        assert.deepEqual(found.sort(), made.sort(), `seed ${seed}`);
        compared += made.length;
      });
    }
    assert.ok(compared > 500);
  });
}
