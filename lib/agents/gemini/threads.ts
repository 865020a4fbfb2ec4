/**
 * Lists the threads of a Gemini CLI chat. They are the current messages, removed messages, and the
 * chats of sub-agents. A rewind or a new start removes messages.
 */
import { asName, type Json, present } from "../engine/json.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { readJsonDocument } from "../engine/sources/document_source.ts";
import { readRecords } from "../engine/records/jsonl_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatThread } from "../engine/session_format.ts";
import { recordsAmong, recordsAt, type StandingPlace } from "../engine/sources/replayed_source.ts";
import type { AgentSession, Subagent } from "../contract/agent.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { tokenUsage } from "./answer_events.ts";
import { type ChatReplay, chatRules, freshMessages, isDocument, takenAway } from "./chat_replay.ts";
import { subagentsOf } from "./locate.ts";

export async function threadsOf(session: AgentSession): Promise<FormatThread[]> {
  const { path } = session;
  const replay = await replayChat(path);
  const messages = [...replay.messages];
  const main: FormatThread = {
    id: MAIN_THREAD,
    kind: "main",
    records: messages.length,
    record_ids: messages.map(([id]) => id),
    own: () => ownRecords(path, messages.slice(-1)),
  };
  const agents = await Promise.all(subagentsOf(session).map(subagentThread));
  // The stub of a resume holds nothing.
  return [main, ...replacedThreads(path, replay), ...agents.filter(({ records }) => records > 0)];
}

function replacedThreads(path: string, replay: ChatReplay): FormatThread[] {
  return takenAway(replay).map((own) => {
    const record_ids = own.map(([id]) => id);
    return {
      id: record_ids[0] ?? "",
      kind: "replaced",
      parent: { thread: MAIN_THREAD },
      records: own.length,
      record_ids,
      own: () => ownRecords(path, own),
    };
  });
}

async function subagentThread({ parent, ...session }: Subagent): Promise<FormatThread> {
  const { id, path } = session;
  const { messages, head } = await replayChat(path);
  return present({
    id,
    kind: "subagent",
    parent: { thread: parent },
    records: messages.size,
    title: asName(head.summary),
    session,
    own: () => ownRecords(path, messages),
  });
}

function ownRecords(
  path: string,
  places: Iterable<[string, StandingPlace]>,
): AsyncIterable<SourceRecord[]> | Iterable<SourceRecord[]> {
  const standing = [...places].map(([_, place]) => place);
  return isDocument(path)
    ? [recordsAmong(chatRules(), readJsonDocument(path), standing)]
    : recordsAt(path, chatRules(), standing);
}

async function replayChat(path: string): Promise<ChatReplay> {
  const rules = chatRules();
  const replay = rules.begin(false);
  for await (const records of isDocument(path) ? [readJsonDocument(path)] : readRecords(path)) {
    for (const record of records) rules.take(replay, record);
  }
  return replay;
}

// Counts the usage of a chat and of its sub-agents. Gemini CLI writes a message anew when it changes.
// A resume writes it once more, under a new time and without its tokens (0.61). So each record
// counts that has tokens, those of one message once.

export async function* readUsage(session: AgentSession): AsyncGenerator<ResponseUsage[]> {
  const replaced = takenAway(await replayChat(session.path)).flatMap((own) =>
    own.map(([id]) => [id, own[0]?.[0]] as const)
  );
  const threads = new Map(replaced);
  yield* responsesIn(session, (id) => threads.get(id));
  for (const agent of subagentsOf(session)) yield* responsesIn(agent, () => agent.id);
}

async function* responsesIn(
  { path }: AgentSession,
  threadOf: (id: string) => string | undefined,
): AsyncGenerator<ResponseUsage[]> {
  for await (
    const records of isDocument(path) ? [readJsonDocument(path)] : readRecords(path)
  ) {
    const messages = records.flatMap(({ value }) => freshMessages(value) ?? [value]);
    yield messages.flatMap((message) => {
      const id = asName(message.id) ?? "";
      return responseOf(message, `${id}\n${message.timestamp}`, threadOf(id));
    });
  }
}

function responseOf(message: Json, key: string, thread: string | undefined): ResponseUsage[] {
  const usage = tokenUsage(message.tokens);
  if (usage === undefined) return [];
  const model = asName(message.model) ?? "";
  return [present({ key, time: isoTime(message.timestamp), model, thread, usage })];
}
