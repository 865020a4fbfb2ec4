/**
 * What `stats` adds up of generated homes of Codex equals what ccusage does, or the page says why
 * not: `deno task test:clients`.
 */
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import {
  codexUsageHome,
  type CodexUsageOptions,
  writeCodexHome,
} from "../../_support/codex_usage_home.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { chosen } from "../quick.ts";
import {
  assertOnPage,
  CCUSAGE,
  cell,
  type Counts,
  ours,
  sameTables,
  summed,
  theirDays,
} from "./tables.ts";

const ignore = CCUSAGE === undefined;
const SEEDS = Array.from({ length: 24 }, (_, index) => index + 1);

for (const seed of chosen(SEEDS.slice(0, 8))) {
  Deno.test({
    name: `as ccusage, Codex: random home ${seed}`,
    ignore,
    fn: () =>
      withDirectory(async (folder) => {
        const home = codexUsageHome(seed);
        writeCodexHome(folder, home);
        const sessions = new Set(home.sessions.values());
        await sameTables(codexAgent, folder, sessions.size, home.sessions);
      }),
  });
}

/** What ccusage counts otherwise, as the page names it. */
const DIFFERENCES: readonly [name: string, options: CodexUsageOptions][] = [
  ["nothing else", {}],
  ["compactions without a token count", { silent_compactions: true }],
  ["token counts that Codex recorded twice within a second", { quick_repeats: true }],
  ["forks that do not name their parent", { unnamed_forks: true }],
  ["forks whose parent file is missing", { lost_parents: true }],
  ["compressed session files", { packed: true }],
];

Deno.test({
  name: "the page shows the sums of generated homes of Codex beside those of ccusage",
  ignore,
  fn: async () => {
    const rows: string[] = [];
    for (const [name, options] of DIFFERENCES) {
      const [mine, other]: [Counts[], Counts[]] = [[], []];
      for (const seed of SEEDS) {
        await withDirectory(async (folder) => {
          writeCodexHome(folder, codexUsageHome(seed, options));
          mine.push(...Object.values((await ours(codexAgent, folder, "UTC")).days));
          other.push(...Object.values(await theirDays(codexAgent, folder, "UTC")));
        });
      }
      rows.push(`| ${name} | ${cell(summed(mine))} | ${cell(summed(other))} |`);
    }
    await assertOnPage(rows);
  },
});
