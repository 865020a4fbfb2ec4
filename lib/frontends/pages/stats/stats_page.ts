/** Renders the statistics of tokens, cost, tool calls and changed files. */
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
import { type ChartOptions, type DayValue, heatMap, hourName, timeChart } from "./charts.ts";
import { compareHtml } from "./compare_table.ts";
import { groupHtml, nameHtml } from "./group_table.ts";
import { filterQuery, isDay, type ListFilter, readFilter, sinceOf } from "../list/filter.ts";
import { chipsHtml, menusHtml } from "../list/filter_form.ts";
import { present } from "../../../core/event/present.ts";
import { wordsIn } from "../../../core/store/session_words.ts";
import { planHtml } from "./plan_html.ts";
import { whileRunning } from "../page_stream.ts";
import { emptyHtml as noneHtml, modelName } from "../session_labels.ts";
import { costText } from "../cost_text.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, sitePage } from "../site_frame.ts";
import {
  CHOICES,
  spanName,
  spansHtml,
  STACKINGS,
  stackingsHtml,
  type StatsFilter,
  statsLink,
  USUAL_SPAN,
} from "./stats_filter.ts";
import { windowDays, type WindowUsage, windowUsage } from "./window_usage.ts";
import { apart, changeText, workHtml } from "./work_tables.ts";

const GROUPINGS: readonly (readonly [UsageGrouping, string])[] = [
  ["project", "Project"],
  ["model", "Model"],
  ["agent", "Agent"],
];

const WEEK_HOURS = 7 * 24;

export function statsPage(site: SiteContext, query: URLSearchParams): PageResponse {
  const chosen = query.get("since") ?? USUAL_SPAN;
  const span = CHOICES.includes(chosen) || isDay(chosen) ? chosen : USUAL_SPAN;
  const { agent, project, until, ...others } = readFilter(query);
  const hour = /^\d{1,3}$/.test(query.get("hour") ?? "") ? Number(query.get("hour")) : undefined;
  const compare = query.get("compare") === "1" && span !== "all" || undefined;
  const filter: StatsFilter = present({
    ...{ ...wordsIn(others), span, agent, project, compare },
    until: isDay(span) ? until : undefined,
    by: STACKINGS.find((by) => by === query.get("by")),
    hour: hour !== undefined && hour < WEEK_HOURS ? hour : undefined,
  });
  const notices = oddValues(query, filter).map((text) => safe`<p class="notice">${text}</p>\n`);
  const body = safe`<h1>Statistics</h1>
${spansHtml(filter, site)}
${joinHtml(notices)}`;
  const rest = (): AsyncIterable<SafeHtml> => stagesHtml(site, filter);
  return sitePage({ title: "Statistics", place: "stats", body, rest }, site.version);
}

/** Renders the progress while reading, then the sums. The style shows only the last stage. */
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
  const { span = "", until, hour, compare, by, ...listed } = filter;
  const all_hours = present({ ...listed, span, until, compare, by });
  const linkTo = (chosen: ListFilter): string =>
    statsLink(present({ ...chosen, span, until, hour, compare, by }));
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

function oddValues(query: URLSearchParams, { span = "", agent }: ListFilter): SafeHtml[] {
  const odd = (name: string, key: string, shown: string): SafeHtml[] => {
    const value = query.get(key) ?? "";
    return value === "" || CHOICES.includes(value) || isDay(value) || value === agent
      ? []
      : [safe`There is no ${name} “${sanitizeLine(value)}”. Showing ${shown} instead.`];
  };
  return [...odd("time span", "since", spanName(span)), ...odd("agent", "agent", "all agents")];
}

function emptyHtml(site: SiteContext, { last_used }: WindowUsage, filter: StatsFilter): SafeHtml {
  const where = filter.span === "all" || isDay(filter.span ?? "")
    ? ""
    : ` in the ${spanName(filter.span ?? "")}`;
  if (last_used === "") {
    const act = safe`<a class="act" href="./">Show all sessions</a>`;
    return noneHtml("No figures", `No token usage found${where}.`, act);
  }
  const { until: _, ...spanned } = filter;
  const isReached = (span: string): boolean => {
    const since = sinceOf({ span }, site.now());
    return since === undefined || last_used >= site.day_of(since.getTime());
  };
  const span = CHOICES.find(isReached) ?? "all";
  return noneHtml(
    "No figures",
    `No token usage found${where}. The last usage was on ${last_used}.`,
    safe`<a class="act" href="${statsLink({ ...spanned, span })}">Show ${spanName(span)}</a>`,
  );
}

function figuresHtml(site: SiteContext, window: WindowUsage, filter: StatsFilter): SafeHtml {
  const { first, last, total, hours, as_of, from, before_days } = window;
  const { span: _, until: __, hour, compare, by = "model", ...listed } = filter;
  const all_days = groupsOf(window, "day", from, last);
  const partOf = (part: string): SafeHtml =>
    safe`<a href="./${filterQuery({ ...listed, [by]: part })}">${
      by === "project" && part !== "" ? directoryText(part, site.home) : part || "no name"
    }</a>`;
  const windows = compare ? [[first, last], before_days] as const : [[first, last]] as const;
  const [, [begin] = [first]] = windows;
  const days = new UsageTotals("day", begin || first, last, by);
  for (const session of window.used) days.add(session);
  const parts = days.groups().filter(({ group }) => group !== "");
  const valuesOf = (valueOf: (total: UsageTotal) => number): DayValue[] =>
    parts.map((total) => {
      const { group: day, subgroup: part = "" } = total;
      return { day, value: valueOf(total), part: by === "model" ? modelName(part) : part };
    });
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
            `./${filterQuery({ ...listed, ...part !== "" && { [by]: part } }, { since, until })}`,
        },
      )
    ));
  const groups = GROUPINGS.map(([by, name]) => {
    const now = groupsOf(window, by, from, last);
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
${tilesHtml(window, windowDays(filter, site).count)}${joinHtml(notes)}${stackingsHtml(filter)}
<div class="charts">${
    charts("Cost by day", valuesOf(({ cost_usd = 0 }) => cost_usd), {
      ...{ format: dollars, nameOf: partOf },
    })
  }
${
    charts("Tokens by day", valuesOf(({ usage }) => countedTokens(usage)), {
      ...{ format: formatTokens, nameOf: partOf },
    })
  }
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

function dollars(value: number): string {
  return costText({ cost_usd: value });
}

function groupsOf(
  { used }: WindowUsage,
  by: UsageGrouping,
  first: string,
  last?: string,
): UsageTotal[] {
  const totals = new UsageTotals(by, first, last);
  // Models that differ only in their dates are shown as one.
  for (const session of used) {
    const rows = session.rows.map((row) => ({ ...row, model: modelName(row.model) }));
    totals.add({ ...session, rows });
  }
  return totals.groups();
}

function tilesHtml({ total, before }: WindowUsage, days: number | undefined): SafeHtml {
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
  const tiles = facts.filter(([, text]) => text !== "").map(([name, text, value, earlier]) =>
    safe`<div><dt>${name}</dt><dd>${text}<span class="change">${
      earlier === undefined || before?.messages === 0
        ? ""
        : `${changeText(value, earlier)} the ${days} days before`
    }</span></dd></div>`
  );
  return safe`<dl class="tiles">${joinHtml(tiles)}</dl>`;
}
