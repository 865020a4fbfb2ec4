/**
 * Lists the threads of a Copilot CLI session: the dialogue, and each sub-agent's work. All are in
 * one log.
 */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { describedThread } from "../../reading/summary/described_thread.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { readRecords } from "../../reading/records/jsonl_records.ts";
import { asName, asObject, present } from "../../reading/records/json_value.ts";
import { CopilotEvents } from "./read.ts";
import { ownerOf } from "./session_events.ts";
import { isDocument } from "./session_file.ts";

interface OpenThread {
  known: SessionThread;
  events: CopilotEvents;
  made: LogEvent[];
}

/** The threads of a session; see {@linkcode Agent.threads}. */
export async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  const main: SessionThread = { id: MAIN_THREAD, kind: "main", records: 0 };
  if (isDocument(session.path)) return [{ ...main, records: 1 }];
  const open = new Map<string, OpenThread>();
  const titles = new Map<string, string>();
  const callers = new Map<string, string>();
  for await (const records of readRecords(session.path)) {
    for (const record of records) {
      const { value } = record;
      const { toolCallId, agentDisplayName, agentName } = asObject(value.data);
      const [owner, call] = [ownerOf(value), asName(toolCallId)];
      if (call !== undefined && owner !== undefined) callers.set(call, owner);
      const title = asName(agentDisplayName) ?? asName(agentName);
      if (call !== undefined && title !== undefined) titles.set(call, title);
      const thread = owner === undefined ? undefined : threadOf(session, open, owner);
      const known = thread?.known ?? main;
      known.records++;
      Object.assign(known, present({ updated_at: isoTime(value.timestamp) }));
      thread?.events.take(record);
      thread?.made.push(...thread.events.writer.take());
    }
  }
  const agents = [...open.values()].map(({ known, made }) => {
    const [title, caller] = [titles.get(known.id), callers.get(known.id)];
    const thread = caller !== undefined && open.has(caller) ? caller : MAIN_THREAD;
    return describedThread({ ...known, parent: { thread }, ...present({ title }) }, batchOf(made));
  });
  return [main, ...await Promise.all(agents)];
}

function threadOf(
  session: AgentSession,
  open: Map<string, OpenThread>,
  id: string,
): OpenThread {
  const known = open.get(id);
  if (known !== undefined) return known;
  const thread: OpenThread = {
    known: { id, kind: "subagent", records: 0 },
    events: new CopilotEvents(session, { needs: SUMMARY_KINDS, thread: id }),
    made: [],
  };
  open.set(id, thread);
  return thread;
}

async function* batchOf(events: readonly LogEvent[]): AsyncGenerator<readonly LogEvent[]> {
  yield events;
}
