/** Renders the sessions that run now, one a line. */
import { counted } from "../../core/event/counted.ts";
import { agoText } from "./relative_time.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import type { Activity, ActivityState } from "../../core/projection/activity.ts";
import type { Attention, AttentionState, Wait, WaitKind } from "../../core/projection/attention.ts";
import type { CostSum } from "../../core/projection/cost_sum.ts";
import { countedTokens } from "../../core/projection/token_usage.ts";
import { formatCost, formatTokens } from "./usage_text.ts";
import { directoryText } from "./path_text.ts";
import { summarizeInput } from "./input_summary.ts";
import { sanitizeLine } from "./sanitize.ts";
import { shortIds } from "./short_id.ts";
import { createStyle, type Format } from "./style.ts";
import { renderTable, type TableColumn } from "./table.ts";
import { cutStart, cutText } from "./text_width.ts";

interface RunningRow {
  row: { ref: string; agent: string; session_id: string; cwd?: string };
  activity: Activity;
  attention: Attention;
  usage: TokenUsage;
  cost: CostSum;
}

type Doing = Pick<RunningRow, "activity" | "attention"> & { row: { cwd?: string } };

interface RunningTableOptions {
  /** Width of the terminal in columns. `Infinity` for a pipe, whose lines are never cut. */
  width: number;
  color: boolean;
  home?: string | undefined;
  /** The present time in milliseconds since 1970. */
  now: number;
  /** Index of the row with the cursor. @default {none} */
  cursor?: number;
}

/** Agent name for which `shortIds` returns ids without the agent. An id alone finds a session. */
const ANY_AGENT = "reprise";
const WIDEST_DIRECTORY = 40;
/** Minimum width of the "now" column. Other columns are left out to keep this width. */
const LEAST_NOW = 40;
const WORDS: Record<ActivityState, string> = {
  answering: "answering",
  running: "running",
  asking: "asks to run",
  waiting: "done",
  failed: "failed",
  interrupted: "interrupted",
};
const WAITS: Record<WaitKind, string> = {
  permission: "waits for permission",
  question: "asks",
  plan: "waits for you to approve a plan",
  limit: "waits until a usage limit resets",
  error: "needs you",
  input: "waits for you",
};
const COLORS: Record<AttentionState, Format> = {
  waits: "yellow",
  failed: "red",
  working: "cyan",
  quiet: "dim",
};
/** Returns a word for the state of a session. Empty if the session is not running. */
export function stateText(attention: Attention | undefined): string {
  return attention?.wait?.certain === false ? "may wait" : attention?.state ?? "";
}

export function stateColor(attention: Attention | undefined): Format | [] {
  return attention === undefined ? [] : COLORS[attention.state];
}

/** Maximum width of a desktop notice in columns. */
const MOST_NOTICE = 200;

/**
 * Describes on one line what a session does, or what it waits for: `running Bash npm test`, `waits
 * for permission: Bash npm publish`, `asks: Which port?`.
 */
export function doingText({ activity, attention: { wait }, row: { cwd } }: Doing): string {
  if (wait !== undefined) return waitText(wait, activity, cwd);
  const { state, text } = activity;
  return state === "running" || state === "asking"
    ? `${WORDS[state]} ${callText(activity, cwd)}`.trim()
    : labelled(WORDS[state], text);
}

function waitText({ kind, text, certain }: Wait, activity: Activity, cwd?: string): string {
  const label = certain ? WAITS[kind] : WAITS[kind].replace(/^waits/, "may wait");
  return labelled(label, kind === "permission" ? callText(activity, cwd) : text);
}

function callText({ tool = "", input }: Activity, cwd: string | undefined): string {
  const { subject } = summarizeInput(input, cwd);
  return [sanitizeLine(tool), subject].filter((part) => part !== "").join(" ");
}

function labelled(label: string, text: string): string {
  const said = sanitizeLine(text.replaceAll(/\s+/g, " ")).trim();
  return said === "" ? label : `${label}: ${said}`;
}

export function noticeText(session: RunningRow, home?: string): string {
  const { row: { agent, cwd } } = session;
  const place = [sanitizeLine(agent), directoryText(cwd, home)].join(" in ");
  return cutText(`${place}: ${doingText(session)}`, MOST_NOTICE);
}

/** Returns a line of column names, then a line per session. */
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
      cells: rows.map(doingText),
      format: (row) => stateColor(rows[row]?.attention),
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

export function sharedText(
  files: readonly { path: string; refs: readonly string[] }[],
  home?: string,
): string {
  const [first, ...others] = files;
  if (first === undefined) return "";
  const more = others.length === 0 ? "" : ` (and ${counted(others.length, "more file")})`;
  const ids = shortIds(
    first.refs.map((ref) => ({ agent: ANY_AGENT, session_id: ref.replace(/^[^:]*:/, "") })),
  );
  const names = `${ids.slice(0, -1).join(", ")} and ${ids.at(-1)}`;
  return `Sessions ${names} changed ${
    directoryText(first.path, home)
  } less than an hour apart${more}`;
}

export function renderRunningLine(
  session: RunningRow,
  home?: string,
): string {
  const { row, usage, cost } = session;
  return [
    sanitizeLine(row.ref),
    directoryText(row.cwd, home),
    doingText(session),
    tokensText(usage),
    formatCost(cost) || "-",
  ].join("\t");
}
