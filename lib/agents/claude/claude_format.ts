/** The format of Claude Code's sessions: a tree of records by `uuid` and `parentUuid`. */
import type { Message } from "../../core/event/message.ts";
import type { EventKind } from "../../core/event/payload.ts";
import { EventWriter } from "../engine/events/event_writer.ts";
import { asName, asObject } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { withPieces } from "../engine/tree/answer_pieces.ts";
import type { AnswerRule, TreePath } from "../engine/tree/path_format.ts";
import { readEach, readSteps } from "../engine/tree/read_steps.ts";
import { isIdOf } from "../engine/tree/record_ids.ts";
import { hasFlag, LINK, recordId, rowOf, subtypeOf } from "../engine/tree/record_index.ts";
import { allSteps, rowOfStep, type Steps } from "../engine/tree/steps.ts";
import type { TreeFormat, TreeReading } from "../engine/tree/tree_format.ts";
import { isSentAgain, withAttachedFirst } from "./attached.ts";
import {
  type Dialogue,
  finishDialogue,
  isSettled,
  messagesOf,
  startDialogue,
  takeStep,
} from "./dialogue.ts";
import { type StartedCall, startEmission } from "./emission.ts";
import {
  emitStarted,
  fallbackTitle,
  FIRST_STEPS,
  firstInFile,
  toStarted,
  UNANSWERED,
} from "./header.ts";
import {
  ASSISTANT,
  ATTACHMENT,
  type ClaudeHead,
  type ClaudeIndex,
  isSpoken,
  RECORD_TYPES,
  RESULTS,
  SIDECHAIN,
  SUMMARY,
  SYSTEM,
  USER,
} from "./index/claude_record.ts";
import { claudeIndex } from "./index/index_format.ts";
import { QUEUED_COMMAND, queuedEnd, withQueued } from "./index/prompt_queue.ts";
import { claudeWay, liveLeaf, preservedRows } from "./live_branch.ts";
import { agentMessage, branchKinds, isPrompt, progressAgents, summarizeThread } from "./threads.ts";
import { subagentFiles } from "./subagent_files.ts";
import { usageReader } from "./usage.ts";

interface ClaudeState extends Dialogue {
  readonly forked: boolean;
  /**
   * True if results of calls are not read, because the wanted kinds of events do not need them.
   * Results are most of a session's bytes.
   */
  readonly skips_results: boolean;
  /** The last compaction's row, with the earlier messages that the compaction keeps. */
  readonly kept: { row: number; messages: Message[] } | undefined;
}

/** The part of the state that is saved, so that reading can begin within a branch. */
interface SavedState {
  turn_id: string | undefined;
  calls: (readonly [string, StartedCall])[];
  settled: string[];
  forked: boolean;
}

/** The rule for answers. Claude Code writes one record for each block of an answer. */
const ANSWERS: AnswerRule = {
  type: ASSISTANT,
  reply_type: USER,
  reply_flag: RESULTS,
  apart_flag: SIDECHAIN,
};

export const claudeFormat: TreeFormat<ClaudeHead, ClaudeState, SavedState> = {
  ...claudeIndex,
  hasHead: () => false,
  leaf: liveLeaf,
  way: claudeWay,
  answers: ANSWERS,
  isAside: (index, row) => !isSpoken(index, row) && !isCompaction(index as ClaudeIndex, row),
  arrange: (index, steps) => withQueued(index, withAttachedFirst(index, steps)),
  isCompaction,
  isReplacing: (index, row) => isCompaction(index, row) || hasFlag(index, row, SUMMARY),
  isPrompt,
  isElsewhere: (index) => {
    const { side: { leaf }, queue } = index.head;
    return queue.by_order || (leaf !== undefined && rowOf(index, leaf.id) < 0);
  },
  isBeside: (index, row) => queuedEnd(index, row) !== undefined,
  countsAs: (index, row) => hasFlag(index, row, SIDECHAIN) ? "sidechain" : undefined,
  ownRecord,
  fromBody: (message, { type }, row) => ({ type: RECORD_TYPES[type[row] as number], message }),
  begin,
  isNeeded,
  emit(records, node, state): void {
    const preserved = node.row === state.kept?.row ? state.kept.messages : [];
    takeStep(state, node, records[0], preserved);
  },
  end: finishDialogue,
  saveState(state): SavedState | undefined {
    if (!isSettled(state)) return undefined;
    const { forked, emission: { turn_id, calls, settled } } = state;
    return { turn_id, calls: [...calls], settled: [...settled], forked };
  },
  restoreState(saved, reading, { index }, begun): ClaudeState {
    const emission = startEmission(reading.writer, index);
    if (saved === undefined) {
      return stateOf({ ...emission, amid_turn: true }, reading, begun?.forked ?? false);
    }
    const { turn_id, calls, settled, forked } = saved;
    const goes_on = { ...emission, turn_id, calls: new Map(calls), settled: new Set(settled) };
    return stateOf(goes_on, reading, forked, begun?.kept);
  },
  usageReader,
  describe: (_session, index, branches) => {
    const kindOf = branchKinds(index, branches);
    return Promise.resolve((branch) => Promise.resolve({ kind: kindOf(branch) }));
  },
  summarizeThread,
  subagents: subagentFiles,
  innerAgents: progressAgents,
};

function isCompaction({ head }: ClaudeIndex, row: number): boolean {
  return head.boundaries.has(row);
}

