/** Renders the usage of sessions as a table. */
import type { TokenUsage } from "../event/payload.ts";
import type { UsageGrouping, UsageTotal } from "../projection/usage_totals.ts";
import { costNotes, formatCost, formatTokens } from "./usage_text.ts";
import { sanitizeLine } from "./sanitize.ts";
import { createStyle, type Format } from "./style.ts";
import { renderTable, type TableColumn } from "./table.ts";
import { cutStart } from "./text_width.ts";

interface UsageTableOptions {
  color: boolean;
  /** The grouping in the first column. */
  by: UsageGrouping | "window";
  /** The date of the table of prices that costs were estimated from. */
  prices_as_of: string;
  /** Writes the name of a group. @default {as it is} */
  name_of?: (group: string) => string;
  /** Columns behind those of all groups: a cell for each of them. @default {none} */
  more?: Readonly<Record<string, readonly string[]>>;
}

const WIDEST_GROUP = 48;

/** Renders totals, one group a line, and a last line for all together. */
export function renderUsageTable(
  groups: readonly UsageTotal[],
  total: UsageTotal,
  { color, by, prices_as_of, name_of = (group) => group, more = {} }: UsageTableOptions,
): string {
  const style = createStyle(color);
  const rows = [...groups, total];
  const format = (row: number): Format | [] => row === groups.length ? "bold" : [];
  const column = (name: string, cell: (row: UsageTotal) => string): TableColumn => ({
    name,
    cells: rows.map(cell),
    align: "right",
    format,
  });
  const tokens = (name: string, field: keyof TokenUsage): TableColumn =>
    column(
      name,
      ({ usage: { [field]: count } }) => count === undefined ? "-" : formatTokens(count),
    );
  const names = groups.map(({ group }) =>
    cutStart(sanitizeLine(name_of(group)) || "-", WIDEST_GROUP)
  );
  const lines = renderTable([
    { name: by, cells: [...names, "all"], format },
    column("sessions", ({ sessions }) => String(sessions)),
    column("messages", ({ messages }) => String(messages)),
    tokens("input", "input"),
    tokens("output", "output"),
    tokens("cache read", "cache_read"),
    tokens("cache write", "cache_write"),
    column("cost", (row) => formatCost(row) || "-"),
    ...Object.entries(more).map(([name, cells]): TableColumn => ({
      ...{ name, cells: [...cells, ""], align: "right", format },
    })),
  ], { width: Infinity, style });
  const notes = costNotes(total, prices_as_of).map((note) => style.paint("dim", note));
  return [...lines, ...notes].join("\n") + "\n";
}
