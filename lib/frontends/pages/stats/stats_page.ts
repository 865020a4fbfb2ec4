/**
 * Renders statistics: tokens and cost by time, model, project and agent; tools and changed files.
 */
import { errorText } from "../../../core/event/error_text.ts";
import { countedTokens } from "../../../core/projection/token_usage.ts";
import {
  type UsageGrouping,
  type UsageTotal,
  UsageTotals,
} from "../../../core/projection/usage_totals.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { directoryText } from "../../../text/render/path_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { costNotes, formatTokens } from "../../../text/render/usage_text.ts";
import { heatMap, shareBar, timeChart } from "./charts.ts";
import { filterQuery, type ListFilter, readFilter, sinceOf, SPANS } from "../list/filter.ts";
import { menusHtml } from "../list/filter_form.ts";
import { present } from "../../../core/event/present.ts";
import { wordsIn } from "../../../core/store/session_words.ts";
import { planHtml } from "./plan_html.ts";
import { whileRunning } from "../page_stream.ts";
import { modelName } from "../session_labels.ts";
import { costText } from "../cost_text.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, sitePage } from "../site_frame.ts";
import { type WindowUsage, windowUsage } from "./window_usage.ts";
import { apart, changeText, restHtml, workHtml } from "./work_tables.ts";

const USUAL_SPAN = "30d";
/** The spans to choose from. With `all`, the beginning is not limited. */
const CHOICES = ["7d", "30d", "90d", "365d", "all"];
const MOST_ROWS = 40;

/** The ways to group the figures, each with its title in the table. */
const GROUPINGS: readonly (readonly [UsageGrouping, string])[] = [
  ["project", "Project"],
  ["model", "Model"],
  ["agent", "Agent"],
];

export function statsPage(site: SiteContext, query: URLSearchParams): PageResponse {
  const chosen = query.get("since") ?? USUAL_SPAN;
  const span = CHOICES.includes(chosen) ? chosen : USUAL_SPAN;
  const { agent, project, ...others } = readFilter(query);
  const filter: ListFilter = present({ ...wordsIn(others), span, agent, project });
  const notices = oddValues(query, filter).map((text) => safe`<p class="notice">${text}</p>\n`);
  const body = safe`<h1>Statistics</h1>
${spansHtml(filter)}
${joinHtml(notices)}`;
  const rest = (): AsyncIterable<SafeHtml> => stagesHtml(site, filter);
  return sitePage({ title: "Statistics", place: "stats", body, rest }, site.version);
}

/** Renders the progress while reading, then the figures. The style shows only the last stage. */
async function* stagesHtml(site: SiteContext, filter: ListFilter): AsyncGenerator<SafeHtml> {
  let share = 0;
  const reading = windowUsage(site, filter, (done, all) => share = done / all);
  for await (const _ of whileRunning(reading)) {
    const text = `Reading token usage: ${Math.floor(100 * share)} %`;
    yield safe`<section class="stage"><p class="note" role="status">${text}</p></section>\n`;
  }
  try {
    const window = await reading;
    const plans = await planHtml(site, filter.agent && [filter.agent]);
    yield windowHtml(site, window, { filter, plans });
  } catch (error) {
    yield safe`<section class="stage">
<p class="notice">${sanitizeLine(errorText(error))}</p></section>`;
  }
}

function windowHtml(
  site: SiteContext,
  window: WindowUsage,
  { filter, plans }: { filter: ListFilter; plans: SafeHtml },
): SafeHtml {
  const unread = window.unread.map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>\n`);
  return safe`<section class="stage" aria-label="Figures">
<nav class="chips" aria-label="Filters">${
    menusHtml({ ...filter, span: "" }, { counts: window.counts, home: site.home }, (chosen) =>
      statsLink({ ...chosen, span: filter.span ?? "" }))
  }${
    chipsHtml(
      filter,
      site.home,
    )
  }</nav>
${joinHtml(unread)}
${plans}${
    window.total.messages === 0
      ? emptyHtml(site, window, filter)
      : figuresHtml(site, window, filter)
  }</section>`;
}

/** Renders a message for each invalid value in the address. */
function oddValues(query: URLSearchParams, { span = "", agent }: ListFilter): SafeHtml[] {
  const odd = (name: string, key: string, shown: string): SafeHtml[] => {
    const value = query.get(key) ?? "";
    return value === "" || CHOICES.includes(value) || value === agent
      ? []
      : [safe`There is no ${name} “${sanitizeLine(value)}”: showing ${shown} instead.`];
  };
  return [...odd("time span", "since", spanName(span)), ...odd("agent", "agent", "all agents")];
}

function spanName(span: string): string {
  return SPANS[span]?.name ?? "all time";
}

function statsLink(filter: ListFilter): string {
  return `stats${filterQuery({ ...filter, span: "" }, { since: filter.span ?? "" })}`;
}

function spansHtml(filter: ListFilter): SafeHtml {
  const links = CHOICES.map((span) => {
    const href = statsLink({ ...filter, span });
    return span === filter.span
      ? safe`<a href="${href}" aria-current="true">${spanName(span)}</a>`
      : safe`<a href="${href}">${spanName(span)}</a>`;
  });
  return safe`<nav class="pages" aria-label="Time">${joinHtml(links)}</nav>`;
}

/** Renders each filter as a link that removes it. */
function chipsHtml({ span, ...filter }: ListFilter, home: string | undefined): SafeHtml {
  const names = Object.keys(filter) as (keyof typeof filter)[];
  return joinHtml(names.flatMap((name) => {
    const { [name]: value, ...others } = filter;
    if (value === undefined) return [];
    const text = value === true
      ? name
      : `${name}: ${name === "project" ? directoryText(value, home) : sanitizeLine(value)}`;
    const href = statsLink(present({ ...others, span }));
    return [
      safe`<a href="${href}" aria-label="Without ${text}">${text} <span aria-hidden="true">×</span></a>`,
    ];
  }));
}

/** Renders a note that the window is empty, with a link to one that is not. */
function emptyHtml(site: SiteContext, { last_used }: WindowUsage, filter: ListFilter): SafeHtml {
  const where = filter.span === "all" ? "" : ` in the ${spanName(filter.span ?? "")}`;
  if (last_used === "") return safe`<p class="note">No token usage found${where}.</p>`;
  const isReached = (span: string): boolean => {
    const since = sinceOf({ span }, site.now());
    return since === undefined || last_used >= site.day_of(since.getTime());
  };
  const span = CHOICES.find(isReached) ?? "all";
  return safe`<p class="note">No token usage found${where}. The last usage was on ${last_used}: <a href="${
    statsLink({ ...filter, span })
  }">show ${spanName(span)}</a>.</p>`;
}

