/** Takes a session's lock. If the lock is taken, the error names the function to call instead. */
import { type LockHolder, SessionError } from "../event/session_error.ts";
import { acquireLock, type SessionLock } from "../log/session_lock.ts";
import type { SessionFolder } from "./session_folder.ts";

export function heldHere(
  action: string,
  path: string,
  advice: string,
  holder?: LockHolder,
): SessionError {
  const message = `Cannot ${action}: this program already has the session open; ` +
    `use the open Session object, or close it first with finish() or release()${advice}`;
  return new SessionError("locked", message, holder === undefined ? { path } : { path, holder });
}

/**
 * Takes the lock of a session.
 *
 * @param own This process. @param action What the lock is for, in messages.
 * @throws {SessionError} `locked`, with the holder; `permission`, `io`
 */
export async function lockSession(
  { directory, path }: SessionFolder,
  own: LockHolder,
  action: string,
  advice = "",
): Promise<SessionLock> {
  try {
    return await acquireLock(directory, own);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "locked") throw error;
    const { holder } = error.data;
    if (holder?.pid === own.pid && holder.host === own.host) {
      throw heldHere(action, path, advice, holder);
    }
    const message = error.message.replace("open session for writing", action) + advice;
    throw new SessionError("locked", message, error.data, error);
  }
}

export function forkInstead(session_id: string): string {
  return `. To continue in a copy instead: store.fork("${session_id}")`;
}
