/**
 * A chat of Gemini CLI as our events: its patches are replayed, then the messages that stand are read.
 */
import { basename, dirname } from "node:path";
import type { LogEvent } from "../../event/envelope.ts";
import { UNSETTLED_OUTPUT } from "../../projection/conversation/paired_messages.ts";
import type { Report } from "../../log/diagnostic.ts";
import { chosenThread } from "../../reading/tree/side_branches.ts";
import type { AgentReadOptions, AgentSession, SourceAccount } from "../../source/agent.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { genAiText } from "../../reading/genai/genai_content.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { readJsonDocument } from "../../reading/records/json_document.ts";
import { readRecords } from "../../reading/records/jsonl_records.ts";
import { asName, asObject, present } from "../../reading/records/json_value.ts";
import { readRecordsAt, type RecordPlace } from "../../reading/records/records_at.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { count, countSide } from "../../source/source_account.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { chatRecordType, freshMessages } from "./chat_record.ts";
import { type ChatEvents, emitMessage, startChat } from "./message_events.ts";
import { chatDirectory, markedRoot, namedDirectories, projectFolder } from "./project_root.ts";
import { subagentsOf } from "./subagents.ts";
import { type MessagePlace, type Replay, replayRecord, startReplay } from "./replay.ts";

/** What a first reading of a chat tells. */
export interface ChatIndex {
  replay: Replay;
  /** The start of the context that Gemini CLI put first. */
  context: string;
  /** Bytes of all messages, those that no longer stand too. */
  message_bytes: number;
}

/** A chat of which nothing was read. */
export function startIndex(branch?: string): ChatIndex {
  return { replay: startReplay(branch), context: "", message_bytes: 0 };
}

/** Takes a record in a first reading. */
export function indexRecord(
  index: ChatIndex,
  record: SourceRecord,
  account: SourceAccount | undefined,
): void {
  const { value, position: { length } } = record;
  const type = chatRecordType(value);
  const fresh = freshMessages(value);
  const first = index.replay.first;
  const taken = replayRecord(index.replay, record);
  if (index.context === "") index.context = contextIn(fresh ?? [value]);
  if (!taken) count(account, "dead", length);
  else if (fresh !== undefined || type === "message" || type === "other") {
    index.message_bytes += length;
  } else if (type === "head" && index.replay.first !== first) count(account, "events", length);
  else countSide(account, type, length);
}

/** Long enough to name all directories. */
const CONTEXT_LENGTH = 8192;

function contextIn(messages: readonly Readonly<Record<string, unknown>>[]): string {
  for (const { type, content } of messages) {
    if (type !== "user") continue;
    const text = genAiText(content);
    if (text.trimStart().startsWith("<session_context>")) return text.slice(0, CONTEXT_LENGTH);
  }
  return "";
}

/** Counts the messages: those that stand are events, the others dead. */
function countMessages(
  { replay, message_bytes }: ChatIndex,
  account: SourceAccount | undefined,
): void {
  const lines = new Map<number, number>();
  for (const { position } of replay.messages.values()) lines.set(position.offset, position.length);
  const live = [...lines.values()].reduce((sum, length) => sum + length, 0);
  count(account, "events", live);
  count(account, "dead", message_bytes - live);
}

/**
 * The events of a chat.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readGemini(
  session: AgentSession,
  { needs, account, report, thread: branch, signal }: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const named = branch === undefined || branch === MAIN_THREAD
    ? { session }
    : await namedThread(session, branch);
  const { session: read, thread } = named;
  const { index, document } = await indexChat(read.path, { report, account, signal, thread });
  countMessages(index, account);
  const writer = new EventWriter(read, needs);
  startSession(writer, read, index);
  yield writer.take();
  const { messages, head } = index.replay;
  yield* runEvents(read.path, runsOf(messages), { writer, document, head, signal });
}

/** The chat that a thread is read from, and the message that names it where that is a replaced one. */
async function namedThread(
  session: AgentSession,
  name: string,
): Promise<{ session: AgentSession; thread?: string }> {
  const agents = new Map(subagentsOf(session).map((agent) => [agent.id, agent]));
  const { index: { replay: { messages, drops } } } = await indexChat(session.path, {});
  const isMessage = messages.has(name) || drops.some((drop) => drop.has(name));
  const replaced = drops.flatMap((drop) => [...drop.keys()].slice(0, 1));
  const id = isMessage && !agents.has(name)
    ? name
    : chosenThread(name, [...agents.keys(), ...replaced]);
  const agent = agents.get(id);
  return agent === undefined ? { session, thread: id } : { session: agent };
}

