/**
 * Sessions that have no thread but their main one.
 */
import { SessionError } from "../event/session_error.ts";
import { MAIN_THREAD } from "./session_thread.ts";

/**
 * Refuses any thread but the main one.
 *
 * @throws {SessionError} `not-found`
 */
export function assertMainThread(thread: string | undefined, path: string): void {
  if (thread === undefined || thread === MAIN_THREAD) return;
  const message =
    `Cannot find thread "${thread}": the session has no other thread than its main one`;
  throw new SessionError("not-found", message, { ref: thread, path });
}
