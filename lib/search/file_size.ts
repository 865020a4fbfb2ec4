/** Looks at a file without reading it. */
import { statSync } from "../platform/files.ts";

/** Size of a file in bytes; undefined when it cannot be looked at. */
export function fileSize(path: string): number | undefined {
  try {
    const { isFile, size } = statSync(path);
    return isFile ? size : undefined;
  } catch {
    // Gone meanwhile, or not allowed: reading it says so.
    return undefined;
  }
}

/** When a file was last changed, in milliseconds since 1970; NaN when it cannot be looked at. */
export function modifiedAt(path: string): number {
  try {
    return statSync(path).mtime?.getTime() ?? NaN;
  } catch {
    // Gone meanwhile, or not allowed: reading it says so.
    return NaN;
  }
}
