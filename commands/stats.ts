/** `reprise stats` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { SessionError } from "../lib/event/session_error.ts";
import { foldBatches } from "../lib/projection/projection.ts";
import { usage } from "../lib/projection/usage.ts";
import {
  type SessionUsage,
  USAGE_GROUPINGS,
  type UsageGrouping,
  UsageTotals,
} from "../lib/projection/usage_totals.ts";
import type { ListOptions } from "../lib/session/list_sessions.ts";
import { type Context, wantsColor } from "./_context.ts";
import { say } from "./_message.ts";
import type { SessionSource } from "./_session_source.ts";
import { ownSource } from "./_source.ts";
import { contextStore } from "./_store.ts";
import { localDay, parseSince } from "./_time.ts";

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
  const { since } = flags;
  const totals = new UsageTotals(flags.by, since === undefined ? undefined : localDay(since));
  const unread: SessionError[] = [];
  for await (const used of sources(context, flags, unread)) {
    const session = await readUsage(used, unread);
    if (session !== undefined) totals.add(session);
  }
  for (const { message } of unread) await say(context, `reprise: ${message}`);
  if (flags.json) {
    const { toJsonLine } = await import("../lib/render/json_lines.ts");
    for (const group of totals.groups()) context.stdout.write(toJsonLine(group));
  } else if (totals.groups().length === 0) {
    await say(context, "No session recorded what it used in that time");
  } else {
    const { renderUsageTable } = await import("../lib/render/usage_table.ts");
    const color = wantsColor(context, context.stdout);
    const options = { color, by: flags.by };
    context.stdout.write(renderUsageTable(totals.groups(), totals.total(), options));
  }
}

/** What one session used; undefined, and told, where it cannot be read. */
async function readUsage(
  { source, cwd }: UsedSource,
  unread: SessionError[],
): Promise<SessionUsage | undefined> {
  const projection = usage();
  try {
    const rows = await foldBatches(projection, source.events({ needs: projection.needs }));
    return { ref: source.ref, rows, ...(cwd === undefined ? {} : { cwd }) };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    unread.push(error);
    return undefined;
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
  unread: SessionError[],
): AsyncGenerator<UsedSource> {
  const store = contextStore(context);
  const options: ListOptions = {
    ...(since === undefined ? {} : { since }),
    onError: (error) => unread.push(error),
  };
  if (agent === undefined || agent === "reprise" || agent === "all") {
    for (const archived of [false, true]) {
      // The second time, the same ones would be told again.
      const told = archived ? { onError: (): void => {} } : {};
      for (const row of await store.list({ ...options, ...told, archived })) {
        const source = ownSource(row);
        yield row.cwd === undefined ? { source } : { source, cwd: row.cwd };
      }
    }
  }
  if (agent === undefined || agent === "reprise") return;
  const { foreignSources } = await import("./_foreign.ts");
  yield* foreignSources(context, agent, options);
}
