/** Renders the lines of a file, each with the session that wrote it. */
import { sanitizeLine } from "./sanitize.ts";
import { createStyle, type Format } from "./style.ts";
import { renderTable, type TableColumn } from "./table.ts";
import { cutText, padText, textWidth } from "./text_width.ts";

type BlameGrade = "proven" | "likely" | "unknown";

interface BlameRun {
  /** The file's line number of the first of `lines`, from 1. */
  from: number;
  lines: readonly string[];
  grade: BlameGrade;
  agent?: string;
  /** The session and the event that wrote the lines, as text. Absent if the writer is unknown. */
  place?: string;
  when?: string;
  /** The prompt in whose turn the change was made. Absent if unknown. */
  prompt?: string;
}

interface BlameTableOptions {
  /** Width in columns; `Infinity` for a pipe, whose lines are never cut. */
  width: number;
  color: boolean;
}

const MARKS: Record<BlameGrade, string> = { proven: "=", likely: "~", unknown: " " };
const FORMATS: Record<BlameGrade, Format | []> = { proven: "green", likely: "yellow", unknown: [] };
const WIDEST_PROMPT = 32;
const LEAST_TEXT = 40;
const TAB = "    ";

/** True if both runs show the same writer on a terminal. Their commits may differ. */
function isSameWriter(one: BlameRun, other: BlameRun | undefined): boolean {
  return one.grade === other?.grade && one.place === other.place && one.when === other.when;
}

/** Returns a line for the terminal. Tabs become spaces, so that columns stay aligned. */
function lineText(line: string): string {
  return sanitizeLine(line.replaceAll("\t", TAB));
}

/**
 * Renders the lines' sessions. A terminal shows a session once for adjacent lines, and the grade as
 * a sign: `=` or `~`. A pipe gets both as words on every line.
 */
export function renderBlame(runs: readonly BlameRun[], options: BlameTableOptions): string {
  const { width, color } = options;
  const is_pipe = width === Infinity;
  const rows = runs.flatMap((run, at) =>
    run.lines.map((line, index) => ({
      ...{ run, number: String(run.from + index), line: lineText(line) },
      says_all: is_pipe || index === 0 && !isSameWriter(run, runs[at - 1]),
    }))
  );
  const cells = (cell: (run: BlameRun) => string | undefined): string[] =>
    rows.map(({ run, says_all }) => says_all ? sanitizeLine(cell(run) ?? "") : "");
  const most = rows.reduce((size, { number }) => Math.max(size, number.length), 0);
  const columns: TableColumn[] = [
    {
      name: "",
      cells: rows.map(({ run: { grade }, number }) =>
        `${padText(number, most, "right")} ${is_pipe ? grade : MARKS[grade]}`
      ),
      format: (row) => FORMATS[rows[row]?.run.grade ?? "unknown"],
    },
    { name: "", cells: cells(({ agent }) => agent), weight: 4, format: () => "cyan" },
    { name: "", cells: cells(({ place }) => place), weight: 5, format: () => "cyan" },
    { name: "", cells: cells(({ when }) => when), weight: 2, format: () => "dim" },
    {
      name: "",
      cells: cells(({ prompt = "" }) => is_pipe ? prompt : cutText(prompt, WIDEST_PROMPT)),
      weight: 3,
      format: () => "dim",
    },
  ];
  const telling = columns.filter(({ cells }) => cells.some((cell) => textWidth(cell) > 0));
  const text = { name: "", cells: rows.map(({ line }) => line) };
  const lines = renderTable([...telling, text], {
    ...{ width, style: createStyle(color), with_names: false },
    least_last: is_pipe ? 0 : Math.min(LEAST_TEXT, Math.floor(width / 2)),
  });
  return lines.map((line) => `${line}\n`).join("");
}
