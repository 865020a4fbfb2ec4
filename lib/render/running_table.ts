/** Renders the sessions that run now, one a line. */
import { agoText } from "./relative_time.ts";
import type { TokenUsage } from "../event/payload.ts";
import type { Activity, ActivityState } from "../projection/activity.ts";
import type { CostSum } from "../projection/cost_sum.ts";
import { countedTokens } from "../projection/token_usage.ts";
import { formatCost, formatTokens } from "./usage_text.ts";
import { directoryText } from "./path_text.ts";
import { summarizeInput } from "./input_summary.ts";
import { sanitizeLine } from "./sanitize.ts";
import { shortIds } from "./short_id.ts";
import { createStyle, type Format } from "./style.ts";
import { renderTable, type TableColumn } from "./table.ts";
import { cutStart } from "./text_width.ts";

interface RunningRow {
  row: { ref: string; agent: string; session_id: string; cwd?: string };
  activity: Activity;
  usage: TokenUsage;
  cost: CostSum;
}

interface RunningTableOptions {
  /** Columns of the terminal; `Infinity` for a pipe, where nothing is cut. */
  width: number;
  color: boolean;
  /** The home directory, written as `~`. */
  home?: string | undefined;
  /** Milliseconds. */
  now: number;
  /** The row of the cursor. @default {none} */
  cursor?: number;
}

/** Shortens ids alone, because an id finds a session of any agent. */
const ANY_AGENT = "reprise";
/** Maximum width of a directory. */
const WIDEST_DIRECTORY = 40;
/** Columns that "now" gets before other columns do. */
const LEAST_NOW = 16;
const STATES: Record<ActivityState, readonly [words: string, format: Format]> = {
  answering: ["answering", "green"],
  running: ["running", "cyan"],
  asking: ["asks to run", "yellow"],
  waiting: ["waiting for you", "yellow"],
  failed: ["failed", "red"],
  interrupted: ["interrupted", "dim"],
};

/**
 * Describes the activity of a session on one line: `running Bash npm test`, `asks to run Bash npm
 * test`.
 */
export function doingText({ state, text, tool, input }: Activity, cwd?: string): string {
  const [word] = STATES[state];
  if (state === "running" || state === "asking") {
    const { subject } = summarizeInput(input, cwd);
    return [word, sanitizeLine(tool ?? ""), subject].filter((part) => part !== "").join(" ");
  }
  const said = sanitizeLine(text).trim();
  return said === "" ? word : `${word}: ${said}`;
}

/** Renders a line of names and a line a session. A narrow terminal has fewer columns. */
export function renderRunningTable(
  rows: readonly RunningRow[],
  { width, color, home, now, cursor }: RunningTableOptions,
): string[] {
  const style = createStyle(color);
  const ids = shortIds(rows.map(({ row: { session_id } }) => ({ agent: ANY_AGENT, session_id })));
  const mark = (index: number): string =>
    cursor === undefined ? "" : index === cursor ? "> " : "  ";
  const column = (
    name: string,
    weight: number,
    cell: (row: RunningRow) => string,
  ): TableColumn => ({
    name,
    weight,
    cells: rows.map(cell),
  });
  const columns: TableColumn[] = [
    { name: `${mark(-1)}id`, cells: ids.map((id, index) => mark(index) + id) },
    column("agent", 4, ({ row }) => sanitizeLine(row.agent)),
    column("directory", 5, ({ row }) => fitDirectory(directoryText(row.cwd, home), width)),
    { ...column("since", 3, ({ activity }) => agoText(activity.since, now)), align: "right" },
    { ...column("tokens", 1, ({ usage }) => tokensText(usage)), align: "right" },
    { ...column("cost", 2, ({ cost }) => formatCost(cost) || "-"), align: "right" },
    {
      name: "now",
      cells: rows.map(({ row, activity }) => doingText(activity, row.cwd)),
      format: (row) => STATES[rows[row]?.activity.state ?? "answering"][1],
    },
  ];
  const [names = "", ...lines] = renderTable(columns, { width, style, least_last: LEAST_NOW });
  return [names, ...lines.map((line, row) => row === cursor ? style.paint("bold", line) : line)];
}

function fitDirectory(text: string, width: number): string {
  return width === Infinity ? text : cutStart(text, Math.min(WIDEST_DIRECTORY, width >> 2));
}

function tokensText(usage: TokenUsage): string {
  const count = countedTokens(usage);
  return count === 0 ? "-" : formatTokens(count);
}

/** Renders a session on one line, its fields parted by tabs, and without how long ago. */
export function renderRunningLine(
  { row, activity, usage, cost }: RunningRow,
  home?: string,
): string {
  return [
    sanitizeLine(row.ref),
    directoryText(row.cwd, home),
    doingText(activity, row.cwd),
    tokensText(usage),
    formatCost(cost) || "-",
  ].join("\t");
}
