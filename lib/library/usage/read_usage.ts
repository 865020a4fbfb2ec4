/**
 * The responses of one session, of all its threads.
 */
import {
  type ResponseUsage,
  responseUsage,
  type UsageState,
} from "../../projection/response_usage.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { readThreads } from "../../source/read_threads.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { type PackedUsage, packUsage } from "./packed_usage.ts";

/**
 * Reads what a session took.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function readPackedUsage(agent: Agent, session: AgentSession): Promise<PackedUsage> {
  return packUsage(await recordsOf(agent, session));
}

async function recordsOf(agent: Agent, session: AgentSession): Promise<ResponseUsage[]> {
  if (agent.usage === undefined) return await foldedRecords(agent, session);
  const records: ResponseUsage[] = [];
  for await (const batch of agent.usage(session)) for (const one of batch) records.push(one);
  return records;
}

/** Of an agent that does not tell them by itself, what the events of every thread say. */
async function foldedRecords(agent: Agent, session: AgentSession): Promise<ResponseUsage[]> {
  const projection = responseUsage();
  const states = new Map<string, UsageState>();
  for await (
    const { thread, events } of readThreads(agent, session, { needs: projection.needs })
  ) {
    let state = states.get(thread) ?? projection.initial();
    for (const event of events) state = projection.apply(state, event);
    states.set(thread, state);
  }
  return [...states].flatMap(([thread, state]) => {
    const responses = projection.result(state);
    return thread === MAIN_THREAD ? responses : responses.map((one) => ({ ...one, thread }));
  });
}