/** How to read a chat for the first time. */
interface IndexOptions {
  report?: Report | undefined;
  account?: SourceAccount | undefined;
  signal?: AbortSignal | undefined;
  /** Goes no further than to where this message would be taken away. */
  thread?: string | undefined;
}

/** Reads a chat for the first time; one that is a document is held. */
export async function indexChat(
  path: string,
  { report, account, signal, thread }: IndexOptions,
): Promise<{ index: ChatIndex; document: SourceRecord[] | undefined }> {
  const index = startIndex(thread);
  const document = path.endsWith(".json") ? readJsonDocument(path, { report, account }) : undefined;
  for await (
    const records of document ? [document] : readRecords(path, { report, account, signal })
  ) {
    for (const record of records) indexRecord(index, record, account);
  }
  return { index, document };
}

/** The events of messages. */
export async function* runEvents(
  path: string,
  runs: readonly MessageRun[],
  { writer, document, head, signal }: {
    writer: EventWriter;
    document: SourceRecord[] | undefined;
    /** What the chat says of itself. */
    head: Replay["head"];
    signal?: AbortSignal | undefined;
  },
): AsyncGenerator<LogEvent[]> {
  const chat = startChat(writer, head);
  if (document !== undefined) {
    for (const run of runs) emitRun(chat, run, document[0]);
    yield writer.take();
    return;
  }
  for await (const batch of readRecordsAt(path, runs, { signal })) {
    for (const { place, record } of batch) emitRun(chat, place, record);
    const events = writer.take();
    if (events.length > 0) yield events;
  }
}

/** Messages side by side in one line, or one that is a line. */
export interface MessageRun extends RecordPlace {
  indexes: number[] | undefined;
}

/** Messages as runs to be read. */
export function runsOf(messages: Replay["messages"]): MessageRun[] {
  const runs: MessageRun[] = [];
  for (const place of messages.values()) {
    const last = runs[runs.length - 1];
    if (place.index !== undefined && last?.indexes !== undefined && isSameLine(last, place)) {
      last.indexes.push(place.index);
    } else {
      const { position, salvaged, index } = place;
      runs.push({ ...position, salvaged, indexes: index === undefined ? undefined : [index] });
    }
  }
  return runs;
}

function isSameLine({ offset }: MessageRun, { position }: MessagePlace): boolean {
  return offset === position.offset;
}

/** Writes the messages of a run. */
export function emitRun(
  chat: ChatEvents,
  { indexes }: MessageRun,
  record: SourceRecord | undefined,
): void {
  if (record === undefined) return;
  if (indexes === undefined) return emitMessage(chat, record.value, { record });
  const fresh = freshMessages(record.value) ?? [];
  for (const index of indexes) emitMessage(chat, asObject(fresh[index]), { record });
}

/** Writes the head of a chat, if it has one, or messages. */
export function startSession(
  writer: EventWriter,
  session: AgentSession,
  { replay: { head, first, messages }, context }: ChatIndex,
): void {
  if (first === undefined && messages.size === 0) return;
  const folder = projectFolder(session.path);
  const marked = folder === undefined ? undefined : markedRoot(folder);
  const cwd = chatDirectory(head.projectHash, [session.cwd, marked, ...namedDirectories(context)]);
  const parent = head.kind === "subagent" ? basename(dirname(session.path)) : undefined;
  // A resume writes another head, with the time of the resume.
  const startTime = first?.value.startTime ?? head.startTime;
  const started = present({
    session_id: session.id,
    created_at: isoTime(startTime) ?? "",
    cwd: cwd ?? "",
    app: { name: "gemini" },
    unanswered_call: UNSETTLED_OUTPUT,
    title: asName(head.summary),
    environment: present({ directories: head.directories, kind: head.kind }),
    parent: parent === undefined ? undefined : { session_id: parent, reason: "subagent" },
  });
  writer.emit("session_started", started, {
    id: session.id,
    time: startTime,
    record: first,
  });
}
