/**
 * Opening a session's log to go on: lock, number, seal, and what the log says so far.
 */
import type { LockHolder } from "../event/session_error.ts";
import { readLastSeq } from "../log/log_tail.ts";
import { LogWriter } from "../log/log_writer.ts";
import { readEvents } from "../log/read_events.ts";
import { applySummary, summary, type SummaryState } from "../projection/summary.ts";
import { type LogEdges, readLogEdges } from "./read_summary.ts";
import { localLog } from "./local_log.ts";
import { forkInstead, lockSession } from "./lock_session.ts";
import type { SessionFolder } from "./session_folder.ts";
import type { OpenLog } from "./session_parts.ts";
import { assertOwnSession } from "./store_safety.ts";

/** Returns the summary state of a log. Reads the whole log if its start and end are not enough. */
async function readState(path: string, { state, complete }: LogEdges): Promise<SummaryState> {
  if (complete) return state;
  const projection = summary();
  let full = projection.initial();
  for await (const events of readEvents(path, { kinds: projection.needs })) {
    for (const event of events) full = applySummary(full, event);
  }
  return full;
}

/**
 * Opens a log to append.
 *
 * @throws {SessionError} `locked`, `not-found`, `unsupported-version`, `unsafe-store`, `permission`
 */
export async function resumeLog(
  folder: SessionFolder,
  holder: LockHolder,
): Promise<{ log: OpenLog; state: SummaryState; since_checkpoint: number }> {
  const { path, session_id: id } = folder;
  assertOwnSession(folder.directory);
  const lock = await lockSession(folder, holder, "open session for writing", forkInstead(id));
  try {
    const last_seq = await readLastSeq(path);
    const edges = readLogEdges(path);
    const state = await readState(path, edges);
    const writer = LogWriter.open(path);
    const named = Promise.resolve();
    const { since_checkpoint } = edges;
    return {
      log: localLog({ id, path, writer, lock, named, holder }),
      state: { ...state, last_seq },
      since_checkpoint,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
