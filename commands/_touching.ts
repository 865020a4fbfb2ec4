/** Finds the sessions that changed the file of `--file`. */
import type { FileTouches, TouchingEntry } from "../lib/features/blame/mod.ts";
import type { SessionError } from "../lib/core/event/session_error.ts";
import { fileNamed } from "../lib/core/workspace/file_named.ts";
import type { Context } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import { startProgress } from "../lib/frontends/ui/progress.ts";

export async function touching<Entry extends TouchingEntry>(
  context: Context,
  entries: readonly Entry[],
  file: string,
  onError: (error: SessionError) => void,
): Promise<Map<Entry, FileTouches>> {
  const { findTouches } = await import("../lib/features/blame/mod.ts");
  const sessions = (count: number): string => `${count} sessions`;
  const progress = await startProgress(context, "Reading", sessions);
  try {
    const path = fileNamed(context.cwd, file);
    const { kept } = contextLibrary(context);
    return await findTouches(entries, path, { kept, onError, onProgress: progress.show });
  } finally {
    progress.end();
  }
}
