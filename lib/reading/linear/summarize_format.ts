/** Summarizes a session of a linear format for a list, from its edges. */
import { foldEvents } from "../../projection/projection.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { EDGE_BYTES, type FileEdges, readEdges, recordsIn } from "../records/file_edges.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { SessionFormat } from "../session_format.ts";
import type { PlacedSource } from "../sources/record_source.ts";
import { joinedSummary, summarizeFrom } from "../summary/edge_summary.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../summary/row_summary.ts";
import { FormatRun } from "./format_run.ts";
import { readFormatTail } from "./read_tail.ts";

/** Bytes of the end in which the last prompt is looked for. */
const MOST_BYTES = 1024 * 1024;
/** Bytes of the end that are read first for the record that ends a turn; then four times as many. */
const FIRST_BYTES = 16 * 1024;
const GROWTH = 4;

/** A smaller file whose records replace each other is read whole: only then it is known which stand. */
const SMALL_BYTES = 512 * 1024;

/** Makes an agent's `summarize` from its format. */
export function summarizeFormat<State>(
  format: SessionFormat<State>,
  read: Agent["read"],
): Agent["summarize"] {
  return async (session, options) => {
    const { quick, bytes } = await edgesOf(format, session);
    return await summarizeFrom({
      read,
      quick,
      open: (session) => isLeftOpen(format, session),
      ...(bytes === undefined ? {} : { bytes: () => bytes }),
    })(session, options);
  };
}

/** What a session's edges tell, and its bytes. */
interface SessionEdges {
  quick(): Promise<RowSummary | undefined> | RowSummary | undefined;
  bytes: number | undefined;
}

async function edgesOf<State>(
  format: SessionFormat<State>,
  session: AgentSession,
): Promise<SessionEdges> {
  const source = format.source(session, MAIN_THREAD);
  if (!("rewritten" in source) && source.first !== undefined) {
    const { records, whole, bytes } = await source.first(EDGE_BYTES);
    return { quick: () => whole ? undefined : edgesOfFormat(format, session, records), bytes };
  }
  const edges = readEdges(session.path);
  const { size: bytes, whole } = edges;
  if (whole || "rewritten" in source) return { quick: () => undefined, bytes };
  if (source.standing !== undefined) {
    return { quick: () => standingSummary(format, session, source, edges), bytes };
  }
  return { quick: () => edgesOfFormat(format, session, recordsIn(edges.head)), bytes };
}

/** Returns what the head and the tail tell; undefined where one of them holds no prompt. */
async function edgesOfFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  head: readonly SourceRecord[],
): Promise<RowSummary | undefined> {
  const begun = await headSummary(format, session, head);
  const end = { messages: 1, most_bytes: MOST_BYTES, needs: ROW_KINDS };
  // A row tells nothing of what needs the records before.
  const { needsBefore: _, ...row_format } = format;
  const events = await readFormatTail(row_format, session, end);
  if (events.length === 0) return undefined;
  const tail = foldEvents(rowSummary(), events);
  const open = await isLeftOpen(format, session) ?? tail.open;
  const joined = joinedSummary(begun, { ...tail, open });
  const renamed = events.some(({ kind }) => kind === "session_renamed");
  return joined !== undefined && renamed ? { ...joined, title: tail.title } : joined;
}

/** Summarizes the records that stand in both edges, as far as these tell. */
async function standingSummary<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  { standing }: PlacedSource,
  { size, ...edges }: FileEdges,
): Promise<RowSummary | undefined> {
  if (size <= SMALL_BYTES) return undefined;
  const ends = [recordsIn(edges.head), recordsIn(edges.tail)];
  const prompted = ends.every((records) =>
    records.some((record) => format.standsAlone(record, MAIN_THREAD))
  );
  if (!prompted) return undefined;
  const run = new FormatRun(format, session, { needs: ROW_KINDS });
  await run.take(standing?.(ends.flat()) ?? []);
  await run.end();
  return foldEvents(rowSummary(), run.events());
}

/** True if the last turn was left open; undefined where no record near the end tells. */
async function isLeftOpen<State>(
  format: SessionFormat<State>,
  session: AgentSession,
): Promise<boolean | undefined> {
  if (format.leavesOpen === undefined) return undefined;
  const source = format.source(session, MAIN_THREAD);
  if ("rewritten" in source || source.last === undefined) return undefined;
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
