/**
 * Summarizes a Claude Code session from the first and the last 64 KiB of its file. They hold its
 * place, its first and last prompt, and its title, which is repeated at the end.
 */
import { contentFor } from "../../event/audience.ts";
import { contentText } from "../../event/message.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { Line } from "../../log/line_splitter.ts";
import { statSync } from "../../platform/files.ts";
import { foldBatches, foldEvents } from "../../projection/projection.ts";
import { summary } from "../../projection/summary.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession } from "../../source/agent.ts";
import { agentSummary } from "../../reading/summary/agent_summary.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { present } from "../../reading/json_value.ts";
import { type FileEdges, readEdges, reusedEdges } from "../../reading/records/file_edges.ts";
import { indexLines } from "../../reading/tree/index_file.ts";
import { pathIn } from "../../reading/tree/live_path.ts";
import type { ReadStep } from "../../reading/tree/read_steps.ts";
import { stepReader } from "../../reading/tree/read_tail.ts";
import { readPath } from "../../reading/tree/read_tree.ts";
import { hasFlag, LINK, subtypeOf } from "../../reading/tree/record_index.ts";
import { allSteps, isOnWay, rowOfStep, type Steps } from "../../reading/tree/steps.ts";
import { claudeFormat } from "./claude_format.ts";
import { type DialogueRecord, startEmission } from "./emission.ts";
import { fallbackTitle, FIRST_STEPS, givenTitle, isTitled, toStarted } from "./header.ts";
import { type ClaudeIndex, RESULTS, SIDECHAIN, timeOf, USER } from "./index/claude_record.ts";
import { lastErrorIn } from "./last_error.ts";
import { hasOtherRoots } from "./other_roots.ts";
import { endsOpen } from "./open_turn.ts";
import { type EdgeEvents, plainEvents } from "./plain_edges.ts";
import { finishDialogue, startDialogue, takeStep } from "./dialogue.ts";

/** How much of either end is read, until one holds a prompt and the other a record. */
const EDGES = [
  reusedEdges(16 * 1024, 64 * 1024),
  { head_bytes: 128 * 1024, tail_bytes: 256 * 1024 },
  { head_bytes: 4 * 1024 * 1024, tail_bytes: 16 * 1024 * 1024 },
];

/** Reads the kinds of events that a row is made of. */
function readWhole(session: AgentSession): ReturnType<typeof readPath> {
  return readPath(claudeFormat, session, { needs: SUMMARY_KINDS }, { path: session.path });
}

/** Summarizes a session; see {@linkcode Agent.summarize}. */
export async function summarizeSession(
  session: AgentSession,
  { exact = false }: { exact?: boolean } = {},
): Promise<Summary | undefined> {
  if (exact) {
    const log = await foldBatches(summary(), readWhole(session));
    const bytes = statSync(session.path).size;
    if (log.last_seq === undefined) return undefined;
    const status = (await summarizeSession(session))?.status;
    return { ...agentSummary(session, log, { bytes, exact }), ...present({ status }) };
  }
  let row: Summary | undefined;
  for (const options of EDGES) {
    const edges = readEdges(session.path, options);
    const plain = plainEvents(session, edges);
    const found = plain ?? edgeEvents(session, edges);
    row = edgeRow(session, edges, found);
    if (row !== undefined && found?.titled === false && !edges.whole) {
      row = await withLiveRoot(session, row);
    }
    if (plain !== undefined) return row;
    const told = row?.first_user_message !== undefined && edges.tail.some(holdsDialogue);
    if (edges.whole || told) break;
  }
  return row;
}

/** A row that is called by its first prompt: that must be the one of the root that is live. */
async function withLiveRoot(session: AgentSession, row: Summary): Promise<Summary> {
  if (!await hasOtherRoots(session.path)) return row;
  const log = await foldBatches(summary(), readWhole(session));
  const { title, first_user_message, created_at } = log;
  return { ...row, ...present({ title, first_user_message, created_at }) };
}

function edgeRow(
  session: AgentSession,
  edges: FileEdges,
  found: EdgeEvents | undefined,
): Summary | undefined {
  if (found === undefined) return undefined;
  const { events, open } = found;
  const last_error = lastErrorIn([...edges.head, ...edges.tail]);
  const log = { ...foldEvents(summary(), events), open, ...present({ last_error }) };
  const row = agentSummary(session, log, { bytes: edges.size });
  // Between the edges there may be a later one than the first.
  if (!edges.whole && row.last_user_message === row.first_user_message) {
    delete row.last_user_message;
  }
  return row;
}

/** The events that a list needs: those of a few records. */
function edgeEvents(
  session: AgentSession,
  { head, tail, whole }: FileEdges,
): EdgeEvents | undefined {
  const lines = [...head, ...tail];
  const index = indexLines(claudeFormat, lines);
  const { steps } = pathIn(claudeFormat, index);
  if (steps.length === 0) return undefined;
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
  const last = steps.findLast((step) => isOnWay(step) && hasTime(index, rowOfStep(step)));
  const time = last === undefined ? undefined : timeOf(index, rowOfStep(last));
  writer.emit("extension", { agent: "claude", type: "last", data: {} }, { time });
  const open = endsOpen(backwards(steps, read));
  return { events: writer.take(), titled: isTitled(index.head.side), open };
}

/** The records of steps, last one first. */
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

/** Of the last lines many can be no part of the dialogue. */
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
  const started = toStarted(session, index.head.side, records);
  const given = givenTitle(index.head.side);
  const title = given === undefined ? fallbackTitle(index, steps, records) : undefined;
  if (title !== undefined) started.title = title;
  writer.emit("session_started", started, { time: started.created_at });
  if (given !== undefined) writer.emit("session_renamed", { title: given });
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
  if (index.type[row] !== USER && subtypeOf(index, row) !== "queued_command") return false;
  const writer = new EventWriter(session, SAID);
  const { node, records: [record] } = read(step);
  takeStep(startDialogue(startEmission(writer, index)), node, record);
  return writer.take().some((event) =>
    event.form === "known" && event.kind === "user_message" &&
    contentText(contentFor(event.payload.content, "user")).trim() !== ""
  );
}
