/**
 * Summarizes a Claude Code session from the first and the last 64 KiB of its file. They contain the
 * session's directory, and its first and last prompt. The title may be anywhere: Claude Code
 * repeats the title at the end, unless the process is killed.
 */
import { contentFor } from "../../core/event/audience.ts";
import { contentText } from "../../core/event/message.ts";
import type { LogEvent } from "../../core/event/envelope.ts";
import { SUMMARY_KINDS } from "../../core/event/policy.ts";
import { byteSearch } from "../../core/log/json_bytes/byte_search.ts";
import { standsAt } from "../../core/log/json_bytes/values.ts";
import type { Line } from "../../core/log/line_splitter.ts";
import { statFile } from "../../core/file/regular_file.ts";
import { foldEvents } from "../../core/projection/projection.ts";
import { isActivity, summary } from "../../core/projection/summary.ts";
import { EventWriter } from "../engine/events/event_writer.ts";
import {
  type FileEdges,
  joinedLines,
  readEdges,
  reusedEdges,
} from "../engine/records/file_edges.ts";
import { summarizeFrom } from "../engine/row_summary.ts";
import { indexLines } from "../engine/tree/index_file.ts";
import { pathIn } from "../engine/tree/live_path.ts";
import type { ReadStep } from "../engine/tree/read_steps.ts";
import { stepReader } from "../engine/tree/read_tail.ts";
import { readPath } from "../engine/tree/read_tree.ts";
import { idsAbove, searchMiddle } from "../engine/tree/search_middle.ts";
import { type EndEvents, summarizeEnds } from "../engine/tree/summarize_ends.ts";
import { hasDamage, hasFlag, LINK, subtypeOf } from "../engine/tree/record_index.ts";
import { allSteps, isOnWay, rowOfStep, type Steps } from "../engine/tree/steps.ts";
import type { AgentSession } from "../contract/agent.ts";
import { claudeFormat } from "./claude_format.ts";
import { finishDialogue, startDialogue, takeStep } from "./dialogue.ts";
import { type DialogueRecord, startEmission } from "./emission.ts";
import { emitStarted, fallbackTitle, FIRST_STEPS, firstInFile, toStarted } from "./header.ts";
import { type ClaudeIndex, RESULTS, SIDECHAIN, USER } from "./index/claude_record.ts";
import { QUEUED_COMMAND, queuedEnd } from "./index/prompt_queue.ts";
import { endsOpen, lastErrorIn } from "./session_end.ts";
import { SPEAKING_SIDE_TYPES } from "./side_facts.ts";

/** Bytes to read at a file's ends, tried in turn until a prompt and a message or call are found. */
const EDGES = [
  reusedEdges(16 * 1024, 64 * 1024),
  { head_bytes: 128 * 1024, tail_bytes: 256 * 1024 },
  { head_bytes: 4 * 1024 * 1024, tail_bytes: 16 * 1024 * 1024 },
];

export const summarizeSession = summarizeFrom({
  read: (session, options) => readPath(claudeFormat, session, options, { path: session.path }),
  quick: summarizeEnds({ edges: EDGES, eventsOf: edgeEvents, search: searchBetween }),
  open: leftOpen,
  bytes: ({ path }) => statFile(path).size,
});

function leftOpen({ path }: AgentSession): boolean {
  const { head, tail } = readEdges(path, EDGES[1]);
  const lines = [...head, ...tail];
  const index = indexLines(claudeFormat, lines);
  const { steps } = pathIn(claudeFormat, index);
  return endsOpen(backwards(steps, stepReader(claudeFormat, lines, index)));
}

/**
 * Returns the events that a list needs, from the ends of a file and some lines `between`. Undefined
 * if the whole file must be read.
 */
