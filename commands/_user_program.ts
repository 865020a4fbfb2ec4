/** Finds programs of the user, which run outside of this process. */
import { present } from "../lib/core/event/present.ts";
import { findProgram } from "../lib/core/platform/find_program.ts";
import type { Context } from "./_context.ts";
import { homeFolder } from "../lib/core/workspace/home_folder.ts";

/**
 * Finds a program on `PATH`, but not in the directory `avoided`, whose files anyone may have
 * written. If `avoided` contains the home directory, programs below the home directory are still
 * found.
 */
export function userProgram(
  { variable }: Context,
  name: string,
  avoided: string,
): string | undefined {
  const home = homeFolder(variable);
  return findProgram(name, present({ path: variable("PATH"), avoided, home }));
}
