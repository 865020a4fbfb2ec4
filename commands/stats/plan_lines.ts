/** Writes what plans have left, below the windows of `reprise stats --by window`. */
import type { AgentName } from "../../lib/event/agent_name.ts";
import type { Library } from "../../lib/library/library.ts";
import type { SessionEntry } from "../../lib/library/query.ts";
import type { PlanShare } from "../../lib/projection/plan_shares.ts";
import type { PlanWindow } from "../../lib/projection/plan_window.ts";

/** Sessions that are named below a plan. */
const MOST_SESSIONS = 5;

/** A window of a plan, with the shares of its sessions. */
export type SharedWindow = Omit<PlanWindow, "agent"> & {
  /** The agent whose plan it is. */
  plan: string;
  sessions: PlanShare[];
};

/** Finds the windows of plans, and each session's share. */
export async function sharedWindows(
  library: Library,
  agents: readonly AgentName[] | undefined,
): Promise<SharedWindow[]> {
  const { planShares, planWindows } = await import("../../lib/library/plan/plan_limits.ts");
  const shared: SharedWindow[] = [];
  for (const window of await planWindows(library, { agents })) {
    const { agent: plan, ...facts } = window;
    shared.push({ plan, ...facts, sessions: await planShares(library, window) });
  }
  return shared;
}

/** Writes a line for each plan, and below it the sessions with the largest shares. */
export async function planBlock(
  windows: readonly SharedWindow[],
  { library, entries, now, width }: {
    library: Library;
    entries: readonly SessionEntry[];
    now: number;
    width: number;
  },
): Promise<string[]> {
  if (windows.length === 0) return [];
  const { byLimit, percentText, planLine } = await import("../../lib/render/plan_text.ts");
  const { hitRows } = await import("../../lib/search/hit_rows.ts");
  const { cutText } = await import("../../lib/render/text_width.ts");
  const { wrapWords } = await import("../../lib/render/wrap.ts");
  const { originTitle } = await import("../../lib/render/origin_title.ts");
  const lines: string[] = [];
  for (const limit of byLimit(windows.map(({ plan, ...facts }) => ({ agent: plan, ...facts })))) {
    const line = planLine(limit, library.titleOf(limit.agent as AgentName), now);
    for (const part of wrapWords(line, width)) lines.push(part);
    const [{ sessions = [] } = {}] = limit.windows;
    const shown = sessions.slice(0, MOST_SESSIONS);
    const rows = await hitRows(entries, new Set(shown.map(({ ref }) => ref)));
    for (const { ref, percent } of shown) {
      const row = rows.get(ref);
      const title = row === undefined ? "" : `  ${originTitle(row.summary)}`;
      lines.push(
        cutText(`  ~${percentText(percent).padEnd(5)} ${row?.name ?? ref}${title}`, width),
      );
    }
  }
  return lines;
}
