/** Summarizes an Aider session for a list. */
import { foldBatches } from "../../projection/projection.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession } from "../../source/agent.ts";
import { agentSummary } from "../../reading/summary/agent_summary.ts";
import { joinedSummary } from "../../reading/summary/edge_summary.ts";
import { EDGE_BYTES } from "../../reading/records/file_edges.ts";
import { readLines } from "../../reading/records/jsonl_records.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../../reading/summary/row_summary.ts";
import { type HistoryRange, rangeOf } from "./history_file.ts";
import { readPart } from "./read.ts";

/** Summarizes a session from its head and tail, or from all of it. */
export async function summarizeAider(
  session: AgentSession,
  { exact = false }: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  const range = await rangeOf(session);
  if (range === undefined) return undefined;
  const bytes = range.to - range.from;
  const quick = exact || bytes <= 2 * EDGE_BYTES ? undefined : await fromEdges(session, range);
  const log = quick ?? await fold(session, range);
  return agentSummary(session, log, { bytes, exact: quick === undefined });
}

async function fold(session: AgentSession, range: HistoryRange): Promise<RowSummary> {
  return await foldBatches(rowSummary(), readPart(session, range, { needs: ROW_KINDS }));
}

/** Undefined where the head does not hold the first prompt. */
async function fromEdges(
  session: AgentSession,
  range: HistoryRange,
): Promise<RowSummary | undefined> {
  const head = await fold(session, { ...range, to: range.from + EDGE_BYTES });
  const from = await answerAfter(session.path, range.to - EDGE_BYTES, range.to);
  const tail = await fold(session, { ...range, from, started_at: undefined });
  const updated_at = range.to === range.size ? range.modified_at : head.created_at;
  return joinedSummary(head, { ...tail, ...(updated_at === undefined ? {} : { updated_at }) });
}

const HASH = 0x23;

/** The first line that is whole, and no continuation of a prompt that began before. */
async function answerAfter(path: string, from: number, to: number): Promise<number> {
  let first = true;
  for await (const lines of readLines(path, { from, to })) {
    for (const { offset, bytes } of lines) {
      if (!first && bytes[0] !== HASH) return offset;
      first = false;
    }
  }
  return to;
}
