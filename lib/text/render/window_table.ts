/** Renders usage by windows of five hours, with tokens per minute and cost per hour. */
import type { UsageTotal } from "../../core/projection/usage_totals.ts";
import type { UsageWindow } from "../../core/projection/usage_windows.ts";
import { formatDuration, type TimeFormat } from "./time_label.ts";
import { renderUsageTable } from "./usage_table.ts";
import { formatCost, formatTokens } from "./usage_text.ts";
import { wrapWords } from "./wrap.ts";

interface WindowTableOptions {
  /** Width in columns. `Infinity` for a pipe. */
  width: number;
  color: boolean;
  prices_as_of: string;
  format_time: TimeFormat;
  /** The present time in milliseconds since 1970. */
  now: number;
}

export function renderWindowTable(
  windows: readonly UsageWindow[],
  total: UsageTotal,
  { width, color, prices_as_of, format_time, now }: WindowTableOptions,
): string {
  const more = {
    "tokens/min": windows.map((one) =>
      one.tokens_per_minute === undefined ? "-" : formatTokens(Math.round(one.tokens_per_minute))
    ),
    "cost/h": windows.map((one) => costText(one, one.cost_per_hour)),
  };
  const look = { width, color, by: "window", prices_as_of, name_of: format_time, more } as const;
  const active = windows.find((one) => one.active);
  const notes = active === undefined ? [] : wrapWords(activeText(active, now), width);
  return renderUsageTable(windows, total, look) + notes.map((note) => `${note}\n`).join("");
}

/** Formats `cost_usd` with the same marks as the window's cost, such as `~` if it is estimated. */
function costText({ cost_usd: _, ...marks }: UsageWindow, cost_usd: number | undefined): string {
  return cost_usd === undefined ? "-" : formatCost({ ...marks, cost_usd });
}

function activeText(window: UsageWindow, now: number): string {
  const left = formatDuration((Date.parse(window.ends_at) - now) * 1e6);
  const { projected } = window;
  if (projected === undefined) return `This five-hour usage window ends in ${left}`;
  const cost = projected.cost_usd === undefined ? "" : `, ${costText(window, projected.cost_usd)}`;
  return `This five-hour usage window ends in ${left}; expected use by then: ` +
    `${formatTokens(projected.tokens)} tokens${cost}`;
}
