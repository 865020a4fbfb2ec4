/** Chooses the sessions that leave this machine. */
import type { Library } from "../../../library/library.ts";
import { isKeptCopy } from "../../../library/machine/kept/kept_sessions.ts";
import type { SessionEntry } from "../../../library/query/query.ts";
import { isInProject, projectDirectories } from "../../../core/workspace/project.ts";
import type { SentSession } from "./push_machine.ts";

export interface MachineProject {
  /** The name, the same on every machine. */
  project: string;
  directory: string;
}

/**
 * Finds the sessions in the projects' directories and in the directories of `placed`.
 *
 * @param all True for the sessions of all directories.
 * @param placed Directories of sessions that another machine began.
 */
export async function sentSessions(
  library: Library,
  projects: readonly MachineProject[],
  all = false,
  placed: readonly string[] = [],
): Promise<SentSession[]> {
  const { root } = library;
  const places = projects.map((one) => ({ ...one, inside: projectDirectories(one.directory) }));
  const directories = [...places.flatMap(({ inside }) => inside), ...placed];
  if (!all && directories.length === 0) return [];
  const { entries } = await library.query({
    ...all ? {} : { directories },
    archived: "any",
    subagents: true,
  });
  return entries.filter(({ session: { path } }) => !isKeptCopy(root, path)).map((entry) =>
    sentSession(entry, places)
  );
}

function sentSession(
  entry: SessionEntry,
  places: readonly (MachineProject & { inside: readonly string[] })[],
): SentSession {
  const { cwd } = entry;
  const found = places.find(({ inside }) => cwd !== undefined && isInProject(cwd, inside));
  if (found === undefined || cwd === undefined) return { entry };
  const top = found.inside.find((directory) => isInProject(cwd, [directory]));
  return { entry, project: found.project, ...top !== undefined && { top } };
}
