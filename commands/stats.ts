/** `reprise stats` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import type { EventSource } from "../lib/event/envelope.ts";
import { SessionError } from "../lib/event/session_error.ts";
import type { SessionRowsOptions } from "../lib/library/usage/session_rows.ts";
import type { PackedUsage } from "../lib/library/usage/packed_usage.ts";
import { foldBatches } from "../lib/projection/projection.ts";
import { responseUsage } from "../lib/projection/response_usage.ts";
import {
  type SessionUsage,
  USAGE_GROUPINGS,
  type UsageGrouping,
  UsageTotals,
} from "../lib/projection/usage_totals.ts";
import type { Library, LibraryEntry } from "../lib/library/library.ts";
import { type Context, wantsColor } from "./_context.ts";
import { say } from "./_message.ts";
import { listScoped, type ScopeFlags, scopeOptions } from "./_scope.ts";
import { contextLibrary } from "./_session.ts";
import { localDay, parseSince } from "./_time.ts";

interface StatsFlags extends ScopeFlags {
  since?: Date;
  by: UsageGrouping;
  json?: true;
}

/** Says what sessions used. */
export function statsCommand(context: Context): Command {
  const { here, all, cwd, agent } = scopeOptions();
  return new Command("stats")
    .summary("add up what sessions used: tokens and cost, by day, model, project, agent or session")
    .description(
      "Add up tokens and cost. A cost that was not recorded is estimated from list prices (~).",
    )
    .addOption(all)
    .addOption(here)
    .addOption(cwd)
    .addOption(agent)
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
    .action((flags) => stats(context, flags as unknown as StatsFlags)) as unknown as Command;
}

async function stats(context: Context, flags: StatsFlags): Promise<void> {
  const { since } = flags;
  const totals = new UsageTotals(flags.by, since === undefined ? undefined : localDay(since));
  const unread: SessionError[] = [];
  const library = await contextLibrary(context);
  const { entries } = await listScoped(context, library, flags, {
    ...(since === undefined ? {} : { since }),
    archived: "any",
    onError: (error) => unread.push(error),
  });
  const { estimatedCost, PRICES_AS_OF } = await import("../lib/pricing/price_table.ts");
  const options = {
    dayOf: (milliseconds: number): string => localDay(new Date(milliseconds)),
    estimate: estimatedCost,
  };
  for (
    const session of await usedSessions(library, entries, (error) => unread.push(error), options)
  ) {
    totals.add(session);
  }
  for (const { message } of unread) await say(context, `reprise: ${message}`);
  if (flags.json) {
    const { toJsonLine } = await import("../lib/render/json_lines.ts");
    for (const group of totals.groups()) {
      const dated = group.cost_estimated ? { ...group, prices_as_of: PRICES_AS_OF } : group;
      context.stdout.write(toJsonLine(dated));
    }
  } else if (totals.groups().length === 0) {
    await say(context, "No session recorded what it used in that time");
  } else {
    const { renderUsageTable } = await import("../lib/render/usage_table.ts");
    const color = wantsColor(context, context.stdout);
    const look = { color, by: flags.by, prices_as_of: PRICES_AS_OF };
    context.stdout.write(renderUsageTable(totals.groups(), totals.total(), look));
  }
}

/** What sessions used: a copied response belongs to the first, so logs of copies come last. */
async function usedSessions(
  library: Library,
  entries: readonly LibraryEntry[],
  onError: (error: SessionError) => void,
  rows: SessionRowsOptions,
): Promise<SessionUsage[]> {
  const { CountedUsage } = await import("../lib/library/usage/counted_usage.ts");
  const { SessionRows } = await import("../lib/library/usage/session_rows.ts");
  const counted = new CountedUsage();
  const found: Omit<SessionUsage, "rows">[] = [];
  const owners = new Map(entries.map(({ row: { ref } }) => [ref, ref]));
  const byPath = entries.toSorted((one, other) => one.row.path < other.row.path ? -1 : 1);
  for (const isLog of [false, true]) {
    for (const entry of byPath) {
      const { ref, agent, cwd } = entry.row;
      try {
        const usage = await readUsage(library, entry, isLog, owners);
        if (usage === undefined) continue;
        found.push({ ref, agent, ...(cwd === undefined ? {} : { cwd }) });
        counted.add(usage);
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        onError(error);
      }
    }
  }
  const sums = new SessionRows(counted, rows);
  return found.map((session, index) => ({ ...session, rows: sums.of(index) }));
}

/** What one session used; undefined where it is a log, or is none, and that is not asked for. */
async function readUsage(
  library: Library,
  { session, row }: LibraryEntry,
  isLog: boolean,
  owners: Map<string, string>,
): Promise<PackedUsage | undefined> {
  const handle = await library.handle(session);
  if ((handle.log !== undefined) !== isLog) return undefined;
  if (!isLog) {
    const { readPackedUsage } = await import("../lib/library/usage/read_usage.ts");
    const { loadAgent } = await import("../lib/library/registry.ts");
    return await readPackedUsage(await loadAgent(session.agent), session);
  }
  const { packUsage } = await import("../lib/library/usage/packed_usage.ts");
  const projection = responseUsage({ counted_elsewhere: isElsewhere(row.ref, owners) });
  return packUsage(await foldBatches(projection, handle.events({ needs: projection.needs })));
}

/** What was imported is counted once: where it still is, or else in the first of its copies. */
function isElsewhere(ref: string, owners: Map<string, string>): (source: EventSource) => boolean {
  return ({ agent, session_id }) => {
    if (agent === undefined) return false;
    const original = `${agent}:${session_id}`;
    const owner = owners.get(original) ?? ref;
    owners.set(original, owner);
    return owner !== ref;
  };
}
