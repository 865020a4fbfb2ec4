/** Renders how much of each plan limit is left, and the sessions that used most of the limit. */
import { type PlanOptions, sharedWindows } from "../../../library/limits/plan/plan_windows.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { percentText, planLines } from "../../../text/render/plan_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import type { SiteContext } from "../site_context.ts";
import { sessionLink } from "../site_frame.ts";

export async function planHtml(
  { library, now }: SiteContext,
  agents: PlanOptions["agents"],
): Promise<SafeHtml> {
  const windows = await sharedWindows(library, { agents, now: now() });
  if (windows.length === 0) return NOTHING;
  const parts = planLines(windows, now().getTime(), library).map(({ line, windows: [first] }) => {
    const shares = (first?.sessions ?? []).filter(({ title }) => title !== undefined);
    const items = shares.map(({ ref, percent, title = "" }) =>
      safe`<li>~${percentText(percent)} <a href="${sessionLink(ref)}" dir="auto">${
        sanitizeLine(title)
      }</a></li>`
    );
    return safe`<p>${line}</p>${items.length === 0 ? NOTHING : safe`<ul>${joinHtml(items)}</ul>`}`;
  });
  return safe`<section><h2>Plans</h2>\n${joinHtml(parts, "\n")}</section>\n`;
}
