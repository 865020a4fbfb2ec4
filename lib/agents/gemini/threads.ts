/**
 * Lists the threads of a Gemini CLI chat: the final messages, rewound parts, earlier beginnings,
 * and its sub-agents' chats.
 */
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { readJsonDocument } from "../../reading/records/json_document.ts";
import { readRecords } from "../../reading/records/jsonl_records.ts";
import { asName, present } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import type { FormatThread } from "../../reading/session_format.ts";
import {
  recordsAmong,
  recordsAt,
  type StandingPlace,
} from "../../reading/sources/replayed_source.ts";
import { isDocument } from "./chat_record.ts";
import { type ChatReplay, chatRules, takenAway } from "./chat_replay.ts";
import { type Subagent, subagentsOf } from "./subagents.ts";

/** Returns the threads of a chat. */
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
  return {
    id,
    kind: "subagent",
    parent: { thread: parent },
    records: messages.size,
    ...present({ title: asName(head.summary) }),
    session,
    own: () => ownRecords(path, messages),
  };
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

/** Replays a chat to its end. */
export async function replayChat(path: string): Promise<ChatReplay> {
  const rules = chatRules();
  const replay = rules.begin(false);
  for await (const records of isDocument(path) ? [readJsonDocument(path)] : readRecords(path)) {
    for (const record of records) rules.take(replay, record);
  }
  return replay;
}
