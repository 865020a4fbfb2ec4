/**
 * Renders usage: tokens and cost by day, model and project. Charts are SVG that needs no script.
 */
import { loadPrices } from "../library/usage/load_prices.ts";
import { usageOf } from "../library/usage/usage_of.ts";
import { countedTokens } from "../projection/token_usage.ts";
import { type UsageGrouping, type UsageTotal, UsageTotals } from "../projection/usage_totals.ts";
import { counted } from "../render/counted.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import { directoryText } from "../render/path_text.ts";
import { sanitizeLine } from "../render/sanitize.ts";
import { costNotes, formatCost, formatTokens } from "../render/usage_text.ts";
import { readFilter, sinceOf, SPANS } from "./filter.ts";
import { findSessions } from "./found_sessions.ts";
import type { SiteContext } from "./site_context.ts";
import { type PageResponse, sitePage } from "./site_frame.ts";

/** Without a choice: to read all sessions there are may take long. */
const USUAL_SPAN = "30d";
/** Spans to choose from; `all` is none. */
const CHOICES = ["7d", "30d", "90d", "365d", "all"];
const MOST_ROWS = 40;

/** Groups of the figures, with their names in a table's head. */
const GROUPINGS: readonly (readonly [UsageGrouping, string])[] = [
  ["day", "Day"],
  ["model", "Model"],
  ["project", "Project"],
];

export async function statsPage(site: SiteContext, query: URLSearchParams): Promise<PageResponse> {
  const chosen = query.get("since") ?? USUAL_SPAN;
  const filter = readFilter(new URLSearchParams({ since: chosen }));
  const since = sinceOf(filter, site.now());
  const unread = new Set<string>();
  const [current, archived] = await Promise.all([
    findSessions(site, filter),
    findSessions(site, { ...filter, archived: true }),
  ]);
  const entries = [...current.entries, ...archived.entries];
  for (const message of [...current.unread, ...archived.unread]) unread.add(message);
  const { estimate, as_of } = await loadPrices();
  const used = await usageOf(entries, {
    dayOf: site.day_of,
    estimate,
    kept: site.library.kept,
    onError: ({ message }) => unread.add(message),
  });
  const first = since === undefined ? "" : site.day_of(since.getTime());
  const groups = GROUPINGS.map(([by, name]) => {
    const totals = new UsageTotals(by, first);
    for (const session of used) totals.add(session);
    return { by, name, totals };
  });
  const total = groups[0]?.totals.total();
  const body = safe`<h1>Statistics</h1>
${spansHtml(chosen)}
${joinHtml([...unread].map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>`))}
${total === undefined ? "" : totalHtml(total, as_of)}
${
    joinHtml(groups.map(({ by, name, totals }) => groupHtml(by, name, totals.groups(), site)), "\n")
  }`;
  return sitePage({ title: "Statistics", place: "stats", body }, site.version);
}

function spansHtml(chosen: string): SafeHtml {
  const links = CHOICES.map((span) => {
    const name = SPANS[span]?.name ?? "all time";
    const href = `stats?${new URLSearchParams({ since: span })}`;
    return span === chosen
      ? safe`<a href="${href}" aria-current="true">${name}</a>`
      : safe`<a href="${href}">${name}</a>`;
  });
  return safe`<nav class="pages" aria-label="Time">${joinHtml(links)}</nav>`;
}

function totalHtml(total: UsageTotal, as_of: string): SafeHtml {
  if (total.messages === 0) return safe`<p class="note">No session recorded what it took.</p>`;
  const facts = [
    `${formatTokens(countedTokens(total.usage))} tokens`,
    formatCost(total),
    counted(total.messages, "answer"),
    counted(total.sessions, "session"),
  ].filter((text) => text !== "").map((text) => safe`<b>${text}</b>`);
  const notes = costNotes(total, as_of).map((text) => safe`<p class="note">${text}</p>`);
  return safe`<p class="total">${joinHtml(facts)}</p>${joinHtml(notes)}`;
}

function groupHtml(
  by: UsageGrouping,
  name: string,
  groups: readonly UsageTotal[],
  site: SiteContext,
): SafeHtml {
  if (groups.length === 0) return safe``;
  const named = (group: UsageTotal): string => nameOf(by, group, site);
  const charts = by === "day" ? dayCharts(everyDay(groups), named) : [];
  const shown = by === "day" ? groups.slice(-MOST_ROWS).toReversed() : groups.slice(0, MOST_ROWS);
  const most = {
    tokens: Math.max(...shown.map(({ usage }) => countedTokens(usage))),
    cost: Math.max(...shown.map(({ cost_usd = 0 }) => cost_usd)),
  };
  const rest = groups.length - shown.length;
  const title = `By ${by}`;
  return safe`<section><h2>${title}</h2>
