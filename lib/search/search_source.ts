/**
 * Where to search: a session of ours or of another agent.
 */
import type { AgentEnvironment, AgentSession } from "../source/agent.ts";
import { loadAgent, readableAgents } from "../agents/registry.ts";
import type { AgentName } from "../event/agent_name.ts";
import { type SessionFolder, sessionFolders } from "../session/session_folder.ts";

/** A session that can be searched. */
export interface SearchSource {
  /** A session id of ours, or `<agent>:<id>`. */
  ref: string;
  /** Who keeps it; `reprise`, where it is ours. */
  agent: AgentName | "reprise";
  /** The id by which that agent knows it. */
  session_id: string;
  /** Of the log, the database or the folder's main file. */
  path: string;
  /** As its agent finds it; absent where it is ours. */
  session?: AgentSession;
}

/** What is known of a file without reading it; undefined when it cannot be looked at. */
export function fileSize(path: string): number | undefined {
  try {
    const { isFile, size } = Deno.statSync(path);
    return isFile ? size : undefined;
  } catch {
    // Gone meanwhile, or not allowed: reading it says so.
    return undefined;
  }
}

/** A session of ours to search. */
export function ownSearchSource({ session_id, path }: SessionFolder): SearchSource {
  return { ref: session_id, agent: "reprise", session_id, path };
}

/**
 * The sessions of a data root, archived ones among them; those in the trash are not.
 *
 * @param root The data root.
 * @returns One source a session, for {@linkcode searchSessions}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ownSearchSources } from "@reprise/reprise/search";
 *
 * assert.deepEqual(ownSearchSources("/no/such/store"), []);
 * ```
 */
export function ownSearchSources(root: string): SearchSource[] {
  return sessionFolders(root).map(ownSearchSource);
}

/** A session of another agent to search. */
export function agentSearchSource(session: AgentSession): SearchSource {
  const { agent, id, path } = session;
  return { ref: `${agent}:${id}`, agent, session_id: id, path, session };
}

/**
 * The sessions of other agents, wherever they keep them.
 *
 * @param environment What the readers may know of the machine.
 * @param names Which agents. @default {all that can be read}
 * @returns One source a session, for {@linkcode searchSessions}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { agentSearchSources } from "@reprise/reprise/search";
 *
 * const environment = { home: "/no/such/home", variable: () => undefined, os: "linux" };
 * assert.deepEqual(await agentSearchSources(environment, ["pi", "claude"]), []);
 * ```
 */
export async function agentSearchSources(
  environment: AgentEnvironment,
  names: readonly AgentName[] = readableAgents(),
): Promise<SearchSource[]> {
  const found: SearchSource[] = [];
  for (const name of names) {
    const agent = await loadAgent(name);
    for await (const session of agent.locate(environment)) found.push(agentSearchSource(session));
  }
  return found;
}
