/**
 * Summarizes a Claude Code session from the first and the last 64 KiB of its file. They hold its
 * place, its first and last prompt, and its title, which is repeated at the end.
 */
import { contentFor } from "../../event/audience.ts";
import { contentText } from "../../event/message.ts";
import type { LogEvent } from "../../event/envelope.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { textPattern } from "../../log/byte_pattern.ts";
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import { lineBlocksInTurns } from "../../log/line_blocks.ts";
import type { Line } from "../../log/line_splitter.ts";
import { statFile } from "../../file/regular_file.ts";
import { foldBatches, foldEvents } from "../../projection/projection.ts";
import { summary } from "../../projection/summary.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { present } from "../../reading/json_value.ts";
import { type FileEdges, readEdges, reusedEdges } from "../../reading/records/file_edges.ts";
import { type RowSummary, summarizeFrom } from "../../reading/row_summary.ts";
import { indexLines } from "../../reading/tree/index_file.ts";
import { pathIn } from "../../reading/tree/live_path.ts";
import type { ReadStep } from "../../reading/tree/read_steps.ts";
import { stepReader } from "../../reading/tree/read_tail.ts";
import { readPath } from "../../reading/tree/read_tree.ts";
import { hasFlag, LINK, subtypeOf } from "../../reading/tree/record_index.ts";
import { allSteps, isOnWay, rowOfStep, type Steps } from "../../reading/tree/steps.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { claudeFormat } from "./claude_format.ts";
import { finishDialogue, startDialogue, takeStep } from "./dialogue.ts";
import { type DialogueRecord, startEmission } from "./emission.ts";
import { emitStarted, fallbackTitle, FIRST_STEPS, isTitled, toStarted } from "./header.ts";
import { type ClaudeIndex, RESULTS, SIDECHAIN, timeOf, USER } from "./index/claude_record.ts";
import { QUEUED_COMMAND, queuedEnd } from "./index/prompt_queue.ts";
import { endsOpen, lastErrorIn } from "./session_end.ts";

/** The events that a list needs. */
interface EdgeEvents {
  events: LogEvent[];
  /** The file says what the session is called: its first prompt does not count. */
  titled: boolean;
  /** The last turn was left open. */
  open: boolean;
}

/** The bytes to read of either end, until one holds a prompt and the other a record. */
const EDGES = [
  reusedEdges(16 * 1024, 64 * 1024),
  { head_bytes: 128 * 1024, tail_bytes: 256 * 1024 },
  { head_bytes: 4 * 1024 * 1024, tail_bytes: 16 * 1024 * 1024 },
];

/** A list searches no larger file for the root that is live: it takes the first one. */
const MOST_SEARCHED = 1024 * 1024 * 1024;

/** Summarizes a session; see {@linkcode SessionReader.summarize}. */
export const summarizeSession = summarizeFrom({
  read: readWhole,
  quick,
  bytes: ({ path }) => statFile(path).size,
});

function readWhole(session: AgentSession, options: AgentReadOptions): ReturnType<typeof readPath> {
  return readPath(claudeFormat, session, options, { path: session.path });
}

async function quick(session: AgentSession): Promise<RowSummary | undefined> {
  let log: RowSummary | undefined;
  let live: Partial<RowSummary> | undefined;
  for (const options of EDGES) {
    const edges = readEdges(session.path, options);
    const found = edgeEvents(session, edges);
    log = found === undefined ? undefined : edgeLog(edges, found);
    const is_named = found === undefined || found.titled || edges.whole;
    if (log !== undefined && !is_named && edges.size <= MOST_SEARCHED) {
      live ??= await hasOtherRoots(session.path) ? await liveRoot(session) : {};
      log = { ...log, ...live };
    }
    if (edges.whole) break;
    if (log?.first_user_message !== undefined && edges.tail.some(holdsDialogue)) break;
  }
  return log;
}

/** Returns the title facts of the live root: its first prompt names a row. */
async function liveRoot(session: AgentSession): Promise<Partial<RowSummary>> {
  const log = await foldBatches(summary(), readWhole(session, { needs: SUMMARY_KINDS }));
  const { title, first_user_message, created_at } = log;
  return present({ title, first_user_message, created_at });
}

function edgeLog({ head, tail, whole }: FileEdges, { events, open }: EdgeEvents): RowSummary {
  const last_error = lastErrorIn([...head, ...tail]);
  const log = { ...foldEvents(summary(), events), open, ...present({ last_error }) };
  // Between the edges there may be a later one than the first.
  if (!whole && log.last_user_message === log.first_user_message) delete log.last_user_message;
  return log;
}

