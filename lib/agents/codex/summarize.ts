/** Summarizes a thread for a list, from the edges of its file. */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { Line } from "../../log/line_splitter.ts";
import { foldBatches, foldEvents } from "../../projection/projection.ts";
import { summary } from "../../projection/summary.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { agentSummary } from "../../reading/summary/agent_summary.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { present } from "../../reading/json_value.ts";
import {
  type EdgeOptions,
  type FileEdges,
  readEdges,
  recordsIn,
  reusedEdges,
} from "../../reading/records/file_edges.ts";
import { applyLine, endRollout } from "./apply_record.ts";
import { rowSummary } from "../../reading/summary/row_summary.ts";
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import { statSync } from "../../platform/files.ts";
import { lineFilter, LIST_FILTER } from "./line_filter.ts";
import { isFork, readLineage } from "./lineage.ts";
import { readThread } from "./read_thread.ts";
import { type CodexSession, startRollout } from "./rollout.ts";
import { headOf, readRolloutHead, rolloutEdges } from "./rollout_head.ts";
import { lineType } from "./rollout_line.ts";
import { rolloutForm } from "./rollout_name.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";
import { endsOpen } from "./open_turn.ts";
import { firstPrompt, withForkTitle, withName } from "./thread_title.ts";

/** How much of either end is read, until one holds a prompt and the other a line. */
const EDGES: readonly EdgeOptions[] = [
  reusedEdges(16 * 1024, 16 * 1024),
  // What goes before the first prompt took 45 KB in 0.169; instructions can make it far more, and so
  // can an image in the prompt.
  { head_bytes: 128 * 1024, tail_bytes: 128 * 1024 },
  { head_bytes: 4 * 1024 * 1024, tail_bytes: 4 * 1024 * 1024 },
];
/** How far the first prompt is looked for where only the start can be read. */
const LARGE_HEAD: EdgeOptions = { head_bytes: 4 * 1024 * 1024, tail_bytes: 0 };
/** A smaller file is read as a whole, so that its counts are known. */
const SMALL_BYTES = 16 * 1024;
/** Bytes of the end that tell how the last turn ended. */
const TAIL_BYTES = 16 * 1024;
/** A message in the user's place. */
const PROMPT = "response_item/message/user";
/** Behind the last event stand only few records of the program's state. */
const LAST_LINES = 12;

/** The row of a thread; undefined when the file holds none. */
export async function summarizeCodex(
  session: CodexSession,
  { exact = false }: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  const named = withName(session);
  if (exact || rolloutForm(session.path) === "document") return await exactSummary(named);
  if (rolloutForm(session.path) === "compressed") return await compressedSummary(named);
  let found: EdgesFound | undefined;
  for (const options of EDGES) {
    const edges = readEdges(session.path, options);
    // The head of the thread itself can be longer.
    if (edges.head.length === 0 && !edges.whole) continue;
    if (mayBeFork(edges)) {
      const head = headOf(edges) ?? await readRolloutHead(session.path);
      if (head !== undefined && isFork(head)) return await forkSummary(named, head);
    }
    const small = edges.whole && edges.size <= SMALL_BYTES && !edges.head.some(isRollback);
    if (small) return wholeSummary(named, edges);
    found = edgesSummary(named, edges, { lines: edges.head });
    if (edges.whole || (found.prompted && edges.tail.length > 0)) break;
  }
  return found === undefined ? await exactSummary(named) : found.row;
}

/** A compressed thread is not read to its end. */
async function compressedSummary(session: CodexSession): Promise<Summary | undefined> {
  const edges = await rolloutEdges(session.path, LARGE_HEAD);
  const head = mayBeFork(edges) ? headOf(edges) : undefined;
  if (head !== undefined && isFork(head)) return await forkSummary(session, head);
  const { row } = edgesSummary(session, edges, { lines: edges.head });
  return edges.whole || row === undefined
    ? row
    : { ...row, ...present({ updated_at: edges.modified_at }) };
}

/** Where the head says from which thread it goes on: before the instructions, or behind them. */
const findForked = byteSearch('"forked_from_id"');
const findBase = byteSearch('"history_base"');
const NEAR_BYTES = 4096;

/** True if the head may name another thread. It is large, and parsed only once. */
function mayBeFork({ head: [first] }: FileEdges): boolean {
  if (first === undefined || lineType(first.bytes) !== "session_meta") return true;
  const { bytes } = first;
  return findForked(bytes, 0, Math.min(bytes.length, NEAR_BYTES)) >= 0 ||
    findBase(bytes, Math.max(0, bytes.length - NEAR_BYTES)) >= 0;
}

