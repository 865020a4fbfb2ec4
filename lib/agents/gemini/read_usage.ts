/**
 * Counts the usage of a chat and of its sub-agents. Gemini CLI writes a message anew when it changes.
 * A resume writes it once more, under a new time and without its tokens (0.61). So each record
 * counts that has tokens, those of one message once.
 */
import type { AgentSession } from "../../source/agent.ts";
import type { ResponseUsage } from "../../source/response_usage.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { readJsonDocument } from "../../reading/records/json_document.ts";
import { readRecords } from "../../reading/records/jsonl_records.ts";
import { asName, present } from "../../reading/json_value.ts";
import { freshMessages, isDocument } from "./chat_record.ts";
import { tokenUsage } from "./message_events.ts";
import { takenAway } from "./chat_replay.ts";
import { subagentsOf } from "./subagents.ts";
import { replayChat } from "./threads.ts";

type Json = Readonly<Record<string, unknown>>;

/** The responses of a chat; see {@linkcode SessionReader.usage}. */
export async function* readUsage(session: AgentSession): AsyncGenerator<ResponseUsage[]> {
  const replaced = takenAway(await replayChat(session.path)).flatMap((own) =>
    own.map(([id]) => [id, own[0]?.[0]] as const)
  );
  const threads = new Map(replaced);
  yield* responsesIn(session, (id) => threads.get(id));
  for (const agent of subagentsOf(session)) yield* responsesIn(agent, () => agent.id);
}

async function* responsesIn(
  { id: session, path }: AgentSession,
  threadOf: (id: string) => string | undefined,
): AsyncGenerator<ResponseUsage[]> {
  for await (
    const records of isDocument(path) ? [readJsonDocument(path)] : readRecords(path)
  ) {
    const messages = records.flatMap(({ value }) => freshMessages(value) ?? [value]);
    yield messages.flatMap((message) => {
      const id = asName(message.id) ?? "";
      return responseOf(message, `${id}\n${session} ${message.timestamp}`, threadOf(id));
    });
  }
}

function responseOf(message: Json, key: string, thread: string | undefined): ResponseUsage[] {
  const usage = tokenUsage(message.tokens);
  if (usage === undefined) return [];
  const model = asName(message.model) ?? "";
  return [present({ key, time: isoTime(message.timestamp), model, thread, usage })];
}
