/** `reprise stats` */
import type { SessionError } from "../lib/core/event/session_error.ts";
import { present } from "../lib/core/event/present.ts";
import {
  type SessionUsage,
  USAGE_GROUPINGS,
  type UsageGrouping,
  type UsageTotal,
  UsageTotals,
} from "../lib/core/projection/usage_totals.ts";
import { daysBefore } from "../lib/core/projection/days_before.ts";
import type { UsageWindow } from "../lib/core/projection/usage_windows.ts";
import { dayIn, knownZone } from "../lib/text/render/local_time.ts";
import { defineCommand } from "./_command.ts";
import { type Context, timeFormat, wantsColor } from "./_context.ts";
import {
  InvalidArgument,
  parseCount,
  parseSince,
  parseUntil,
  TIMES,
  type WrittenTime,
} from "./_values.ts";
import { printJsonLines, say } from "./_message.ts";
import { withProgress } from "../lib/frontends/ui/progress.ts";
import { agentsOf, findScoped, sayDays, tellScope } from "./_scope.ts";
import { touching } from "./_touching.ts";
import { assertSortable, sortedGroups } from "./stats/sort_groups.ts";
import { namesOf } from "./stats/group_names.ts";
import { planBlock } from "./stats/plan_lines.ts";
import { REVERSE_HELP, SCOPE_FLAGS, WORD_FLAGS } from "./_scope_flags.ts";
import { SESSION_ORDERS } from "../lib/core/store/session_order.ts";
import { asksWords, ofModel, wordsIn } from "../lib/core/store/session_words.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import type { AgentName } from "../lib/core/event/agent_name.ts";
import type { Library } from "../lib/library/library.ts";
import type { SharedWindow } from "../lib/library/limits/plan/plan_windows.ts";
import type { SessionEntry } from "../lib/library/query/query.ts";

/** Default maximum number of rows on a terminal, if the rows are sessions. */
const USUAL_ROWS = 20;
/** Groupings by time. Their rows are in order of time, so a limit keeps the last rows. */
const ENDING_NOW: readonly string[] = ["day", "week", "month", "window"];

