/** The readers of the user's own: those that may be started, and one that is tried before it is set. */
import { isBuiltIn, joinAgent } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { statSync } from "../../core/platform/files.ts";
import { unsafeReason } from "../../core/store/store_safety.ts";
import { type Config, joinReaders } from "../../core/workspace/config.ts";
import { configPath } from "../../core/workspace/config_file.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { agentCalled, descriptorOf } from "./registry.ts";

/**
 * Returns the commands of readers by their agents. They are empty where others can write the settings
 * or their folder. Otherwise these could have any program started.
 */
export function trustedReaders(
  root: string,
  config: Config,
): Readonly<Record<string, readonly string[]>> {
  const readers = joinReaders(config);
  const names = Object.keys(readers);
  if (names.length === 0) return readers;
  const is_safe = [root, configPath(root)].every((path) =>
    unsafeReason(statSync(path)) === undefined
  );
  return is_safe ? readers : Object.fromEntries(names.map((name) => [name, []]));
}

/**
 * Starts each reader of the user's own for its list of sessions.
 *
 * @returns The failures, by the names of agents.
 */
export async function failingReaders(
  environment: AgentEnvironment,
): Promise<Map<string, SessionError>> {
  const failures = new Map<string, SessionError>();
  for (const [name, argv] of Object.entries(environment.readers ?? {})) {
    try {
      await countPrinted(name, argv, environment);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      failures.set(name, error);
    }
  }
  return failures;
}

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
