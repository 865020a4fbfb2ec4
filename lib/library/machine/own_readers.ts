/** The user's own reader programs: those in the settings, and one to try before it is set. */
import { isBuiltIn, joinAgent } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { statSync } from "../../core/platform/files.ts";
import { unsafeReason } from "../../core/store/store_safety.ts";
import { type Config, joinReaders } from "../../core/workspace/config.ts";
import { configPath } from "../../core/workspace/config_file.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { agentCalled, descriptorOf, openReader } from "./registry.ts";

/**
 * Returns the commands of readers by their agents. If other users can write the settings or their
 * folder, each command is empty. Such users could have any program started.
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
 * Starts each of the user's own readers for its list of sessions, then for the events of the newest
 * session.
 *
 * @returns The failures, by the names of agents.
 */
export async function failingReaders(
  environment: AgentEnvironment,
): Promise<Map<string, SessionError>> {
  const failures = new Map<string, SessionError>();
  for (const [name, argv] of Object.entries(environment.readers ?? {})) {
    try {
      const newest = newestOf(await printedBy(name, argv, environment));
      if (newest !== undefined) await readToEnd(newest);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      failures.set(name, error);
    }
  }
  return failures;
}

/**
 * Runs a user's reader program and counts the sessions in its output.
 *
 * @param argv The program and its arguments.
 * @throws {SessionError} `invalid-argument` if the agent's `name` is that of a built-in agent; also
 * all errors of listing sessions.
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
  return (await printedBy(name, argv, environment)).length;
}

async function printedBy(
  name: string,
  argv: readonly string[],
  environment: AgentEnvironment,
): Promise<AgentSession[]> {
  const locate = await descriptorOf(joinAgent(name)).loadLocate();
  const place = { ...environment, readers: { [name]: argv }, folder: argv[0] ?? "" };
  return await Array.fromAsync(locate(place));
}

function newestOf(sessions: readonly AgentSession[]): AgentSession | undefined {
  let newest: AgentSession | undefined;
  let latest = -Infinity;
  for (const session of sessions) {
    const { files = [] } = session.printed ?? {};
    const changed = files.reduce((last, path) => Math.max(last, changedAt(path)), 0);
    if (changed > latest) [newest, latest] = [session, changed];
  }
  return newest;
}

function changedAt(path: string): number {
  try {
    return statSync(path).mtime?.getTime() ?? 0;
  } catch {
    // The file is missing, but the program may still know the session.
    return 0;
  }
}

async function readToEnd(session: AgentSession): Promise<void> {
  const events = (await openReader(session)).read({ needs: new Set() });
  for await (const _ of events) { /* a failure is thrown */ }
}
