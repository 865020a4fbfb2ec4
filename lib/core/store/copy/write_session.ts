/**
 * Writes a forked, merged or imported session at once. Until the session is complete, it is a draft
 * that lists ignore. One rename moves the draft to its place.
 */
import { join } from "node:path";
import { toSessionError } from "../../log/io_error.ts";
import { exists } from "../../log/own_file.ts";
import { lockDraft } from "../../log/session_lock.ts";
import { removeQuietly } from "../../file/remove_quietly.ts";
import { renameSync } from "../../platform/files.ts";
import type { SummaryState } from "../../projection/summary.ts";
import { makeDirectory, makeNamespace, type NewLog, takeFreeId } from "../create_log.ts";
import { syncDirectories } from "../sync_directories.ts";
import { LOG_FILE, sessionsDirectory } from "../session_folder.ts";
import { checkpointAfter } from "../session_line.ts";
import { draftName, LogDraft, type WholeEvent } from "./log_draft.ts";

/** A session whose log was written in one go. */
export interface WrittenSession {
  /** The session's id: a UUID v4, or the id that its program gave. */
  session_id: string;
  /** Absolute path of the log. */
  path: string;
  /** Number of events in the log, including the first event and the checkpoint. */
  events: number;
  /** Number of the last event in the log. */
  last_seq: number;
  /** Size of the log in bytes. */
  bytes: number;
}

export interface WriteSessionOptions {
  /** Cancels the writing, and leaves no files behind. */
  signal?: AbortSignal | undefined;
  /** Writes files into the log's folder, before other processes can see the session. */
  attach?: ((directory: string) => Promise<void>) | undefined;
  /**
   * Makes the event that ends the session, once all other events are written. It follows the
   * checkpoint, because a close counts only as the last event.
   * @default {the session stays open}
   */
  closing?: (seq: number) => WholeEvent | undefined;
  /** ISO 8601: the time of the last update, for lists. @default {time of its last event} */
  updated_at?: string;
  /** True if numbers may repeat or decrease, as in a damaged log. @default {false} */
  any_order?: boolean;
}

interface Draft {
  id: string;
  draft: string;
  directory: string;
}

function makeDraft(plan: NewLog): Draft {
  const { id, directory } = takeFreeId(
    plan,
    (path) => !exists(path, "create session") && makeDirectory(draftName(path)),
  );
  return { id, draft: draftName(directory), directory };
}

/** Makes the draft's folder. `above` are the folders that got a new entry and must be synced. */
function beginDraft(plan: NewLog): Draft & { above: string[] } {
  const namespace = join(sessionsDirectory(plan.root), plan.namespace);
  try {
    const above = makeNamespace(plan);
    return { ...makeDraft(plan), above: [...above, namespace] };
  } catch (error) {
    throw toSessionError(error, "create session", plan.root);
  }
}

function assertRises(event: WholeEvent, { last_seq = 0 }: SummaryState): void {
  if (event.seq > last_seq) return;
  throw new TypeError(
    `Cannot write ${event.kind}: the event's number ${event.seq} must be above ${last_seq}, the last one`,
  );
}

async function writeLog(
  path: string,
  batches: AsyncIterable<readonly WholeEvent[]>,
  { signal, closing, updated_at, any_order = false }: WriteSessionOptions,
  now: string,
): Promise<Omit<WrittenSession, "session_id" | "path">> {
  const log = new LogDraft(path);
  try {
    for await (const events of batches) {
      signal?.throwIfAborted();
      for (const event of events) {
        if (!any_order) assertRises(event, log.state);
        log.add(event);
      }
    }
    const last = Date.parse(log.state.updated_at ?? "");
    const time = updated_at ?? (Number.isNaN(last) ? now : new Date(last).toISOString());
    // A checkpoint's checksum would vouch for altered events.
    if (!log.state.altered) log.add(checkpointAfter(log.state, time));
    const close = closing?.((log.state.last_seq ?? 0) + 1);
    if (close !== undefined) log.add(close);
    await log.sync();
    return { events: log.events, last_seq: log.state.last_seq ?? 0, bytes: log.bytes };
  } finally {
    log.close();
  }
}

/**
 * Writes a session at once. It is visible only once it is complete and on the disk. A failure or an
 * abort removes the draft. A killed process leaves a draft that is no session.
 *
 * @param plan The place and the names of the session.
 * @param write Returns the events, from `session_started` on, for the id that the session got. The
 * numbers of the events rise. A checkpoint is added at the end.
 * @param options The event that ends the session, files beside the log, and a signal.
 * @throws {SessionError} `permission`, `disk-full`, `too-large`, `unsafe-store`, `sync-failed`,
 * `io`
 */
export async function writeSession(
  plan: NewLog,
  write: (id: string) => AsyncIterable<readonly WholeEvent[]>,
  options: WriteSessionOptions = {},
): Promise<WrittenSession> {
  options.signal?.throwIfAborted();
  const { id, draft, directory, above } = beginDraft(plan);
  let written: Omit<WrittenSession, "session_id" | "path">;
  try {
    // Held so that no process takes the draft for a leftover. Nothing is awaited between the release
    // and the move: Windows moves no folder with an open file.
    {
      using _lock = await lockDraft(draft);
      written = await writeLog(join(draft, LOG_FILE), write(id), options, plan.holder.since);
      await options.attach?.(draft);
      await syncDirectories([draft]);
      options.signal?.throwIfAborted();
    }
    moveIntoPlace(draft, directory);
  } catch (error) {
    removeQuietly(draft, { recursive: true });
    throw error;
  }
  await syncDirectories(above);
  return { session_id: id, path: join(directory, LOG_FILE), ...written };
}

function moveIntoPlace(draft: string, directory: string): void {
  try {
    renameSync(draft, directory);
  } catch (error) {
    throw toSessionError(error, "create session", directory);
  }
}
