/** Summarizes a session of a linear format for a list, from the edges of its file. */
import { foldEvents } from "../../projection/projection.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { type FileEdges, recordsIn } from "../records/file_edges.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { SessionFormat } from "../session_format.ts";
import type { PlacedSource } from "../sources/record_source.ts";
import { joinedSummary } from "../summary/edge_summary.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../summary/row_summary.ts";
import { FormatRun } from "./format_run.ts";
import { readFormatTail } from "./read_tail.ts";

/** Bytes of the end in which the last prompt is looked for. */
const MOST_BYTES = 1024 * 1024;

/** A smaller file whose records replace each other is read whole: only then it is known which stand. */
const SMALL_BYTES = 512 * 1024;

/** Returns what the head and the tail tell; undefined where either holds no prompt. */
export async function edgesOfFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  edges: FileEdges,
): Promise<RowSummary | undefined> {
  const source = format.source(session, MAIN_THREAD);
  if ("rewritten" in source) return undefined;
  if (source.standing !== undefined) return standingSummary(format, session, source, edges);
  const begun = headSummary(format, session, recordsIn(edges.head));
  const end = { messages: 1, most_bytes: MOST_BYTES, needs: ROW_KINDS };
  // A row tells nothing of what needs the records before.
  const { needsBefore: _, ...row_format } = format;
  const events = await readFormatTail(row_format, session, end);
  if (events.length === 0) return undefined;
  const tail = foldEvents(rowSummary(), events);
  const joined = joinedSummary(begun, tail);
  const renamed = events.some(({ kind }) => kind === "session_renamed");
  return joined !== undefined && renamed ? { ...joined, title: tail.title } : joined;
}

/** Summarizes the records that stand in both edges, as far as these tell. */
function standingSummary<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  { standing }: PlacedSource,
  { size, ...edges }: FileEdges,
): RowSummary | undefined {
  if (size <= SMALL_BYTES) return undefined;
  const ends = [recordsIn(edges.head), recordsIn(edges.tail)];
  const prompted = ends.every((records) =>
    records.some((record) => format.standsAlone(record, MAIN_THREAD))
  );
  if (!prompted) return undefined;
  const run = new FormatRun(format, session, { needs: ROW_KINDS });
  run.take(standing?.(ends.flat()) ?? []);
  run.end();
  return foldEvents(rowSummary(), run.events());
}

function headSummary<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  records: readonly SourceRecord[],
): RowSummary {
  const run = new FormatRun(format, session, { needs: ROW_KINDS });
  run.take(records);
  return foldEvents(rowSummary(), run.events());
}
