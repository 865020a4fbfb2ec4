/** `--file`: of sessions, those that changed a file. */
import { resolve } from "node:path";
import { Option } from "npm:@commander-js/extra-typings@15.1.0";
import type { FileTouches, TouchingEntry } from "../lib/blame/mod.ts";
import type { SessionError } from "../lib/event/session_error.ts";
import type { Context } from "./_context.ts";
import { startProgress } from "../lib/ui/progress.ts";

/** What the command line says. */
export interface FileFlags {
  file?: string;
}

/** The option. */
export function fileOption(): Option<"--file <path>"> {
  return new Option("--file <path>", "only sessions that changed this file, or files below it");
}

/** What each session changed of the file; those that changed nothing of it are left out. */
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
    const path = resolve(context.cwd, file);
    return await findTouches(entries, path, { onError, onProgress: progress.show });
  } finally {
    progress.end();
  }
}
