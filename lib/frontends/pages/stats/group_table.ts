/** Renders the groups of a time window's usage as a table, each with its share of the cost. */
import { countedTokens } from "../../../core/projection/token_usage.ts";
import type { UsageGrouping, UsageTotal } from "../../../core/projection/usage_totals.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { directoryText } from "../../../text/render/path_text.ts";
import { formatTokens } from "../../../text/render/usage_text.ts";
import { costText } from "../cost_text.ts";
import { filterQuery, type ListFilter } from "../list/filter.ts";
import { modelName } from "../session_labels.ts";
import type { SiteContext } from "../site_context.ts";
import { shareBar } from "./charts.ts";
import { apart, restHtml } from "./work_tables.ts";

export const MOST_ROWS = 40;

/** Renders a table of groups: the dearest first, but days in their given order. */
export function groupHtml(
  by: UsageGrouping,
  name: string,
  groups: readonly UsageTotal[],
  options: { site: SiteContext; filter: ListFilter },
): SafeHtml {
  if (groups.length === 0) return NOTHING;
  const costly = by === "day"
    ? groups
    : groups.toSorted((one, other) => (other.cost_usd ?? 0) - (one.cost_usd ?? 0));
  const shown = costly.slice(0, MOST_ROWS);
  const most = shown.reduce((largest, { cost_usd = 0 }) => Math.max(largest, cost_usd), 0);
  const rest = groups.length - shown.length;
  const title = `By ${by}`;
  return safe`<section><h2>${title}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${title}"><table class="sums">
<thead><tr><th class="name" scope="col">${name}</th><th scope="col">Cost</th><th scope="col">Tokens</th><th class="rare" scope="col">In</th><th class="rare" scope="col">From cache</th><th class="rare" scope="col">To cache</th><th class="rare" scope="col">Out</th><th class="rare" scope="col">Answers</th><th scope="col">Sessions</th></tr></thead>
<tbody>
${joinHtml(shown.map((group) => lineHtml(nameHtml(by, group, options), group, most)), "\n")}
</tbody></table></div>${restHtml(shown.length)}
${
    rest === 0
      ? ""
      : safe`<p class="note">${rest} more: reprise stats --all --by ${by}</p>`
  }</section>`;
}

function lineHtml(name: SafeHtml, group: UsageTotal, most: number): SafeHtml {
  const { usage, messages, sessions, cost_usd = 0 } = group;
  const { input, cache_read, cache_write, output } = usage;
  const counts = [input, cache_read, cache_write, output].map((count) =>
    safe`<td class="rare">${count === undefined ? "" : formatTokens(count)}</td>`
  );
  return safe`<tr><td class="name">${shareBar(cost_usd, most)}${name}</td><td>${
    costText(group)
  }</td><td>${formatTokens(countedTokens(usage))}</td>${joinHtml(counts)}<td class="rare">${
    apart(messages)
  }</td><td>${apart(sessions)}</td></tr>`;
}

/** Renders the name of a group as a link to the group's sessions in the filter's time span. */
export function nameHtml(
  by: UsageGrouping,
  total: UsageTotal,
  { site, filter }: { site: SiteContext; filter: ListFilter },
): SafeHtml {
  const name = nameOf(by, total, site);
  const { group } = total;
  if (group === "") return safe`${name}`;
  const { span, ...others } = filter;
  const more = by === "day" ? { since: group, until: group } : { [by]: group };
  const since = span === undefined || span === "all" ? {} : { since: span };
  return safe`<a href="./${filterQuery(others, { ...since, ...more })}">${name}</a>`;
}

function nameOf(by: UsageGrouping, { group }: UsageTotal, { home }: SiteContext): string {
  if (by === "project") return group === "" ? "no directory" : directoryText(group, home);
  return modelName(group) || (by === "day" ? "no date" : "no name");
}
