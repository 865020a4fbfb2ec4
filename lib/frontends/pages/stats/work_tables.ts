/** Renders the tools that sessions called, and the files that they changed most. */
import { counted } from "../../../core/event/counted.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { directoryText } from "../../../text/render/path_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { sessionFilePath } from "../../../core/workspace/session_directory.ts";
import { toolVerb } from "../../../text/render/block/known_tools.ts";
import { shareBar } from "./charts.ts";
import { filterQuery } from "../list/filter.ts";
import type { SiteContext } from "../site_context.ts";
import type { WindowUsage } from "./window_usage.ts";

const MOST_ROWS = 15;

export function workHtml(
  { used, from, last }: WindowUsage,
  { home, day_of }: SiteContext,
): SafeHtml {
  const isWithin = (second: number): boolean => {
    if (second === 0) return from === "";
    const day = day_of(second * 1000);
    return day >= from && day <= last;
  };
  const tools = new Map<string, [calls: number, failed: number]>();
  const files = new Map<string, [changes: number, added: number, removed: number]>();
  for (const { cwd, work } of used) {
    for (const [name, second, calls, failed] of work?.tools ?? []) {
      if (!isWithin(second)) continue;
      const kind = toolVerb(name) ?? name;
      const sum = tools.get(kind) ?? [0, 0];
      tools.set(kind, [sum[0] + calls, sum[1] + failed]);
    }
    for (const [path, second, changes, added, removed] of work?.files ?? []) {
      if (!isWithin(second)) continue;
      const whole = sessionFilePath(path, cwd);
      const sum = files.get(whole) ?? [0, 0, 0];
      files.set(whole, [sum[0] + changes, sum[1] + added, sum[2] + removed]);
    }
  }
  const [calls, changes] = [mostFirst(tools), mostFirst(files)];
  return safe`${
    tableHtml("Tools", ["Tool", "Calls", "Failed"], calls, ([name, [count, failed]], most) => [
      safe`${shareBar(count, most)}${sanitizeLine(name)}`,
      safe`${apart(count)}`,
      failed === 0 ? NOTHING : safe`${failed} (${Math.round(failed / count * 100)} %)`,
    ])
  }
${
    tableHtml(
      "Files most changed",
      ["File", "Changes", "Lines"],
      changes,
      ([path, [count, added, removed]], most) => [
        safe`${shareBar(count, most)}<a href="./${filterQuery({ file: path })}">${
          directoryText(path, home)
        }</a>`,
        safe`${apart(count)}`,
        safe`+${apart(added)} −${apart(removed)}`,
      ],
    )
  }
<p class="note">Tools that do the same are one row. Messages that a fork copied are counted in both sessions.</p>`;
}

export function apart(count: number): string {
  return count.toLocaleString("en");
}

/** Minimum growth that is shown as a factor, such as `10 ×`, instead of a percentage. */
const MANY = 10;

/** Renders growth as `+12 % on`, or as `413 ×` from 10 on. The caller adds the period. */
export function changeText(value: number, before: number): string {
  if (before > 0 && value >= MANY * before) return `${apart(Math.round(value / before))} ×`;
  const share = before === 0 ? 0 : Math.round((value / before - 1) * 100);
  return share === 0 ? "as in" : `${share > 0 ? "+" : "−"}${Math.abs(share)} % on`;
}

/** Number of rows that are shown at first. The style of `.rest` hides the others. */
const SHOWN_ROWS = 8;

/** Renders the control that unfolds a long table. While it is closed, the style hides rows. */
export function restHtml(rows: number): SafeHtml {
  return rows <= SHOWN_ROWS
    ? NOTHING
    : safe`<details class="rest"><summary>All ${rows}</summary></details>`;
}

type Row<Counts> = [name: string, counts: Counts];

function mostFirst<Counts extends readonly number[]>(sums: Map<string, Counts>): Row<Counts>[] {
  return [...sums].sort(([, [one = 0]], [, [other = 0]]) => other - one);
}

function tableHtml<Counts extends readonly number[]>(
  title: string,
  [first, ...others]: readonly string[],
  rows: readonly Row<Counts>[],
  cellsOf: (row: Row<Counts>, most: number) => readonly SafeHtml[],
): SafeHtml {
  if (rows.length === 0) return NOTHING;
  const most = rows[0]?.[1][0] ?? 0;
  const lines = rows.slice(0, MOST_ROWS).map((row) => {
    const [name, ...cells] = cellsOf(row, most);
    return safe`<tr><td class="name">${name}</td>${
      joinHtml(cells.map((cell) => safe`<td>${cell}</td>`))
    }</tr>\n`;
  });
  const rest = rows.length - lines.length;
  const heads = others.map((name) => safe`<th scope="col">${name}</th>`);
  return safe`<section><h2>${title}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${title}"><table class="sums">
<thead><tr><th class="name" scope="col">${first}</th>${joinHtml(heads)}</tr></thead>
<tbody>
${joinHtml(lines)}</tbody></table></div>${restHtml(lines.length)}
${rest === 0 ? NOTHING : safe`<p class="note">${counted(rest, "row")} more</p>`}</section>`;
}
