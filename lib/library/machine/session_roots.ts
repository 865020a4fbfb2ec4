/** Tells in which of its agent's roots a session lies. */
import { existsSync } from "node:fs";
import type { AgentName } from "../../core/event/agent_name.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { agentPlaces, isBelow } from "../../agents/contract/agent_roots.ts";
import { realDirectory } from "../../core/workspace/real_directory.ts";
import { descriptorOf } from "./registry.ts";

export class SessionRoots {
  readonly #environment: AgentEnvironment;
  readonly #folders = new Map<AgentName, readonly string[]>();

  constructor(environment: AgentEnvironment) {
    this.#environment = environment;
  }

  /**
   * Returns the root of a session; undefined if its agent has only one or the session is in none.
   */
  of({ agent, path }: Pick<AgentSession, "agent" | "path">): string | undefined {
    const folders = this.#foldersOf(agent);
    return folders.length < 2 ? undefined : folders.find((folder) => isBelow(path, folder));
  }

  #foldersOf(agent: AgentName): readonly string[] {
    let folders = this.#folders.get(agent);
    if (folders === undefined) {
      const places = agentPlaces(descriptorOf(agent), this.#environment);
      folders = places.map(({ folder }) => folder).filter((folder) => existsSync(folder));
      this.#folders.set(agent, folders);
    }
    return folders;
  }
}

export function isInRoot(folder: string): (session: Pick<AgentSession, "path">) => boolean {
  const real = realDirectory(folder);
  return ({ path }) => isBelow(path, folder) || isBelow(path, real);
}
