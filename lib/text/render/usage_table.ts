/** Renders the usage of sessions as a table. */
import type { TokenUsage } from "../../core/event/payload.ts";
import type { UsageGrouping, UsageTotal } from "../../core/projection/usage_totals.ts";
import { costNotes, formatCost, formatTokens } from "./usage_text.ts";
import { sanitizeLine } from "./sanitize.ts";
import { createStyle, type Format } from "./style.ts";
import { renderTable, type TableColumn } from "./table.ts";
import { cutStart } from "./text_width.ts";
import { wrapWords } from "./wrap.ts";

export interface UsageTableOptions {
  /** Width in columns. `Infinity` for a pipe, where nothing is cut or left out. */
  width: number;
  color: boolean;
  by: UsageGrouping | "window";
  /** The date of the price table from which costs were estimated. */
  prices_as_of: string;
  /** The grouping in the second column. @default {there is none} */
  then?: UsageGrouping | undefined;
  /** Returns the displayed name of a group. @default {the group itself} */
  name_of?: (group: string) => string;
  /** Returns the displayed name of a group in the second column. @default {the group itself} */
  subname_of?: (group: string) => string;
  /** Extra columns by name, placed after the cost, with a cell for each group. @default {none} */
  more?: Readonly<Record<string, readonly string[]>>;
  /** Text columns after all others. The last one takes the remaining width. @default {none} */
  texts?: readonly TableColumn[];
}

const WIDEST_GROUP = 48;
const LEAST_TEXT = 20;

function asItIs(group: string): string {
  return group;
}

export function renderUsageTable(
  groups: readonly UsageTotal[],
  total: UsageTotal,
  options: UsageTableOptions,
): string {
  const { width, color, by, then, prices_as_of, more = {}, texts = [] } = options;
  const { name_of = asItIs, subname_of = asItIs } = options;
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
  const room = Math.min(WIDEST_GROUP, Math.floor(width * 0.4));
  const named = (name: string): string => cutStart(sanitizeLine(name) || "-", room);
  const names = groups.map(({ group }) => named(name_of(group)));
  const subnames = groups.map(({ subgroup = "" }) => named(subname_of(subgroup)));
  const lines = renderTable([
    { name: by, cells: [...names, "all"], format },
    ...then === undefined ? [] : [{ name: then, cells: [...subnames, ""], format }],
    { ...column("sessions", ({ sessions }) => String(sessions)), weight: by === "session" ? 0 : 9 },
    { ...column("messages", ({ messages }) => String(messages)), weight: 4 },
    { ...tokens("input", "input"), weight: 3 },
    tokens("output", "output"),
    { ...tokens("cache read", "cache_read"), weight: 2 },
    { ...tokens("cache write", "cache_write"), weight: 1 },
    column("cost", (row) => formatCost(row) || "-"),
    ...Object.entries(more).map(([name, cells]): TableColumn => ({
      ...{ name, cells: [...cells, ""], align: "right", format },
    })),
    ...texts.map((one): TableColumn => ({ ...one, cells: [...one.cells, ""] })),
  ], { width, style, least_last: texts.length > 0 && width < Infinity ? LEAST_TEXT : 0 });
  const notes = costNotes(total, prices_as_of).flatMap((note) => wrapWords(note, width))
    .map((note) => style.paint("dim", note));
  return [...lines, ...notes].join("\n") + "\n";
}
