/**
 * Summarizes a session whose records form a tree from the edges of its file. What lies in between is
 * not known: the first prompt is taken for live.
 */
import { foldEvents } from "../../projection/projection.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { AgentReads } from "../session_reader.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { EventWriter } from "../events/event_writer.ts";
import type { FileEdges } from "../records/file_edges.ts";
import { recordsInLines } from "../records/records_in_lines.ts";
import { summarizeFromEdges } from "../summary/edge_summary.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "../summary/row_summary.ts";
import { pathIn } from "./live_path.ts";
import { placesOf, type RecordNode, type TreeFormat } from "./tree_format.ts";
import { indexLines } from "./tree_index.ts";
import { readThread } from "./tree_threads.ts";

/** Makes the `summarize` of a format of trees. */
export function summarizeTree<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
): AgentReads["summarize"] {
  return summarizeFromEdges({
    read: (session, options) => readThread(format, session, options),
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
  const prompt = index.nodes.find((node) => format.isPrompt(node));
  const last = pathIn(index).path.filter(({ offset }) => offset >= start);
  if (prompt === undefined || !last.some((node) => format.isPrompt(node))) return undefined;
  const at_hand = recordsInLines(lines);
  const writer = new EventWriter(session, ROW_KINDS);
  const reading = { session, thread: MAIN_THREAD, writer, report: undefined };
  const state = await format.begin(reading, { index, path: [] });
  const emit = (node: RecordNode): void => {
    const records = placesOf(node).flatMap((place) => at_hand.record(place) ?? []);
    if (records.length > 0) format.emit(records, node, state);
  };
  [prompt, ...last].forEach(emit);
  return foldEvents(rowSummary(), writer.take());
}
