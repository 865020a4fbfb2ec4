/** `reprise stats` */
import type { SessionError } from "../lib/event/session_error.ts";
import { USAGE_GROUPINGS, UsageTotals } from "../lib/projection/usage_totals.ts";
import { dayIn, knownZone } from "../lib/render/local_time.ts";
import { defineCommand } from "./_command.ts";
import { wantsColor } from "./_context.ts";
import { InvalidArgument, parseSince } from "./_values.ts";
import { printJsonLines, say } from "./_message.ts";
import { withProgress } from "../lib/ui/progress.ts";
import { findScoped } from "./_scope.ts";
import { SCOPE_FLAGS } from "./_scope_flags.ts";
import { contextLibrary } from "./_library.ts";

export const statsCommand = defineCommand({
  summary: "add up tokens and costs by day, model, project, agent or session",
  description:
    "Add up tokens and cost. A cost that was not recorded is estimated from list prices (~).",
  flags: {
    ...SCOPE_FLAGS,
    "--since <time>": { help: "since: 30m, 12h, 7d, 2w, or a date", parse: parseSince },
    "--by <what>": { help: "group by", choices: USAGE_GROUPINGS, default: "day" },
    "--timezone <zone>": {
      help: "time zone of the days, such as Asia/Tokyo (default: local)",
      parse: parseZone,
    },
    "--json": "one group a line",
  },
  examples: ["reprise stats --agent all --since 7d", "reprise stats --by model --json"],
  run: async (context, flags) => {
    const { since } = flags;
    const dayOf = dayIn(flags.timezone);
    const totals = new UsageTotals(flags.by, since === undefined ? "" : dayOf(since.getTime()));
    const unread: SessionError[] = [];
    const library = contextLibrary(context);
    const onError = (error: SessionError): unknown => unread.push(error);
    const scope = { since, archived: "any", onError } as const;
    const { entries } = await findScoped(context, library, flags, scope);
    const { loadPrices } = await import("../lib/library/usage/load_prices.ts");
    const { root } = library.place;
    const { estimate, as_of } = await loadPrices({ root, onError });
    const { usageOf } = await import("../lib/library/usage/usage_of.ts");
    const used = await withProgress(context, "Reading sessions", (onProgress) =>
      usageOf(entries, {
        dayOf,
        estimate,
        kept: library.kept,
        onProgress,
        onError,
      }));
    for (const session of used) totals.add(session);
    for (const { message } of unread) await say(context, `reprise: ${message}`);
    if (flags.json) {
      const rows = totals.groups().map((group) => {
        const { cost_estimated, unknown_models = [] } = group;
        const is_dated = cost_estimated || unknown_models.length > 0;
        return is_dated ? { ...group, prices_as_of: as_of } : group;
      });
      await printJsonLines(context, rows);
    } else if (totals.groups().length === 0) {
      const window = since === undefined
        ? ""
        : ` since ${dayOf(since.getTime())}; without --since, all are counted`;
      await say(context, `No token usage found${window}`);
    } else {
      const { renderUsageTable } = await import("../lib/render/usage_table.ts");
      const color = wantsColor(context, context.stdout);
      const look = { color, by: flags.by, prices_as_of: as_of };
      context.stdout.write(renderUsageTable(totals.groups(), totals.total(), look));
    }
  },
});

function parseZone(name: string): string {
  const zone = knownZone(name);
  if (zone !== undefined) return zone;
  throw new InvalidArgument("Give a time zone such as UTC or Europe/Berlin.");
}
