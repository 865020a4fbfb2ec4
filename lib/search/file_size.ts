/**
 * Returns what is known of a file without reading it: its size in bytes. Undefined when it cannot be
 * looked at.
 */
import { statSync } from "../platform/files.ts";

export function fileSize(path: string): number | undefined {
  try {
    const { isFile, size } = statSync(path);
    return isFile ? size : undefined;
  } catch {
    // Gone meanwhile, or not allowed: reading it says so.
    return undefined;
  }
}
