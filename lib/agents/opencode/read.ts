/**
 * Reads a session of OpenCode as events, message by message.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { asName } from "../../reading/records/json_value.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { count, countSide } from "../../source/source_account.ts";
import { chosenThread } from "../../reading/tree/side_branches.ts";
import type { RecordSink } from "../../reading/records/source_record.ts";
import { namedChild } from "./children.ts";
import {
  compactionBy,
  type CompactionRequest,
  compactionRequest,
  writeCompaction,
} from "./compaction.ts";
import { announcesCommand, isFrame, writeMessage } from "./message_events.ts";
import { writeStart } from "./session_start.ts";
import { openSession } from "./store/open_session.ts";
import type { StoredMessage, StoredSession } from "./stored_session.ts";

/** Events that are handed out at once, about. */
const BATCH = 64;

/** The events of a session. */
export async function* readSession(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const child = namedChild(session, options.thread);
  if (child !== undefined) {
    const { thread: _, ...rest } = options;
    return yield* readSession(child, rest);
  }
  const { needs, account, signal } = options;
  using records = openSession(session);
  if (account !== undefined) account.unit = records.unit;
  const writer = new EventWriter(session, needs);
  writeStart(writer, session, records.info);
  let events = writer.take();
  const reverted = isReverted(records, options.thread);
  for (const _ of walk(writer, session, records, reverted, options)) {
    signal?.throwIfAborted();
    events.push(...writer.take());
    if (events.length < BATCH) continue;
    yield events;
    events = [];
  }
  events.push(...writer.take());
  if (events.length > 0) yield events;
}

/**
 * Whether a thread is the one that the user took back, which is named by its first message or any
 * other.
 *
 * @throws {SessionError} `not-found`
 */
function isReverted({ info, indexOf }: StoredSession, thread: string | undefined): boolean {
  if (thread === undefined || thread === MAIN_THREAD) return false;
  if (indexOf(thread) !== undefined) return true;
  chosenThread(thread, info.revert === undefined ? [] : [info.revert.message_id]);
  return true;
}

/** Where a walk over the messages stands. */
export interface WalkState {
  indexOf: Map<string, number>;
  requests: Map<string, CompactionRequest>;
  /** Where what the model gets begins, by the last compaction that was done. */
  start: number;
  /** The prompt that answers belong to, and whether it announces a command of the user. */
  turn_id: string | undefined;
  command: string | undefined;
  /** From here on the user took the dialogue back. */
  reverted: boolean;
}

/** A walk that has not begun. */
export function startWalk(): WalkState {
  return {
    indexOf: new Map(),
    requests: new Map(),
    start: 0,
    turn_id: undefined,
    command: undefined,
    reverted: false,
  };
}

/** Writes all messages; gives the turn after each, so that events can be handed on. */
function* walk(
  writer: EventWriter,
  session: AgentSession,
  records: StoredSession,
  reverted: boolean,
  { report, account }: AgentReadOptions,
): Generator<void> {
  const sink: RecordSink = { report, account };
  const state = startWalk();
  let message = records.load(0, sink);
  for (let index = 0; index < records.count; index++) {
    const next = index + 1 < records.count ? records.load(index + 1, sink) : undefined;
    if (message !== undefined) {
      const live = reverted ? message : beforeRevert(state, records, message);
      if (live !== undefined) {
        writeStep(writer, session, records, state, { index, message: live, next });
      }
      countMessage(sink, message, live);
    }
    message = next;
    yield;
  }
  count(account, "events", records.info.weight);
  records.countRest(sink);
}

/** A message with its place, and the one after it. */
export interface WalkStep {
  index: number;
  message: StoredMessage;
  next: StoredMessage | undefined;
}

/** Writes one message as it stands among the others. */
export function writeStep(
  writer: EventWriter,
  session: AgentSession,
  records: StoredSession,
  state: WalkState,
  { index, message, next }: WalkStep,
): void {
  state.indexOf.set(message.id, index);
  const { role, parentID } = message.info;
  if (role === "user") state.turn_id = message.id;
  const turn_id = role === "assistant" ? asName(parentID) ?? state.turn_id : state.turn_id;
  const request = compactionRequest(message, index);
  if (request !== undefined) {
    state.requests.set(message.id, request);
    // Its answer comes at once and takes its place; else it stays a question.
    if (next !== undefined && compactionBy(state, next, index + 1) !== undefined) return;
  }
  const compaction = compactionBy(state, message, index);
  if (compaction !== undefined) {
    if (compaction.done) state.start = compaction.tail;
    writeCompaction(writer, session, records, compaction, message, turn_id);
    return;
  }
  const by_user = state.command !== undefined && parentID === state.command;
  writeMessage(writer, message, { turn_id, by_user });
  if (role === "user") state.command = announcesCommand(message) ? message.id : undefined;
}

/**
 * What is left of a message after the user took the dialogue back: the next prompt deletes from
 * `revert.messageID` on, or with `partID` from that part on (1.18.34, session/revert.ts, `cleanup`).
 */
export function beforeRevert(
  state: WalkState,
  { info }: StoredSession,
  message: StoredMessage,
): StoredMessage | undefined {
  if (state.reverted) return undefined;
  const { message_id, part_id } = info.revert ?? {};
  if (message.id !== message_id) return message;
  state.reverted = true;
  if (part_id === undefined) return undefined;
  const at = message.parts.findIndex(({ id }) => id === part_id);
  return at < 0 ? message : { ...message, parts: message.parts.slice(0, at) };
}

/** Counts a message and its parts, each once. */
function countMessage(
  { account }: RecordSink,
  { weight, parts }: StoredMessage,
  live: StoredMessage | undefined,
): void {
  count(account, live === undefined ? "dead" : "events", weight);
  const kept = live?.parts.length ?? 0;
  for (const [index, part] of parts.entries()) {
    if (part.weight === 0) continue;
    if (index >= kept) count(account, "dead", part.weight);
    else if (isFrame(part)) countSide(account, `part/${part.data.type}`, part.weight);
    else count(account, "events", part.weight);
  }
}
