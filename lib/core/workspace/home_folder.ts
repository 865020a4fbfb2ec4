/** Finds the user's home. */
import { operatingSystem } from "../platform/runtime.ts";
import type { ReadVariable } from "./data_root.ts";

/**
 * Returns the user's home; undefined without one. On Windows agents keep their files in
 * `%USERPROFILE%`, and shells such as Git Bash set another `HOME` beside it.
 */
export function homeFolder(
  variable: ReadVariable,
  os: string = operatingSystem,
): string | undefined {
  const [first, second] = os === "windows"
    ? ["USERPROFILE", "HOME"] as const
    : ["HOME", "USERPROFILE"] as const;
  return variable(first) || variable(second) || undefined;
}
