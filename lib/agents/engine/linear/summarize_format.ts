/** Summarizes a session of a linear format for a list, from its first and last records. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { foldEvents } from "../../../core/projection/projection.ts";
import type { AgentSession } from "../../contract/agent.ts";
import type { AgentReads } from "../session_reader.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { textPattern } from "../../../core/log/byte_pattern.ts";
import { readOpened } from "../../../core/log/byte_source.ts";
import { linesHolding } from "../../../core/log/lines_holding.ts";
import { EDGE_BYTES, readEdges, recordsIn } from "../records/file_edges.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { SessionFormat } from "../session_format.ts";
import type { PlacedSource, RecordEdges } from "../sources/record_source.ts";
import {
  joinedSummary,
  ROW_KINDS,
  type RowSummary,
  rowSummary,
  summarizeFrom,
} from "../row_summary.ts";
import { EventRun } from "./format_run.ts";
import { eventsOfEnd, readFormatTail } from "./read_tail.ts";

/** Maximum number of bytes from the end that are searched for the last prompt. */
const MOST_BYTES = 1024 * 1024;
/**
 * Number of bytes to read from the end to see whether the last turn ended. Each further attempt
 * reads four times as many.
 */
const FIRST_BYTES = 16 * 1024;
const GROWTH = 4;

/**
 * Maximum size in bytes of a file that is read whole to find the records that no later record
 * replaced.
 */
const SMALL_BYTES = 512 * 1024;

export function summarizeFormat(
  format: SessionFormat,
  read: AgentReads["read"],
): AgentReads["summarize"] {
  return async (session, options) => {
    const { quick, bytes, all } = await edgesOf(format, session);
    return await summarizeFrom({
      read: all === undefined ? read : readOf(format, all),
      quick,
      open: (session) => isLeftOpen(format, session, all),
      bytes: () => bytes,
    })(session, options);
  };
}

function readOf(format: SessionFormat, records: readonly SourceRecord[]): AgentReads["read"] {
  return async function* (session, options = {}): AsyncGenerator<readonly LogEvent[]> {
    const run = new EventRun(format, session, options);
    await run.take(records);
    await run.end();
    yield run.events();
  };
}

interface SessionEdges {
  all?: readonly SourceRecord[] | undefined;
  quick(): Promise<RowSummary | undefined> | undefined;
  bytes: number | undefined;
}

async function edgesOf(format: SessionFormat, session: AgentSession): Promise<SessionEdges> {
  const source = format.source(session, MAIN_THREAD);
  if ("rewritten" in source) {
    if (source.shared) return { quick: () => undefined, bytes: undefined };
    const { size } = readEdges(session.path, { head_bytes: 0, tail_bytes: 0 });
    return { quick: () => undefined, bytes: size };
  }
  const edges = await source.edges(EDGE_BYTES, { skip: format.skips?.(undefined) });
  const { head, whole, bytes } = edges;
  const all = head.length > 0 ? head : undefined;
  if (whole) return { all, quick: () => undefined, bytes };
  const { standing } = source;
  return standing === undefined
    ? { quick: () => edgesOfFormat(format, session, edges), bytes }
    : { quick: () => standingSummary(format, session, standing, edges), bytes };
}

/** Summarizes a session from the records at both ends. Undefined if either end has no prompt. */
async function edgesOfFormat(
  format: SessionFormat,
  session: AgentSession,
  { head, tail: last }: RecordEdges,
): Promise<RowSummary | undefined> {
  const begun = await headSummary(format, session, head);
  const end = { messages: 1, most_bytes: MOST_BYTES, needs: ROW_KINDS };
  // A list row shows nothing that needs earlier records.
  const { needsBefore: _, ...row_format } = format;
  const events = await eventsOfEnd(row_format, session, end, last) ??
    await readFormatTail(row_format, session, end);
  if (events.length === 0) return undefined;
  const tail = foldEvents(rowSummary(), events);
  const open = await isLeftOpen(format, session, last) ?? tail.open;
  const joined = joinedSummary(begun, { ...tail, open });
  if (joined === undefined) return undefined;
  const renamed = events.some(({ kind }) => kind === "session_renamed");
  const title = renamed ? tail.title : await lastName(format, session);
  return title === undefined ? joined : { ...joined, title };
}

/** Returns the title in the last record that renames the session. */
async function lastName(
  format: SessionFormat,
  session: AgentSession,
): Promise<string | undefined> {
  const { renames } = format;
  if (renames === undefined) return undefined;
  return await readOpened(session.path, async (file) => {
    const { size: to } = file.statSync();
    for await (const line of linesHolding(file, [textPattern(renames)], { to })) {
      const run = new EventRun(format, session, { needs: ROW_KINDS });
      await run.goOn();
      await run.take(recordsIn([line]));
      await run.end();
      const named = run.events().findLast(({ kind }) => kind === "session_renamed");
      if (named !== undefined) return foldEvents(rowSummary(), [named]).title;
    }
    return undefined;
  });
}

/**
 * Summarizes a session from its file's ends, without records that later records replaced. Undefined
 * for a small file, or if either end has no prompt.
 */
async function standingSummary(
  format: SessionFormat,
  session: AgentSession,
  standing: NonNullable<PlacedSource["standing"]>,
  { head, tail, bytes = 0 }: RecordEdges,
): Promise<RowSummary | undefined> {
  if (bytes <= SMALL_BYTES) return undefined;
  const ends = [head, tail];
  const prompted = ends.every((records) =>
    records.some((record) => format.standsAlone(record, MAIN_THREAD))
  );
  if (!prompted) return undefined;
  const run = new EventRun(format, session, { needs: ROW_KINDS });
  await run.take(standing(ends.flat()));
  await run.end();
  return foldEvents(rowSummary(), run.events());
}

/**
 * True if the last turn did not end. Undefined if the records near the end do not show it.
 *
 * @param end The last records, if they were already read.
 */
async function isLeftOpen(
  format: SessionFormat,
  session: AgentSession,
  end: readonly SourceRecord[] = [],
): Promise<boolean | undefined> {
  const { leavesOpen } = format;
  if (leavesOpen === undefined) return undefined;
  const known = leavesOpen(end);
  const source = format.source(session, MAIN_THREAD);
  if (known !== undefined || "rewritten" in source) return known;
  for (let bytes = FIRST_BYTES; bytes <= MOST_BYTES; bytes *= GROWTH) {
    const { records, whole } = await source.last(bytes);
    const told = leavesOpen(records);
    if (told !== undefined || whole) return told;
  }
  return undefined;
}

async function headSummary(
  format: SessionFormat,
  session: AgentSession,
  records: readonly SourceRecord[],
): Promise<RowSummary> {
  const run = new EventRun(format, session, { needs: ROW_KINDS });
  await run.take(records);
  run.flush();
  return foldEvents(rowSummary(), run.events());
}
