/**
 * The responses of one session, of all its threads.
 */
import { foldBatches } from "../../projection/projection.ts";
import { type ResponseUsage, responseUsage } from "../../projection/response_usage.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
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
  const records: ResponseUsage[] = [];
  if (agent.usage !== undefined) {
    for await (const batch of agent.usage(session)) for (const one of batch) records.push(one);
    return records;
  }
  const threads = await agent.threads?.(session) ?? [{ id: MAIN_THREAD }];
  // A branch is read from its root: what other threads have too was counted there.
  const seen = new Set<string>();
  for (const { id } of threads) {
    const own = new Set<string>();
    const projection = responseUsage({
      counted_elsewhere: ({ id: record, session_id }) => {
        if (record === undefined) return false;
        const name = `${session_id} ${record}`;
        own.add(name);
        return seen.has(name);
      },
    });
    const options = { needs: projection.needs, ...(id === MAIN_THREAD ? {} : { thread: id }) };
    const responses = await foldBatches(projection, agent.read(session, options));
    for (const one of responses) records.push(id === MAIN_THREAD ? one : { ...one, thread: id });
    for (const record of own) seen.add(record);
  }
  return records;
}
