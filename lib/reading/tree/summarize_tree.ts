/**
 * Summarizes a session whose records form a tree from the edges of its file. What lies in between is
 * not known: the first prompt is taken for live.
 */
import { foldEvents } from "../../projection/projection.ts";
import type { AgentSession } from "../../source/agent.ts";
import { EventWriter } from "../events/event_writer.ts";
import type { FileEdges } from "../records/file_edges.ts";
import type { AgentReads } from "../session_reader.ts";
import { summarizeFromEdges } from "../summary/edge_summary.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../summary/row_summary.ts";
import { indexLines } from "./index_file.ts";
import { pathIn } from "./live_path.ts";
import { stepReader } from "./read_tail.ts";
import { readPath } from "./read_tree.ts";
import { rowOfStep, toStep } from "./steps.ts";
import type { TreeFormat } from "./tree_format.ts";

/** Makes the `summarize` of a format of trees. */
export function summarizeTree<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
): AgentReads["summarize"] {
  return summarizeFromEdges({
    read: (session, options) => readPath(format, session, options, { path: session.path }),
    fromEdges: (session, edges) => fromEdges(format, session, edges),
  });
}

/** Folds the first prompt and the last records; undefined where an edge does not hold a prompt. */
async function fromEdges<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  { head, tail }: FileEdges,
): Promise<RowSummary | undefined> {
  const lines = [...head, ...tail];
  const index = indexLines(format, lines);
  const start = tail[0]?.offset ?? Infinity;
  const isPrompt = (step: number): boolean => format.isPrompt(index, rowOfStep(step));
  const prompt = Array.from({ length: index.count }, (_, row) => toStep(row)).find(isPrompt);
  const last = pathIn(format, index).steps
    .filter((step) => (index.offset[rowOfStep(step)] as number) >= start);
  if (prompt === undefined || !last.some(isPrompt)) return undefined;
  const read = stepReader(format, lines, index);
  const writer = new EventWriter(session, ROW_KINDS);
  const reading = { session, writer, needs: ROW_KINDS, report: undefined, in_force: false };
  const state = await format.begin(reading, { index, steps: new Int32Array(0), broken: [] });
  for (const step of [prompt, ...last]) {
    const { node, records } = read(step);
    if (records.length > 0) format.emit(records, node, state);
  }
  return foldEvents(rowSummary(), writer.take());
}
