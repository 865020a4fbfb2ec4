/** `reprise stats` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import type { EventSource } from "../lib/event/envelope.ts";
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
import { agentOption } from "./_agent_option.ts";
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
  const used = await sources(context, flags, (error) => unread.push(error));
  const owners = new Map(used.map(({ source: { ref } }) => [ref, ref]));
  for (const one of used) {
    const session = await readUsage(one, owners, unread);
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
  owners: Map<string, string>,
  unread: SessionError[],
): Promise<SessionUsage | undefined> {
  const imports = source.id === undefined
    ? {}
    : { counted_elsewhere: isElsewhere(source.ref, owners) };
  const projection = usage(imports);
  try {
    const rows = await foldBatches(projection, source.events({ needs: projection.needs }));
    return { ref: source.ref, rows, ...(cwd === undefined ? {} : { cwd }) };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    unread.push(error);
    return undefined;
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

interface UsedSource {
  source: SessionSource;
  cwd?: string;
}

/** The sessions that can have used anything in the time asked for, those of other agents first. */
async function sources(
  context: Context,
  { agent = OWN, since }: StatsFlags,
  onError: (error: SessionError) => void,
): Promise<UsedSource[]> {
  const options: ListOptions = { ...(since === undefined ? {} : { since }), onError };
  const found: UsedSource[] = [];
  if (agent !== OWN) {
    const { foreignSources } = await import("./_foreign.ts");
    for await (const used of foreignSources(context, agent, options)) found.push(used);
  }
  return agent === OWN || agent === "all"
    ? [...found, ...await ownSources(context, options)]
    : found;
}

const OWN = "reprise";

async function ownSources(context: Context, options: ListOptions): Promise<UsedSource[]> {
  const store = contextStore(context);
  const rows = await store.list({ ...options, archived: false });
  // The second time, the same failures would be told again.
  rows.push(...await store.list({ ...options, archived: true, onError: (): void => {} }));
  return rows.map((row) => {
    const source = ownSource(row);
    return row.cwd === undefined ? { source } : { source, cwd: row.cwd };
  });
}