${joinHtml(charts, "\n")}
<div class="wide" tabindex="0" role="region" aria-label="${title}"><table class="sums">
<thead><tr><th class="name" scope="col">${name}</th><th scope="col">Tokens</th><th scope="col">In</th><th scope="col">From cache</th><th scope="col">To cache</th><th scope="col">Out</th><th scope="col">Cost</th><th scope="col">Answers</th><th scope="col">Sessions</th></tr></thead>
<tbody>
${joinHtml(shown.map((group) => lineHtml(named(group), group, most)), "\n")}
</tbody></table></div>
${
    rest === 0
      ? ""
      : safe`<p class="note">${rest} more: reprise stats --all --by ${by}</p>`
  }</section>`;
}

function dayCharts(
  days: readonly UsageTotal[],
  named: (day: UsageTotal) => string,
): SafeHtml[] {
  const tokens = days.map((day) => {
    const value = countedTokens(day.usage);
    return { name: named(day), value, label: formatTokens(value) };
  });
  const costs = days.map((day) => {
    return { name: named(day), value: day.cost_usd ?? 0, label: formatCost(day) };
  });
  return [columnChart("Tokens by day", tokens), columnChart("Cost by day", costs)];
}

function lineHtml(
  name: string,
  group: UsageTotal,
  most: { tokens: number; cost: number },
): SafeHtml {
  const { usage, messages, sessions, cost_usd = 0 } = group;
  const tokens = countedTokens(usage);
  const count = (value: number | undefined): string =>
    value === undefined ? "" : formatTokens(value);
  return safe`<tr><td class="name">${name}</td><td>${formatTokens(tokens)}${
    shareBar(tokens, most.tokens)
  }</td><td>${count(usage.input)}</td><td>${count(usage.cache_read)}</td><td>${
    count(usage.cache_write)
  }</td><td>${count(usage.output)}</td><td>${formatCost(group)}${
    shareBar(cost_usd, most.cost)
  }</td><td>${messages}</td><td>${sessions}</td></tr>`;
}

const DAY_MS = 86_400_000;
/** The most days for which empty ones get a column, too. */
const MOST_DAYS = 800;

/** Adds the days without usage between the groups. */
function everyDay(groups: readonly UsageTotal[]): readonly UsageTotal[] {
  const dated = groups.filter(({ group }) => group !== "");
  const [first, last] = [dated[0], dated.at(-1)].map((day) => Date.parse(day?.group ?? ""));
  const count = Math.round(((last ?? NaN) - (first ?? NaN)) / DAY_MS) + 1;
  if (!(count <= MOST_DAYS)) return dated;
  const known = new Map(dated.map((day) => [day.group, day]));
  return Array.from({ length: count }, (_, index) => {
    const group = new Date((first ?? 0) + index * DAY_MS).toISOString().slice(0, 10);
    return known.get(group) ?? { group, sessions: 0, messages: 0, usage: {} };
  });
}

function nameOf(by: UsageGrouping, { group }: UsageTotal, { home }: SiteContext): string {
  if (by === "project") return group === "" ? "no directory" : directoryText(group, home);
  return sanitizeLine(group) || (by === "day" ? "no date" : "no name");
}

interface Bar {
  name: string;
  value: number;
  label: string;
}

const WIDTH = 900;
const HEIGHT = 180;
const TOP = 18;
const BOTTOM = 20;
const WIDEST = 48;

/** Draws a column for each day, the first and last of them named. */
function columnChart(title: string, bars: readonly Bar[]): SafeHtml {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  if (most === 0) return NOTHING;
  const step = Math.min(WIDEST, WIDTH / bars.length);
  const height = HEIGHT - TOP - BOTTOM;
  const columns = bars.map(({ name, value, label }, index) => {
    const size = value / most * height;
    return safe`<rect x="${fixed(index * step + step * 0.1)}" y="${
      fixed(TOP + height - size)
    }" width="${fixed(step * 0.8)}" height="${
      fixed(size)
    }"><title>${name}: ${label}</title></rect>`;
  });
  const highest = bars.find(({ value }) => value === most);
  const base = HEIGHT - BOTTOM;
  return safe`<figure class="chart"><figcaption>${title}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}; the highest is ${highest?.label} on ${highest?.name}. The table below has all figures.">
<line x1="0" x2="${WIDTH}" y1="${base}" y2="${base}"></line>
${joinHtml(columns, "\n")}
<text x="4" y="12">${highest?.label}</text>
<text x="4" y="${HEIGHT - 6}">${bars[0]?.name}</text>
${lastName(bars, step)}
</svg></figure>`;
}

function lastName(bars: readonly Bar[], step: number): SafeHtml {
  const end = Math.max(150, bars.length * step);
  if (bars.length < 2) return NOTHING;
  return safe`<text x="${fixed(end - 4)}" y="${HEIGHT - 6}" text-anchor="end">${
    bars.at(-1)?.name
  }</text>`;
}

/** Draws a bar for the share of the largest value, beside the figure. */
function shareBar(value: number, most: number): SafeHtml {
  if (most <= 0) return NOTHING;
  return safe`<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${
    fixed(value / most * 100)
  }" height="10"></rect></svg>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
