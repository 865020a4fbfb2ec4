/**
 * Replays the patches of a chat to find its current messages and the chat's facts about itself. The
 * replay stores the messages' positions, not their contents.
 */
import { asList, asObject, asText, type Json, present } from "../engine/json.ts";
import { genAiText } from "../engine/genai/genai_content.ts";
import { readHeadRecords } from "../engine/records/file_edges.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { ReplayRules, StandingPlace } from "../engine/sources/replayed_source.ts";

export interface ChatReplay {
  /** The positions of the current messages, by id, in the order of the chat. */
  messages: Map<string, StandingPlace>;
  /** The fields of the chat's heads and `$set` patches. Later values replace earlier values. */
  head: Record<string, unknown>;
  first: SourceRecord | undefined;
  /** The start of the context that Gemini CLI put first in the chat. Empty if there is none. */
  context: string;
  /** True if some messages were not read, so that a rewind may name one of them. */
  readonly partial: boolean;
  /** Id of the removed thread to replay: its first message's id. Undefined for the main thread. */
  readonly thread: string | undefined;
  ended: boolean;
  /** The messages removed by each rewind, or by each `$set` that replaces all messages. */
  drops: Map<string, StandingPlace>[];
}

/** @param thread Id of the first message of a removed thread. Undefined for the main thread. */
export function chatRules(thread?: string): ReplayRules<ChatReplay> {
  return {
    begin: (partial) => ({
      messages: new Map(),
      head: {},
      first: undefined,
      context: "",
      partial,
      thread,
      ended: false,
      drops: [],
    }),
    take: takeRecord,
    head: headRecord,
    standing: ({ messages }) => messages.values(),
    parts: (value) => freshMessages(value) ?? [],
  };
}

/** The value of a made-up first record, with facts from the whole chat. */
export interface ChatHead extends Record<string, unknown> {
  fields: Json;
  found: boolean;
  /** The start time in the chat's first head record. Ignores heads that a resume adds later. */
  startTime: unknown;
  context: string;
}

function headRecord({ first, messages, head, context }: ChatReplay): SourceRecord | undefined {
  const [message] = messages.values();
  const place = first?.position ?? message;
  if (place === undefined) return undefined;
  const { offset, length, line } = place;
  const startTime = first?.value.startTime ?? head.startTime;
  const value: ChatHead = { fields: head, found: first !== undefined, startTime, context };
  const is_line = first !== undefined && freshMessages(first.value) === undefined;
  const position = { offset, length, line };
  return present({ value, position, part: is_line ? undefined : 0, salvaged: first?.salvaged });
}

/** Replays a record unless `thread` was already removed. Returns the type of a non-message. */
function takeRecord(replay: ChatReplay, record: SourceRecord): string | undefined {
  if (!replay.ended) replay.ended = takesAway(replay, record);
  if (replay.ended) return undefined;
  const { value, position, salvaged } = record;
  const place = { ...position, salvaged };
  const type = chatRecordType(value);
  replay.context ||= contextIn(freshMessages(value) ?? [value]);
  switch (type) {
    case "$rewindTo":
      rewind(replay, asText(value.$rewindTo) ?? "");
      return type;
    case "message":
      replay.messages.set(messageId(value) ?? "", place);
      return undefined;
    case "other":
      replay.messages.set(`at ${position.offset}`, place);
      return undefined;
    default:
      return takeHead(replay, record);
  }
}

function takeHead(replay: ChatReplay, record: SourceRecord): string | undefined {
  const { value, position, salvaged } = record;
  const { messages: _, ...head } = asObject(value.$set ?? value);
  const is_first = value.$set === undefined && replay.first === undefined;
  if (is_first) replay.first = record;
  Object.assign(replay.head, head);
  const fresh = freshMessages(value);
  if (fresh === undefined) return is_first ? undefined : chatRecordType(value);
  const before = replay.messages;
  replay.messages = new Map();
  for (const [part, message] of fresh.entries()) {
    const id = messageId(message) ?? `${position.offset}-${part}`;
    replay.messages.set(id, { ...position, salvaged, part });
  }
  drop(replay, [...before].filter(([id]) => !replay.messages.has(id)));
  return undefined;
}

