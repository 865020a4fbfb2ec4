/**
 * Lists the threads of a Copilot CLI session: the dialogue, and each sub-agent's work. All are in
 * one log.
 */
import { asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { excerpt } from "../../core/projection/excerpt.ts";
import type { AgentSession } from "../contract/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../core/projection/session_thread.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { readRecords } from "../engine/records/jsonl_records.ts";
import { isDocument } from "./locate.ts";

/**
 * Returns the thread of a record. A sub-agent's thread has its own id (1.0.102), or the id of the
 * call that started it (0.0.420).
 */
export function ownerOf({ data, agentId }: Json): string {
  return asName(agentId) ?? asName(asObject(data).parentToolCallId) ?? MAIN_THREAD;
}

/** Returns a log's threads, read in one pass, as a log may have many sub-agents. */
export async function threadsOf({ path }: AgentSession): Promise<SessionThread[]> {
  const main: SessionThread = { id: MAIN_THREAD, kind: "main", records: 0 };
  if (isDocument(path)) return [{ ...main, records: 1 }];
  const threads = new Map([[MAIN_THREAD, main]]);
  const titles = new Map<string, string>();
  const callers = new Map<string, string>();
  /** Ids of the calls that started sub-agents, by the sub-agent's own id. */
  const calls = new Map<string, string>();
  for await (const records of readRecords(path)) {
    for (const { value } of records) {
      const owner = ownerOf(value);
      const { toolCallId, agentDisplayName, agentName } = asObject(value.data);
      const call = asName(toolCallId);
      const title = asName(agentDisplayName) ?? asName(agentName);
      const is_own = asText(value.type)?.startsWith("subagent.") === true;
      const started = is_own ? asName(value.agentId) : undefined;
      if (started !== undefined && call !== undefined) calls.set(started, call);
      else if (call !== undefined && owner !== MAIN_THREAD) callers.set(call, owner);
      if (call !== undefined && title !== undefined && !titles.has(started ?? call)) {
        titles.set(started ?? call, title);
      }
      const thread = threads.get(owner) ?? { id: owner, kind: "subagent", records: 0 };
      threads.set(owner, withRecord(thread, value));
    }
  }
  return [...threads.values()].map((thread) => {
    if (thread.kind === "main") return thread;
    const caller = callers.get(calls.get(thread.id) ?? thread.id) ?? MAIN_THREAD;
    const parent = { thread: threads.has(caller) ? caller : MAIN_THREAD };
    return present({ ...thread, parent, title: titles.get(thread.id) ?? thread.title });
  });
}

function withRecord(thread: SessionThread, { type, timestamp, data }: Json): SessionThread {
  const updated_at = isoTime(timestamp);
  const time = updated_at ?? thread.updated_at;
  const described = present({ ...thread, updated_at: time, records: thread.records + 1 });
  if (thread.kind === "main") return described;
  const { content, outputTokens } = asObject(data);
  const spent = type === "assistant.message" ? asNumber(outputTokens) ?? 0 : 0;
  const prompt = type === "user.message" ? excerpt(asText(content) ?? "") : "";
  const title = thread.title ?? (prompt || undefined);
  const output = (thread.usage?.output ?? 0) + spent;
  return present({ ...described, title, usage: spent === 0 ? thread.usage : { output } });
}
