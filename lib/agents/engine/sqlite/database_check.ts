/** Checks another agent's database with SQLite's own integrity check, within a time limit. */
import { SessionError } from "../../../core/event/session_error.ts";
import { askThread } from "../../../core/platform/thread.ts";
import type { DatabaseCheck } from "../../contract/session_repair.ts";
import { checkFile } from "./check_file.ts";
import type { Faults } from "./check_worker.ts";

/** Maximum milliseconds of a check, because expressions in the agent's database may never end. */
const CHECK_MS = 120_000;

export const databaseCheck: DatabaseCheck = { kind: "database", check: checkInTime };

/**
 * Checks a database in a worker thread. The thread is stopped when the time is up.
 *
 * @throws {SessionError} `too-large` if the time is up, else the errors of
 * {@linkcode DatabaseCheck}
 */
export async function checkInTime(path: string, most_ms = CHECK_MS): Promise<string[]> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), most_ms);
  const worker = "agents/engine/sqlite/check_worker";
  const faults = await askThread<string, Faults>(worker, path, stop.signal);
  clearTimeout(timer);
  // A thread that failed does not say why.
  if (!stop.signal.aborted) return faults ?? checkFile(path);
  const message =
    `Cannot check database: SQLite did not finish the check within ${most_ms / 1000} s: ` +
    `${path}`;
  throw new SessionError("too-large", message, { path });
}