function stateOf(
  emission: Dialogue["emission"],
  { needs }: TreeReading,
  forked: boolean,
  kept?: ClaudeState["kept"],
): ClaudeState {
  // Fork copies are found by seq, so every event must be numbered.
  const skips_results = !forked && needs?.isSubsetOf(OF_ANSWERS) === true;
  return { ...startDialogue(emission), forked, skips_results, kept };
}

/** Kinds of events that can be made without reading the results of calls. */
const OF_ANSWERS: ReadonlySet<EventKind> = new Set([
  "session_started",
  "session_renamed",
  "assistant_message",
]);

function isNeeded(
  { emission: { writer, index }, skips_results }: ClaudeState,
  row: number,
): boolean {
  if (skips_results && hasFlag(index, row, RESULTS)) return false;
  if (isOfTalk(index, row) || writer.wants("extension")) return true;
  const type = index.type[row];
  const may_be_notice = type === ATTACHMENT || type === SYSTEM ||
    queuedEnd(index, row) !== undefined;
  return may_be_notice && writer.wants("notice");
}

/** True for messages and results of calls. All other records are notices or extensions. */
function isOfTalk(index: ClaudeIndex, row: number): boolean {
  const type = index.type[row] as number;
  if (type < SYSTEM) return true;
  const subtype = subtypeOf(index, row);
  if (type === ATTACHMENT) return subtype === QUEUED_COMMAND || isSentAgain(subtype);
  return isCompaction(index, row) || subtype === "local_command" ||
    queuedEnd(index, row) === "taken";
}

async function begin(
  reading: TreeReading,
  path: TreePath<ClaudeHead>,
): Promise<ClaudeState> {
  const { session, writer } = reading;
  const forked = writer.unlabelled ? emitPlainHeader(reading) : await emitHeader(reading, path);
  const emission = startEmission(writer, path.index);
  return stateOf(emission, reading, forked, await keptBy(session.path, path));
}

/** Emits a first event that has only the facts which messages need. */
function emitPlainHeader({ session: { id }, writer }: TreeReading): boolean {
  const payload = { session_id: id, created_at: "", cwd: "", unanswered_call: UNANSWERED };
  writer.emit("session_started", payload);
  return false;
}

/** Emits the first event and the title. Returns true if the session is a fork. */
async function emitHeader(
  { session, writer }: TreeReading,
  path: TreePath<ClaudeHead>,
): Promise<boolean> {
  const { index, steps } = path;
  const { side } = index.head;
  const first = writer.wants("session_started")
    ? await Array.fromAsync(readEach(claudeFormat, session.path, index, firstSteps(path)))
    : [];
  const started = toStarted(session, side, first);
  if (started.parent !== undefined) started.parent.seq = await copiedSeq(session, path);
  const title = (): string | undefined => fallbackTitle(index, steps, first);
  emitStarted(writer, session, side, started, title, first[0]?.record);
  return started.parent !== undefined;
}

function firstSteps({ steps, index }: TreePath<ClaudeHead>): Steps {
  const is_cut = isCompaction(index, rowOfStep(steps[0] as number));
  return is_cut ? allSteps(index, FIRST_STEPS) : firstInFile(steps);
}

/** Returns the last seq that a fork copied. Each copied record names its original session. */
async function copiedSeq(
  session: TreeReading["session"],
  { index, steps }: TreePath<ClaudeHead>,
): Promise<number> {
  const writer = new EventWriter(session, new Set());
  const dialogue = startDialogue(startEmission(writer, index));
  writer.skip();
  for await (const { node, record } of readEach(claudeFormat, session.path, index, steps)) {
    if (asObject(record.value.forkedFrom).sessionId === undefined) break;
    takeStep(dialogue, node, record);
  }
  finishDialogue(dialogue);
  return writer.seq;
}

/** Returns a branch's last compaction with the messages it keeps. Undefined if it keeps none. */
async function keptBy(
  path: string,
  { index, steps }: TreePath<ClaudeHead>,
): Promise<ClaudeState["kept"]> {
  const boundary = steps.findLast((step) => isCompaction(index, rowOfStep(step)));
  const row = boundary === undefined ? -1 : rowOfStep(boundary);
  if (index.head.boundaries.get(row)?.anchor_id === undefined) return undefined;
  // In a fork they stand behind it, and are read there.
  const before = preservedRows(index, row).filter((other) => other < row);
  const kept = withPieces(ANSWERS, index, before);
  const writer = new EventWriter({ agent: "claude", id: "" });
  const dialogue = startDialogue(startEmission(writer, index));
  const isNeeded = (other: number): boolean => isOfTalk(index, other);
  for await (const batch of readSteps(claudeFormat, path, index, kept, { isNeeded })) {
    for (const { node, records: [record] } of batch) takeStep(dialogue, node, record);
  }
  finishDialogue(dialogue);
  return { row, messages: messagesOf(writer.take()) };
}

/** Returns a row's record. Undefined if the record's id is not the row's id, as after damage. */
function ownRecord(
  record: SourceRecord,
  index: ClaudeIndex,
  row: number,
): SourceRecord | undefined {
  const message = hasFlag(index, row, LINK) ? undefined : agentMessage(record.value);
  const own = message === undefined ? record : { ...record, value: message };
  const id = asName(own.value.uuid);
  const is_own = id === undefined
    ? recordId(index, row).startsWith("#")
    : isIdOf(index.ids, row, id);
  return is_own ? own : undefined;
}
