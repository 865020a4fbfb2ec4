/** Opens a session's log to append: takes the lock, seals a torn end, reads the state. */
import { type LockHolder, SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { readLastSeq } from "../log/log_tail.ts";
import { LogWriter } from "../log/log_writer.ts";
import { readEvents } from "../log/read_events.ts";
import type { FileInfo } from "../platform/file_system.ts";
import { lstatSync } from "../platform/files.ts";
import { applySummary, summary, type SummaryState } from "../projection/summary.ts";
import { type LogEdges, readLogEdges } from "./read_summary.ts";
import { localLog } from "./local_log.ts";
import { forkInstead, lockSession } from "./lock_session.ts";
import type { SessionFolder } from "./session_folder.ts";
import type { SessionParts } from "./session_parts.ts";
import { assertOwnSession } from "./store_safety.ts";
import { isUnsaved, unreadable } from "./unsaved_log.ts";

async function readState(path: string, { state, complete }: LogEdges): Promise<SummaryState> {
  if (complete) return state;
  const projection = summary();
  let full = projection.initial();
  for await (const events of readEvents(path, { kinds: projection.needs })) {
    for (const event of events) full = applySummary(full, event);
  }
  return full;
}

type ResumedLog = Pick<SessionParts, "id" | "path" | "open" | "state" | "since_checkpoint">;

/**
 * Opens a log to append.
 *
 * @throws {SessionError} `locked`, `not-found`, `unsupported-version`, `unsafe-store`, `permission`
 */
export async function resumeLog(
  folder: SessionFolder,
  holder: LockHolder,
): Promise<ResumedLog> {
  const { path, session_id: id } = folder;
  assertOwnSession(folder.directory);
  const lock = await lockSession(folder, holder, "open session for writing", forkInstead(id));
  try {
    const known = await readEnd(path);
    if (known.state.last_seq === 0 && isUnsaved({ path })) throw nothingSaved(id, path);
    const state = { lock, writer: LogWriter.open(path) };
    return { ...known, ...opened({ id, path, state, holder }) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function nothingSaved(id: string, path: string): SessionError {
  const message =
    `Cannot find session "${id}": a full disk or a kill stopped its first append, so ` +
    "nothing was saved; begin it again with store.create()";
  return new SessionError("not-found", message, { ref: id, path });
}

/**
 * Reads a log that cannot be locked, such as one on a read-only disk. The first append tries to take
 * the lock.
 *
 * @throws {SessionError} `not-found`, `unsupported-version`, `unsafe-store`, `permission`, `io`
 */
export async function readToResume(
  { directory, path, session_id: id }: SessionFolder,
  holder: LockHolder,
): Promise<ResumedLog> {
  assertOwnSession(directory);
  const state = fileOf(path);
  const known = await readEnd(path);
  return { ...known, ...opened({ id, path, state, holder }) };
}

/** Opens an existing log. Its directory entry was synced when the log was created. */
function opened(
  parts: Omit<Parameters<typeof localLog>[0], "named">,
): Pick<SessionParts, "id" | "path" | "open"> {
  const { id, path } = parts;
  return { id, path, open: localLog({ ...parts, named: Promise.resolve() }) };
}

function fileOf(path: string): FileInfo {
  try {
    return lstatSync(path);
  } catch (error) {
    throw toSessionError(error, "open log", path);
  }
}

async function readEnd(path: string): Promise<Pick<SessionParts, "state" | "since_checkpoint">> {
  const last_seq = await readLastSeq(path);
  const edges = readLogEdges(path);
  const state = await readState(path, edges);
  if (last_seq === 0 && !isUnsaved({ path })) throw unreadable(path);
  return { state: { ...state, last_seq }, since_checkpoint: edges.since_checkpoint };
}
