/**
 * Decides which sessions a hook may quote to a starting agent. Whoever makes a repository may plant
 * files in it. So a session counts only if an agent of this user wrote it, in its own folder.
 */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AGENT_NAMES, type AgentName } from "../../core/event/agent_name.ts";
import { filesOfSummary } from "../../library/machine/locators.ts";
import { descriptorOf } from "../../library/machine/registry.ts";
import { realPathSync, statSync } from "../../core/platform/files.ts";
import { ownUser } from "../../core/platform/process.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import type { AgentDescriptor } from "../../agents/contract/agent_descriptor.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { agentFolders } from "../../agents/contract/agent_roots.ts";
import { expandHome, type ReadVariable } from "../../core/workspace/data_root.ts";
import { pathRules } from "../../core/workspace/path_rules.ts";
import { commonGitFolder, isInProject, projectDirectories } from "../../core/workspace/project.ts";
import { realDirectory, realPlace } from "../../core/workspace/real_directory.ts";
import { namesBelow } from "../../core/workspace/system_path.ts";

/**
 * Returns the real directories that a project's authors may fill: the work trees, and the widest
 * folder around `cwd`. The widest folder holds neither the home nor an agent's folder.
 */
export function projectGround(cwd: string, { home, os }: Home): string[] {
  const environment = { home, os, variable: () => undefined };
  const others = AGENT_NAMES.flatMap((name) => ownFolders(descriptorOf(name), environment));
  const kept = [realDirectory(home), ...others];
  const here = realDirectory(cwd);
  let top = here;
  for (let at = here; !isAroundOne(at, kept) && dirname(at) !== at; at = dirname(at)) top = at;
  return [...new Set([...projectDirectories(here), top])];
}

type Home = Pick<AgentEnvironment, "home" | "os">;

function isAroundOne(directory: string, paths: readonly string[]): boolean {
  return paths.some((path) => namesBelow(directory, path, pathRules()) !== undefined);
}

/**
 * Returns a reader of variables that a project's settings cannot misuse to bring in sessions. A
 * variable counts as unset if its path is in the project, in a repository, or above the home.
 */
export function outsideVariables(
  variable: ReadVariable,
  { cwd, home, ground }: { cwd: string; home: string; ground: readonly string[] },
): ReadVariable {
  const leadsInside = (part: string): boolean => {
    const place = realPlace(resolve(cwd, expandHome(part.trim(), home)));
    return isInProject(place, ground) || commonGitFolder(place) !== undefined ||
      isAroundOne(place, [realDirectory(home)]) && part !== home;
  };
  // Each agent asks for several of them, several times.
  const known = new Map<string, boolean>();
  return (name) => {
    const value = variable(name);
    if (value === undefined || value === "") return value;
    const leads = known.get(name) ?? [value, ...value.split(",")].some(leadsInside);
    known.set(name, leads);
    return leads ? undefined : value;
  };
}

export class RecallGate {
  readonly #environment: AgentEnvironment;
  readonly #ground: readonly string[];
  readonly #folders = new Map<AgentName, readonly string[]>();

  constructor(environment: AgentEnvironment, ground: readonly string[]) {
    // Roots that the user added, and other systems' homes, may be those of backups or other people.
    const { home, os, variable } = environment;
    this.#environment = { home, os, variable };
    this.#ground = ground;
  }

  foldersOf(agent: AgentName): readonly string[] {
    let folders = this.#folders.get(agent);
    if (folders === undefined) {
      folders = ownFolders(descriptorOf(agent), this.#environment)
        .filter((folder) => !isInProject(folder, this.#ground));
      this.#folders.set(agent, folders);
    }
    return folders;
  }

  /** True if the session's files lie in this user's own folder of the agent, links resolved. */
  admits(session: AgentSession): boolean {
    const { agent, path } = session;
    const { isSubagent } = descriptorOf(agent);
    const files = isSubagent?.(session) === true ? undefined : filesOfSummary(session);
    return files !== undefined && this.#isOwn(agent, path) &&
      files.every((file) => !existsSync(file) || this.#isOwn(agent, file));
  }

  #isOwn(agent: AgentName, path: string): boolean {
    try {
      const real = realPathSync(path);
      const { uid } = statSync(real);
      const own = ownUser();
      return isInProject(real, this.foldersOf(agent)) && !isInProject(real, this.#ground) &&
        (uid === null || own === undefined || uid === own);
    } catch {
      // The file is gone, or cannot be read.
      return false;
    }
  }
}

/** Returns the real folders of an agent. Empty for an agent that keeps its sessions in projects. */
function ownFolders(descriptor: AgentDescriptor, environment: AgentEnvironment): string[] {
  if (descriptor.watched === undefined) return [];
  const { roots } = descriptor;
  // A variable without a default names folders that the agent itself does not write.
  const own = typeof roots === "function"
    ? roots
    : roots.filter((candidates) => candidates.length > 1 || !/^\$\w+$/.test(String(candidates[0])));
  const home = realDirectory(environment.home);
  return agentFolders({ ...descriptor, roots: own }, environment).map(realDirectory)
    .filter((folder) => !isAroundOne(folder, [home]));
}
