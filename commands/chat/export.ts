/**
 * `/export` of a chat.
 */
import { resolve } from "node:path";
import { SessionError } from "../../lib/event/session_error.ts";
import { lstat } from "../../lib/platform/files.ts";
import type { Context } from "../_context.ts";
import { UsageError } from "../_failure.ts";

/**
 * Writes a session to a file, which its name says the form of. What the command line would say of
 * its options is said in words that hold here.
 *
 * @throws {SessionError} `io`, when the file is there or cannot be written
 */
export async function exportChat(
  context: Context,
  session_id: string,
  file = `${session_id.slice(0, 8)}.md`,
): Promise<void> {
  if (await isThere(resolve(context.cwd, file))) {
    const message = `Cannot write export: the file exists; give another name: ${file}`;
    throw new SessionError("io", message, { path: file });
  }
  const { exportSession } = await import("../export.ts");
  try {
    await exportSession(context, session_id, { out: file });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const message = `Cannot write export: the format is unknown; end the name in .md, .html, ` +
      `.txt, .json or .jsonl: ${file}`;
    throw new UsageError(message);
  }
  context.stdout.write("\n");
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    // Not there, or not to be seen: writing it will tell.
    return false;
  }
}
