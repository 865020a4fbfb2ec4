/**
 * Reads the ends of a session's file, to get its last messages or its row in a list. For the row,
 * only titles are read from the file's middle.
 */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { EventKind } from "../../../core/event/payload.ts";
import type { Line } from "../../../core/log/line_splitter.ts";
import { foldEvents } from "../../../core/projection/projection.ts";
import { isSaid } from "../../../core/projection/unseen_message.ts";
import type { AgentSession, AgentTailOptions } from "../../contract/agent.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { EventWriter } from "../events/event_writer.ts";
import { type FileEdges, joinedLines, readEdges } from "../records/file_edges.ts";
import { recordsInLines } from "../records/records_at.ts";
import { ROW_KINDS, type RowSummary, rowSummary, summarizeFromEdges } from "../row_summary.ts";
import type { AgentReads } from "../session_reader.ts";
import { indexLines } from "./index_file.ts";
import { pathIn } from "./live_path.ts";
import type { TreePath } from "./path_format.ts";
import { owned, type ReadStep } from "./read_steps.ts";
import { readPath } from "./read_tree.ts";
import { recordId, rowPlace, type TreeIndex } from "./record_index.ts";
import { idsAbove, searchMiddle } from "./search_middle.ts";
import { rowOfStep, toStep, TreeNode } from "./steps.ts";
import type { TreeFormat } from "./tree_format.ts";
import { findThread } from "./tree_threads.ts";

const FIRST_BYTES = 256 * 1024;
/** Maximum bytes from the end to search for the last messages, before the whole file is read. */
const FARTHEST_BYTES = 16 * 1024 * 1024;

export async function readTreeTail(
  format: TreeFormat,
  session: AgentSession,
  options: AgentTailOptions,
): Promise<readonly LogEvent[]> {
  const { messages, most_bytes, thread = MAIN_THREAD } = options;
  if (thread === MAIN_THREAD) {
    const farthest = messages === Infinity ? 0 : Math.min(FARTHEST_BYTES, most_bytes ?? Infinity);
    for (let bytes = FIRST_BYTES; bytes <= farthest; bytes *= 4) {
      const events = tailEvents(format, session, options, bytes);
      if (events !== undefined) return events;
    }
    const fewer = { ...options, messages: Infinity };
    const events = most_bytes && tailEvents(format, session, fewer, most_bytes);
    if (events) return events;
  }
  const source = await findThread(format, session, thread);
  return (await Array.fromAsync(readPath(format, session, options, source))).flat();
}

interface Tail {
  format: TreeFormat;
  session: AgentSession;
  path: TreePath;
  steps: readonly ReadStep[];
}

/**
 * Returns the events of the last messages. Undefined if the last `bytes` lack some of them. If
 * `messages` is `Infinity` and `most_bytes` is given, returns all events of these bytes.
 */
function tailEvents(
  format: TreeFormat,
  session: AgentSession,
  { messages, needs, most_bytes }: AgentTailOptions,
  bytes: number,
): LogEvent[] | undefined {
  const { head, tail: last, whole } = readEdges(session.path, { head_bytes: 0, tail_bytes: bytes });
  const lines = [...head, ...last];
  const index = indexLines(format, lines);
  if (!whole && format.isElsewhere?.(index) === true) return undefined;
  const path = pathIn(format, index);
  const [broken] = path.broken;
  // A record whose parent is further back does not follow the record before it.
  const first = broken === undefined || whole
    ? 0
    : path.steps.findIndex((step) => recordId(index, rowOfStep(step)) === broken.at);
  const steps = Array.from(path.steps.subarray(first), stepReader(format, lines, index));
  const tail = { format, session, path, steps };
  const is_bounded = messages === Infinity && most_bytes !== undefined;
  const from = is_bounded ? 0 : withKept(tail, startOfLast(tail, messages));
  // A tail with the first record would need the head, too.
  if (from === undefined || (whole && from === 0)) return undefined;
  return eventsOf(tail, steps.slice(from), needs);
}

