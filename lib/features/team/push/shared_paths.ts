/** Removes this machine's paths from copies. Pure. */
import type { SharedProject } from "../shared_project.ts";

/**
 * Makes a function that replaces a project's directories by its name, and the home by `~`.
 *
 * @param home The user's home. @returns A function that maps one string.
 */
export function pathReplacer(
  { project, directory, work_trees = [] }: Pick<
    SharedProject,
    "project" | "directory" | "work_trees"
  >,
  home: string,
): (text: string) => string {
  const places = [
    ...[directory, ...work_trees].map((path) => ({ path, name: project })),
    { path: home, name: "~" },
  ].filter(({ path }) => /[^/\\:]{2}/.test(path))
    // A work tree may lie in the project.
    .sort((one, other) => other.path.length - one.path.length);
  const names = new Map(
    places.flatMap(({ path, name }) => [[path, name], [path.replaceAll("\\", "/"), name]]),
  );
  if (names.size === 0) return (text) => text;
  const paths = [...names.keys()].map((path) => path.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("|");
  // A path that only begins alike, such as a neighbour's, stays.
  const pattern = new RegExp(`(?<![\\w.-])(?:${paths})(?![\\w-]|\\.\\w)`, "g");
  return (text) => text.replaceAll(pattern, (path) => names.get(path) ?? path);
}