/** Returns the events that a list needs, from a few records. */
function edgeEvents(
  session: AgentSession,
  { head, tail, whole }: FileEdges,
): EdgeEvents | undefined {
  const lines = [...head, ...tail];
  const index = indexLines(claudeFormat, lines);
  const { steps } = pathIn(claudeFormat, index);
  if (steps.length === 0 || (!whole && index.head.queue.by_order)) return undefined;
  const read = stepReader(claudeFormat, lines, index);
  // Of what lies in between nobody knows which branch it is on: what came first is taken for live.
  const first = whole ? steps : fileOrder(index);
  const writer = new EventWriter(session, SUMMARY_KINDS);
  emitStart(writer, session, index, { first, steps, read });
  const dialogue = startDialogue(startEmission(writer, index));
  const said = (step: number): boolean => saysAnything(session, index, step, read);
  for (const step of new Set([first.find(said), steps.findLast(said)])) {
    if (step === undefined) continue;
    const { node, records: [record] } = read(step);
    takeStep(dialogue, node, record);
  }
  finishDialogue(dialogue);
  // Of what came last, the time alone counts.
  const last = steps.findLast((step) =>
    (isOnWay(step) || queuedEnd(index, rowOfStep(step)) !== undefined) &&
    hasTime(index, rowOfStep(step))
  );
  const time = last === undefined ? undefined : timeOf(index, rowOfStep(last));
  writer.emit("extension", { agent: "claude", type: "last", data: {} }, { time });
  const open = endsOpen(backwards(steps, read));
  return { events: writer.take(), titled: isTitled(index.head.side), open };
}

/** Yields the records of steps, last one first. */
function* backwards(
  steps: Steps,
  read: (step: number) => ReadStep,
): Generator<Record<string, unknown> | undefined> {
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at] as number;
    if (isOnWay(step)) yield read(step).records[0]?.value;
  }
}

function hasTime({ time }: ClaudeIndex, row: number): boolean {
  return !Number.isNaN(time[row]);
}

/** True if a line holds a dialogue record. Many of the last lines hold none. */
function holdsDialogue(line: Line): boolean {
  return indexLines(claudeFormat, [line]).count > 0;
}

function fileOrder(index: ClaudeIndex): Steps {
  return allSteps(index).filter((step) => !hasFlag(index, rowOfStep(step), LINK | SIDECHAIN));
}

interface Edges {
  first: Steps;
  steps: Steps;
  read(step: number): ReadStep;
}

function emitStart(
  writer: EventWriter,
  session: AgentSession,
  index: ClaudeIndex,
  { first, steps, read }: Edges,
): void {
  const records: Iterable<DialogueRecord> = {
    *[Symbol.iterator](): Generator<DialogueRecord> {
      for (const step of first.slice(0, FIRST_STEPS)) {
        const { records: [record] } = read(step);
        if (record !== undefined) yield { row: rowOfStep(step), record };
      }
    },
  };
  const { side } = index.head;
  emitStarted(
    writer,
    side,
    toStarted(session, side, records),
    () => fallbackTitle(index, steps, records),
  );
}

const SAID = new Set(["user_message"] as const);

/** True if a step says something in the user's name. */
function saysAnything(
  session: AgentSession,
  index: ClaudeIndex,
  step: number,
  read: (step: number) => ReadStep,
): boolean {
  const row = rowOfStep(step);
  if (hasFlag(index, row, RESULTS)) return false;
  const is_queued = subtypeOf(index, row) === QUEUED_COMMAND || queuedEnd(index, row) === "taken";
  if (index.type[row] !== USER && !is_queued) return false;
  const writer = new EventWriter(session, SAID);
  const { node, records: [record] } = read(step);
  takeStep(startDialogue(startEmission(writer, index)), node, record);
  return writer.take().some((event) =>
    event.form === "known" && event.kind === "user_message" &&
    contentText(contentFor(event.payload.content, "user")).trim() !== ""
  );
}

const ROOT = textPattern('{"parentUuid":null,"isSidechain":false');
/** A compaction is no root: the record before it is named apart. */
const findBoundary = byteSearch('"subtype":"compact_boundary"');
const FRONT_BYTES = 800;

/**
 * True where a second root is found, or none, because the file is not written as Claude Code writes it.
 * All of the file is looked through, and nothing parsed.
 */
async function hasOtherRoots(path: string): Promise<boolean> {
  let roots = 0;
  for await (const { finder, end } of lineBlocksInTurns(path)) {
    for (let at = finder.find(ROOT, 0, end); at >= 0; at = finder.find(ROOT, at + 1, end)) {
      if (findBoundary(finder.bytes, at, Math.min(end, at + FRONT_BYTES)) >= 0) continue;
      if (++roots > 1) return true;
    }
  }
  return roots === 0;
}
