/**
 * A Claude Code session as events: what it is, then the records of the branch from the root on.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import type { EventKind } from "../../event/payload.ts";
import type { AgentReadOptions, AgentSession, SourceAccount } from "../../source/agent.ts";
import { count, countSide } from "../../source/source_account.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { asObject } from "../../reading/json_value.ts";
import { isSentAgain } from "./attached.ts";
import { messagesOf } from "./compaction_events.ts";
import { type DialogueRecord, startEmission } from "./emission.ts";
import { fallbackTitle, FIRST_STEPS, givenTitle, toStarted } from "./header.ts";
import {
  ATTACHMENT,
  DAMAGED,
  hasFlag,
  PASSING,
  type RecordIndex,
  recordName,
  REPEATED,
  RESULTS,
  SIDECHAIN,
  subtypeOf,
  SYSTEM,
} from "./index/record_index.ts";
import { withSiblings } from "./path/answer_siblings.ts";
import { findLivePath, type LivePath, reportBroken, type ThreadPlace } from "./path/live_path.ts";
import { preservedRows } from "./path/preserved.ts";
import { rowOfStep, type Steps, stepsOf } from "./path/steps.ts";
import { progressAgents } from "./progress_agents.ts";
import { type ReadStep, readSteps } from "./read_rows.ts";
import { type BranchPlace, placeBehind, type PlacesAt, startEmissionAt } from "./branch_place.ts";
import { subagentFiles } from "./subagent_files.ts";
import { finishDialogue, isSettled, startDialogue, takeStep } from "./dialogue.ts";

/** A branch that is found, and how to read it. */
export interface OpenBranch {
  session: AgentSession;
  options: AgentReadOptions;
  live: LivePath;
  /** Its last compaction. */
  last: number | undefined;
}

/** Finds a branch of a file; reports what is wrong on it, and accounts for the file. */
export async function openBranch(
  session: AgentSession,
  options: AgentReadOptions,
  place: Pick<ThreadPlace, "index" | "scope">,
): Promise<OpenBranch> {
  const live = await findLivePath(session, options, place);
  if (options.account !== undefined) await accountFor(session, live, options.account);
  reportBroken(live, options.report);
  return { session, options, live, last: lastBoundary(live) };
}

/** The last compaction of a branch. */
export function lastBoundary({ index, steps }: LivePath): number | undefined {
  return steps.findLast((step) => index.boundaries.has(rowOfStep(step)));
}

/** Reads one branch of a file as a session's events. */
export async function* readBranch(
  session: AgentSession,
  options: AgentReadOptions,
  place: Pick<ThreadPlace, "index" | "scope">,
): AsyncGenerator<readonly LogEvent[]> {
  const branch = await openBranch(session, options, place);
  const writer = new EventWriter(session, options.needs);
  for await (const { events } of branchEvents(branch, writer)) yield events;
}

/** Yields the events of a branch, or those behind a place in it; takes the `places` that are asked for. */
export async function* branchEvents(
  { session, options, live, last }: OpenBranch,
  writer: EventWriter,
  place?: BranchPlace,
  places?: PlacesAt,
): AsyncGenerator<{ events: LogEvent[]; place?: BranchPlace }> {
  const { signal, report, needs, in_force = false } = options;
  const { index, steps } = live;
  if (steps.length === 0) return;
  const dialogue = startDialogue(startEmissionAt(writer, index, place));
  const forked = place?.forked ?? await emitHeader(session, live, writer);
  // In a thorough look all damage was reported already.
  const found = live.thorough ? {} : { report };
  // Fork copies are found by seq, so every event must be numbered.
  const skipped = !forked && needs?.isSubsetOf(OF_ANSWERS) === true;
  const all = writer.wants("extension");
  const told = writer.wants("notice");
  const needed = (row: number): boolean =>
    !hasFlag(index, row, DAMAGED) && !(skipped && hasFlag(index, row, RESULTS)) &&
    (all || isNeeded(index, row) || (told && mayTell(index, row)));
  const reading = { signal, messages_only: in_force, ...found };
  let at = place?.at ?? 0;
  for await (const batch of readSteps(session.path, index, steps.subarray(at), needed, reading)) {
    let settled: BranchPlace | undefined;
    for (const read of batch) {
      // What an earlier compaction kept, the last one replaced.
      const preserved = read.step === last ? await preservedBy(session, live, read) : undefined;
      takeStep(dialogue, read, preserved);
      at++;
      if (!isSettled(dialogue)) continue;
      settled ??= placeBehind(dialogue.emission, writer, at, forked);
      places?.pass(at, () => placeBehind(dialogue.emission, writer, at, forked));
    }
    yield { events: writer.take(), ...(settled === undefined ? {} : { place: settled }) };
  }
  finishDialogue(dialogue);
  yield { events: writer.take() };
}

/** Kinds to which results of calls, most of a session's bytes, add nothing. */
const OF_ANSWERS: ReadonlySet<EventKind> = new Set([
  "session_started",
  "session_renamed",
  "assistant_message",
]);

