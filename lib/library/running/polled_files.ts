/** Files in no watched folder, whose states are compared now and then. */
import { existsSync } from "node:fs";
import type { AgentName } from "../../core/event/agent_name.ts";
import { listFolder } from "../../agents/engine/files/folder.ts";
import { statSync } from "../../core/platform/files.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { agentPlaces } from "../../agents/contract/agent_roots.ts";
import { descriptorOf } from "../machine/registry.ts";

/** Matches the names of databases and their WALs. */
export const DATABASE = /\.(?:db|sqlite3)(?:-wal)?$/;

/** Lists the databases in agents' roots themselves, which are in no watched folder. */
export function rootDatabases(
  agents: readonly AgentName[],
  environment: AgentEnvironment,
): string[] {
  const folders = agents.flatMap((agent) => agentPlaces(descriptorOf(agent), environment));
  return folders.flatMap(({ folder }) =>
    existsSync(folder) ? listFolder(folder).map(({ path }) => path) : []
  ).filter((path) => DATABASE.test(path));
}

/** The states of files at the last look. */
export class PolledFiles {
  #states = new Map<string, string>();

  /** Sets the files to look at. A file that was not among them counts as unchanged. */
  follow(paths: readonly string[]): void {
    this.#states = new Map(
      paths.map((path) => [path, this.#states.get(path) ?? stateOf(path)]),
    );
  }

  /** Returns the files that changed since the last look. */
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
