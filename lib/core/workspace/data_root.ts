/** Resolves the folder of all sessions from the environment, and `~` at the start of paths. */
import { join } from "node:path";

export const DATA_ROOT_VARIABLES = [
  "REPRISE_HOME",
  "XDG_STATE_HOME",
  "HOME",
  "LOCALAPPDATA",
  "USERPROFILE",
] as const;

export type ReadVariable = (name: string) => string | undefined;

export function dataRoot(variable: ReadVariable, windows: boolean): string | undefined {
  const own = variable("REPRISE_HOME");
  if (own) return own;
  if (windows) {
    const local = variable("LOCALAPPDATA");
    return local ? join(local, "reprise") : undefined;
  }
  const state = variable("XDG_STATE_HOME");
  if (state) return join(state, "reprise");
  const home = variable("HOME");
  return home ? join(home, ".local", "state", "reprise") : undefined;
}

export function expandHome(path: string, home: string): string {
  return path === "~" ? home : path.replace(/^~[/\\]/, `${home}/`);
}
