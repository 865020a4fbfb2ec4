/**
 * Draws charts as SVG that needs no script. Positions are percentages, and texts have fixed sizes.
 * So labels can be read at any width.
 */
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";

export interface DayValue {
  /** The day, such as `2026-11-21`. */
  day: string;
  value: number;
  /** The name of the part, if columns are stacked. */
  part?: string;
}

/** Number of colours of parts. If there are more parts, the smaller ones share the last colour. */
const PARTS = 5;

const DAY_MS = 86_400_000;
/** Maximum number of labels on the time axis. A phone has space for this many. */
const MOST_TICKS = 6;
/**
 * Minimum distance of the last label from the label before it, as a share of the axis on a phone.
 * The last label may extend to the left.
 */
const LABELS_APART = 0.3;
/** Maximum number of columns. If there are more days, neighbouring days share a column. */
const MOST_COLUMNS = 400;
/** The height of a chart, in pixels. */
const HEIGHT = 160;
const TOP = 26;
const BOTTOM = 22;
const PLOT = HEIGHT - TOP - BOTTOM;

export interface ChartOptions {
  /** The first and last day of the axis. */
  first: string;
  last: string;
  format: (value: number) => string;
  /** Returns the link of a part of a column. Gets the first and last day of the column. */
  linkOf: (first: string, last: string, part: string) => string;
  /** Renders the name of a part for the legend. Absent if the chart has no legend. */
  nameOf?: (part: string) => SafeHtml;
  /** Values of all charts that have the same scale and colours. @default {the drawn values} */
  all?: readonly DayValue[];
}

