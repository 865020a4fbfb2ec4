/** Finds the user's home. */
import { operatingSystem } from "../platform/runtime.ts";
import type { ReadVariable } from "./data_root.ts";

/**
 * Returns the user's home; undefined if unknown. On Windows it is `%USERPROFILE%`, because shells
 * such as Git Bash set another `HOME`.
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
