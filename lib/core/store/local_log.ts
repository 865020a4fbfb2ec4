/** A log on disk that is open to append, and can rest: then it has neither lock nor descriptors. */
import { dirname } from "node:path";
import { type LockHolder, SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { LogWriter } from "../log/log_writer.ts";
import { acquireLock, type SessionLock } from "../log/session_lock.ts";
import { isSameFile } from "../file/regular_file.ts";
import type { FileInfo } from "../platform/file_system.ts";
import { lstatSync } from "../platform/files.ts";
import type { LineWriter, OpenLog } from "./session_parts.ts";

interface LocalLogParts {
  id: string;
  path: string;
  /** The lock and the writer; for a log at rest, what the file is. */
  state: { lock: SessionLock; writer: LogWriter } | FileInfo;
  named: Promise<void>;
  /** The process that takes the lock again. */
  holder: LockHolder;
}

/** Returns a log that can rest and be woken. */
export function localLog({ id, path, state, named, holder }: LocalLogParts): OpenLog {
  let open = "lock" in state ? state : undefined;
  let resting = "lock" in state ? undefined : Promise.resolve(state);
  let waking: Promise<void> | undefined;
  const first = open?.writer;

  /** Closes the log and lets the lock go. Returns what the file was until then. */
  async function close({ lock, writer }: NonNullable<typeof open>): Promise<FileInfo> {
    await writer.close();
    try {
      return lstatSync(path);
    } catch (error) {
      throw toSessionError(error, "close log", path);
    } finally {
      lock.release();
    }
  }

  async function wake(before: Promise<FileInfo>): Promise<void> {
    const left = await before;
    const lock = await acquireLock(dirname(path), holder);
    try {
      const found = lstatSync(path);
      if (!isSameFile(found, left) || found.size !== left.size) throw changed(path);
      open = { lock, writer: LogWriter.open(path) };
      resting = undefined;
    } catch (error) {
      lock.release();
      throw toSessionError(error, "open log", path);
    }
  }

  const writer: LineWriter = {
    write: (lines) => open?.writer.write(lines),
    // A log at rest was synced as far as its appends asked for it.
    sync: async () => await (open?.writer ?? first)?.sync(),
    async close(): Promise<void> {
      if (open === undefined) await resting?.catch(() => {/* told to who woke it */});
      else await open.writer.close();
    },
  };
  return {
    id,
    path,
    named,
    writer,
    lock: { release: () => open?.lock.release() },
    async rest(): Promise<void> {
      if (open !== undefined) {
        resting = close(open);
        open = undefined;
      }
      await resting;
    },
    wake(): Promise<void> | undefined {
      if (resting === undefined) return undefined;
      return waking ??= wake(resting).finally(() => waking = undefined);
    },
  };
}

function changed(path: string): SessionError {
  const message =
    "Cannot append event: another process wrote to the session while it was at rest (after " +
    `session.rest()). Open it again with store.resume(): ${path}`;
  return new SessionError("changed", message, { path });
}
