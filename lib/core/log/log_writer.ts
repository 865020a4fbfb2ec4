/**
 * The only code that writes a log. It appends whole lines, ends a torn line with a newline, and
 * syncs several writes together.
 */
import { errorText } from "../event/error_text.ts";
import { equalBytes, joinBytes } from "../event/bytes.ts";
import { SessionError } from "../event/session_error.ts";
import { type OpenFile, SeekMode } from "../platform/file_system.ts";
import { openSync } from "../platform/files.ts";
import { isNotFound, notFound } from "../platform/system_error.ts";
import { toSessionError } from "./io_error.ts";
import { keepOpen, takeOut } from "./open_logs.ts";
import { openOwnFile } from "./own_file.ts";
import { readWhole } from "./read_whole.ts";
import { writeWhole } from "./write_whole.ts";

const LF = 0x0a;
const NEWLINE = new Uint8Array([LF]);

/**
 * A log open to append. A failed write or sync drops the descriptor, because its state is unknown
 * then. The next write opens a new one.
 */
export class LogWriter {
  readonly #path: string;
  #file: OpenFile | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Number of writes so far. A sync compares it to know whether the sync covers all writes. */
  #writes = 0;
  /** True if the log is known to end with a newline. */
  #is_sealed = true;
  /** The reason why the last sync failed. The next write opens a new descriptor and clears it. */
  #unsynced: { reason: unknown } | undefined;

  private constructor(path: string, file: OpenFile | undefined) {
    this.#path = path;
    this.#file = file;
    if (file !== undefined) this.#keepOpen();
    else this.#is_sealed = false;
  }

  /** Creates the log file. The file must not exist yet. */
  static create(path: string): LogWriter {
    try {
      const file = openSync(path, { append: true, read: true, createNew: true, mode: 0o600 });
      return new LogWriter(path, file);
    } catch (error) {
      throw toSessionError(error, "create log", path);
    }
  }

  /** Opens a log. Ends a torn last line with a newline. On a full disk, `write` does this later. */
  static open(path: string): LogWriter {
    try {
      return new LogWriter(path, openSealed(path));
    } catch (error) {
      if (error instanceof SessionError && error.code === "disk-full") {
        return new LogWriter(path, undefined);
      }
      throw error;
    }
  }

