/**
 * What a list shows of a thread, from the edges of its file.
 */
import type { Line } from "../../log/line_splitter.ts";
import { foldBatches, foldEvents } from "../../projection/projection.ts";
import { summary } from "../../projection/summary.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { agentSummary } from "../agent_summary.ts";
import { EventWriter } from "../event_writer.ts";
import type { FileEdges } from "../file_edges.ts";
import { applyLine, endRollout } from "./apply_record.ts";
import { lineFilter, LIST_FILTER } from "./line_filter.ts";
import { readLineage } from "./lineage.ts";
import { readCodex } from "./read.ts";
import { type CodexSession, startRollout } from "./rollout.ts";
import { readRolloutHead, rolloutEdges } from "./rollout_head.ts";
import { lineType } from "./rollout_line.ts";
import type { RolloutStretch } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";
import { withForkTitle, withName } from "./thread_title.ts";

/** What goes before the first prompt took 45 KB in 0.169; instructions can make it far more. */
const HEAD_SIZES = [64 * 1024, 4 * 1024 * 1024];
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
  const lineage = await readLineage(session.path);
  const edges = await rolloutEdges(session.path, { tail_bytes: TAIL_BYTES });
  const alone = lineage.length === 1;
  if (alone && edges.whole && !edges.head.some(isRollback)) return wholeSummary(named, edges);
  return await edgesSummary(alone ? named : await withForkTitle(named), lineage, edges);
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

async function edgesSummary(
  session: CodexSession,
  lineage: readonly RolloutStretch[],
  edges: FileEdges,
): Promise<Summary | undefined> {
  const writer = new EventWriter(session);
  const rollout = startRollout(session, writer);
  if (lineage.length > 1) rollout.meta = await readRolloutHead(session.path);
  for (const line of await headLines(lineage[0] as RolloutStretch)) {
    if (rollout.prompts.length > 0) break;
    applyLine(rollout, line, LIST_FILTER);
  }
  for (const line of lastLines(edges)) applyLine(rollout, line, LIST_FILTER);
  endRollout(rollout);
  const log = foldEvents(summary(), writer.take());
  if (log.last_seq === undefined) return undefined;
  return agentSummary(session, log, { bytes: edges.size });
}

/** Lines from the start, as far as the first prompt can be. */
async function headLines({ path, to = Infinity }: RolloutStretch): Promise<Line[]> {
  let lines: Line[] = [];
  for (const head_bytes of HEAD_SIZES) {
    const { head, whole } = await rolloutEdges(path, { head_bytes, tail_bytes: 0 });
    lines = head.filter(({ offset }) => offset < to);
    if (whole || lines.some(isPrompt)) break;
  }
  return lines;
}

/** Lines at the end: from the last prompt on that was not taken back, or only the very last. */
function lastLines({ head, tail, whole }: FileEdges): Line[] {
  const all = whole ? head : tail;
  const lines = all.slice(all.findLastIndex(isRollback) + 1);
  const prompt = lines.findLastIndex(isPrompt);
  return prompt < 0 ? lines.slice(-LAST_LINES) : lines.slice(prompt);
}

function isRollback({ bytes }: Line): boolean {
  return lineType(bytes) === "event_msg/thread_rolled_back";
}

/** Whether a line is a message in the user's place. */
function isPrompt({ bytes }: Line): boolean {
  return lineType(bytes) === "response_item/message/user";
}
