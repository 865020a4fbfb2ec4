/** Lets one process at a time sync the sessions of this machine. */
import { SessionError } from "../../../core/event/session_error.ts";
import { acquireLock } from "../../../core/log/session_lock.ts";
import { hostName, processId } from "../../../core/platform/process.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import { machinesFolder } from "./own_streams.ts";

/**
 * Takes the lock, and holds it until the result is disposed.
 *
 * @throws {SessionError} `locked` while another process has it
 */
export async function lockMachines(root: string): Promise<Disposable> {
  const folder = machinesFolder(root);
  makeDirectories(folder);
  const since = new Date().toISOString();
  const lock = await acquireLock(folder, { pid: processId(), host: hostName(), since })
    .catch(inUse);
  return { [Symbol.dispose]: () => lock.release() };
}

function inUse(error: unknown): never {
  if (!(error instanceof SessionError) || error.code !== "locked") throw error;
  const { holder } = error.data;
  const who = holder === undefined ? "another process" : `process ${holder.pid}`;
  const message =
    `Cannot sync: ${who} is syncing this machine's sessions; try again when it is done`;
  throw new SessionError("locked", message, error.data);
}
