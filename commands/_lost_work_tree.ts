/** Offers to add a session's git work tree again if the session's directory is gone. */
import type { LostWorkTree } from "../lib/features/backup/bundle/work_tree.ts";
import { shellCommand } from "../lib/core/platform/shell_word.ts";
import { directoryAbsence, sessionDirectory } from "../lib/core/workspace/session_directory.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import { isConfirmed } from "./_question.ts";

/**
 * Finds the session's missing work tree in the repository around the current directory. Returns
 * undefined if the session's directory exists, or if git cannot run.
 */
async function lostTree(
  { cwd, variable }: Context,
  session: SessionHandle,
): Promise<LostWorkTree | undefined> {
  const { cwd: written, git_branch: branch } = await session.summary();
  const directory = written && sessionDirectory(written)?.local;
  if (!directory || !branch || directoryAbsence(directory) === undefined) return undefined;
  const { lostWorkTree } = await import("../lib/features/backup/bundle/work_tree.ts");
  try {
    return await lostWorkTree({ cwd, variable }, directory, branch);
  } catch {
    // Git is missing, or this program may not start it.
    return undefined;
  }
}

export async function tellLostTree(context: Context, session: SessionHandle): Promise<void> {
  const lost = await lostTree(context, session);
  if (lost === undefined) return;
  await say(context, `To add its git work tree again: ${lineOf(lost)}`);
}

export async function offerLostTree(context: Context, session: SessionHandle): Promise<void> {
  const lost = await lostTree(context, session);
  if (lost === undefined) return;
  await say(context, `The session's directory is gone. To add its work tree: ${lineOf(lost)}`);
  if (!await isConfirmed(context, "Add it now?")) return;
  const { addAgain } = await import("../lib/features/backup/bundle/work_tree.ts");
  await addAgain(context, lost);
}

function lineOf({ top, args }: LostWorkTree): string {
  return shellCommand(["git", "-C", top, ...args]);
}
