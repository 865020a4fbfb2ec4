/**
 * OpenCode's compaction: a user's message with a `compaction` part, answered by an assistant's
 * message with `summary: true`. Rules of 1.18.34, session/message-v2.ts, `filterCompacted`.
 */
import type { AgentSession } from "../contract/agent.ts";
import { foldedMessages } from "../engine/events/message_writer.ts";
import type { EventWriter } from "../engine/events/event_writer.ts";
import { asName, type Json, present } from "../engine/json.ts";
import { createdAt, writeUsage } from "./answer_events.ts";
import { answerText, writeMessage } from "./message_events.ts";
import type { OpenCodeSession, StoredMessage } from "./stored_session.ts";

export function compactionRequest({ info, parts }: StoredMessage): Json | undefined {
  if (info.role !== "user") return undefined;
  return parts.find(({ data }) => data.type === "compaction")?.data;
}

interface CompactionAnswer {
  request_id: string;
  /** True if the compaction ended without an error. */
  done: boolean;
}

export function compactionAnswer({ info }: StoredMessage): CompactionAnswer | undefined {
  const { role, summary, finish, error, parentID } = info;
  const request_id = asName(parentID);
  if (role !== "assistant" || !summary || request_id === undefined) return undefined;
  return { request_id, done: Boolean(finish) && !error };
}

export interface Compaction {
  /** Index of the message that requests the compaction. */
  request: number;
  part: Json;
  /** Index of the request's first answer. A request may have several if a compaction failed. */
  first_answer: number;
  /** Index of the answer at which the compaction takes effect. */
  answer: number;
  /**
   * Index of the first message of the tail: the last messages, kept word for word. Without a tail,
   * equal to `request`.
   */
  tail: number;
  done: boolean;
}

/**
 * Returns the compaction that `message` completes, if any. The tail is the messages from
 * `tail_start_id` to the request. OpenCode keeps it word for word. If the tail's start is not
 * found, OpenCode replaces nothing. If the summary failed, it replaces the messages before the
 * tail, but nothing without a tail.
 */
export function compactionAt(
  records: OpenCodeSession,
  message: StoredMessage,
  index: number,
): Compaction | undefined {
  const answer = compactionAnswer(message);
  const request = records.indexOf(answer?.request_id);
  if (answer === undefined || request === undefined || request >= index) return undefined;
  const asked = records.load(request);
  const part = asked && compactionRequest(asked);
  if (part === undefined) return undefined;
  const tail_start = asName(part.tail_start_id);
  const tail = tail_start === undefined ? request : records.indexOf(tail_start);
  if (tail === undefined || tail > request) return undefined;
  const { done, request_id } = answer;
  if (!done && (tail === request || tail < startBefore(records, index))) return undefined;
  const first_answer = firstAnswer(records, request_id, request) ?? index;
  return { request, part, first_answer, answer: index, tail, done };
}

/**
 * Returns {@linkcode Compaction.tail} of the last finished compaction before `index`, or 0. The
 * model gets no messages before the returned index.
 */
function startBefore(records: OpenCodeSession, index: number): number {
  for (let before = index - 1; before >= 0; before--) {
    const message = records.load(before);
    if (message === undefined || compactionAnswer(message)?.done !== true) continue;
    const compaction = compactionAt(records, message, before);
    if (compaction !== undefined) return compaction.tail;
  }
  return 0;
}

function firstAnswer(
  records: OpenCodeSession,
  request_id: string,
  request: number,
): number | undefined {
  for (let index = request + 1; index < records.count; index++) {
    const message = records.load(index);
    if (message && compactionAnswer(message)?.request_id === request_id) return index;
  }
  return undefined;
}

export function writeCompaction(
  writer: EventWriter,
  session: AgentSession,
  records: OpenCodeSession,
  compaction: Compaction,
  answer: StoredMessage,
  turn_id: string | undefined,
): void {
  const { request, part, first_answer, tail, done } = compaction;
  if (done) writeUsage(writer, answer, turn_id);
  else writeMessage(writer, answer, { turn_id });
  const messages = writer.wants("compaction_applied")
    ? foldedMessages(session, (kept) => {
      writeRange(kept, records, request, first_answer + 1);
      writeRange(kept, records, tail, request);
      writeRange(kept, records, first_answer + 1, compaction.answer + 1);
    })
    : [];
  writer.emit(
    "compaction_applied",
    present({
      status: done
        ? "Compacted the conversation"
        : "The compaction failed, so the conversation has only the last messages",
      messages,
      summary: done ? answerText(answer) : undefined,
      trigger: part.auto === true ? "auto" : "manual",
    }),
    { id: answer.id, time: createdAt(answer.info), turn_id },
  );
}

function writeRange(writer: EventWriter, records: OpenCodeSession, from: number, to: number): void {
  for (let index = from; index < to; index++) {
    const message = records.load(index);
    if (message !== undefined) writeMessage(writer, message);
  }
}
