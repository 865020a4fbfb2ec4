/** Forks and merges sessions of a store into new ones, in the directory that they belong to. */
import { realDirectory } from "../../workspace/real_directory.ts";
import type { NewLog } from "../create_log.ts";
import {
  copyDirectory,
  type CopyOptions,
  type ForkedSession,
  forkSession,
} from "./fork_session.ts";
import { type MergedSession, type MergeOptions, mergeSessions } from "./merge_sessions.ts";
import type { CopySource } from "./survey_log.ts";

type Plan = (cwd: string, id?: string) => NewLog;

export async function copyFork(
  from: CopySource,
  plan: Plan,
  options: CopyOptions,
): Promise<ForkedSession> {
  const cwd = realDirectory(copyDirectory(from, options.cwd));
  return await forkSession(from, plan(cwd, options.id), cwd, options);
}

export async function copyMerged(
  from: readonly CopySource[],
  plan: Plan,
  options: MergeOptions,
): Promise<MergedSession> {
  const [first] = from;
  const cwd = first === undefined ? "" : realDirectory(copyDirectory(first, options.cwd));
  return await mergeSessions(from, plan(cwd), cwd, options);
}
