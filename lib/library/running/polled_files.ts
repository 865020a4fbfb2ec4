/** Polls files in no watched folder: compares their size and time with the last look. */
import { existsSync } from "node:fs";
import type { AgentName } from "../../core/event/agent_name.ts";
import { listFolder } from "../../agents/engine/files/folder.ts";
import { statSync } from "../../core/platform/files.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { agentPlaces } from "../../agents/contract/agent_roots.ts";
import { descriptorOf } from "../machine/registry.ts";

export const DATABASE = /\.(?:db|sqlite3)(?:-wal)?$/;

/** Lists the databases directly in agents' root folders, because those folders are not watched. */
export function rootDatabases(
  agents: readonly AgentName[],
  environment: AgentEnvironment,
): string[] {
  const folders = agents.flatMap((agent) => agentPlaces(descriptorOf(agent), environment));
  return folders.flatMap(({ folder }) =>
    existsSync(folder) ? listFolder(folder).map(({ path }) => path) : []
  ).filter((path) => DATABASE.test(path));
}

export class PolledFiles {
  #states = new Map<string, string>();

  /** Sets the files to look at. A newly added file counts as unchanged. */
  follow(paths: readonly string[]): void {
    this.#states = new Map(
      paths.map((path) => [path, this.#states.get(path) ?? stateOf(path)]),
    );
  }

  take(): string[] {
    const changed: string[] = [];
    for (const [path, before] of this.#states) {
      const state = stateOf(path);
      if (state === before) continue;
      this.#states.set(path, state);
      changed.push(path);
    }
    return changed;
  }
}

function stateOf(path: string): string {
  try {
    const { size, mtime } = statSync(path);
    return `${size} ${mtime?.getTime()}`;
  } catch {
    // Not there.
    return "";
  }
}
