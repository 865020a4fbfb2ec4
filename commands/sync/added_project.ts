/** Makes the settings entry of a shared project, and says which entries are out of date. */
import { AGENT_NAMES, type AgentName } from "../../lib/core/event/agent_name.ts";
import { present } from "../../lib/core/event/present.ts";
import type { SharedProject } from "../../lib/features/team/shared_project.ts";
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";
import { pathRules } from "../../lib/core/workspace/path_rules.ts";
import { isInProject, projectDirectories } from "../../lib/core/workspace/project.ts";
import { realDirectory } from "../../lib/core/workspace/real_directory.ts";
import { isRoot } from "../../lib/core/workspace/system_path.ts";
import { type Context, isDirectory } from "../_context.ts";
import { UsageError } from "../_failure.ts";

export interface ProjectFlags {
  project?: string;
  agent?: string[];
}

/**
 * Creates the settings entry of the project that contains the current directory.
 *
 * @returns Undefined if the project contains the home directory, or is the root of a drive
 * @throws {UsageError} if the project needs a name
 * @throws {SessionError} `invalid-config`
 */
export async function projectHere(
  context: Context,
  { project: name, agent = [] }: ProjectFlags,
): Promise<SharedProject | undefined> {
  const [directory = context.cwd, ...work_trees] = projectDirectories(context.cwd);
  if (isTooWide(context, directory)) return undefined;
  const agents = agent.length === 0 || agent.includes("all")
    ? undefined
    : [...new Set(agent)] as AgentName[];
  return present({
    directory,
    work_trees: work_trees.length === 0 ? undefined : work_trees,
    project: await nameOf(directory, name),
    agents,
  });
}

export const SHARED_AGENTS: readonly string[] = [...AGENT_NAMES, "all"];

function isTooWide({ variable }: Context, directory: string): boolean {
  const home = homeFolder(variable);
  const has_home = home !== undefined && isInProject(realDirectory(home), [directory]);
  return has_home || isRoot(directory, pathRules());
}

async function nameOf(directory: string, name: string | undefined): Promise<string> {
  const { checkedProjectName, projectId } = await import("../../lib/features/team/project_id.ts");
  if (name !== undefined) return checkedProjectName(name);
  const found = projectId(directory);
  if (found !== undefined) return found;
  throw new UsageError(
    `the project in ${directory} has no git remote, so Reprise cannot name it; give a name, ` +
      "the same on all machines: --project NAME",
  );
}

export function goneLines(
  projects: readonly Pick<SharedProject, "project" | "directory">[],
): string[] {
  return projects.filter(({ directory }) => !isDirectory(directory)).map((
    { project, directory },
  ) =>
    `Not sent: new sessions of ${project}, because the directory ${directory} does not exist. ` +
    `If you moved it: reprise relink ${directory} NEW. If not: reprise sync remove ${directory}`
  );
}

/** Returns a line for each git work tree that was made after its project was added. */
export function newTreeLines(projects: readonly SharedProject[]): string[] {
  return projects.flatMap(({ directory, work_trees = [] }) => {
    const fresh = projectDirectories(directory).slice(1).filter((tree) =>
      !work_trees.includes(tree) && !projects.some((other) => other.directory === tree)
    );
    return fresh.map((tree) =>
      `Not shared: ${tree}, which is a work tree of ${directory}; to share the work tree, too, ` +
      "run there: reprise sync team"
    );
  });
}