/** Draws values as columns on a time axis. Draws nothing if all values are 0. */
export function timeChart(
  title: string,
  values: readonly DayValue[],
  { first, last, format, linkOf, nameOf, all = values }: ChartOptions,
): SafeHtml {
  const [start, end] = [Date.parse(first), Date.parse(last)];
  const days = Math.round((end - start) / DAY_MS) + 1;
  const parts = partsOf(all);
  const most = values.reduce((largest, { value }) => Math.max(largest, value), 0);
  if (!(days > 0) || most === 0) return NOTHING;
  const a_column = Math.ceil(days / MOST_COLUMNS);
  const columns = Math.ceil(days / a_column);
  const width = 100 / columns;
  const sums = new Map<number, { value: number; day: string; parts: Map<string, number> }>();
  for (const { day, value, part = "" } of values) {
    const at = Math.floor((Date.parse(day) - start) / DAY_MS / a_column);
    const sum = sums.get(at) ?? { value: 0, day, parts: new Map() };
    sum.parts.set(part, (sum.parts.get(part) ?? 0) + value);
    sums.set(at, { ...sum, value: sum.value + value });
  }
  const heights = [
    ...Map.groupBy(all, ({ day }) => Math.floor(Date.parse(day) / DAY_MS / a_column)),
  ]
    .map(([, some]) => some.reduce((sum, { value }) => sum + value, 0));
  const top = roundedUp(usualMost(heights));
  const bars = [...sums].filter(([at, { value }]) => at >= 0 && at < columns && value > 0)
    .map(([at, { value, day, parts: own }]) => {
      const is_torn = value > top;
      const height = is_torn ? PLOT + TOP / 2 : Math.max(1, value / top * PLOT);
      const gap = width > 0.6 ? width * 0.12 : 0;
      let y = TOP + PLOT;
      const stack = parts.filter((part) => own.has(part)).map((part) => {
        const share = height * (own.get(part) ?? 0) / value;
        y -= share;
        const name = part === "" ? day : `${day}, ${part}`;
        const from = start + at * a_column * DAY_MS;
        const days = [from, from + (a_column - 1) * DAY_MS].map((time) =>
          new Date(time).toJSON().slice(0, "2026-11-21".length)
        );
        const href = linkOf(days[0] ?? day, days[1] ?? day, part);
        return safe`<a href="${href}" tabindex="-1"><rect class="part${
          Math.min(parts.indexOf(part), PARTS - 1)
        }${is_torn ? " torn" : ""}" x="${percent(at * width + gap / 2)}" y="${fixed(y)}" width="${
          percent(width - gap)
        }" height="${fixed(share)}"><title>${name}: ${
          format(own.get(part) ?? 0)
        }</title></rect></a>`;
      });
      return safe`${joinHtml(stack)}${
        is_torn
          ? safe`<text x="${
            percent(at > 0.9 * columns ? 100 : (at + 0.5) * width)
          }" y="10" text-anchor="${at > 0.9 * columns ? "end" : "middle"}">${format(value)}</text>`
          : NOTHING
      }`;
    });
  const lines = [top, top / 2];
  const heightOf = (value: number): number => TOP + PLOT - value / top * PLOT;
  const peak = [...sums.values()].reduce((best, one) => one.value > best.value ? one : best);
  const label = `Chart: ${title} from ${first} to ${last}. The highest value is ${
    format(peak.value)
  }, on ${peak.day}`;
  return safe`<figure class="chart"><figcaption>${title}</figcaption>
<div class="axis"><svg width="56" height="${HEIGHT}" aria-hidden="true">${
    lines.map((value) =>
      safe`<text x="50" y="${fixed(heightOf(value) + 4)}" text-anchor="end">${format(value)}</text>`
    )
  }</svg><svg width="100%" height="${HEIGHT}" role="group" aria-label="${label}">
${
    lines.map((value) => {
      const y = fixed(heightOf(value));
      return safe`<line x1="0" x2="100%" y1="${y}" y2="${y}"></line>`;
    })
  }
<line class="base" x1="0" x2="100%" y1="${TOP + PLOT}" y2="${TOP + PLOT}"></line>
${joinHtml(bars)}
${joinHtml(ticks(start, days).map((tick) => tickHtml(tick, days)))}
</svg></div>${nameOf === undefined ? NOTHING : partsHtml(parts, nameOf)}</figure>`;
}

function partsOf(values: readonly DayValue[]): string[] {
  const sums = new Map<string, number>();
  for (const { value, part = "" } of values) sums.set(part, (sums.get(part) ?? 0) + value);
  return [...sums].filter(([, sum]) => sum > 0).sort(([, one], [, other]) => other - one)
    .map(([part]) => part);
}

function partsHtml(parts: readonly string[], nameOf: (part: string) => SafeHtml): SafeHtml {
  const shown = parts.length > PARTS ? parts.slice(0, PARTS - 1) : parts;
  const names = [...shown.map(nameOf), ...shown.length < parts.length ? [safe`others`] : []];
  return safe`<p class="note legend">${
    joinHtml(
      names.map((name, at) =>
        safe`<span><svg width="12" height="12" aria-hidden="true"><rect class="part${at}" width="12" height="12"></rect></svg> ${name}</span>`
      ),
      " ",
    )
  }</p>`;
}

/** Multiple of the usual height. A higher column is cut off, and drawn with a dashed outline. */
const MANY = 4;

/** Returns the highest value on the axis, without values that would flatten all other columns. */
function usualMost(values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).sort((one, other) => one - other);
  const usual = MANY * (sorted[Math.floor(0.8 * (sorted.length - 1))] ?? 0);
  return sorted.findLast((value) => value <= usual) ?? 1;
}

interface Tick {
  /** Number of days since the start of the axis. */
  at: number;
  name: string;
}

function tickHtml({ at, name }: Tick, days: number): SafeHtml {
  const x = percent(at / days * 100);
  const y = TOP + PLOT;
  const anchor = isAtEnd(at / days) ? "end" : "start";
  return safe`<line class="base" x1="${x}" x2="${x}" y1="${y}" y2="${
    y + 5
  }"></line><text x="${x}" y="${HEIGHT - 5}" text-anchor="${anchor}">${name}</text>`;
}

/** Returns the days to label: the first of each month or week, or days at equal intervals. */
function ticks(start: number, days: number): Tick[] {
  const all = Array.from(
    { length: days },
    (_, at) => ({ at, date: new Date(start + at * DAY_MS) }),
  );
  const months = all.filter(({ date }) => date.getUTCDate() === 1);
  const weeks = all.filter(({ date }) => date.getUTCDay() === 1);
  const [named, form] = months.length >= 3
    ? [months, { month: "short" }] as const
    : [weeks.length >= 3 ? weeks : all, { month: "short", day: "numeric" }] as const;
  const step = Math.ceil(named.length / MOST_TICKS);
  const format = new Intl.DateTimeFormat("en", { ...form, timeZone: "UTC" });
  const long = new Intl.DateTimeFormat("en", { month: "short", year: "2-digit", timeZone: "UTC" });
  return named.filter((_, index) => index % step === 0)
    .filter(({ at }, index, some) => {
      const before = some[index - 1]?.at ?? -days;
      return !isAtEnd(at / days) || (at - before) / days > LABELS_APART;
    })
    .map(({ at, date }) => ({
      at,
      name: days > 400 ? long.format(date) : format.format(date),
    }));
}

