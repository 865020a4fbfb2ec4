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

/** Returns what the head and the tail tell; undefined where the head holds no prompt. */
export async function edgesOfFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  { head }: FileEdges,
): Promise<RowSummary | undefined> {
  const begun = await headSummary(format, session, recordsIn(head));
  const end = { messages: 1, most_bytes: MOST_BYTES, needs: ROW_KINDS };
  const events = await readFormatTail(format, session, end);
  const tail = foldEvents(rowSummary(), events);
  const joined = joinedSummary(begun, tail);
  const renamed = events.some(({ kind }) => kind === "session_renamed");
  return joined !== undefined && renamed ? { ...joined, title: tail.title } : joined;
}

async function headSummary<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  records: readonly SourceRecord[],
): Promise<RowSummary> {
  const run = new FormatRun(format, session, { needs: ROW_KINDS });
  await run.take(records);
  return foldEvents(rowSummary(), run.events());
}