export const statsCommand = defineCommand({
  description:
    "Add up tokens and cost. Costs marked ~ are estimated from list prices. Weeks are named by " +
    "their Monday. A window is a five-hour usage period of a Claude plan. It starts with the " +
    "first answer. The row of a window also shows tokens per minute and cost per hour. If " +
    "agents record the limits of your plans, the command also shows how much of each limit is " +
    "used, and each session's estimated share (~).",
  flags: {
    ...SCOPE_FLAGS,
    ...WORD_FLAGS,
    "--model <text>": "count only responses of models whose name contains this text",
    "--since <time>": {
      help: `count only model responses since this time: ${TIMES}`,
      parse: parseSince,
    },
    "--until <time>": {
      help: "count only model responses up to this time, inclusive (same formats as --since)",
      parse: parseUntil,
    },
    "--by <what>": {
      help: "group by one of these words, or by two, such as model,day",
      choices: [...USAGE_GROUPINGS, "window"],
      several: true,
      parse: parseGroupings,
      default: ["day"] as Groupings,
      default_text: "day",
    },
    "--sort <order>": {
      help: "sort the rows by this value; created, updated, duration and title need --by session",
      choices: SESSION_ORDERS,
    },
    "--reverse": REVERSE_HELP,
    "--timezone <zone>": {
      help: "time zone in which days begin and end, such as Asia/Tokyo (default: local)",
      parse: parseZone,
    },
    "-n, --limit <count>": {
      help: "maximum number of rows (default: all; with --by session, 20 at a terminal)",
      parse: parseCount,
    },
    "--json": "print each row as one line of JSON",
  },
  examples: [
    "reprise stats --by model --project my-app --since last-week --until last-week",
    "reprise stats --by model,day --json",
    "reprise stats --by window --agent claude --since 1d",
  ],
  run: async (context, flags) => {
    const { since, until, file, model } = flags;
    const [by, then] = flags.by;
    const order = { ...flags, by };
    assertSortable(order);
    const dayOf = dayIn(flags.timezone);
    const unread: SessionError[] = [];
    const library = contextLibrary(context);
    await sayDays(context, flags);
    const onError = (error: SessionError): unknown => unread.push(error);
    const is_by_window = by === "window";
    // Each window begins where the one before ended: all sessions tell where. A session that went on
    // after the end may have a part before it.
    const from = is_by_window ? undefined : since;
    const exact = flags.sort === "duration";
    // Its answers alone count, wherever they are.
    const words = { ...wordsIn(flags), model: undefined };
    const scope = { since: from, ...words, exact, archived: "any", onError } as const;
    const found = await findScoped(context, library, flags, scope);
    const entries = file === undefined
      ? found.entries
      : [...(await touching(context, found.entries, file, onError)).keys()];
    const { loadPrices } = await import("../lib/library/counts/usage/load_prices.ts");
    const { root } = library.place;
    const { estimate, as_of } = await loadPrices({ root, onError });
    const { usageOf } = await import("../lib/library/query/usage_of.ts");
    const steps = is_by_window ? { dayOf: utcMinute, step_seconds: 60 } : { dayOf };
    const read = await withProgress(
      context,
      "Reading sessions",
      (onProgress) =>
        usageOf(entries, { ...steps, estimate, kept: library.kept, onProgress, onError }),
    );
    const used = by === "branch" || then === "branch" ? await withBranches(read, entries) : read;
    const nameOf = steps.dayOf;
    const ends = [since, until].map((time) => time === undefined ? "" : nameOf(time.getTime()));
    const days = is_by_window ? undefined : countOfDays(since);
    if (days !== undefined) {
      const today = dayOf(context.now().getTime());
      ends[0] = daysBefore(today, days - 1);
      if (!flags.json) await say(context, `${ends[0]} to ${ends[1] || today}`);
    }
    const windows = is_by_window
      ? await windowsOf(context, used.map((one) => ofModel(one, model)), ends)
      : undefined;
    const totals = is_by_window
      ? new UsageTotals("day", windows?.[0]?.group, windows?.at(-1)?.last_at)
      : new UsageTotals(by, ends[0], ends[1], then);
    for (const session of used) totals.add(ofModel(session, model));
    for (const { message } of unread) await say(context, `reprise: ${message}`);
    if (entries.length === 0 && unread.length > 0) {
      if (!flags.json) await say(context, "No session could be read. To see why: reprise doctor");
      throw new CommandExit(STATUS.failed);
    }
    const all = windows ?? await sortedGroups(totals.groups(), entries, order);
    const { terminal, width: columns } = context.stdout;
    const is_short = terminal && [by, then].includes("session") && !flags.json;
    const { limit = is_short ? USUAL_ROWS : all.length } = flags;
    const ends_now = ENDING_NOW.includes(by) && (flags.sort ?? flags.reverse) === undefined;
    const groups = ends_now ? all.slice(-limit) : all.slice(0, limit);
    const plans = is_by_window && until === undefined
      ? await plansOf(library, agentsOf(flags.agent))
      : [];
    if (flags.json) {
      const told = plans.map(({ agent: plan, ...facts }) => ({ plan, ...facts }));
      return await printJsonLines(context, [...groups.map((one) => dated(one, as_of)), ...told]);
    }
    if (entries.length === 0 && asksWords(words)) {
      return await say(context, "No session matches all of these flags");
    }
    const now = context.now().getTime();
    const width = terminal ? columns : Infinity;
    const block = await planBlock(library, plans, { now, width });
    if (groups.length === 0 && block === "") {
      const [first, last] = [since, until].map((time) =>
        time && (isMoment(time) ? timeFormat(context)(time.toISOString()) : dayOf(time.getTime()))
      );
      const began = days === undefined ? first : ends[0];
      return await say(context, `No token usage found${stretchText([began, last])}`);
    }
    const color = wantsColor(context, context.stdout);
    const look = { width, color, prices_as_of: as_of };
    if (!is_by_window) {
      const { renderUsageTable } = await import("../lib/text/render/usage_table.ts");
      const names = await namesOf(context, order, groups, entries);
      const { name_of: subname_of } = then === undefined
        ? {}
        : await namesOf(context, { ...flags, by: then }, groups, entries);
      const named = then === undefined ? names : present({ name_of: names.name_of, subname_of });
      context.stdout.write(
        renderUsageTable(groups, totals.total(), { ...look, by, then, ...named }),
      );
      const more = all.length - groups.length;
      if (more > 0) await say(context, `More rows: ${more}. To see them: -n COUNT`);
      return await tellScope(context, found, flags, "counted");
    }
    const { renderWindowTable } = await import("../lib/text/render/window_table.ts");
    const times = { format_time: timeFormat(context), now };
    const table = groups.length === 0
      ? ""
      : renderWindowTable(groups as UsageWindow[], totals.total(), { ...look, ...times });
    context.stdout.write(table + block);
  },
});

