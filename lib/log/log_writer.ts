/**
 * The one place that writes a log: whole lines, appended, sealed after a failure, synced together.
 */
import { SessionError } from "../event/session_error.ts";
import { toSessionError } from "./io_error.ts";
import { openOwnFile } from "./own_file.ts";
import { writeWhole } from "./write_whole.ts";

const LF = 0x0a;
const NEWLINE = new Uint8Array([LF]);

/**
 * A log open to append. A write that fails, and a sync that fails, drop the descriptor: what the
 * system says of it afterwards is not believed, and the next write takes a fresh one.
 */
export class LogWriter {
  readonly #path: string;
  #file: Deno.FsFile | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  private constructor(path: string, file: Deno.FsFile) {
    this.#path = path;
    this.#file = file;
  }

  /** Makes the file, which must not exist. */
  static create(path: string): LogWriter {
    try {
      const file = Deno.openSync(path, { append: true, read: true, createNew: true, mode: 0o600 });
      return new LogWriter(path, file);
    } catch (error) {
      throw toSessionError(error, "create log", path);
    }
  }

  /** Opens a file that exists, and seals it. */
  static open(path: string): LogWriter {
    return new LogWriter(path, openSealed(path));
  }

  /** Whether the last write or sync succeeded. */
  get healthy(): boolean {
    return this.#file !== undefined;
  }

  /**
   * Appends one line in one write, and seals first what an earlier failure left torn.
   *
   * @throws {SessionError} `disk-full`, `permission`, `io`: the line is not in the log as a whole.
   */
  write(line: Uint8Array): void {
    try {
      this.#file ??= openSealed(this.#path);
      writeWhole(this.#file, line);
    } catch (error) {
      this.#drop();
      throw toSessionError(error, "write event", this.#path);
    }
  }

  /**
   * Resolves when all that was written before is on the disk. Calls that overlap share one sync.
   *
   * @throws {SessionError} `sync-failed`
   */
  sync(): Promise<void> {
    if (this.#running === undefined) return this.#startSync();
    // The one under way may have begun before the last write: only the next one covers it.
    this.#next ??= this.#running.catch(() => {/* its own callers are told */}).then(() => {
      this.#next = undefined;
      return this.#startSync();
    });
    return this.#next;
  }

  /** Closes the file; waits for a sync that is under way. */
  async close(): Promise<void> {
    await this.#running?.catch(() => {/* its own callers are told */});
    this.#drop();
  }

  #startSync(): Promise<void> {
    const running = this.#syncOnce().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #syncOnce(): Promise<void> {
    const file = this.#file;
    try {
      if (file === undefined) throw new Error("the write before it failed");
      await file.syncData();
    } catch (error) {
      if (this.#file === file) this.#drop();
      const reason = error instanceof Error ? error.message : String(error);
      const message = `Cannot sync log: ${reason}: ${this.#path}`;
      throw new SessionError("sync-failed", message, { path: this.#path, written: true }, error);
    }
  }

  #drop(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}

function openSealed(path: string): Deno.FsFile {
  const file = openOwnFile(path, { append: true, read: true });
  try {
    const { size } = file.statSync();
    if (size > 0 && lastByte(file, size) !== LF) writeWhole(file, NEWLINE);
    return file;
  } catch (error) {
    file.close();
    throw toSessionError(error, "seal log", path);
  }
}

function lastByte(file: Deno.FsFile, size: number): number | undefined {
  const byte = new Uint8Array(1);
  file.seekSync(size - 1, Deno.SeekMode.Start);
  file.readSync(byte);
  return byte[0];
}
