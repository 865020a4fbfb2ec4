/**
 * Sessions that were removed, or would be, as a table.
 */
import type { Context } from "./_context.ts";
import { counted } from "./_counted.ts";
import { directOutput, pagedOutput } from "./_pager.ts";
import { timeFormat } from "./_time.ts";

/** A line of the table. */
export interface RemovalRow {
  session_id: string;
  /** When it was updated or removed: ISO 8601. */
  time: string | undefined;
  bytes: number;
  /** What is to be said of it, in a word. */
  note: string;
  title: string;
  /** True where the title may not be what was written. */
  altered?: true;
}

/** What the columns of time and note are called. */
export interface RemovalNames {
  time: string;
  note: string;
}

/** Prints a table. */
export async function printRemovals(
  context: Context,
  rows: readonly RemovalRow[],
  names: RemovalNames,
): Promise<void> {
  const { stdout } = context;
  const text = await renderRemovals(context, rows, names);
  const output = rows.length + 2 > stdout.height ? pagedOutput(context) : directOutput(stdout);
  output.write(text);
  await output.close();
}

async function renderRemovals(
  context: Context,
  rows: readonly RemovalRow[],
  { time, note }: RemovalNames,
): Promise<string> {
  const [
    { formatBytes },
    { markedTitle },
    { sanitizeLine },
    { cutText, padText, textWidth },
    { timeLabel },
  ] = await Promise.all([
    import("../lib/render/byte_size.ts"),
    import("../lib/render/integrity_mark.ts"),
    import("../lib/render/sanitize.ts"),
    import("../lib/render/text_width.ts"),
    import("../lib/render/time_label.ts"),
  ]);
  const format = timeFormat(context);
  const table = [
    ["id", time, "size", note],
    ...rows.map((row) => [
      sanitizeLine(row.session_id.slice(0, 8)),
      row.time === undefined ? "-" : timeLabel(row.time, format),
      formatBytes(row.bytes),
      sanitizeLine(row.note),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...table.map((cells) => textWidth(cells[column] ?? "")))
  );
  const { terminal, width } = context.stdout;
  const taken = widths.reduce((sum, one) => sum + one + 2, 0);
  const room = terminal ? Math.max(width - taken, 8) : Infinity;
  const titleText = ({ title, altered }: RemovalRow): string =>
    markedTitle(sanitizeLine(title.replace(/\s+/g, " ")).trim() || "-", altered);
  const titles = ["title", ...rows.map(titleText)];
  return table.map((cells, line) =>
    [
      ...cells.map((cell, at) => padText(cell, widths[at] ?? 0, at === 2 ? "right" : "left")),
      cutText(titles[line] ?? "", room),
    ].join("  ").trimEnd() + "\n"
  ).join("");
}

/** A number of sessions and their size, as a sentence begins. */
export async function countSessions(sessions: number, bytes: number): Promise<string> {
  const { formatBytes } = await import("../lib/render/byte_size.ts");
  return `${counted(sessions, "session")}, ${formatBytes(bytes)}`;
}
