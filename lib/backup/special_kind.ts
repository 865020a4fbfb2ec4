/** Names what a path leads to that is neither a file nor a folder. */
import { statSync } from "../platform/files.ts";

/** Returns the kind, in words; undefined of a file, a folder, and of what is not there. */
export function specialKind(path: string): string | undefined {
  try {
    const { isFile, isDirectory, isFifo, isSocket } = statSync(path);
    if (isFile || isDirectory) return undefined;
    return isFifo ? "a pipe" : isSocket ? "a socket" : "a device";
  } catch {
    // Gone by now, or a link that leads nowhere.
    return undefined;
  }
}