/** The first prompt is the parent's; the title and the end are the fork's own. */
async function forkSummary(
  session: CodexSession,
  meta: RolloutRecord,
): Promise<Summary | undefined> {
  const edges = await rolloutEdges(session.path, { tail_bytes: 32 * 1024 });
  const [{ path, to = Infinity } = { path: session.path }] = await readLineage(session.path);
  const { head } = await rolloutEdges(path, LARGE_HEAD);
  const lines = head.filter(({ offset }) => offset < to);
  return edgesSummary(await withForkTitle(session), edges, { lines, meta }).row;
}

async function exactSummary(session: CodexSession): Promise<Summary | undefined> {
  const bytes = statSync(session.path).size;
  const log = await foldBatches(rowSummary(), readThread({ session }));
  if (log.last_seq === undefined) return undefined;
  const open = rolloutForm(session.path) === "lines"
    ? endsOpen(readEdges(session.path, { head_bytes: 0, tail_bytes: TAIL_BYTES }))
    : log.open;
  return agentSummary(session, { ...log, open }, { bytes, exact: true });
}

/** All of the file is at hand: the row is exact. */
function wholeSummary(session: CodexSession, edges: FileEdges): Summary | undefined {
  const { head, size } = edges;
  const writer = new EventWriter(session);
  const rollout = startRollout(session, writer);
  const filter = lineFilter(undefined);
  for (const line of head) applyLine(rollout, line, filter);
  endRollout(rollout);
  const log = foldEvents(summary(), writer.take());
  return log.last_seq === undefined
    ? undefined
    : agentSummary(session, { ...log, open: endsOpen(edges) }, { bytes: size, exact: true });
}

/** What the edges of a file tell. */
interface EdgesFound {
  row: Summary | undefined;
  /** The first prompt was among the first lines. */
  prompted: boolean;
}

function edgesSummary(
  session: CodexSession,
  edges: FileEdges,
  { lines, meta }: { lines: readonly Line[]; meta?: RolloutRecord },
): EdgesFound {
  const writer = new EventWriter(session, SUMMARY_KINDS);
  const rollout = startRollout(session, writer);
  rollout.meta = meta;
  let taken = -1;
  for (const line of lines) {
    if (firstPrompt(rollout) !== "") break;
    applyLine(rollout, line, LIST_FILTER);
    taken = line.offset;
  }
  const first = rollout.prompts.length;
  const prompted = firstPrompt(rollout) !== "";
  const rest = lastLines(edges);
  for (const line of meta === undefined ? rest.filter(({ offset }) => offset > taken) : rest) {
    applyLine(rollout, line, LIST_FILTER);
  }
  endRollout(rollout);
  const log = foldEvents(summary(), writer.take());
  if (log.last_seq === undefined) return { row: undefined, prompted };
  const row = agentSummary(session, { ...log, open: endsOpen(edges) }, { bytes: edges.size });
  // The last prompt may stand in the middle, which is not read.
  if (rollout.prompts.length === first && !edges.whole) delete row.last_user_message;
  return { row, prompted };
}

/** The last prompt, where it was not taken back, and the lines from the last item on. */
function lastLines({ head, tail, whole }: FileEdges): Line[] {
  const lines = whole ? head : tail;
  let last = lines.length;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] as Line;
    const type = typeIn(line);
    if (type === "event_msg/thread_rolled_back") return lines.slice(Math.min(index, last));
    if (last === lines.length && isLasting(type)) last = index;
    if (type === PROMPT) return index === last ? lines.slice(index) : [line, ...lines.slice(last)];
  }
  return lines.slice(last === lines.length ? -LAST_LINES : last);
}

/** True if a line of this type always becomes an event. */
function isLasting(type: string | undefined): boolean {
  return type !== undefined && type.startsWith("response_item/") &&
    type !== "response_item/ghost_snapshot" && type !== "response_item/message/developer";
}

function isRollback(line: Line): boolean {
  return typeIn(line) === "event_msg/thread_rolled_back";
}

/** The type of a line. One that Codex would not write so is parsed. */
function typeIn(line: Line): string | undefined {
  const [record] = lineType(line.bytes) === undefined ? recordsIn([line]) : [];
  return record === undefined ? lineType(line.bytes) : toRolloutRecord(record).type;
}
