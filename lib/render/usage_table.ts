/** Renders the usage of sessions as a table. */
import type { UsageGrouping, UsageTotal } from "../projection/usage_totals.ts";
import { costNotes, formatCost } from "./cost_text.ts";
import { sanitizeLine } from "./sanitize.ts";
import { createStyle } from "./style.ts";
import { cutStart, padText, textWidth } from "./text_width.ts";
import { formatTokens } from "./token_count.ts";

/** What {@linkcode renderUsageTable} needs to know about the reader. */
export interface UsageTableOptions {
  /** Whether to colour. */
  color: boolean;
  /** What the first column is. */
  by: UsageGrouping;
  /** The date of the table of prices that costs were estimated from. */
  prices_as_of: string;
}

const COLUMNS = ["sessions", "messages", "input", "output", "cache read", "cache write", "cost"];
const WIDEST_GROUP = 48;

/** Renders totals, one group a line, and a last line for all together. */
export function renderUsageTable(
  groups: readonly UsageTotal[],
  total: UsageTotal,
  { color, by, prices_as_of }: UsageTableOptions,
): string {
  const style = createStyle(color);
  const names = groups.map(({ group }) => cutStart(sanitizeLine(group) || "-", WIDEST_GROUP));
  const table = [
    [by, ...COLUMNS],
    ...groups.map((row, index) => [names[index] ?? "", ...cells(row)]),
    ["all", ...cells(total)],
  ];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => textWidth(row[column] ?? "")))
  );
  const lines = table.map((row) =>
    row.map((cell, column) => padText(cell, widths[column] ?? 0, column === 0 ? "left" : "right"))
      .join("  ").trimEnd()
  );
  const notes = costNotes(total, prices_as_of).map((note) => style.paint("dim", note));
  const painted = lines.map((line, index) =>
    index === 0
      ? style.paint("dim", line)
      : index === lines.length - 1
      ? style.paint("bold", line)
      : line
  );
  return [...painted, ...notes].join("\n") + "\n";
}

function cells(total: UsageTotal): string[] {
  const { sessions, messages, usage: { input, output, cache_read, cache_write } } = total;
  return [
    String(sessions),
    String(messages),
    ...[input, output, cache_read, cache_write].map((count) =>
      count === undefined ? "-" : formatTokens(count)
    ),
    formatCost(total) || "-",
  ];
}
