/** Writes the filter of the statistics as an address, and renders links that change the filter. */
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { filterQuery, type ListFilter, SPANS } from "../list/filter.ts";
import type { SiteContext } from "../site_context.ts";
import { windowDays } from "./window_usage.ts";

export const USUAL_SPAN = "30d";
/** The spans to choose from. With `all`, the first day is not limited. */
export const CHOICES = ["7d", "30d", "90d", "365d", "all"];

type Stacking = "agent" | "project";
export const STACKINGS: readonly (Stacking | undefined)[] = [undefined, "agent", "project"];

export interface StatsFilter extends ListFilter {
  /** The hour of the week to which the statistics are limited, as `24 * weekday + hour`. */
  hour?: number;
  /** True to show the window beside the preceding window of equal length. */
  compare?: true | undefined;
  /** The property that divides the columns of charts. @default {"model"} */
  by?: Stacking | undefined;
}

export function spanName(span: string): string {
  return SPANS[span]?.name ?? "all time";
}

export function statsLink({ span = "", hour, compare, by, ...filter }: StatsFilter): string {
  const more = { since: span, hour: hour?.toString(), compare: compare && "1", by };
  return `stats${filterQuery(filter, more)}`;
}

export function spansHtml(filter: StatsFilter, site: SiteContext): SafeHtml {
  const { until: _, ...spanned } = filter;
  const links = CHOICES.map((span) => {
    const href = statsLink({ ...spanned, span });
    return span === filter.span
      ? safe`<a href="${href}" aria-current="true">${spanName(span)}</a>`
      : safe`<a href="${href}">${spanName(span)}</a>`;
  });
  const { compare, ...others } = filter;
  const { from, last, count: days } = windowDays(filter, site);
  const beside = days === undefined
    ? NOTHING
    : compare
    ? safe`<a href="${statsLink(others)}" aria-current="true">Beside the ${days} days before</a>`
    : safe`<a href="${statsLink({ ...filter, compare: true })}">Beside the ${days} days before</a>`;
  const kept = [...new URLSearchParams(statsLink(filter).slice("stats?".length))]
    .filter(([name]) => name !== "since" && name !== "until")
    .map(([name, value]) => safe`<input type="hidden" name="${name}" value="${value}">`);
  return safe`<nav class="pages" aria-label="Time">${
    joinHtml(links)
  }${beside}<form class="dates" action="stats"><input type="date" name="since" value="${from}" aria-label="First day" required> to <input type="date" name="until" value="${last}" aria-label="Last day">${
    joinHtml(kept)
  } <button>Show</button></form></nav>`;
}

export function stackingsHtml(filter: StatsFilter): SafeHtml {
  const links = STACKINGS.map((by) =>
    safe`<a href="${statsLink({ ...filter, by })}"${
      by === filter.by ? safe` aria-current="true"` : NOTHING
    }>by ${by ?? "model"}</a>`
  );
  return safe`<nav class="pages" aria-label="Columns">${joinHtml(links)}</nav>`;
}