function rewind(replay: ChatReplay, id: string): void {
  if (replay.partial && !replay.messages.has(id)) return;
  const all = [...replay.messages];
  const from = replay.messages.has(id) ? all.findIndex(([key]) => key === id) : 0;
  replay.messages = new Map(all.slice(0, from));
  drop(replay, all.slice(from));
}

/** Returns the threads of removed messages. A thread's id is the id of its first message. */
export function takenAway({ messages, drops }: ChatReplay): [string, StandingPlace][][] {
  const threads: [string, StandingPlace][][] = [];
  for (const taken of drops) {
    const own = [...taken].filter(([id]) =>
      !messages.has(id) && !threads.some(([first]) => first?.[0] === id)
    );
    if (own.length > 0) threads.push(own);
  }
  return threads;
}

function drop({ drops }: ChatReplay, taken: readonly [string, StandingPlace][]): void {
  if (taken.length > 0) drops.push(new Map(taken));
}

/** True for a record that removes the first message of `thread`. */
function takesAway({ messages, thread }: ChatReplay, { value }: SourceRecord): boolean {
  if (thread === undefined || !messages.has(thread)) return false;
  if (typeof value.$rewindTo === "string") {
    const ids = [...messages.keys()];
    return ids.indexOf(thread) >= ids.indexOf(value.$rewindTo);
  }
  const fresh = freshMessages(value);
  return fresh !== undefined && !fresh.some((message) => messageId(message) === thread);
}

/** Maximum characters of the context that are kept, enough for the names of all directories. */
const CONTEXT_LENGTH = 8192;

function contextIn(messages: readonly Json[]): string {
  for (const { type, content } of messages) {
    if (type !== "user") continue;
    const text = genAiText(content);
    if (text.trimStart().startsWith("<session_context>")) return text.slice(0, CONTEXT_LENGTH);
  }
  return "";
}

// Reads the records of a chat of Gemini CLI (packages/core/src/services/chatRecordingService.ts and
// chatRecordingTypes.ts, 0.61). A chat is a log of patches.
//
// First comes a head `{sessionId, projectHash, startTime, …}`, then messages `{id, timestamp, type,
// content, …}`. A later message with the same id replaces the earlier in its place. `{"$set": {…}}`
// changes the head, and with `messages` begins anew. `{"$rewindTo": id}` takes back that message
// and all behind it, or all when it is not there.

type ChatRecordType = "head" | "message" | "$set" | "$rewindTo" | "other";

/** Returns a record's type. Tests the fields in the same order as Gemini CLI. */
export function chatRecordType(value: Json): ChatRecordType {
  if (typeof value.$rewindTo === "string") return "$rewindTo";
  if (typeof value.id === "string") return "message";
  if (typeof value.$set === "object" && value.$set !== null) return "$set";
  return typeof value.sessionId === "string" ? "head" : "other";
}

/** Returns the messages of a record that replaces all earlier messages, else undefined. */
export function freshMessages(value: Json): readonly Json[] | undefined {
  const { messages } = chatRecordType(value) === "$set" ? asObject(value.$set) : value;
  return Array.isArray(messages) ? asList(messages).map(asObject) : undefined;
}

function messageId(message: Json): string | undefined {
  return asText(message.id);
}

/** Number of bytes read for the head, which is the first line and has no message. */
const HEAD_BYTES = 16 * 1024;

/** Reads the head of a chat log. Empty if there is none, or if the chat is a JSON document. */
export function readChatHead(path: string): Json {
  const [first] = isDocument(path) ? [] : readHeadRecords(path, HEAD_BYTES);
  return first !== undefined && chatRecordType(first.value) === "head" ? first.value : {};
}

/** True for a chat that is one JSON document, as written up to version 0.3x. */
export function isDocument(path: string): boolean {
  return path.endsWith(".json");
}
