/** The table of what was carried from each agent to each, as a page shows it. */
import { markdownTable } from "../../_support/markdown_table.ts";
import type { Count } from "./carried_items.ts";

/** The names of the agents in the table. */
export const TITLES: Readonly<Record<string, string>> = {
  pi: "pi",
  codex: "Codex",
  claude: "Claude Code",
  opencode: "OpenCode",
  gemini: "Gemini CLI",
  qwen: "Qwen Code",
  reprise: "Reprise",
};

/** What came of one session in one agent. */
export interface Cell {
  source: string;
  target: string;
  count: Count;
  /** What was lost; empty if all was carried. */
  lost: readonly string[];
}

/** Returns the table in Markdown, as `deno fmt` leaves it. */
export function tableOfCells(cells: readonly Cell[], targets: readonly string[]): string {
  const head = [
    "handed over from",
    ...targets.map((target) => `to ${TITLES[target] ?? target}`),
  ];
  const sources = [...new Set(cells.map(({ source }) => source))];
  const rows = sources.map((source) => [
    TITLES[source] ?? source,
    ...targets.map((target) => cellText(cells, source, target)),
  ]);
  return markdownTable([head, ...rows]);
}

function cellText(cells: readonly Cell[], source: string, target: string): string {
  const cell = cells.find((one) => one.source === source && one.target === target);
  if (cell === undefined) return "";
  const { messages, calls } = cell.count;
  return cell.lost.length === 0 ? `${messages} + ${calls}` : `**lost**`;
}
