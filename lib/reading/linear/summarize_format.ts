/** Summarizes a session of a linear format for a list, from its edges. */
import type { LogEvent } from "../../event/envelope.ts";
import { foldEvents } from "../../projection/projection.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { EDGE_BYTES, readEdges, recordsIn } from "../records/file_edges.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { SessionFormat } from "../session_format.ts";
import type { RecordEdges } from "../sources/record_source.ts";
import { joinedSummary, summarizeFrom } from "../summary/edge_summary.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../summary/row_summary.ts";
import { FormatRun } from "./format_run.ts";
import { eventsOfEnd, readFormatTail } from "./read_tail.ts";

/** Bytes of the end in which the last prompt is looked for. */
const MOST_BYTES = 1024 * 1024;
/** Bytes of the end that are read first for the record that ends a turn; then four times as many. */
const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;

/** Makes an agent's `summarize` from its format. */
export function summarizeFormat<State>(
  format: SessionFormat<State>,
  read: Agent["read"],
): Agent["summarize"] {
  return async (session, options) => {
    const edgesOf = format.source(session).edges ?? edgesOfFile(session);
    const edges = await edgesOf(EDGE_BYTES);
    const { head, whole, bytes } = edges;
    return await summarizeFrom({
      read: whole && head.length > 0 ? readOf(format, head) : read,
      quick: () => whole ? undefined : fromEdges(format, session, edges),
      open: () => isLeftOpen(format, session, whole ? head : edges.tail),
      ...(bytes === undefined ? {} : { bytes: () => bytes }),
    })(session, options);
  };
}

/** The edges of a file of lines. */
function edgesOfFile({ path }: AgentSession): (bytes: number) => RecordEdges {
  return (bytes) => {
    const { head, whole, size } = readEdges(path, { head_bytes: bytes, tail_bytes: bytes });
    return { head: whole ? [] : recordsIn(head), whole, bytes: size };
  };
}

/** Makes a read of all records of a session, which are at hand. */
function readOf<State>(
  format: SessionFormat<State>,
  records: readonly SourceRecord[],
): Agent["read"] {
  return async function* (session, options = {}): AsyncGenerator<readonly LogEvent[]> {
    const run = new FormatRun(format, session, options);
    await run.take(records);
    await run.end();
    yield run.events();
  };
}

/** Returns what the head and the tail tell; undefined where one of them holds no prompt. */
async function fromEdges<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  { head, tail: last = [] }: RecordEdges,
): Promise<RowSummary | undefined> {
  const begun = await headSummary(format, session, head);
  const end = { messages: 1, most_bytes: MOST_BYTES, needs: ROW_KINDS };
  const events = await eventsOfEnd(format, session, end, last) ??
    await readFormatTail(format, session, end);
  if (events.length === 0) return undefined;
  const tail = foldEvents(rowSummary(), events);
  const open = await isLeftOpen(format, session, last) ?? tail.open;
  const joined = joinedSummary(begun, { ...tail, open });
  const renamed = events.some(({ kind }) => kind === "session_renamed");
  return joined !== undefined && renamed ? { ...joined, title: tail.title } : joined;
}

/**
 * True if the last turn was left open; undefined where no record near the end tells.
 *
 * @param end The last records, as far as they are at hand.
 */
async function isLeftOpen<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  end: readonly SourceRecord[] = [],
): Promise<boolean | undefined> {
  const { leavesOpen } = format;
  if (leavesOpen === undefined) return undefined;
  const toldBy = (records: readonly SourceRecord[]): boolean | undefined =>
    records.map(leavesOpen).findLast((open) => open !== undefined);
  const known = toldBy(end);
  const source = format.source(session);
  if (known !== undefined || source.last === undefined) return known;
  for (let bytes = FIRST_BYTES; bytes <= MOST_BYTES; bytes *= GROWTH) {
    const { records, whole } = await source.last(bytes);
    const told = toldBy(records);
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