/** Returns a function that reads a step's records. A line is parsed when it is first needed. */
export function stepReader(
  format: TreeFormat,
  lines: readonly Line[],
  index: TreeIndex,
): (step: number) => ReadStep {
  const at_hand = recordsInLines(lines);
  return (step) => {
    const node = new TreeNode(index, step);
    const rows = node.damaged ? [] : [node.row, ...index.pieces.get(node.row) ?? []];
    const records = rows.flatMap((row) =>
      owned(format, index, row, at_hand.record(rowPlace(index, row))) ?? []
    );
    return { node, records };
  };
}

function eventsOf(
  { format, session, path }: Tail,
  steps: readonly ReadStep[],
  needs: ReadonlySet<EventKind> | undefined,
): LogEvent[] {
  const writer = new EventWriter(session, needs);
  const reading = { session, writer, needs, report: undefined, in_force: false };
  const state = format.restoreState(undefined, reading, path);
  for (const { node, records } of steps) format.emit(records, node, state);
  format.end?.(state);
  return writer.take();
}

const MESSAGES = new Set(["user_message", "assistant_message", "assistant_interrupted"] as const);

/** Returns the step at which the last `messages` messages begin. Undefined if there are fewer. */
function startOfLast(tail: Tail, messages: number): number | undefined {
  const { steps, path: { index } } = tail;
  const answerOf = (at: number): number => index.answer[steps[at]?.node.row ?? -1] ?? 0;
  let found = 0;
  for (let end = steps.length; end > 0;) {
    let at = end - 1;
    while (at > 0 && answerOf(at) !== 0 && answerOf(at - 1) === answerOf(at)) at--;
    found += eventsOf(tail, steps.slice(at, end), MESSAGES).filter(isSaid).length;
    if (found >= messages) return at;
    end = at;
  }
  return undefined;
}

/**
 * Returns the first step to read: `from`, or earlier if the last compaction keeps records before
 * `from`. Undefined if a kept record is missing, or if a record edits earlier records.
 */
function withKept(
  { format, path: { index }, steps }: Tail,
  from: number | undefined,
): number | undefined {
  if (from === undefined) return undefined;
  const isEdit = ({ node }: ReadStep): boolean => format.editsBefore?.(index, node.row) ?? false;
  const compaction = steps.findLastIndex(({ node }) => format.isCompaction(index, node.row));
  const record = steps[compaction]?.records[0];
  if (compaction < from || record === undefined) {
    return steps.slice(from).some(isEdit) ? undefined : from;
  }
  const kept = format.firstKept?.(record);
  const first = kept === undefined ? compaction : steps.findIndex(({ node }) => node.id === kept);
  return first < 0 || steps.slice(first).some(isEdit) ? undefined : Math.min(from, first);
}

export function summarizeTree(format: TreeFormat): AgentReads["summarize"] {
  return summarizeFromEdges({
    read: (session, options) => readPath(format, session, options, { path: session.path }),
    fromEdges: (session, edges) => fromEdges(format, session, edges),
  });
}

/**
 * Summarizes a session from its first prompt and its last records. Undefined if the whole file must
 * be read, for example because its end has no prompt.
 */
async function fromEdges(
  format: TreeFormat,
  session: AgentSession,
  edges: FileEdges,
  between?: readonly Line[],
): Promise<RowSummary | undefined> {
  const { lines, head_end, tail_start } = joinedLines(edges, between);
  const index = indexLines(format, lines);
  const placeOf = (step: number): number => index.offset[rowOfStep(step)] as number;
  const isPrompt = (step: number): boolean => format.isPrompt(index, rowOfStep(step));
  const prompt = Array.from({ length: index.count }, (_, row) => toStep(row)).find(isPrompt);
  const last = pathIn(format, index).steps.filter((step) => placeOf(step) >= tail_start);
  const { middle } = format;
  if (prompt === undefined || !last.some(isPrompt) || middle === undefined) return undefined;
  if (between === undefined) {
    const above = placeOf(prompt) < head_end ? idsAbove(index, rowOfStep(prompt)) : undefined;
    const found = above && await searchMiddle(session.path, above, middle);
    return found && await fromEdges(format, session, edges, found.lines);
  }
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
