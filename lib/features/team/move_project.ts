/** Replaces a project's directory in settings after the project moved. Pure. */
import { isWithin } from "../../core/store/relinks.ts";

interface ProjectSettings {
  projects: readonly { directory: string; work_trees?: string[] }[];
}

/**
 * Replaces `from` by `to` in the settings' paths of project directories at or below `from`.
 *
 * @returns The changed settings; undefined if no project is at or below `from`.
 */
export function moveProject<Settings extends ProjectSettings>(
  settings: Settings,
  from: string,
  to: string,
): Settings | undefined {
  const moved = (path: string): string =>
    path === from || isWithin(path, from) ? to + path.slice(from.length) : path;
  const projects = settings.projects.map((project) => ({
    ...project,
    directory: moved(project.directory),
    ...project.work_trees && { work_trees: project.work_trees.map(moved) },
  }));
  const is_same = JSON.stringify(projects) === JSON.stringify(settings.projects);
  return is_same ? undefined : { ...settings, projects };
}