/** True for a record of which a notice may come. */
function mayTell({ type }: RecordIndex, row: number): boolean {
  return type[row] === ATTACHMENT || type[row] === SYSTEM;
}

/** True for what is said, and what becomes of it; all else is a notice or an extension. */
export function isNeeded(index: RecordIndex, row: number): boolean {
  const type = index.type[row] as number;
  if (type < SYSTEM) return true;
  const subtype = subtypeOf(index, row);
  if (type === ATTACHMENT) return subtype === "queued_command" || isSentAgain(subtype);
  return index.boundaries.has(row) || subtype === "local_command";
}

/** Adds the first event, and the title; gives whether the session is a fork. */
async function emitHeader(
  session: AgentSession,
  live: LivePath,
  writer: EventWriter,
): Promise<boolean> {
  const { index, steps } = live;
  const first = writer.wants("session_started")
    ? await firstRecords(session, index, firstSteps(live))
    : [];
  const started = toStarted(session, index, first);
  if (started.parent !== undefined) {
    started.parent.seq = await copiedSeq(session, live);
  }
  const given = givenTitle(index);
  const title = given === undefined ? fallbackTitle(index, steps, first) : undefined;
  if (title !== undefined) started.title = title;
  const { record } = first[0] ?? {};
  const place = record?.position === undefined ? undefined : { position: record.position };
  writer.emit("session_started", started, { time: started.created_at, record: place });
  if (given !== undefined) writer.emit("session_renamed", { title: given });
  return started.parent !== undefined;
}

async function firstRecords(
  { path }: AgentSession,
  index: RecordIndex,
  steps: Steps,
): Promise<DialogueRecord[]> {
  const first: DialogueRecord[] = [];
  for await (const batch of readSteps(path, index, steps.slice(0, FIRST_STEPS), () => true)) {
    for (const { step, record } of batch) {
      if (record !== undefined) first.push({ row: rowOfStep(step), record });
    }
  }
  return first;
}

/** The first steps: of what is in force, where the branch is not known so far back, of the file. */
function firstSteps({ steps, index }: LivePath): Steps {
  if (!index.boundaries.has(rowOfStep(steps[0] as number))) return steps;
  return stepsOf(Array.from({ length: Math.min(FIRST_STEPS, index.count) }, (_, row) => row));
}

/** The seq up to which a fork's events are copies: their records say where they came from. */
async function copiedSeq(
  session: AgentSession,
  { index, steps }: LivePath,
): Promise<number> {
  const writer = new EventWriter(session, new Set());
  const dialogue = startDialogue(startEmission(writer, index));
  writer.skip();
  for await (const batch of readSteps(session.path, index, steps, () => true)) {
    for (const read of batch) {
      if (read.record === undefined) continue;
      if (asObject(read.record.value.forkedFrom).sessionId === undefined) {
        finishDialogue(dialogue);
        return writer.seq;
      }
      takeStep(dialogue, read);
    }
  }
  finishDialogue(dialogue);
  return writer.seq;
}

/** The messages that a compaction keeps of what was before it. */
export async function preservedBy(
  session: AgentSession,
  { index }: LivePath,
  { step, record }: ReadStep,
): Promise<Message[]> {
  const boundary = rowOfStep(step);
  if (index.boundaries.get(boundary)?.anchor_id === undefined || record === undefined) return [];
  // In a fork they stand behind it, and are read there.
  const before = preservedRows(index, boundary).filter((row) => row < boundary);
  const steps = withSiblings(index, before);
  const writer = new EventWriter(session);
  const dialogue = startDialogue(startEmission(writer, index));
  const needed = (row: number): boolean => isNeeded(index, row);
  for await (const batch of readSteps(session.path, index, steps, needed)) {
    for (const read of batch) takeStep(dialogue, read);
  }
  finishDialogue(dialogue);
  return messagesOf(writer.take());
}

/**
 * Every record is on the branch, on another one, or no part of the dialogue. The damaged were
 * counted, and of records with one id the last one counts.
 */
async function accountFor(
  session: AgentSession,
  { index, steps }: LivePath,
  account: SourceAccount,
): Promise<void> {
  const live = new Uint8Array(index.count);
  for (const step of steps) live[rowOfStep(step)] = 1;
  const agents = await progressAgents(session.path, index, subagentFiles(session));
  const inside = new Set(agents.flatMap(({ rows }) => rows));
  for (let row = 0; row < index.count; row++) {
    if (hasFlag(index, row, DAMAGED)) continue;
    const length = index.length[row] as number;
    if (live[row] === 1) count(account, "events", length);
    else if (hasFlag(index, row, REPEATED)) countSide(account, "repeated", length);
    else if (hasFlag(index, row, SIDECHAIN) || inside.has(row)) {
      countSide(account, "sidechain", length);
    } else if (index.type[row] === PASSING) countSide(account, recordName(index, row), length);
    else count(account, "dead", length);
  }
}
