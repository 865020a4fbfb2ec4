/** Usage of one session by itself, whatever other sessions hold. */
import type { UsageRow } from "../../projection/usage_rows.ts";
import type { Agent, AgentSession } from "../../source/agent.ts";
import { CountedUsage } from "./counted_usage.ts";
import { readPackedUsage } from "./read_usage.ts";
import { SessionRows, type SessionRowsOptions } from "./session_rows.ts";

/**
 * Adds up the responses of all threads of a session, by day and model.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function sessionUsage(
  agent: Agent,
  session: AgentSession,
  options: SessionRowsOptions,
): Promise<UsageRow[]> {
  const counted = new CountedUsage();
  counted.add(await readPackedUsage(agent, session));
  return new SessionRows(counted, options).of(0);
}

/** The day of a time in UTC. */
export function utcDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
