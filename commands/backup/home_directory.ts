/** Finds a directory for sessions that tell none. */
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";
import { realDirectory } from "../../lib/core/workspace/real_directory.ts";
import type { Context } from "../_context.ts";

/** Returns the home directory: with the current one, all sessions would count as its project's. */
export function homeDirectory({ cwd, variable }: Context): string {
  return realDirectory(homeFolder(variable) ?? cwd);
}
