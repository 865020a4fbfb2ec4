/** `reprise statusline` */
import { SessionError } from "../lib/core/event/session_error.ts";
import type { Library } from "../lib/library/library.ts";
import { LiveSessions } from "../lib/library/handle/live_sessions.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import {
  type SessionUsage,
  type UsageTotal,
  UsageTotals,
} from "../lib/core/projection/usage_totals.ts";
import type { StatusFacts, StatusInput } from "../lib/text/render/status_line.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";

/** Maximum characters of the input: more than any version of Claude Code passes. */
const MOST_INPUT = 1024 * 1024;
/** Maximum bytes of sessions that are read for one line, so that the line is printed quickly. */
const MOST_READ = 4 * 1024 * 1024;
const HOUR_MS = 3_600_000;
const WINDOW_MS = 5 * HOUR_MS;
/** Maximum time to a window's end: a window plus one hour, as the server's clock may differ. */
const LONGEST_WINDOW_MS = WINDOW_MS + HOUR_MS;
/**
 * Milliseconds to look back for the start of the current 5-hour window. A window starts at the
 * first use after the previous window. In two days, a night's pause shows a start.
 */
const LOOK_BACK_MS = 48 * HOUR_MS;

export const statuslineCommand = defineCommand({
  description:
    "Print one line for the status line of Claude Code: the model, the cost of the session and " +
    "of today, the tokens of the 5-hour usage window, the rest of your plan's limits, the " +
    "number of other sessions that wait for you, and how full the context window is. The " +
    "plan's limits are saved in the data folder, so that other commands can show them. " +
    "Claude Code passes the session as JSON on standard input. To use this line, run " +
    "reprise setup, or add to Claude Code's settings:\n" +
    '{"statusLine": {"type": "command", "command": "reprise statusline"}}.',
  flags: {},
  examples: [
    "reprise statusline < status.json",
    `echo '{"model": {"display_name": "Opus"}}' | reprise statusline`,
  ],
  run: async (context) => {
    if (context.stdin_terminal) {
      throw new UsageError("Claude Code runs this command. See: reprise statusline --help");
    }
    const { parseStatusInput, statusLine } = await import("../lib/text/render/status_line.ts");
    const input = parseStatusInput(await readInput(context), context.now().getTime());
    if (input === undefined) {
      throw new UsageError("standard input must be the JSON object that Claude Code passes");
    }
    const line = statusLine(input, await factsOf(context, input));
    if (line !== "") context.stdout.write(`${line}\n`);
  },
});

async function readInput({ stdin }: Context): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdin()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_INPUT) throw new UsageError("standard input is too long");
  }
  return text + decoder.decode();
}

/** Returns facts such as today's usage. Also saves the plan's limits. */
async function factsOf(context: Context, input: StatusInput): Promise<StatusFacts> {
  const library = contextLibrary(context);
  const now = context.now().getTime();
  // All is loaded at once: the line must be there soon.
  const [current, { loadPrices }, { usageOf }] = await Promise.all([
    sessionOf(library, input),
    import("../lib/library/counts/usage/load_prices.ts"),
    import("../lib/library/query/usage_of.ts"),
  ]);
  const agents = current === undefined ? undefined : [current.agent];
  const since = new Date(now - LOOK_BACK_MS);
  const [{ entries }, { estimate }] = await Promise.all([
    library.query({ agents, since, archived: "any", scope: "all" }),
    loadPrices({ root: library.place.root }),
  ]);
  const used = await usageOf(entries, {
    ...{ estimate, kept: library.kept, most_bytes_read: MOST_READ, step_seconds: 60 },
    dayOf: isoTime,
  });
  const midnight = isoTime(new Date(now).setHours(0, 0, 0, 0));
  const unread = entries.filter(({ ref }) => !used.some((session) => session.ref === ref));
  const is_unread = unread.some(({ ref }) => ref === current?.ref);
  // What the agent says of a session that is too long to be read now.
  const own = is_unread ? input.cost_usd ?? 0 : 0;
  const { cost_usd = 0, ...cost } = totalSince(used, midnight);
  return {
    today: { ...cost, cost_usd: cost_usd + own },
    ...await windowOf(used, input, now),
    plan: current === undefined
      ? ""
      : await planOf(library, current, { limits: input.limits, used, now }),
    waiting: current && await new LiveSessions(library.place).waitingBeside(current.session),
    partial: unread.length > Number(is_unread),
  };
}

/** Opens the session whose status is shown. Undefined if that fails, such as before it exists. */
async function sessionOf(
  library: Library,
  { path }: StatusInput,
): Promise<SessionHandle | undefined> {
  if (path === undefined) return undefined;
  try {
    return await library.open(path);
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

/** Saves the plan's limits. Returns their text, with the session's share of the first one's use. */
async function planOf(
  { place: { root } }: Library,
  { agent, ref }: SessionHandle,
  { limits, used, now }: {
    limits: StatusInput["limits"];
    used: readonly SessionUsage[];
    now: number;
  },
): Promise<string> {
  const { openWindows, sharesOf } = await import("../lib/core/projection/plan_window.ts");
  const { planText } = await import("../lib/text/render/plan_text.ts");
  const { keepLimits } = await import("../lib/library/limits/plan/kept_limits.ts");
  const windows = openWindows(agent, keepLimits(root, agent, limits ?? []), now);
  const [first] = windows;
  const share = first && sharesOf(first, used).find((one) => one.ref === ref)?.percent;
  return planText(windows, now, share);
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function totalSince(used: readonly SessionUsage[], since: string): UsageTotal {
  const totals = new UsageTotals("agent", since);
  for (const session of used) totals.add(session);
  return totals.total();
}

async function windowOf(
  used: readonly SessionUsage[],
  { window_ends }: StatusInput,
  now: number,
): Promise<Pick<StatusFacts, "window" | "window_left">> {
  // A later end is none of such a window, and may be no time at all.
  if (window_ends !== undefined && window_ends > now && window_ends - now <= LONGEST_WINDOW_MS) {
    const window = totalSince(used, isoTime(window_ends - WINDOW_MS)).usage;
    return { window, window_left: window_ends - now };
  }
  const { usageWindows } = await import("../lib/core/projection/usage_windows.ts");
  const active = usageWindows(used, now).find((one) => one.active);
  if (active === undefined) return {};
  return { window: active.usage, window_left: Date.parse(active.ends_at) - now };
}
