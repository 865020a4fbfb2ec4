/** Lets one process at a time change the backups in a data root. */
import { join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { backupsDirectory } from "../../library/machine/kept/kept_index.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { acquireLock, type SessionLock } from "../../core/log/session_lock.ts";
import { hostName, processId } from "../../core/platform/process.ts";
import { makeDirectories } from "../../core/store/create_log.ts";

/**
 * Creates the folder of backups if it is missing.
 *
 * @throws {SessionError} `locked` with the lock's holder, `permission`, `disk-full`, `io`
 */
export async function lockBackups(
  root: string,
  since: Date,
  action: string,
): Promise<SessionLock> {
  const folder = backupsDirectory(root);
  try {
    makeDirectories(folder);
  } catch (error) {
    throw toSessionError(error, "back up sessions", root);
  }
  try {
    const holder = { pid: processId(), host: hostName(), since: since.toISOString() };
    return await acquireLock(folder, holder);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "locked") throw error;
    const { holder } = error.data;
    const who = holder === undefined
      ? "another process is using the backups"
      : `process ${holder.pid} on ${holder.host} has been using the backups since ${holder.since}`;
    const message = `Cannot ${action}: ${who}; stop that process first`;
    throw new SessionError("locked", message, { ...error.data, path: join(folder, "lock") });
  }
}
