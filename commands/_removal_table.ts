/** Prints removed sessions as a table. */
import { type Context, timeFormat, wantsColor } from "./_context.ts";
import { counted } from "../lib/core/event/counted.ts";
import { printPaged } from "./_pager.ts";

interface RemovalRow {
  session_id: string;
  /** The time of the update or the removal: ISO 8601. */
  time: string | undefined;
  bytes: number;
  note: string;
  title: string;
  /** True if the title may have been changed after it was written. */
  altered?: true;
}

interface RemovalNames {
  time: string;
  note: string;
}

const LEAST_TITLE = 8;

export async function printRemovals(
  context: Context,
  rows: readonly RemovalRow[],
  { time, note }: RemovalNames,
): Promise<void> {
  const [
    { formatBytes },
    { markedTitle },
    { sanitizeLine },
    { createStyle },
    { renderTable },
    { timeLabel },
  ] = await Promise.all([
    import("../lib/text/render/byte_size.ts"),
    import("../lib/text/render/integrity_mark.ts"),
    import("../lib/text/render/sanitize.ts"),
    import("../lib/text/render/style.ts"),
    import("../lib/text/render/table.ts"),
    import("../lib/text/render/time_label.ts"),
  ]);
  const format = timeFormat(context);
  const { stdout } = context;
  const titleText = ({ title, altered }: RemovalRow): string =>
    markedTitle(sanitizeLine(title.replace(/\s+/g, " ")).trim() || "-", altered);
  const lines = renderTable([
    { name: "id", cells: rows.map(({ session_id }) => sanitizeLine(session_id.slice(0, 8))) },
    {
      name: time,
      cells: rows.map((row) => row.time === undefined ? "-" : timeLabel(row.time, format)),
      weight: 2,
    },
    { name: "size", cells: rows.map(({ bytes }) => formatBytes(bytes)), align: "right", weight: 1 },
    { name: note, cells: rows.map((row) => sanitizeLine(row.note)), weight: 3 },
    { name: "title", cells: rows.map(titleText) },
  ], {
    width: stdout.terminal ? stdout.width : Infinity,
    style: createStyle(wantsColor(context, stdout)),
    least_last: stdout.terminal ? LEAST_TITLE : 0,
  });
  await printPaged(context, lines.map((line) => `${line}\n`).join(""));
}

export async function countSessions(sessions: number, bytes: number): Promise<string> {
  const { formatBytes } = await import("../lib/text/render/byte_size.ts");
  return `${counted(sessions, "session")}, ${formatBytes(bytes)}`;
}
