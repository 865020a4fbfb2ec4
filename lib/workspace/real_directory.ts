/**
 * A directory by the one path that its sessions are kept under.
 */
import { resolve } from "node:path";
import { realPathSync } from "../platform/files.ts";
import { canonicalPath } from "./namespace.ts";

/** The real path of a directory; of one that is gone, the path as it was given. */
export function realDirectory(cwd: string): string {
  try {
    return canonicalPath(realPathSync(cwd));
  } catch {
    // Gone or not to be entered: its sessions are still found by its name.
    return canonicalPath(resolve(cwd));
  }
}
