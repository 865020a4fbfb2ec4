/** Renders a report on an agent: its hidden sessions, next deletions and disk use. */
import type { Summary } from "../../core/projection/summary_row.ts";
import { formatBytes } from "./byte_size.ts";
import { counted } from "../../core/event/counted.ts";
import { localDay } from "./local_time.ts";
import { sanitizeLine } from "./sanitize.ts";
import { shortIds } from "./short_id.ts";
import { createStyle } from "./style.ts";
import { cutText } from "./text_width.ts";

/** Age in days above which all sessions are one group. */
const OLDEST_DAYS = 90;

interface ReportedAgent {
  agent: string;
  title: string;
  sessions: number;
  hidden?: readonly ReportedHidden[];
  gone: number;
  disk: {
    bytes: number;
    ages: readonly { days?: number; sessions: number; bytes: number }[];
    parts: readonly { part: keyof typeof NAMES; bytes: number }[];
  };
  content?: readonly { kind: string; bytes: number }[];
  expiring: readonly {
    expiry: { after_days: number; setting?: string; path?: string };
    sessions: readonly { row: Summary; due: Date }[];
  }[];
}

interface ReportedHidden {
  row: Summary;
  reason: string;
  commands: readonly { argv: readonly string[]; directory?: string }[];
  fixable: boolean;
  needs_directory?: true;
}

interface AgentReportOptions {
  color: boolean;
  now: Date;
  /** Number of days within which a deletion counts as coming soon. */
  soon_days: number;
  all: boolean;
  quote(word: string): string;
}

const NAMES = {
  sessions: "sessions",
  beside: "other files (subagents and long tool results)",
  snapshots: "snapshots",
} as const;
const TITLE_WIDTH = 60;
/** Maximum number of sessions to name for each reason why an agent does not list sessions. */
const NAMED = 3;

export function renderAgentReport(agent: ReportedAgent, options: AgentReportOptions): string {
  const { title, sessions, disk } = agent;
  const style = createStyle(options.color);
  const lines = [
    style.paint("bold", `${title}: ${counted(sessions, "session")}, ${formatBytes(disk.bytes)}`),
    ...diskLines(agent),
    ...expiryLines(agent, options),
    ...goneLines(agent),
    ...hiddenLines(agent, options),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function diskLines({ disk: { ages, parts }, content }: ReportedAgent): string[] {
  const age = ages.map(({ days, sessions, bytes }) =>
    `${days === undefined ? `over ${OLDEST_DAYS} days` : `under ${days} days`}: ${
      counted(sessions, "session")
    }, ${formatBytes(bytes)}`
  );
  const part = parts.map(({ part, bytes }) => `${NAMES[part]}: ${formatBytes(bytes)}`);
  const held = content?.map(({ kind, bytes }) => `${kind}: ${formatBytes(bytes)}`) ?? [];
  const rest = bytesOf(parts.filter(({ part }) => part !== "snapshots")) - bytesOf(content ?? []);
  if (held.length > 0 && rest > 0) held.push(`other record data: ${formatBytes(rest)}`);
  return [
    `  by age   ${age.join("; ")}`,
    ...(parts.length > 1 ? [`  by part  ${part.join("; ")}`] : []),
    ...(held.length > 0 ? [`  content  ${held.join("; ")}`] : []),
  ];
}

function bytesOf(sizes: readonly { bytes: number }[]): number {
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

function expiryLines(
  { expiring }: ReportedAgent,
  { now, soon_days }: AgentReportOptions,
): string[] {
  return expiring.flatMap(({ expiry: { after_days, setting, path }, sessions }) => {
    const [first] = sessions;
    if (first === undefined) return [];
    const soon = now.getTime() + soon_days * 86_400_000;
    const count = sessions.filter(({ due }) => due.getTime() < soon).length;
    const when = first.due <= now ? "when the agent next starts" : `on ${localDay(first.due)}`;
    const rule = setting === undefined
      ? ""
      : ` (${setting}${path === undefined ? ", by default" : ` in ${sanitizeLine(path)}`})`;
    const name = namesOf(sessions.map(({ row }) => row)).get(first.row);
    return [
      `  deletes  after ${Math.round(after_days * 10) / 10} days${rule}`,
      `  next     ${name} ${when}; ${count} within ${soon_days} days`,
    ];
  });
}

function goneLines({ agent, gone }: ReportedAgent): string[] {
  if (gone === 0) return [];
  return [
    `  deleted  ${counted(gone, "session")} (by the agent); to list their prompts: reprise list ` +
    `--gone --all --agent ${agent}`,
  ];
}

function hiddenLines(
  { hidden, sessions, title }: ReportedAgent,
  { all, quote }: AgentReportOptions,
): string[] {
  if (hidden === undefined) {
    return [
      `  hidden   not checked, because Reprise does not know which sessions ${title} lists`,
    ];
  }
  if (hidden.length === 0) return ["  hidden   none"];
  const lines = [
    `  hidden   ${hidden.length} of ${sessions} sessions are missing from ${title}'s own list`,
  ];
  const names = namesOf(hidden.map(({ row }) => row));
  const nameOf = ({ row }: ReportedHidden): string => names.get(row) ?? row.ref;
  for (const [reason, same] of Map.groupBy(hidden, (one) => one.reason)) {
    const named = all ? same : same.slice(0, NAMED);
    const more = same.length - named.length;
    const [first] = same;
    lines.push(`    ${sanitizeLine(reason)}${same.length > 1 ? ` (${same.length} sessions)` : ""}`);
    for (const line of named.flatMap((one) => sessionLines(one, nameOf(one), quote))) {
      lines.push(line);
    }
    if (more > 0) lines.push(`      and ${more} more; to show all: --all`);
    if (first?.fixable) {
      const where = first.needs_directory ? " --cwd DIR" : "";
      const command = `reprise doctor agents --fix ${quote(nameOf(first))}${where}`;
      const meaning = first.needs_directory
        ? " (DIR: the directory in which the agent should list the session)"
        : "";
      lines.push(`      to list this session again: ${command}${meaning}`);
    }
  }
  return lines;
}

function sessionLines(
  { row, commands }: ReportedHidden,
  name: string,
  quote: AgentReportOptions["quote"],
): string[] {
  const open = commands.flatMap(({ argv, directory }) =>
    (directory === undefined ? [argv] : [["cd", directory], argv])
      .map((words) => words.map(quote).join(" "))
  );
  return [
    `      ${name}  ${cutText(sanitizeLine(row.title), TITLE_WIDTH)}`.trimEnd(),
    ...(open.length === 0 ? [] : [`        ${open.join(" && ")}`]),
  ];
}

function namesOf(rows: readonly Summary[]): ReadonlyMap<Summary, string> {
  const ids = shortIds(rows);
  return new Map(rows.map((row, index) => [row, ids[index] ?? row.ref]));
}
