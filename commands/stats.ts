/** `reprise stats` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { foldBatches } from "../lib/projection/projection.ts";
import { usage } from "../lib/projection/usage.ts";
import {
  USAGE_GROUPINGS,
  type UsageGrouping,
  UsageTotals,
} from "../lib/projection/usage_totals.ts";
import type { ListOptions } from "../lib/session/list_sessions.ts";
import { type Context, wantsColor } from "./_context.ts";
import { contextStore, ownSource, type SessionSource } from "./_source.ts";
import { parseSince } from "./_time.ts";

interface StatsFlags {
  agent?: string;
  since?: Date;
  by: UsageGrouping;
  json?: true;
}

/** Says what sessions used. */
export function statsCommand(context: Context): Command {
  return new Command("stats")
    .summary("say what sessions used: tokens, cost, by day, model or project")
    .description("Add up messages of the models, tokens and cost, where sessions recorded them.")
    .option("--agent <name>", "of another agent, or of all agents: all")
    .option(
      "--since <time>",
      "since: 30m, 12h, 7d, 2w, or a date",
      (text) => parseSince(text, context.now()),
    )
    .addOption(
      new Option("--by <what>", "group by").choices(USAGE_GROUPINGS).default("day" as const),
    )
    .option("--json", "one group a line")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise stats --agent all --since 7d\n  reprise stats --by model --json",
    )
    .action((flags) => stats(context, flags as StatsFlags)) as unknown as Command;
}

async function stats(context: Context, flags: StatsFlags): Promise<void> {
  const totals = new UsageTotals(flags.by, flags.since?.toISOString().slice(0, 10));
  const projection = usage();
  for await (const { source, cwd } of sources(context, flags)) {
    const rows = await foldBatches(projection, source.events({ needs: projection.needs }));
    totals.add({ ref: source.ref, rows, ...(cwd === undefined ? {} : { cwd }) });
  }
  if (flags.json) {
    const { toJsonLine } = await import("../lib/render/json_lines.ts");
    for (const group of totals.groups()) context.stdout.write(toJsonLine(group));
  } else if (totals.groups().length === 0) {
    context.stderr.write("No session recorded what it used in that time\n");
  } else {
    const { renderUsageTable } = await import("../lib/render/usage_table.ts");
    const color = wantsColor(context, context.stdout);
    const options = { color, by: flags.by };
    context.stdout.write(renderUsageTable(totals.groups(), totals.total(), options));
  }
}

interface UsedSource {
  source: SessionSource;
  cwd?: string;
}

/** The sessions that can have used anything in the time asked for. */
async function* sources(
  context: Context,
  { agent, since }: StatsFlags,
): AsyncGenerator<UsedSource> {
  const store = contextStore(context);
  const options: ListOptions = {
    ...(since === undefined ? {} : { since }),
    onError: (error) => context.stderr.write(`reprise: ${error.message}\n`),
  };
  if (agent === undefined || agent === "reprise" || agent === "all") {
    for (const archived of [false, true]) {
      for (const row of await store.list({ ...options, archived })) {
        const source = ownSource(row);
        yield row.cwd === undefined ? { source } : { source, cwd: row.cwd };
      }
    }
  }
  if (agent === undefined || agent === "reprise") return;
  const { foreignSources } = await import("./_foreign.ts");
  yield* foreignSources(context, agent, options);
}