  /**
   * Appends lines in one write. First ends a line that an earlier failure left torn. If only some
   * of several lines were written, cuts them off again.
   *
   * @throws {WriteError} With the number of lines that stayed in the log. At least the last line is
   * missing.
   */
  write(lines: readonly Uint8Array[]): void {
    const bytes = joinBytes(lines);
    let written = 0;
    let size: number | undefined;
    takeOut(this);
    this.#writes++;
    try {
      this.#file ??= this.#is_sealed ? openToAppend(this.#path) : openSealed(this.#path);
      this.#is_sealed = false;
      this.#unsynced = undefined;
      if (lines.length > 1) size = this.#file.statSync().size;
      writeWhole(this.#file, bytes, (count) => written = count);
      this.#is_sealed = true;
    } catch (error) {
      // An event that lacks only its newline is readable, so the event was not refused.
      let whole = wholeLines(lines, written, this.#file);
      if (whole > 0 && whole < lines.length && cutBack(this.#file, size)) whole = 0;
      this.#drop();
      if (whole === lines.length) return;
      throw new WriteError(toSessionError(error, "write event", this.#path), whole);
    }
  }

  /**
   * Resolves when all that was written before is on the disk. Calls that overlap share one sync.
   *
   * @throws {SessionError} `sync-failed`
   */
  sync(): Promise<void> {
    if (this.#running === undefined) return this.#startSync();
    // The running sync may have begun before the last write. Only the next sync covers that write.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#startSync();
    }, (error) => {
      // The waiting writes used a descriptor that is no longer trusted.
      this.#next = undefined;
      throw error;
    });
    return this.#next;
  }

  /** Closes the log, after all syncs that are running or requested. */
  async close(): Promise<void> {
    for (let sync = this.#lastSync(); sync !== undefined; sync = this.#lastSync()) {
      await sync.catch(() => {/* its own callers are told */});
    }
    this.#drop();
  }

  #lastSync(): Promise<void> | undefined {
    return this.#next ?? this.#running;
  }

  #startSync(): Promise<void> {
    const running = this.#syncOnce().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #syncOnce(): Promise<void> {
    const writes = this.#writes;
    takeOut(this);
    try {
      if (this.#unsynced !== undefined) throw this.#unsynced.reason;
      if (this.#file === undefined) await syncAlone(this.#path);
      else {
        // Checked before the sync: a write that fails meanwhile drops the descriptor.
        if (isNameless(this.#file)) {
          throw notFound("the log was deleted while it was being written");
        }
        await this.#file.syncData();
        if (writes === this.#writes && this.#next === undefined) this.#keepOpen();
      }
    } catch (error) {
      this.#unsynced ??= { reason: error };
      this.#is_sealed = false;
      this.#drop();
      const reason = errorText(error);
      const message = `Cannot sync log: ${reason}: ${this.#path}`;
      const data = { path: this.#path, written: !isGone(error) };
      throw new SessionError("sync-failed", message, data, error);
    }
  }

  #keepOpen(): void {
    keepOpen(this, () => this.#drop());
  }

  #drop(): void {
    takeOut(this);
    this.#file?.close();
    this.#file = undefined;
  }
}

export class WriteError extends Error {
  override name = "WriteError";

  /** @param reason The error for the caller. @param whole Number of lines that are in the log. */
  constructor(readonly reason: unknown, readonly whole: number) {
    super("Cannot write lines");
  }
}

/** Returns how many lines a failed write left in the log. A line without its newline counts. */
function wholeLines(
  lines: readonly Uint8Array[],
  written: number,
  file: OpenFile | undefined,
): number {
  let end = 0;
  for (const [index, line] of lines.entries()) {
    end += line.length;
    if (end <= written) continue;
    // The system may report fewer bytes than it wrote.
    const isThere = file !== undefined && endsWithLine(file, line);
    return index + (end - 1 === written || isThere ? 1 : 0);
  }
  return lines.length;
}

function cutBack(file: OpenFile | undefined, size: number | undefined): boolean {
  if (file === undefined || size === undefined) return false;
  try {
    file.truncateSync(size);
    return true;
  } catch {
    return false;
  }
}

function isGone(error: unknown): boolean {
  return isNotFound(error) ||
    (error instanceof SessionError && error.code === "not-found");
}

/** True if the file was deleted: its data is lost when it is closed. */
function isNameless(file: OpenFile): boolean {
  return file.statSync().nlink === 0;
}

async function syncAlone(path: string): Promise<void> {
  const file = openOwnFile(path, { append: true });
  try {
    await file.syncData();
  } finally {
    file.close();
  }
}

function openToAppend(path: string): OpenFile {
  return openOwnFile(path, { append: true, read: true });
}

function openSealed(path: string): OpenFile {
  const file = openToAppend(path);
  try {
    const { size } = file.statSync();
    if (size > 0 && lastByte(file, size) !== LF) writeWhole(file, NEWLINE);
    return file;
  } catch (error) {
    file.close();
    throw toSessionError(error, "continue log", path);
  }
}

/** True if the file ends with `line` without its newline. */
function endsWithLine(file: OpenFile, line: Uint8Array): boolean {
  try {
    const body = line.subarray(0, -1);
    file.seekSync(-body.length, SeekMode.End);
    const tail = readWhole(file, new Uint8Array(body.length));
    return equalBytes(tail, body);
  } catch {
    // Shorter than the line, or unreadable.
    return false;
  }
}

function lastByte(file: OpenFile, size: number): number | undefined {
  const byte = new Uint8Array(1);
  file.seekSync(size - 1, SeekMode.Start);
  file.readSync(byte);
  return byte[0];
}
