/** Finds the project of a directory, and its name on all of the user's machines. */
import { basename } from "node:path";
import { projectDirectories } from "../../lib/core/workspace/project.ts";
import type { MachineProject } from "../../lib/features/backup/machines/sent_sessions.ts";

export async function projectName(directory: string): Promise<string> {
  const { projectId } = await import("../../lib/features/team/project_id.ts");
  return projectId(directory) ?? basename(directory);
}

export async function projectAround(cwd: string): Promise<MachineProject> {
  const [directory = cwd] = projectDirectories(cwd);
  return { project: await projectName(directory), directory };
}
