/** Summarizes a session of a linear format for a list, from the edges of its file. */
import { foldEvents } from "../../projection/projection.ts";
import type { AgentSession } from "../../source/agent.ts";
import { type FileEdges, recordsIn } from "../records/file_edges.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { SessionFormat } from "../session_format.ts";
import { joinedSummary } from "../summary/edge_summary.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../summary/row_summary.ts";
import { FormatRun } from "./format_run.ts";
import { readFormatTail } from "./read_tail.ts";

/** Bytes of the end in which the last prompt is looked for. */
const MOST_BYTES = 1024 * 1024;
/** Bytes of the end that are read first for the record that ends a turn; then four times as many. */
const FIRST_BYTES = 16 * 1024;
const GROWTH = 4;

/** Returns what the head and the tail tell; undefined where one of them holds no prompt. */
export async function edgesOfFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  { head }: FileEdges,
): Promise<RowSummary | undefined> {
  const begun = await headSummary(format, session, recordsIn(head));
  const end = { messages: 1, most_bytes: MOST_BYTES, needs: ROW_KINDS };
  const events = await readFormatTail(format, session, end);
  if (events.length === 0) return undefined;
  const tail = foldEvents(rowSummary(), events);
  const open = await isLeftOpen(format, session) ?? tail.open;
  const joined = joinedSummary(begun, { ...tail, open });
  const renamed = events.some(({ kind }) => kind === "session_renamed");
  return joined !== undefined && renamed ? { ...joined, title: tail.title } : joined;
}

/** True if the last turn was left open; undefined where no record near the end tells. */
export async function isLeftOpen<State>(
  format: SessionFormat<State>,
  session: AgentSession,
): Promise<boolean | undefined> {
  const source = format.source(session);
  if (format.leavesOpen === undefined || source.last === undefined) return undefined;
  for (let bytes = FIRST_BYTES; bytes <= MOST_BYTES; bytes *= GROWTH) {
    const { records, whole } = await source.last(bytes);
    const told = records.map(format.leavesOpen).findLast((open) => open !== undefined);
    if (told !== undefined || whole) return told;
  }
  return undefined;
}

async function headSummary<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  records: readonly SourceRecord[],
): Promise<RowSummary> {
  const run = new FormatRun(format, session, { needs: ROW_KINDS });
  await run.take(records);
  run.flush();
  return foldEvents(rowSummary(), run.events());
}
