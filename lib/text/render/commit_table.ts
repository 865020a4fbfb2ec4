/** Renders a table of the sessions and prompts that wrote the added lines of commits. */
import { sanitizeLine } from "./sanitize.ts";
import { createStyle, type Format } from "./style.ts";
import { renderTable, type TableColumn } from "./table.ts";
import { wrapWords } from "./wrap.ts";
import { codeSpan, plainText } from "./markdown_document/harmless_markdown.ts";

interface Writer {
  proven: number;
  likely: number;
  /** Title of the session, or the prompt; not yet sanitized. */
  title: string;
  /** The session's name for commands. A prompt's name also has `#` and a number. */
  place: string;
}

export interface WritingSession extends Writer {
  /** The agent's name as its makers write it. */
  agent: string;
  cost: string;
  prompts: readonly Writer[];
}

interface CommitTotals {
  /** Number of commits; 0 for the index. */
  commits: number;
  added: number;
  proven: number;
  likely: number;
  unknown: number;
  binary: number;
}

interface CommitTableOptions {
  /** Width in columns; `Infinity` for a pipe, where nothing is cut or left out. */
  width: number;
  color: boolean;
  notes: readonly string[];
}

const LEAST_TITLE = 24;

export function renderCommitTable(
  sessions: readonly WritingSession[],
  totals: CommitTotals,
  { width, color, notes }: CommitTableOptions,
): string {
  const style = createStyle(color);
  const rows = sessions.flatMap(({ prompts, ...session }) => [
    { ...session, is_prompt: false },
    ...prompts.map((prompt) => ({ ...prompt, cost: "", is_prompt: true })),
  ]);
  type Row = typeof rows[number];
  const cells = (cell: (row: Row) => string): string[] =>
    rows.map((row) => sanitizeLine(cell(row)));
  const format = (row: number): Format | [] => rows[row]?.is_prompt ? "dim" : [];
  const number = (name: "proven" | "likely"): TableColumn => ({
    ...{ name, cells: cells((row) => row[name] === 0 ? "-" : String(row[name])), format },
    align: "right",
  });
  const is_pipe = width === Infinity;
  const lines = rows.length === 0 ? [] : renderTable([
    number("proven"),
    number("likely"),
    { name: "cost", cells: cells(({ cost }) => cost), align: "right", weight: 1, format },
    { name: "session", cells: cells(({ place }) => place), format: () => "cyan", weight: 2 },
    {
      name: "title, prompts",
      cells: cells(({ title, is_prompt }) => `${is_prompt && !is_pipe ? "  " : ""}${title}`),
      format,
    },
  ], { width, style, least_last: is_pipe ? 0 : LEAST_TITLE });
  const wrapped = totalLines(totals).flatMap((line) => wrapWords(line, width));
  const dim = notes.flatMap((line) => wrapWords(line, width)).map((line) =>
    style.paint("dim", line)
  );
  return [...lines, ...wrapped, ...dim].map((line) => `${line}\n`).join("");
}

/** Renders sessions as Markdown for a pull request. No part of the text becomes a link. */
export function commitMarkdown(
  sessions: readonly WritingSession[],
  totals: CommitTotals,
  notes: readonly string[],
): string {
  const cells = (row: readonly string[]): string => `| ${row.join(" | ")} |\n`;
  const rows = sessions.map(({ agent, title, proven, likely, cost }) =>
    cells([
      plainText(agent),
      // A program that shows the text makes no links in code. In a table, a bar ends the cell.
      codeSpan(publicText(title)).replaceAll("|", "\\|"),
      countsText({ proven, likely }) || "0",
      plainText(cost),
    ])
  );
  const head = cells(["Agent", "Session", "Lines", "Cost"]) + "| --- | --- | --- | ---: |\n";
  const table = rows.length === 0 ? "" : `${head}${rows.join("")}\n`;
  const said = [...totalLines(totals), ...notes];
  return `${table}${said.map((line) => plainText(line)).join("  \n")}\n`;
}

/** Replaces web addresses in a text by `(link)`. Removes the folders of absolute paths. */
function publicText(text: string): string {
  return text.replaceAll(/\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+/gi, "(link)")
    .replaceAll(
      /(?<![\w.-])(?:~|[a-z]:)?(?:[\\/][^\s\\/:"'`<>()]+)+[\\/]([^\s\\/:"'`<>()]*)/gi,
      "$1",
    );
}

function countsText({ proven, likely }: Pick<CommitTotals, "proven" | "likely">): string {
  const counts = [[proven, "proven"], [likely, "likely"]] as const;
  return counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
    .join(", ");
}

export function totalLines(totals: CommitTotals): string[] {
  return [totalText(totals), ...binaryText(totals)];
}

function totalText({ commits, added, proven, likely, unknown }: CommitTotals): string {
  if (commits === 0 && added === 0) {
    return "No added lines are staged. To stage files: git add FILE";
  }
  const lines = `${counted(added, "added line")}${
    commits > 1 ? ` in ${commits} commits` : commits === 1 ? "" : " in the index"
  }`;
  if (added === 0) return `${lines}: there is nothing to attribute`;
  const known = countsText({ proven, likely });
  return `${lines}: ${known}${known === "" ? "" : ", "}${unknown} unknown`;
}

function binaryText({ binary }: CommitTotals): string[] {
  return binary === 0
    ? []
    : [`Not counted: ${counted(binary, "file")} that git does not show as text`];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
