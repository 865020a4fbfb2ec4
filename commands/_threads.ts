/**
 * The threads of a session: what `show` lists, and what it says of those that it does not show.
 */
import type { SessionHandle } from "../lib/library/session_handle.ts";
import type { SessionThread } from "../lib/source/session_thread.ts";
import type { Context } from "./_context.ts";
import { counted } from "./_counted.ts";
import { say } from "./_message.ts";
import { timeFormat } from "./_time.ts";

/** Prints a line for each thread. */
export async function printThreads(
  context: Context,
  session: SessionHandle,
  json: boolean,
): Promise<void> {
  const threads = await session.threads();
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  if (json) {
    for (const thread of threads) context.stdout.write(toJsonLine(thread));
    return;
  }
  const { sanitizeLine } = await import("../lib/render/sanitize.ts");
  const { cutText, padText, textWidth } = await import("../lib/render/text_width.ts");
  const { timeLabel } = await import("../lib/render/time_label.ts");
  const format_time = timeFormat(context);
  const cells = threads.map((thread) => [
    sanitizeLine(thread.id),
    thread.kind,
    thread.id === "main" && thread.records === 0 ? "" : counted(thread.records, "record"),
    thread.updated_at === undefined ? "" : timeLabel(thread.updated_at, format_time),
    sanitizeLine(thread.title ?? ""),
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...cells.map((row) => textWidth(row[column] ?? "")))
  );
  const { terminal, width } = context.stdout;
  for (const row of cells) {
    const fixed = widths.map((size, column) => padText(row[column] ?? "", size, "left")).join("  ");
    const line = `${fixed}  ${row[4]}`.trimEnd();
    context.stdout.write(`${terminal ? cutText(line, width) : line}\n`);
  }
}

/** Says on stderr that a session has other threads than its main one, and how to get them too. */
export async function tellOthers(
  context: Context,
  session: SessionHandle,
  command: "show" | "import" | "export",
): Promise<void> {
  if (session.thread !== undefined) return;
  const [, ...others] = await session.threads();
  if (others.length === 0) return;
  await say(context, describeOthers(command, session.ref, others));
}

function describeOthers(
  command: string,
  ref: string,
  others: readonly SessionThread[],
): string {
  const records = others.reduce((sum, one) => sum + one.records, 0);
  const [only] = others;
  const id = others.length === 1 ? only?.id : "ID";
  const list = others.length === 1 ? "" : `; list them: reprise show ${ref} --threads`;
  return `${counted(others.length, "other thread")} (${counted(records, "record")}): ` +
    `reprise ${command} ${ref} --thread ${id}${list}`;
}