function edgeEvents(
  session: AgentSession,
  edges: FileEdges,
  between: readonly Line[] = [],
): EndEvents | undefined {
  const sides = between.filter(({ bytes }) => isSide(bytes, 0));
  const errors = between.filter(({ bytes }) => !isSide(bytes, 0));
  const { lines, head_end, tail_start } = joinedLines(edges, sides);
  const { whole } = edges;
  const index = indexLines(claudeFormat, lines);
  const { steps, broken } = pathIn(claudeFormat, index);
  // The middle may hold the record where the session goes on, and prompts that were queued.
  const is_elsewhere = claudeFormat.isElsewhere?.(index) || index.head.queue.by_order;
  if (steps.length === 0 || (!whole && is_elsewhere)) return undefined;
  const read = stepReader(claudeFormat, lines, index);
  // Damage is looked for only in a whole read, which may find another way.
  const last = steps.findLast(isOnWay);
  const { salvaged = false } = last === undefined
    ? {}
    : read(last).records[0] ?? { salvaged: true };
  if (whole && (salvaged || broken.length > 0 || hasDamage(index))) return undefined;
  const placeOf = (step: number): number => index.offset[rowOfStep(step)] as number;
  // The branch of what lies in between is not known: what came first is taken for live.
  const first = whole ? steps : fileOrder(index).filter((step) => placeOf(step) < head_end);
  const writer = new EventWriter(session, SUMMARY_KINDS);
  emitStart(writer, session, index, { first, steps, read });
  const dialogue = startDialogue(startEmission(writer, index));
  const said = (step: number): boolean => saysAnything(session, index, step, read);
  const prompt = first.find(said);
  for (const step of new Set([prompt, steps.findLast(said)])) {
    if (step === undefined) continue;
    const { node, records: [record] } = read(step);
    takeStep(dialogue, node, record);
  }
  finishDialogue(dialogue);
  // Of what came last, the time alone counts.
  let used: LogEvent | undefined;
  for (let at = steps.length - 1; at >= 0 && used === undefined; at--) {
    const step = steps[at] as number;
    if (placeOf(step) < tail_start) continue;
    used = eventsOf(session, index, read(step)).findLast(isActivity);
  }
  const events = used === undefined ? writer.take() : [...writer.take(), used];
  // A title may be the first of several prompts that is no command.
  const titles = events.filter(({ kind }) => kind !== "user_message");
  const is_named = first.length >= FIRST_STEPS || foldEvents(summary(), titles).title !== "";
  const above = prompt !== undefined && is_named ? idsAbove(index, rowOfStep(prompt)) : undefined;
  const last_error = lastErrorIn([...edges.head, ...errors, ...edges.tail]);
  const open = endsOpen(backwards(steps, read));
  return { events, above, used: used !== undefined, open, last_error };
}

function* backwards(
  steps: Steps,
  read: (step: number) => ReadStep,
): Generator<Record<string, unknown> | undefined> {
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at] as number;
    if (isOnWay(step)) yield read(step).records[0]?.value;
  }
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
      for (const step of firstInFile(first)) {
        const { records: [record] } = read(step);
        if (record !== undefined) yield { row: rowOfStep(step), record };
      }
    },
  };
  const { side } = index.head;
  emitStarted(
    writer,
    session,
    side,
    toStarted(session, side, records),
    () => fallbackTitle(index, steps, records),
  );
}

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
  return eventsOf(session, index, read(step)).some((event) =>
    event.form === "known" && event.kind === "user_message" &&
    contentText(contentFor(event.payload.content, "user")).trim() !== ""
  );
}

function eventsOf(
  session: AgentSession,
  index: ClaudeIndex,
  { node, records: [record] }: ReadStep,
): LogEvent[] {
  const writer = new EventWriter(session);
  const dialogue = startDialogue(startEmission(writer, index));
  takeStep(dialogue, node, record);
  finishDialogue(dialogue);
  return writer.take();
}

const encoder = new TextEncoder();
const SIDES = [...SPEAKING_SIDE_TYPES].map((type) => encoder.encode(`{"type":"${type}"`));
/**
 * Searches for the field of an API error that follows a message. Other API errors have their
 * subtype near the start of the line.
 */
const findApiError = byteSearch('"isApiErrorMessage":true');
const findError = byteSearch('"subtype":"api_error"');
/** Searches for a compaction. Its parent is null, but another field names the record before it. */
const findBoundary = byteSearch('"subtype":"compact_boundary"');
const findMain = byteSearch('"isSidechain":false');
const FRONT_BYTES = 800;

/** True for a line outside the dialogue, such as a title. */
function isSide(bytes: Uint8Array, start: number): boolean {
  return SIDES.some((side) => standsAt(bytes, start, side));
}

/**
 * Returns the lines of titles and errors in the middle of a file. Undefined if the first prompt may
 * be outside the live branch, or the file's form is not Claude Code's.
 */
async function searchBetween(
  path: string,
  above: ReadonlySet<string>,
): Promise<readonly Line[] | undefined> {
  const found = await searchMiddle(path, above, {
    parent: '"parentUuid":',
    isRoot(bytes, start, end): boolean {
      const front_end = Math.min(end, start + FRONT_BYTES);
      return findMain(bytes, start, front_end) >= 0 && findBoundary(bytes, start, front_end) < 0;
    },
    isWanted: (bytes, start, end) =>
      isSide(bytes, start) ||
      findError(bytes, start, Math.min(end, start + FRONT_BYTES)) >= 0 ||
      findApiError(bytes, Math.max(start, end - FRONT_BYTES), end) >= 0,
  });
  return found?.roots === 1 ? found.lines : undefined;
}
