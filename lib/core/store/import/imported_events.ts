/**
 * Converts foreign events for a Reprise log. Each becomes one event, so that numbers stay. Events
 * that a log must not hold unchanged become extensions, and are counted.
 */
import { REPRISE } from "../../event/agent_name.ts";
import { isDeeperThan, isReadableVersion, MAX_DEPTH } from "../../event/decode.ts";
import type { EventSource, LogEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import type { CompactionAppliedPayload, UserMessagePayload } from "../../event/payload.ts";
import { present } from "../../event/present.ts";
import { SessionError } from "../../event/session_error.ts";
import { MAX_LINE_BYTES } from "../../log/line_splitter.ts";
import { addSeq, findRun, type SeqRun } from "../../projection/seq_runs.ts";
import { encodeReadLine, type ReadEvent } from "../session_line.ts";
import { fromEarlyForm } from "./early_forms.ts";

/** The number of changed events, by reason. */
export interface Alterations {
  /** Events kept as extensions: unknown version, nested too deep, or a second `session_started`. */
  kept_raw: number;
  /** Number of events too long for a line. Each becomes an extension with the event's size. */
  too_large: number;
  /** Number of system messages that became user messages. */
  demoted: number;
}

export interface ImportState {
  agent: string;
  id: string;
  /** The new numbers of events, by their old numbers. */
  runs: SeqRun[];
  /** Number of the last event of the new session. */
  last_seq: number;
  last_time?: string;
  /** A close that is not written yet, because it counts only as the last event. */
  closing?: ReadEvent;
  alterations: Alterations;
}

/**
 * Starts an import after the new session's first event, which has number 1. `head_seq` is the
 * number of the source's first event.
 */
export function startImport(agent: string, id: string, head_seq?: number): ImportState {
  const alterations = { kept_raw: 0, too_large: 0, demoted: 0 };
  const runs: SeqRun[] = [];
  if (head_seq !== undefined) addSeq(runs, head_seq, 1);
  return { agent, id, runs, last_seq: 1, alterations };
}

/** Maximum number of bytes in JSON for one byte of a source, as for a control character. */
const ESCAPED_BYTES = 6;
/** Kinds of events that describe their own log, and would be wrong in another log. */
const BOUND_KINDS: ReadonlySet<string> = new Set(["session_started", "session_checkpoint"]);

/** Converts events. Keeps a `session_closed` in `state` until another event follows. */
export function importEvents(state: ImportState, events: readonly LogEvent[]): ReadEvent[] {
  const ready: ReadEvent[] = [];
  for (const event of events) {
    const ours = importEvent(state, event);
    if (state.closing !== undefined) ready.push(state.closing);
    delete state.closing;
    if (ours === undefined) continue;
    if (ours.form === "known" && ours.kind === "session_closed") state.closing = ours;
    else ready.push(ours);
  }
  return ready;
}

function importEvent(state: ImportState, event: LogEvent): ReadEvent | undefined {
  const seq = ++state.last_seq;
  addSeq(state.runs, event.seq, seq);
  // All kinds were requested: an unparsed event has no content.
  if (event.form === "unparsed") return undefined;
  if (typeof event.time === "string") state.last_time = event.time;
  const given: ReadEvent = { ...event, seq, source: event.source ?? originOf(state, event) };
  const moved = state.agent === REPRISE ? fromEarlyForm(given) : given;
  const whole = asRepriseEvent(state, moved);
  if (!isTooLarge(whole)) return whole;
  state.alterations.too_large++;
  return asExtension(state, moved, { left_out: "too-large" });
}

function asRepriseEvent(state: ImportState, event: ReadEvent): ReadEvent {
  if (mustBeWrapped(event)) {
    if (event.kind !== "session_checkpoint") state.alterations.kept_raw++;
    return asExtension(state, event, rawData(event));
  }
  if (event.form !== "known") return event;
  if (event.kind === "compaction_applied") {
    return { ...event, payload: moveCompaction(state, event.seq, event.payload) };
  }
  if (event.kind === "conversation_branched") {
    const from_seq = newSeq(state.runs, event.payload.from_seq) ?? event.seq;
    return { ...event, payload: { ...event.payload, from_seq } };
  }
  if (event.kind === "event_labeled") {
    const target_seq = newSeq(state.runs, event.payload.target_seq) ?? event.seq;
    return { ...event, payload: { ...event.payload, target_seq } };
  }
  if (event.kind === "user_message" && event.payload.role !== undefined) {
    return { ...event, payload: demotedPrompt(state, event.payload) };
  }
  if (event.kind !== "conversation_replaced") return event;
  const messages = event.payload.messages.map((one) => demoted(state, one));
  return { ...event, payload: { ...event.payload, messages } };
}

export function originOf(
  { agent, id }: Pick<ImportState, "agent" | "id">,
  { seq }: Pick<LogEvent, "seq">,
): EventSource {
  return agent === REPRISE ? { session_id: id, seq } : { agent, session_id: id };
}

function mustBeWrapped({ form, kind, v, payload }: ReadEvent): boolean {
  // An event of a later version would lock the session for this one.
  if (form === "unknown" && !isReadableVersion(v)) return true;
  return BOUND_KINDS.has(kind) || isDeeperThan(payload, MAX_DEPTH - 1);
}

function rawData({ v, payload }: ReadEvent): unknown {
  // As a text it nests no more.
  if (isDeeperThan(payload, MAX_DEPTH - 3)) return JSON.stringify(payload);
  return isReadableVersion(v) ? payload : { v, payload };
}

function asExtension({ agent }: ImportState, event: ReadEvent, data: unknown): ReadEvent {
  const { seq, time, turn_id, source, kind: type, integrity } = event;
  return present({
    form: "known",
    integrity,
    seq,
    kind: "extension",
    time: typeof time === "string" ? time : undefined,
    turn_id: typeof turn_id === "string" ? turn_id : undefined,
    source,
    payload: { agent, type, data },
  });
}

function moveCompaction(
  state: ImportState,
  seq: number,
  payload: CompactionAppliedPayload,
): CompactionAppliedPayload {
  const { first_kept_seq: kept, messages } = payload;
  return {
    ...payload,
    ...present({
      first_kept_seq: kept === undefined ? undefined : newSeq(state.runs, kept) ?? seq,
      messages: messages?.map((one) => demoted(state, one)),
    }),
  };
}

function newSeq(runs: readonly SeqRun[], seq: number): number | undefined {
  const run = findRun(runs, seq);
  return run === undefined ? undefined : run.index + seq - run.first;
}

/**
 * Turns a system message of a Reprise log into a user message, because it must not instruct the
 * model. Messages of other agents stay.
 */
function demoted({ agent, alterations }: ImportState, message: Message): Message {
  if (agent !== REPRISE || message.role !== "system") return message;
  alterations.demoted++;
  return { ...message, role: "user" };
}

function demotedPrompt(
  { agent, alterations }: ImportState,
  payload: UserMessagePayload,
): UserMessagePayload {
  if (agent !== REPRISE) return payload;
  alterations.demoted++;
  const { role: _, ...rest } = payload;
  return rest;
}

function isTooLarge(event: ReadEvent): boolean {
  const { length } = event.position ?? { length: Infinity };
  if (length * ESCAPED_BYTES < MAX_LINE_BYTES || textLength(event.payload) < MAX_LINE_BYTES / 8) {
    return false;
  }
  try {
    encodeReadLine(event);
    return false;
  } catch (error) {
    if (error instanceof SessionError && error.code === "too-large") return true;
    throw error;
  }
}

/** Returns the UTF-16 units of a value's strings and member names, and 8 for each other scalar. */
function textLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let length = 0;
  for (const [key, member] of Object.entries(value)) length += key.length + textLength(member);
  return length;
}
