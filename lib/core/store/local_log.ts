/** The parts of a log on disk. `rest` of the log releases its lock until the next write. */
import { dirname } from "node:path";
import type { KnownEvent } from "../event/envelope.ts";
import type { LockHolder } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { LogWriter } from "../log/log_writer.ts";
import { readEvents } from "../log/read_events.ts";
import { acquireLock, type SessionLock } from "../log/session_lock.ts";
import { isSameFile } from "../file/regular_file.ts";
import type { FileInfo } from "../platform/file_system.ts";
import { lstatSync } from "../platform/files.ts";
import { changed, missedEvents } from "./missed_events.ts";
import type { LineWriter, OpenLog } from "./session_parts.ts";

interface LocalLogParts {
  id: string;
  path: string;
  /** The lock and the writer; for a log that is not locked, the state of its file. */
  state: { lock: SessionLock; writer: LogWriter } | FileInfo;
  named: Promise<void>;
  /** The process that a lock names as its holder when it is taken again after `rest`. */
  holder: LockHolder;
}

/** Returns a log that can release its lock and descriptors, and take them again. */
export function localLog({ id, path, state, named, holder }: LocalLogParts): OpenLog {
  let open = "lock" in state ? state : undefined;
  let resting = "lock" in state ? undefined : Promise.resolve(state);
  const first = open?.writer;

  /** Closes the log and releases the lock. Returns the file's state, to notice later changes. */
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

  async function wake(before: Promise<FileInfo>): Promise<KnownEvent[]> {
    const left = await before;
    const lock = await acquireLock(dirname(path), holder);
    try {
      const found = lstatSync(path);
      if (!isSameFile(found, left) || found.size < left.size) throw changed(path);
      const missed = found.size === left.size
        ? []
        : await missedEvents(readEvents(path, { from: left.size, to: found.size }), path);
      open = { lock, writer: LogWriter.open(path) };
      resting = undefined;
      return missed;
    } catch (error) {
      lock.release();
      throw toSessionError(error, "open log", path);
    }
  }

  const writer: LineWriter = {
    write: (lines) => open?.writer.write(lines),
    // After `rest`, the log is synced as far as its appends asked for it.
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
    wake: () => resting && wake(resting),
  };
}
