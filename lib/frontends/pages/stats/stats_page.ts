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
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { costNotes, formatTokens } from "../../../text/render/usage_text.ts";
import { type ChartOptions, type DayValue, heatMap, hourName, timeChart } from "./charts.ts";
import { compareHtml } from "./compare_table.ts";
import { groupHtml, nameHtml } from "./group_table.ts";
import { filterQuery, type ListFilter, readFilter, sinceOf, SPANS } from "../list/filter.ts";
import { chipsHtml, menusHtml } from "../list/filter_form.ts";
import { present } from "../../../core/event/present.ts";
import { wordsIn } from "../../../core/store/session_words.ts";
import { planHtml } from "./plan_html.ts";
import { whileRunning } from "../page_stream.ts";
import { modelName } from "../session_labels.ts";
import { costText } from "../cost_text.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, sitePage } from "../site_frame.ts";
import { type WindowUsage, windowUsage } from "./window_usage.ts";
import { apart, changeText, workHtml } from "./work_tables.ts";

const USUAL_SPAN = "30d";
/** The spans to choose from. With `all`, the beginning is not limited. */
const CHOICES = ["7d", "30d", "90d", "365d", "all"];

/** The ways to group the figures, each with its title in the table. */
const GROUPINGS: readonly (readonly [UsageGrouping, string])[] = [
  ["project", "Project"],
  ["model", "Model"],
  ["agent", "Agent"],
];

const WEEK_HOURS = 7 * 24;

/** The filter of the statistics, and how they are shown. */
interface StatsFilter extends ListFilter {
  /** An hour of the week. */
  hour?: number;
  /** True to show the window before beside this one. */
  compare?: true | undefined;
}

export function statsPage(site: SiteContext, query: URLSearchParams): PageResponse {
  const chosen = query.get("since") ?? USUAL_SPAN;
  const span = CHOICES.includes(chosen) ? chosen : USUAL_SPAN;
  const { agent, project, ...others } = readFilter(query);
  const hour = /^\d{1,3}$/.test(query.get("hour") ?? "") ? Number(query.get("hour")) : undefined;
  const compare = query.get("compare") === "1" && SPANS[span] !== undefined || undefined;
  const filter: StatsFilter = present({
    ...{ ...wordsIn(others), span, agent, project, compare },
    hour: hour !== undefined && hour < WEEK_HOURS ? hour : undefined,
  });
  const notices = oddValues(query, filter).map((text) => safe`<p class="notice">${text}</p>\n`);
  const body = safe`<h1>Statistics</h1>
${spansHtml(filter)}
${joinHtml(notices)}`;
  const rest = (): AsyncIterable<SafeHtml> => stagesHtml(site, filter);
  return sitePage({ title: "Statistics", place: "stats", body, rest }, site.version);
}

/** Renders the progress while reading, then the figures. The style shows only the last stage. */
async function* stagesHtml(site: SiteContext, filter: StatsFilter): AsyncGenerator<SafeHtml> {
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
  { filter, plans }: { filter: StatsFilter; plans: SafeHtml },
): SafeHtml {
  const { span = "", hour, compare, ...listed } = filter;
  const all_hours = { ...listed, span, compare };
  const linkTo = (chosen: ListFilter): string =>
    statsLink(present({ ...chosen, span, hour, compare }));
  const unread = window.unread.map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>\n`);
  return safe`<section class="stage" aria-label="Figures">
<nav class="chips" aria-label="Filters">${
    menusHtml({ ...filter, span: "" }, { counts: window.counts, home: site.home }, linkTo)
  }${chipsHtml(listed, site.home, linkTo)}${
    hour === undefined
      ? NOTHING
      : safe`<a href="${statsLink(all_hours)}" aria-label="At any hour">${
        hourName(hour)
      } <span aria-hidden="true">×</span></a>`
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
      : [safe`There is no ${name} “${sanitizeLine(value)}”. Showing ${shown} instead.`];
  };
  return [...odd("time span", "since", spanName(span)), ...odd("agent", "agent", "all agents")];
}

function spanName(span: string): string {
  return SPANS[span]?.name ?? "all time";
}

function statsLink({ span = "", hour, compare, ...filter }: StatsFilter): string {
  const more = { since: span, hour: hour?.toString(), compare: compare && "1" };
  return `stats${filterQuery(filter, more)}`;
}