function figuresHtml(site: SiteContext, window: WindowUsage, filter: ListFilter): SafeHtml {
  const { first, last, total, hours, as_of } = window;
  const all_days = groupsOf(window, "day");
  const days = all_days.filter(({ group }) => group !== "");
  const dollars = (value: number): string => costText({ cost_usd: value });
  const costs = window.used.flatMap(({ rows }) =>
    rows.filter(({ day }) => day !== "" && day >= first)
      .map(({ day, model, cost_usd = 0 }) => ({ day, value: cost_usd, part: modelName(model) }))
  );
  const modelOf = (part: string): SafeHtml =>
    safe`<a href="./${filterQuery({ ...filter, span: "", model: part })}">${part || "no name"}</a>`;
  const tokens = days.map(({ group, usage }) => ({ day: group, value: countedTokens(usage) }));
  const groups = GROUPINGS.map(([by, name]) =>
    groupHtml(by, name, groupsOf(window, by), { site, filter })
  );
  const notes = costNotes(total, as_of).map((text) => safe`<p class="note">${text}</p>`);
  return safe`<p class="note">${first} to ${last}</p>
${tilesHtml(window, filter)}${joinHtml(notes)}
<div class="charts">${
    timeChart("Cost by day", costs, {
      ...{ first, last, format: dollars, nameOf: modelOf },
    })
  }
${timeChart("Tokens by day", tokens, { first, last, format: formatTokens })}
${heatMap("Tokens by hour of the week", hours, formatTokens)}</div>
<div class="groups">${joinHtml(groups, "\n")}
${workHtml(window, site)}</div>
<details class="days"><summary>By day, in figures</summary>${
    groupHtml("day", "Day", all_days.toReversed(), { site, filter })
  }</details>`;
}

/** Adds up what the tiles add up, by group. */
function groupsOf({ used, from }: WindowUsage, by: UsageGrouping): UsageTotal[] {
  const totals = new UsageTotals(by, from);
  for (const session of used) totals.add(session);
  return totals.groups();
}

/** Renders the sums, each with that of the previous window. */
function tilesHtml({ total, before }: WindowUsage, { span = "" }: ListFilter): SafeHtml {
  const facts: [string, string, number, number | undefined][] = [
    [
      "Cost",
      costText(total),
      total.cost_usd ?? 0,
      before && (before.cost_usd ?? 0),
    ],
    ...([
      ["Tokens", ({ usage }) => countedTokens(usage)],
      ["Answers", ({ messages }) => messages],
      ["Sessions", ({ sessions }) => sessions],
    ] as [string, (total: UsageTotal) => number][]).map((
      [name, of],
    ): [string, string, number, number | undefined] => [
      name,
      name === "Tokens" ? formatTokens(of(total)) : apart(of(total)),
      of(total),
      before && of(before),
    ]),
  ];
  const days = SPANS[span]?.days;
  const tiles = facts.filter(([, text]) => text !== "").map(([name, text, value, earlier]) =>
    safe`<div><dt>${name}</dt><dd>${text}<span class="change">${
      earlier === undefined || before?.messages === 0
        ? ""
        : `${changeText(value, earlier)} the ${days} days before`
    }</span></dd></div>`
  );
  return safe`<dl class="tiles">${joinHtml(tiles)}</dl>`;
}

function groupHtml(
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

/** Renders the name of a group as a link to its sessions in the same window. */
function nameHtml(
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
