/** Finds a directory for sessions that record no directory. */
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";
import { realDirectory } from "../../lib/core/workspace/real_directory.ts";
import type { Context } from "../_context.ts";

/**
 * Returns the home directory as the directory of sessions that record none. With the current
 * directory instead, these sessions would seem to belong to the current project.
 */
export function homeDirectory({ cwd, variable }: Context): string {
  return realDirectory(homeFolder(variable) ?? cwd);
}
