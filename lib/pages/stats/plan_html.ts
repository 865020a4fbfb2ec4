/** Renders what plans have left, and the sessions that took most of it. */
import type { AgentName } from "../../event/agent_name.ts";
import { planShares, planWindows } from "../../library/plan/plan_limits.ts";
import { hitRows } from "../../search/hit_rows.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../render/html_document/safe_html.ts";
import { originTitle } from "../../render/origin_title.ts";
import { byLimit, percentText, type PlanLimit, planLine } from "../../render/plan_text.ts";
import type { SiteContext } from "../site_context.ts";
import { sessionLink } from "../site_frame.ts";

const MOST_SESSIONS = 5;

/** Renders a line for each limit, and below it the sessions with the largest shares. */
export async function planHtml(
  site: SiteContext,
  agents: readonly AgentName[] | undefined,
): Promise<SafeHtml> {
  const limits = byLimit(await planWindows(site.library, { agents, now: site.now() }));
  if (limits.length === 0) return NOTHING;
  const parts = await Promise.all(limits.map((limit) => limitHtml(site, limit)));
  return safe`<section><h2>Plans</h2>\n${joinHtml(parts, "\n")}</section>\n`;
}

async function limitHtml(site: SiteContext, limit: PlanLimit): Promise<SafeHtml> {
  const agent = limit.agent as AgentName;
  const [first] = limit.windows;
  const shares = first === undefined ? [] : await planShares(site.library, first);
  const shown = shares.slice(0, MOST_SESSIONS);
  const refs = new Set(shown.map(({ ref }) => ref));
  const { entries } = await site.library.query({ agents: [agent], archived: "any" });
  const rows = await hitRows(entries, refs);
  const lines = shown.map(({ ref, percent }) => {
    const row = rows.get(ref);
    return safe`<li>~${percentText(percent)} <a href="${sessionLink(ref)}" dir="auto">${
      row === undefined ? ref : originTitle(row.summary)
    }</a></li>`;
  });
  const line = planLine(limit, site.library.titleOf(agent), site.now().getTime());
  return safe`<p>${line}</p>${lines.length === 0 ? NOTHING : safe`<ul>${joinHtml(lines)}</ul>`}`;
}
