/** Finds the folders of the XDG base directories. */
import { isAbsolute, join } from "node:path";
import type { AgentEnvironment } from "../source/agent_environment.ts";

/** Returns a folder that a variable names. A relative one counts as unset. */
export function xdgFolder(
  { home, variable }: Pick<AgentEnvironment, "home" | "variable">,
  name: string,
  usual: string,
): string {
  const folder = variable(name) ?? "";
  return isAbsolute(folder) ? folder : join(home, usual);
}
