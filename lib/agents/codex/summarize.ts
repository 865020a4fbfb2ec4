/**
 * What a list shows of a thread, from the edges of its file.
 */
import { Buffer } from "node:buffer";
import type { Line } from "../../log/line_splitter.ts";
import { foldBatches, foldEvents } from "../../projection/projection.ts";
import { summary } from "../../projection/summary.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { agentSummary } from "../agent_summary.ts";
import { EventWriter } from "../event_writer.ts";
import { present } from "../json_value.ts";
import type { FileEdges } from "../file_edges.ts";
import { applyLine, endRollout } from "./apply_record.ts";
import { lineFilter, LIST_FILTER } from "./line_filter.ts";
import { isFork, readLineage } from "./lineage.ts";
import { readCodex } from "./read.ts";
import { type CodexSession, startRollout } from "./rollout.ts";
import { headOf, readRolloutHead, rolloutEdges } from "./rollout_head.ts";
import { lineType } from "./rollout_line.ts";
import type { RolloutStretch } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";
import type { RolloutRecord } from "./rollout_record.ts";
import { withForkTitle, withName } from "./thread_title.ts";

/** What goes before the first prompt took 45 KB in 0.169; instructions can make it far more. */
const LARGE_HEAD = 4 * 1024 * 1024;
/** A smaller file is read as a whole, so that its counts are known. */
const SMALL_BYTES = 16 * 1024;
const TAIL_BYTES = 32 * 1024;
/** Behind the last event stand only few records of the program's state. */
const LAST_LINES = 12;

/** The row of a thread; undefined when the file holds none. */
export async function summarizeCodex(
  session: CodexSession,
  { exact = false }: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  const named = withName(session);
  if (exact || rolloutForm(session.path) === "document") return await exactSummary(named);
  const edges = await rolloutEdges(session.path, { tail_bytes: TAIL_BYTES });
  if (mayBeFork(edges)) {
    const head = headOf(edges) ?? await readRolloutHead(session.path);
    if (head !== undefined && isFork(head)) return await forkSummary(named, edges, head);
  }
  const small = edges.whole && edges.size <= SMALL_BYTES && !edges.head.some(isRollback);
  return small ? wholeSummary(named, edges) : edgesSummary(named, edges, {
    lines: await headLines(edges, session),
  });
}

/** Where the head says from which thread it goes on: before the instructions, or behind them. */
const FORKED = Buffer.from('"forked_from_id"');
const BASE = Buffer.from('"history_base"');
const NEAR_BYTES = 4096;

/** Whether the head may name another thread. It is large, and parsed only once. */
function mayBeFork({ head: [first] }: FileEdges): boolean {
  if (first === undefined || lineType(first.bytes) !== "session_meta") return true;
  const { buffer, byteOffset, byteLength } = first.bytes;
  const line = Buffer.from(buffer, byteOffset, byteLength);
  return line.subarray(0, NEAR_BYTES).includes(FORKED) || line.subarray(-NEAR_BYTES).includes(BASE);
}

async function forkSummary(
  session: CodexSession,
  edges: FileEdges,
  meta: RolloutRecord,
): Promise<Summary | undefined> {
  const [first = { path: session.path }] = await readLineage(session.path);
  const parent = await rolloutEdges(first.path, { tail_bytes: 0 });
  const lines = await headLines(parent, first);
  return edgesSummary(await withForkTitle(session), edges, { lines, meta });
}

async function exactSummary(session: CodexSession): Promise<Summary | undefined> {
  const bytes = Deno.statSync(session.path).size;
  const log = await foldBatches(summary(), readCodex(session));
  return log.last_seq === undefined
    ? undefined
    : agentSummary(session, log, { bytes, exact: true });
}

/** All of the file is at hand: the row is exact. */
function wholeSummary(session: CodexSession, { head, size }: FileEdges): Summary | undefined {
  const writer = new EventWriter(session);
  const rollout = startRollout(session, writer);
  const filter = lineFilter(undefined);
  for (const line of head) applyLine(rollout, line, filter);
  endRollout(rollout);
  const log = foldEvents(summary(), writer.take());
  return log.last_seq === undefined
    ? undefined
    : agentSummary(session, log, { bytes: size, exact: true });
}

function edgesSummary(
  session: CodexSession,
  edges: FileEdges,
  { lines, meta }: { lines: readonly Line[]; meta?: RolloutRecord },
): Summary | undefined {
  const writer = new EventWriter(session);
  const rollout = startRollout(session, writer);
  rollout.meta = meta;
  let taken = -1;
  for (const line of lines) {
    if (rollout.prompts.length > 0) break;
    applyLine(rollout, line, LIST_FILTER);
    taken = line.offset;
  }
  const first = rollout.prompts.length;
  const rest = lastLines(edges);
  for (const line of meta === undefined ? rest.filter(({ offset }) => offset > taken) : rest) {
    applyLine(rollout, line, LIST_FILTER);
  }
  endRollout(rollout);
  const log = foldEvents(summary(), writer.take());
  if (log.last_seq === undefined) return undefined;
  const row = agentSummary(session, log, { bytes: edges.size });
  // The last prompt may stand in the middle, which is not read.
  if (rollout.prompts.length === first && !edges.whole) delete row.last_user_message;
  // A compressed file is not read to its end.
  const unread = !edges.whole && edges.tail.length === 0;
  return unread ? { ...row, ...present({ updated_at: edges.modified_at }) } : row;
}

/** Lines from the start, as far as the first prompt can be. */
async function headLines(
  edges: FileEdges,
  { path, to = Infinity }: RolloutStretch,
): Promise<Line[]> {
  let { head, whole } = edges;
  if (!whole && !head.some(isPrompt)) {
    ({ head, whole } = await rolloutEdges(path, { head_bytes: LARGE_HEAD, tail_bytes: 0 }));
  }
  return head.filter(({ offset }) => offset < to);
}

/** Lines at the end: from the last prompt on that was not taken back, or only the very last. */
function lastLines({ head, tail, whole }: FileEdges): readonly Line[] {
  const lines = whole ? head : tail;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] as Line;
    if (isPrompt(line)) return lines.slice(index);
    if (isRollback(line)) return lines.slice(Math.max(index, lines.length - LAST_LINES));
  }
  return lines.slice(-LAST_LINES);
}

function isRollback({ bytes }: Line): boolean {
  return lineType(bytes) === "event_msg/thread_rolled_back";
}

/** Whether a line is a message in the user's place. */
function isPrompt({ bytes }: Line): boolean {
  return lineType(bytes) === "response_item/message/user";
}