function spansHtml(filter: StatsFilter): SafeHtml {
  const links = CHOICES.map((span) => {
    const href = statsLink({ ...filter, span });
    return span === filter.span
      ? safe`<a href="${href}" aria-current="true">${spanName(span)}</a>`
      : safe`<a href="${href}">${spanName(span)}</a>`;
  });
  const { compare, ...others } = filter;
  const days = SPANS[filter.span ?? ""]?.days;
  const beside = days === undefined
    ? NOTHING
    : compare
    ? safe`<a href="${statsLink(others)}" aria-current="true">Beside the ${days} days before</a>`
    : safe`<a href="${statsLink({ ...filter, compare: true })}">Beside the ${days} days before</a>`;
  return safe`<nav class="pages" aria-label="Time">${joinHtml(links)}${beside}</nav>`;
}

/** Renders a note that the window is empty, with a link to one that is not. */
function emptyHtml(site: SiteContext, { last_used }: WindowUsage, filter: StatsFilter): SafeHtml {
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

function figuresHtml(site: SiteContext, window: WindowUsage, filter: StatsFilter): SafeHtml {
  const { first, last, total, hours, as_of, from, before_days } = window;
  const { span: _, hour, compare, ...listed } = filter;
  const all_days = groupsOf(window, "day", from);
  const modelOf = (part: string): SafeHtml =>
    safe`<a href="./${filterQuery({ ...listed, model: part })}">${part || "no name"}</a>`;
  const windows = compare ? [[first, last], before_days] as const : [[first, last]] as const;
  const [, [begin] = [first]] = windows;
  const rows = window.used.flatMap(({ rows }) => rows)
    .filter(({ day }) => day !== "" && day >= begin && day <= last);
  const charts = (
    title: string,
    all: readonly DayValue[],
    look: Pick<ChartOptions, "format" | "nameOf">,
  ): SafeHtml =>
    joinHtml(windows.map(([start, end]) =>
      timeChart(
        start === first ? title : `${title}, ${start} to ${end}`,
        all.filter(({ day }) => day >= start && day <= end),
        {
          ...{ ...look, first: start, last: end, all },
          linkOf: (since, until, part) =>
            `./${filterQuery({ ...listed, ...part !== "" && { model: part } }, { since, until })}`,
        },
      )
    ));
  const groups = GROUPINGS.map(([by, name]) => {
    const now = groupsOf(window, by, from);
    return compare
      ? compareHtml(
        `By ${by}`,
        [now, groupsOf(window, by, before_days[0], before_days[1])],
        (group) => nameHtml(by, group, { site, filter }),
      )
      : groupHtml(by, name, now, { site, filter });
  });
  const notes = costNotes(total, as_of).map((text) => safe`<p class="note">${text}</p>`);
  return safe`<p class="note">${first} to ${last}</p>
${tilesHtml(window, filter)}${joinHtml(notes)}
<div class="charts">${charts("Cost by day", rows.map(costOf), { format: dollars, nameOf: modelOf })}
${charts("Tokens by day", rows.map(tokensOf), { format: formatTokens })}
${
    heatMap("Tokens by hour of the week", hours, formatTokens, (at) =>
      statsLink({ ...filter, hour: at }))
  }</div>
<div class="groups">${joinHtml(groups, "\n")}
${hour === undefined ? workHtml(window, site) : NOTHING}</div>
<details class="days"><summary>By day, in figures</summary>${
    groupHtml("day", "Day", all_days.toReversed(), { site, filter })
  }</details>`;
}

type UsedRow = WindowUsage["used"][number]["rows"][number];

function costOf({ day, model, cost_usd = 0 }: UsedRow): DayValue {
  return { day, value: cost_usd, part: modelName(model) };
}

function tokensOf({ day, usage }: UsedRow): DayValue {
  return { day, value: countedTokens(usage) };
}

function dollars(value: number): string {
  return costText({ cost_usd: value });
}

/** Adds up what the tiles add up, by group. */
function groupsOf(
  { used }: WindowUsage,
  by: UsageGrouping,
  first: string,
  last?: string,
): UsageTotal[] {
  const totals = new UsageTotals(by, first, last);
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
