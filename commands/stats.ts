/** `reprise stats` */
import type { SessionError } from "../lib/event/session_error.ts";
import {
  type SessionUsage,
  USAGE_GROUPINGS,
  type UsageTotal,
  UsageTotals,
} from "../lib/projection/usage_totals.ts";
import type { UsageWindow } from "../lib/projection/usage_windows.ts";
import { dayIn, knownZone } from "../lib/render/local_time.ts";
import { defineCommand } from "./_command.ts";
import { type Context, timeFormat, wantsColor } from "./_context.ts";
import { InvalidArgument, parseSince, parseUntil } from "./_values.ts";
import { printJsonLines, say } from "./_message.ts";
import { withProgress } from "../lib/ui/progress.ts";
import { findScoped } from "./_scope.ts";
import { SCOPE_FLAGS } from "./_scope_flags.ts";
import { contextLibrary } from "./_library.ts";

export const statsCommand = defineCommand({
  summary: "add up tokens and costs by time, model, project, agent or session",
  description:
    "Add up tokens and cost. A cost that was not recorded is estimated from list prices (~).\n" +
    "A week is named by its Monday. A window is one of Claude's plans: five hours,\n" +
    "beginning at the hour of its first answer. It tells tokens a minute, cost an hour.",
  flags: {
    ...SCOPE_FLAGS,
    "--since <time>": { help: "since: 30m, 12h, 7d, 2w, or a date", parse: parseSince },
    "--until <time>": { help: "until then; a date counts whole", parse: parseUntil },
    "--by <what>": {
      help: "group by",
      choices: [...USAGE_GROUPINGS, "window"] as const,
      default: "day",
    },
    "--timezone <zone>": {
      help: "time zone of the days, such as Asia/Tokyo (default: local)",
      parse: parseZone,
    },
    "--json": "one group a line",
  },
  examples: [
    "reprise stats --agent all --since 7d",
    "reprise stats --by model --json",
    "reprise stats --by window --agent claude --since 1d",
  ],
  run: async (context, flags) => {
    const { since, until, by } = flags;
    const dayOf = dayIn(flags.timezone);
    const unread: SessionError[] = [];
    const library = contextLibrary(context);
    const onError = (error: SessionError): unknown => unread.push(error);
    const is_by_window = by === "window";
    // Each window begins where the one before ended: all sessions tell where. A session that went on
    // after the end may have a part before it.
    const scope = { since: is_by_window ? undefined : since, archived: "any", onError } as const;
    const { entries } = await findScoped(context, library, flags, scope);
    const { loadPrices } = await import("../lib/library/usage/load_prices.ts");
    const { root } = library.place;
    const { estimate, as_of } = await loadPrices({ root, onError });
    const { usageOf } = await import("../lib/library/usage/usage_of.ts");
    const steps = is_by_window ? { dayOf: utcMinute, step_seconds: 60 } : { dayOf };
    const used = await withProgress(
      context,
      "Reading sessions",
      (onProgress) =>
        usageOf(entries, { ...steps, estimate, kept: library.kept, onProgress, onError }),
    );
    const nameOf = steps.dayOf;
    const ends = [since, until].map((time) => time === undefined ? "" : nameOf(time.getTime()));
    const windows = is_by_window ? await windowsOf(context, used, ends) : undefined;
    const totals = is_by_window
      ? new UsageTotals("day", windows?.[0]?.group, windows?.at(-1)?.last_at)
      : new UsageTotals(by, ...ends);
    for (const session of used) totals.add(session);
    for (const { message } of unread) await say(context, `reprise: ${message}`);
    const groups = windows ?? totals.groups();
    if (flags.json) return await printJsonLines(context, groups.map((one) => dated(one, as_of)));
    if (groups.length === 0) {
      const days = [since, until].map((time) => time && dayOf(time.getTime()));
      return await say(context, `No token usage found${stretchText(days)}`);
    }
    const color = wantsColor(context, context.stdout);
    const look = { color, prices_as_of: as_of };
    if (windows === undefined) {
      const { renderUsageTable } = await import("../lib/render/usage_table.ts");
      const table = renderUsageTable(groups, totals.total(), { ...look, by });
      return context.stdout.write(table);
    }
    const { renderWindowTable } = await import("../lib/render/window_table.ts");
    const now = context.now().getTime();
    const times = { format_time: timeFormat(context), now };
    context.stdout.write(renderWindowTable(windows, totals.total(), { ...look, ...times }));
  },
});

/** Returns a minute in ISO 8601. */
function utcMinute(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns the windows with a part in a stretch of time. */
async function windowsOf(
  context: Context,
  used: readonly SessionUsage[],
  [first = "", last = ""]: readonly string[],
): Promise<UsageWindow[]> {
  const { usageWindows } = await import("../lib/projection/usage_windows.ts");
  return usageWindows(used, context.now().getTime())
    .filter(({ group, last_at }) => last_at >= first && (last === "" || group <= last));
}

/** Adds the day of the prices to a group that needed them. */
function dated(group: UsageTotal, prices_as_of: string): UsageTotal & { prices_as_of?: string } {
  const { cost_estimated, unknown_models = [] } = group;
  return cost_estimated || unknown_models.length > 0 ? { ...group, prices_as_of } : group;
}

/** Says which stretch of time had no usage, and how to see more. */
function stretchText([since, until]: readonly (string | undefined)[]): string {
  const ends = [["since", since], ["until", until]].filter(([, day]) => day !== undefined);
  if (ends.length === 0) return "";
  const words = ends.map(([word, day]) => ` ${word} ${day}`).join("");
  return `${words}; without ${ends.map(([word]) => `--${word}`).join(" and ")}, all are counted`;
}

function parseZone(name: string): string {
  const zone = knownZone(name);
  if (zone !== undefined) return zone;
  throw new InvalidArgument("Give a time zone such as UTC or Europe/Berlin.");
}
