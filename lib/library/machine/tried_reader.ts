/** Tries a reader of the user's own before it is set. */
import { isBuiltIn, joinAgent } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { agentCalled, descriptorOf } from "./registry.ts";

/**
 * Returns the number of sessions that a reader prints.
 *
 * @param argv The program and its arguments.
 * @throws {SessionError} `invalid-argument` where the name means another agent, and as of a list.
 */
export async function countPrinted(
  name: string,
  argv: readonly string[],
  environment: AgentEnvironment,
): Promise<number> {
  const taken = agentCalled(name);
  if (taken !== undefined && isBuiltIn(taken)) {
    const message = `Cannot use "${name}" as the name of an agent: it is another name of ${taken}`;
    throw new SessionError("invalid-argument", message);
  }
  const locate = await descriptorOf(joinAgent(name)).loadLocate();
  const place = { ...environment, readers: { [name]: argv }, folder: argv[0] ?? "" };
  let count = 0;
  for await (const _ of locate(place)) count++;
  return count;
}
