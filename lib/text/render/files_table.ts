/** Renders the files that a session changed, one a line, or as a unified diff. */
import { sanitizeLine } from "./sanitize.ts";
import { createStyle, type Format } from "./style.ts";
import { renderTable } from "./table.ts";

interface FilesRow {
  /** The path as it is shown to people. */
  name: string;
  grade: "proven" | "likely" | "unknown";
  /** The reason why `grade` is only `likely`, not `proven`. Absent if there is none. */
  doubt?: string | undefined;
  changes: number;
  added: number;
  removed: number;
  /** True if the file does not exist at the event up to which changes are shown. */
  gone: boolean;
}

interface FilesTableOptions {
  /** Width in columns; `Infinity` for a pipe, whose lines are never cut. */
  width: number;
  color: boolean;
}

const FORMATS: Record<FilesRow["grade"], Format | []> = {
  proven: "green",
  likely: "yellow",
  unknown: [],
};

export function renderFiles(
  rows: readonly FilesRow[],
  { width, color }: FilesTableOptions,
): string {
  const cells = (cell: (row: FilesRow) => string): string[] => rows.map(cell);
  const columns = [
    {
      name: "GRADE",
      cells: cells(({ grade }) => grade),
      format: (row: number) => FORMATS[rows[row]?.grade ?? "unknown"],
    },
    { name: "+", cells: cells(({ added }) => `+${added}`), align: "right" as const },
    { name: "-", cells: cells(({ removed }) => `-${removed}`), align: "right" as const },
    { name: "CHANGES", cells: cells(({ changes }) => `${changes}`), align: "right" as const },
    {
      name: "FILE",
      cells: cells(({ name, gone, doubt }) => {
        const notes = [gone ? "file is missing" : "", doubt ?? ""].filter((note) => note !== "");
        return sanitizeLine(name) + (notes.length === 0 ? "" : ` (${notes.join("; ")})`);
      }),
    },
  ];
  return renderTable(columns, { width, style: createStyle(color) }).join("\n") + "\n";
}

interface DiffOptions {
  /** True to remove control characters from the lines, as a terminal needs. */
  is_terminal: boolean;
  color: boolean;
}

/** Renders a diff, with `/dev/null` for a missing file. */
export function renderFileDiff(
  { name, was_there, is_there, lines }: {
    name: string;
    was_there: boolean;
    is_there: boolean;
    lines: readonly string[];
  },
  { is_terminal, color }: DiffOptions,
): string {
  const style = createStyle(color);
  const path = name.startsWith("/") ? sanitizeLine(name) : `/${sanitizeLine(name)}`;
  const head = [
    `--- ${was_there ? `a${path}` : "/dev/null"}`,
    `+++ ${is_there ? `b${path}` : "/dev/null"}`,
  ];
  const body = lines.map((line) => {
    const text = is_terminal ? sanitizeLine(line.replaceAll("\t", "    ")) : line;
    return style.paint(formatOf(line), text);
  });
  return [...head.map((line) => style.paint("bold", line)), ...body].join("\n") + "\n";
}

function formatOf(line: string): Format | [] {
  if (line.startsWith("+")) return "green";
  if (line.startsWith("-")) return "red";
  return line.startsWith("@@") ? "cyan" : [];
}
