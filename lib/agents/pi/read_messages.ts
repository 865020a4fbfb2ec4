/**
 * The messages that pi would send, without events in between.
 */
import type { Message } from "../../event/message.ts";
import { type MessageChoice, MessageWriter } from "../../reading/events/message_writer.ts";
import { present } from "../../reading/json_value.ts";
import { readLines } from "../../reading/records/jsonl_records.ts";
import { parseRecords, type SourceRecord } from "../../reading/records/source_record.ts";
import { treeMessages } from "../../reading/tree/tree_messages.ts";
import type { AgentConversationOptions, AgentSession } from "../../source/agent.ts";
import { startEmission } from "./entry_events.ts";
import { UNANSWERED } from "./header.ts";
import { piFormat } from "./pi_format.ts";
import { takeRecord } from "./pi_lines.ts";
import { isStraightLine } from "./straight_line.ts";

/** Reads the messages of a session; see {@linkcode SessionReader.messages}. */
export async function* readMessages(
  session: AgentSession,
  options: AgentConversationOptions = {},
): AsyncGenerator<Message[]> {
  const { tools, reasoning, thread, signal } = options;
  const choice: MessageChoice = present({ tools, reasoning });
  if (thread === undefined && await isStraightLine(session, signal)) {
    yield* straightMessages(session, choice, options);
  } else {
    yield* treeMessages(piFormat, session, options);
  }
}

async function* straightMessages(
  { path }: AgentSession,
  choice: MessageChoice,
  { report, signal }: AgentConversationOptions,
): AsyncGenerator<Message[]> {
  const writer = new MessageWriter(choice);
  writer.unanswered = UNANSWERED;
  const emission = startEmission(writer);
  for await (const lines of readLines(path, { signal })) {
    const records: SourceRecord[] = [];
    for (const line of lines) parseRecords(line, records, { report });
    for (const record of records) takeRecord(emission, record);
    const messages = writer.take();
    if (messages.length > 0) yield messages;
  }
  yield writer.takeLast();
}
