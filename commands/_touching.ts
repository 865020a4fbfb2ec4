/** Finds the sessions of `--file`: those that changed a file. */
import { existsSync } from "node:fs";
import type { FileTouches, TouchingEntry } from "../lib/blame/mod.ts";
import type { SessionError } from "../lib/event/session_error.ts";
import { commonGitFolder } from "../lib/workspace/project.ts";
import { namedPath, sessionDirectory } from "../lib/workspace/session_directory.ts";
import type { Context } from "./_context.ts";
import { startProgress } from "../lib/ui/progress.ts";

/** Returns the sessions that changed a file, each with its changes. */
export async function touching<Entry extends TouchingEntry>(
  context: Context,
  entries: readonly Entry[],
  file: string,
  onError: (error: SessionError) => void,
): Promise<Map<Entry, FileTouches>> {
  const { findTouches } = await import("../lib/blame/mod.ts");
  const sessions = (count: number): string => `${count} sessions`;
  const progress = await startProgress(context, "Reading", sessions);
  try {
    const path = fileNamed(context.cwd, file);
    return await findTouches(entries, path, { onError, onProgress: progress.show });
  } finally {
    progress.end();
  }
}

/**
 * Returns the path of `--file`, or the end of a path that sessions changed anywhere. Outside a
 * repository a relative path is such an end, and inside one a name that no file here has.
 */
function fileNamed(cwd: string, file: string): string {
  const path = namedPath(cwd, file);
  const is_place = sessionDirectory(file) !== undefined || /^\.{1,2}(?:[\\/]|$)/.test(file);
  if (is_place) return path;
  const is_inside = commonGitFolder(cwd) !== undefined;
  return is_inside && (/[\\/]/.test(file) || existsSync(path)) ? path : file;
}
