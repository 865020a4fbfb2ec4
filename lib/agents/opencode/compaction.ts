/**
 * OpenCode's compaction: a user's message with a `compaction` part, answered by an assistant's
 * message with `summary: true`. Rules of 1.18.34, session/message-v2.ts, `filterCompacted`.
 */
import type { AgentSession } from "../agent.ts";
import { foldedMessages } from "../folded_messages.ts";
import type { EventWriter } from "../event_writer.ts";
import { asName } from "../json_value.ts";
import { createdAt, writeUsage } from "./answer_events.ts";
import { writeMessage } from "./message_events.ts";
import type { Fields, StoredMessage, StoredSession } from "./stored_session.ts";

/** A request to compact. */
export interface CompactionRequest {
  /** Index of its message. */
  index: number;
  part: Fields;
}

/** The request that a message makes. */
export function compactionRequest(
  { info, parts }: StoredMessage,
  index: number,
): CompactionRequest | undefined {
  if (info.role !== "user") return undefined;
  const part = parts.find(({ data }) => data.type === "compaction");
  return part === undefined ? undefined : { index, part: part.data };
}

/** The id of the request that a message answers so that it is done. */
export function answeredRequest({ info }: StoredMessage): string | undefined {
  const { role, summary, finish, error, parentID } = info;
  const done = role === "assistant" && Boolean(summary) && Boolean(finish) && !error;
  return done ? asName(parentID) : undefined;
}

/** What a compaction puts in the place of all before it. */
export interface Compaction {
  request: CompactionRequest;
  /** Index of the answer. */
  answer: number;
  /** Where the tail begins that is kept word for word; the request's index when none is. */
  tail: number;
}

/**
 * The compaction of a request and its answer. Undefined when the request names a tail that is not
 * before it: then the agent finds no end of what it has to send, and sends all.
 */
export function compactionOf(
  request: CompactionRequest,
  answer: number,
  indexOf: ReadonlyMap<string, number>,
): Compaction | undefined {
  const tail_start = asName(request.part.tail_start_id);
  if (tail_start === undefined) return { request, answer, tail: request.index };
  const tail = indexOf.get(tail_start);
  return tail === undefined || tail > request.index ? undefined : { request, answer, tail };
}

/** Writes a compaction in the place of its answer. */
export function writeCompaction(
  writer: EventWriter,
  session: AgentSession,
  records: StoredSession,
  compaction: Compaction,
  answer: StoredMessage,
  turn_id: string | undefined,
): void {
  const { request, tail } = compaction;
  writeUsage(writer, answer, turn_id);
  const summary = answer.parts.flatMap(({ data }) =>
    data.type === "text" ? asName(data.text) ?? [] : []
  )
    .join("\n\n");
  const messages = writer.wants("compaction_applied")
    ? foldedMessages(session, (kept) => {
      writeRange(kept, records, request.index, compaction.answer + 1);
      writeRange(kept, records, tail, request.index);
    })
    : [];
  writer.emit("compaction_applied", {
    status: "Compacted the conversation",
    messages,
    summary,
    trigger: request.part.auto === true ? "auto" : "manual",
  }, { id: answer.id, time: createdAt(answer.info), turn_id });
}

function writeRange(writer: EventWriter, records: StoredSession, from: number, to: number): void {
  for (let index = from; index < to; index++) {
    const message = records.load(index);
    if (message !== undefined) writeMessage(writer, message);
  }
}
