/**
 * Groups a goose session's messages into exchanges. An exchange has adjacent assistant messages,
 * and the messages with the responses to their tool requests.
 */
import { contentText } from "../../core/event/message.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { entryOf, type GooseCompaction, type GooseMessage } from "./goose_entry.ts";
import { promptOf } from "./message_events.ts";
import { isOneSided } from "./goose_rows.ts";

/** Sets the ids of answered calls in each message. Keeps a call and its results in one batch. */
export async function* withAnswers(
  batches: AsyncIterable<readonly SourceRecord[]>,
): AsyncGenerator<readonly SourceRecord[]> {
  let waiting: readonly SourceRecord[] = [];
  for await (const batch of batches) {
    const records = [...waiting, ...batch];
    const from = markAnswers(records);
    if (from > 0) yield records.slice(0, from);
    waiting = records.slice(from);
  }
  if (waiting.length > 0) yield waiting;
}

/**
 * Sets in each message the ids of the requests that have a response in the same exchange.
 *
 * @returns The index at which the last exchange begins.
 */
export function markAnswers(records: readonly SourceRecord[]): number {
  let begin = 0;
  let answered = new Set<unknown>();
  let role: string | undefined;
  for (const [index, record] of records.entries()) {
    const { message } = entryOf(record);
    if (message === undefined) continue;
    if (message.role === "assistant" && role !== "assistant") {
      [begin, answered] = [index, new Set()];
    }
    role = message.role;
    message.answered = answered;
    for (const { type, id } of message.content) if (type === "toolResponse") answered.add(id);
  }
  return begin;
}

/**
 * Derives a session's compaction from its messages. The compaction's position is the last message
 * that only the user or only the model gets.
 *
 * @param messages The messages, the last one first.
 * @returns Undefined if the model still gets all that the user saw.
 */
export function compactionOf(messages: Iterable<GooseMessage>): GooseCompaction | undefined {
  let end: number | undefined;
  let summary: string | undefined;
  let hides = false;
  for (const message of messages) {
    if (!isOneSided(message)) continue;
    end ??= message.at;
    if (message.user) hides = true;
    else if (message.role === "user") summary ??= contentText(promptOf(message) ?? "");
    if (hides && summary !== undefined) break;
  }
  return hides && end !== undefined ? { at: end, summary: summary ?? "" } : undefined;
}
