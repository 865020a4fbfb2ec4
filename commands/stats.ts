/** `reprise stats` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import type { EventSource } from "../lib/event/envelope.ts";
import { SessionError } from "../lib/event/session_error.ts";
import { foldBatches } from "../lib/projection/projection.ts";
import type { PackedUsage } from "../lib/library/usage/packed_usage.ts";
import type { SessionRowsOptions } from "../lib/library/usage/session_rows.ts";
import { readEvents } from "../lib/log/read_events.ts";
import { responseUsage } from "../lib/projection/response_usage.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import {
  type SessionUsage,
  USAGE_GROUPINGS,
  type UsageGrouping,
  UsageTotals,
} from "../lib/projection/usage_totals.ts";
import type { ListOptions } from "../lib/session/list_sessions.ts";
import { readMarks, withMarks } from "../lib/session/marks.ts";
import { agentOption } from "./_agent_option.ts";
import { type Context, wantsColor } from "./_context.ts";
import { say } from "./_message.ts";
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
    .summary("add up what sessions used: tokens and cost, by day, model, project, agent or session")
    .description(
      "Add up tokens and cost. A cost that was not recorded is estimated from list prices (~).",
    )
    .addOption(agentOption("of another agent, or of all"))
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
  const { estimatedCost, PRICES_AS_OF } = await import("../lib/pricing/price_table.ts");
  const options = {
    dayOf: (milliseconds: number): string => localDay(new Date(milliseconds)),
    estimate: estimatedCost,
  };
  for (
    const session of await usedSessions(context, flags, (error) => unread.push(error), options)
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

/** What sessions used in the time asked for, those of other agents first. */
async function usedSessions(
  context: Context,
  { agent = OWN, since }: StatsFlags,
  onError: (error: SessionError) => void,
  rows: SessionRowsOptions,
): Promise<SessionUsage[]> {
  const { CountedUsage } = await import("../lib/library/usage/counted_usage.ts");
  const { SessionRows } = await import("../lib/library/usage/session_rows.ts");
  const options: ListOptions = { ...(since === undefined ? {} : { since }), onError };
  const counted = new CountedUsage();
  const found: Omit<SessionUsage, "rows">[] = [];
  const take = (session: Omit<SessionUsage, "rows">, usage: PackedUsage): void => {
    found.push(session);
    counted.add(usage);
  };
  if (agent !== OWN) await takeForeign(context, agent, options, take);
  if (agent === OWN || agent === "all") await takeOwn(context, options, found, take);
  const sums = new SessionRows(counted, rows);
  return found.map((session, index) => ({ ...session, rows: sums.of(index) }));
}

const OWN = "reprise";

type Take = (session: Omit<SessionUsage, "rows">, usage: PackedUsage) => void;

/** Other agents' sessions, in the order of their files: a copied response belongs to the first. */
async function takeForeign(
  context: Context,
  choice: string,
  { since, onError = () => {} }: ListOptions,
  take: Take,
): Promise<void> {
  const { agentEnvironment, chosenAgents } = await import("./_foreign.ts");
  const { readPackedUsage } = await import("../lib/library/usage/read_usage.ts");
  const marks = readMarks(contextStore(context).root);
  for (const agent of await chosenAgents(choice)) {
    const sessions = await Array.fromAsync(agent.locate(agentEnvironment(context)));
    sessions.sort((one, other) => one.path < other.path ? -1 : one.path > other.path ? 1 : 0);
    for (const session of sessions) {
      try {
        const row = await agent.summarize(session);
        if (row === undefined) continue;
        if (since !== undefined && Date.parse(row.updated_at ?? "") < since.getTime()) continue;
        const { ref, cwd } = withMarks(row, marks);
        const named = { ref, agent: agent.name, ...(cwd === undefined ? {} : { cwd }) };
        take(named, await readPackedUsage(agent, session));
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        onError(error);
      }
    }
  }
}

async function takeOwn(
  context: Context,
  options: ListOptions,
  found: readonly { ref: string }[],
  take: Take,
): Promise<void> {
  const { packUsage } = await import("../lib/library/usage/packed_usage.ts");
  const owners = new Map(found.map(({ ref }) => [ref, ref]));
  for (const row of await ownRows(context, options)) {
    const projection = responseUsage({ counted_elsewhere: isElsewhere(row.ref, owners) });
    try {
      const events = readEvents(row.path, { kinds: projection.needs });
      const usage = packUsage(await foldBatches(projection, events));
      take({ ref: row.ref, agent: OWN, ...(row.cwd === undefined ? {} : { cwd: row.cwd }) }, usage);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      options.onError?.(error);
    }
  }
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

async function ownRows(context: Context, options: ListOptions): Promise<Summary[]> {
  const store = contextStore(context);
  const rows = await store.list({ ...options, archived: false });
  // The second time, the same failures would be told again.
  rows.push(...await store.list({ ...options, archived: true, onError: (): void => {} }));
  return rows;
}