/** True if a label that begins at `part` of the axis (0 to 1) would extend beyond the axis. */
function isAtEnd(part: number): boolean {
  return part > 0.92;
}

/** Rounds up to 1, 2, 4, 6, 8 or 10 times a power of ten. Half of it is then round too. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const HOURS = 24;
const ROW = 20;
const HEAD = 18;
/** The width of the day names, in percent of the chart's width. */
const NAMES = 9;
const HOUR_WIDTH = (100 - NAMES) / HOURS;
const LEVELS = 4;

/**
 * Draws the hours of the week, darker where the value is larger.
 *
 * @param values Values at `24 * weekday + hour`. Monday is weekday 0.
 * @param linkOf Returns the address to which an hour links.
 */
export function heatMap(
  title: string,
  values: readonly number[],
  format: (value: number) => string,
  linkOf: (hour: number) => string,
): SafeHtml {
  const most = values.reduce((largest, value) => Math.max(largest, value), 0);
  if (most === 0) return NOTHING;
  // The levels are quartiles, so one extreme hour does not flatten all others.
  const sorted = values.filter((value) => value > 0).sort((one, other) => one - other);
  const steps = [0, 1, 2, 3].map((part) => sorted[Math.floor(sorted.length * part / LEVELS)] ?? 0);
  const cells = Array.from({ length: WEEKDAYS.length * HOURS }, (_, at) => {
    const value = values[at] ?? 0;
    const level = value === 0 ? 0 : steps.filter((step) => value >= step).length;
    const cell = safe`<rect class="heat-${level}" x="${
      percent(NAMES + at % HOURS * HOUR_WIDTH)
    }" y="${HEAD + Math.floor(at / HOURS) * ROW}" width="${percent(HOUR_WIDTH - 0.3)}" height="${
      ROW - 2
    }"><title>${hourName(at)}: ${format(value)}</title></rect>`;
    return value === 0 ? cell : safe`<a href="${linkOf(at)}" tabindex="-1">${cell}</a>`;
  });
  const days = WEEKDAYS.map((day, at) =>
    safe`<text x="0" y="${HEAD + at * ROW + 13}">${day}</text>`
  );
  const hours = [0, 6, 12, 18].map((hour) =>
    safe`<text x="${percent(NAMES + hour * HOUR_WIDTH)}" y="11">${
      String(hour).padStart(2, "0")
    }</text>`
  );
  const label = `Chart: ${title}. The highest value is ${format(most)}, on ${
    hourName(values.indexOf(most))
  }`;
  return safe`<figure class="chart heat"><figcaption>${title}</figcaption>
<svg width="100%" height="${HEAD + WEEKDAYS.length * ROW}" role="group" aria-label="${label}">
${joinHtml(hours)}${joinHtml(days)}
${joinHtml(cells)}
</svg>${legendHtml(steps, most, format)}</figure>`;
}

/** Names an hour of the week: `Sat 10:00`. */
export function hourName(at: number): string {
  return `${WEEKDAYS[Math.floor(at / HOURS)]} ${String(at % HOURS).padStart(2, "0")}:00`;
}

/** Renders each level of a heat map with its minimum value. Renders a single level as a range. */
function legendHtml(
  steps: readonly number[],
  most: number,
  format: (value: number) => string,
): SafeHtml {
  const levels = steps.map((step, at) =>
    step === steps[at + 1]
      ? NOTHING
      : safe` <svg width="12" height="12" aria-hidden="true"><rect class="heat-${
        at + 1
      }" width="12" height="12"></rect></svg> ${format(step)}`
  );
  const [least = 0] = steps;
  if (least < (steps.at(-1) ?? 0)) return safe`<p class="note legend">From${joinHtml(levels)}</p>`;
  const range = most > least ? ` to ${format(most)}` : "";
  return safe`<p class="note legend">${joinHtml(levels)}${range}</p>`;
}

export function shareBar(value: number, most: number): SafeHtml {
  if (most <= 0) return NOTHING;
  return safe`<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${
    fixed(value / most * 100)
  }" height="10"></rect></svg>`;
}

function percent(value: number): string {
  return `${value.toFixed(3)}%`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
