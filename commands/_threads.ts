/** Lists the threads of a session, and tells how to get the threads that are not shown. */
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import type { TableColumn } from "../lib/text/render/table.ts";
import type { Spent } from "../lib/library/counts/usage/usage_sums.ts";
import type { SessionThread } from "../lib/core/projection/session_thread.ts";
import { type Context, timeFormat } from "./_context.ts";
import { counted } from "../lib/core/event/counted.ts";
import { printJsonLines, say } from "./_message.ts";

export async function printThreads(
  context: Context,
  session: SessionHandle,
  json: boolean,
): Promise<void> {
  const { loadPrices } = await import("../lib/library/counts/usage/load_prices.ts");
  const { describeUsage } = await import("../lib/text/render/usage_text.ts");
  const { estimate } = await loadPrices();
  const spent = await session.spentByThreads(estimate);
  const threads = (await session.threads()).map((thread): SessionThread & Partial<Spent> => (
    { ...thread, ...spent.get(thread.id) }
  ));
  if (json) return await printJsonLines(context, threads);
  const { sanitizeLine } = await import("../lib/text/render/sanitize.ts");
  const { createStyle } = await import("../lib/text/render/style.ts");
  const { renderTable } = await import("../lib/text/render/table.ts");
  const { timeLabel } = await import("../lib/text/render/time_label.ts");
  const format_time = timeFormat(context);
  const column = (name: string, cell: (thread: typeof threads[number]) => string): TableColumn => ({
    name,
    cells: threads.map(cell),
  });
  const { terminal, width } = context.stdout;
  const lines = renderTable([
    column("id", ({ id }) => sanitizeLine(id)),
    column("kind", ({ kind }) => kind),
    column(
      "records",
      ({ id, records }) => id === "main" && records === 0 ? "" : counted(records, "record"),
    ),
    column(
      "updated",
      ({ updated_at }) => updated_at === undefined ? "" : timeLabel(updated_at, format_time),
    ),
    ...branchColumns(session, threads).map(([name, cell]) =>
      column(name, (thread) => sanitizeLine(cell(thread)))
    ),
    column("took", ({ usage = {}, ...cost }) => describeUsage(usage, cost)),
    column("title", ({ title = "" }) => sanitizeLine(title)),
  ], { width: terminal ? width : Infinity, style: createStyle(false), with_names: false });
  for (const line of lines) context.stdout.write(`${line}\n`);
}

type Cell = (thread: SessionThread) => string;

/** Returns columns for the event from which a branch left, and for labels. Omits empty columns. */
function branchColumns(
  session: SessionHandle,
  threads: readonly SessionThread[],
): [name: string, cell: Cell][] {
  if (!session.has_bytes) return [];
  const labels: Cell = (thread) =>
    Object.entries(thread.labels ?? {}).map(([seq, label]) => `#${seq} ${label}`)
      .join(", ");
  const columns: [string, Cell][] = [
    ["left", ({ parent }) => parent?.seq === undefined ? "" : `from #${parent.seq}`],
    ["labels", labels],
  ];
  return columns.filter(([_, cell]) => threads.some((thread) => cell(thread) !== ""));
}

export async function tellOthers(
  context: Context,
  session: SessionHandle,
  command: "show" | "import" | "export",
  known?: readonly Pick<SessionThread, "id" | "records">[],
): Promise<void> {
  if (session.thread !== undefined) return;
  const others = known ?? (await session.threads()).slice(1);
  if (others.length === 0) return;
  await say(context, describeOthers(command, session.ref, others));
}

function describeOthers(
  command: string,
  ref: string,
  others: readonly Pick<SessionThread, "id" | "records">[],
): string {
  const records = others.reduce((sum, one) => sum + one.records, 0);
  const [only] = others;
  const id = others.length === 1 ? only?.id : "ID";
  const list = others.length === 1
    ? ""
    : `. To list the branches and subagents: reprise show ${ref} --threads`;
  const many = others.length === 1
    ? "1 other branch or subagent"
    : `${others.length} other branches or subagents`;
  return `${many} (${counted(records, "record")}): ` +
    `reprise ${command} ${ref} --thread ${id}${list}`;
}