async function withBranches(
  used: readonly SessionUsage[],
  entries: readonly SessionEntry[],
): Promise<SessionUsage[]> {
  const { rowsOf } = await import("../lib/library/query/candidate.ts");
  const rows = await rowsOf(entries);
  const branches = new Map(rows.map(({ ref, git_branch }) => [ref, git_branch]));
  return used.map((one) => present({ ...one, branch: branches.get(one.ref) }));
}

function utcMinute(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns usage windows that overlap `first` to `last` (ISO 8601). Empty text means no bound. */
async function windowsOf(
  context: Context,
  used: readonly SessionUsage[],
  [first = "", last = ""]: readonly string[],
): Promise<UsageWindow[]> {
  const { usageWindows } = await import("../lib/core/projection/usage_windows.ts");
  return usageWindows(used, context.now().getTime())
    .filter(({ group, last_at }) => last_at >= first && (last === "" || group <= last));
}

async function plansOf(library: Library, agents?: AgentName[]): Promise<SharedWindow[]> {
  const { sharedWindows } = await import("../lib/library/limits/plan/plan_windows.ts");
  return await sharedWindows(library, { agents });
}

function dated(group: UsageTotal, prices_as_of: string): UsageTotal & { prices_as_of?: string } {
  const { cost_estimated, unknown_models = [] } = group;
  return cost_estimated || unknown_models.length > 0 ? { ...group, prices_as_of } : group;
}

/** Returns the end of a message about missing usage: the interval, and the flags that set it. */
function stretchText([since, until]: readonly (string | undefined)[]): string {
  const ends = [["since", since], ["until", until]].filter(([, day]) => day !== undefined);
  if (ends.length === 0) return "";
  const words = ends.map(([word, day]) => ` ${word} ${day}`).join("");
  return `${words}; to count all, leave out ${ends.map(([word]) => `--${word}`).join(" and ")}`;
}

/** True for a moment, such as `30m`, `12h` or `boot`. False for a whole day, such as `30d`. */
function isMoment({ written = "" }: WrittenTime): boolean {
  return /^(?:\d+[mh]|boot)$|T\d/.test(written);
}

/** Returns the number of calendar days in `30d` or `2w`, with today. Undefined for other times. */
function countOfDays(since: WrittenTime | undefined): number | undefined {
  const [, count, unit] = /^(\d+)([dw])$/.exec(since?.written ?? "") ?? [];
  return count === undefined ? undefined : Number(count) * (unit === "w" ? 7 : 1);
}

type Groupings = readonly ["window"] | readonly [UsageGrouping, UsageGrouping?];

function parseGroupings(text: string): Groupings {
  const [by = "", then, ...others] = text.split(",");
  const is_pair = then !== undefined;
  if (others.length === 0 && by !== then && !(is_pair && [by, then].includes("window"))) {
    return (is_pair ? [by, then] : [by]) as unknown as Groupings;
  }
  throw new InvalidArgument(
    "Give one value, or two different values such as model,day. `window` cannot be " +
      "combined with another value.",
  );
}

function parseZone(name: string): string {
  const zone = knownZone(name);
  if (zone !== undefined) return zone;
  throw new InvalidArgument("Give a time zone such as UTC or Europe/Berlin.");
}
