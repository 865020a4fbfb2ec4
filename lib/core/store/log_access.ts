/** Opens a session's log when it is first needed. Writes that wait for the log keep their order. */
import type { KnownEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { WriteError } from "../log/log_writer.ts";
import { withoutLog } from "./checked_arguments.ts";
import type { DetachedLog } from "./detached_log.ts";
import { changed } from "./missed_events.ts";
import type { OpenLog, SessionParts } from "./session_parts.ts";

export class LogAccess {
  readonly #create: NonNullable<SessionParts["create"]>;
  readonly #missed: (events: readonly KnownEvent[]) => void;
  #log: OpenLog | undefined;
  #opening: Promise<void> | undefined;
  /** Resolves when the last waiting write has ended. */
  #last: Promise<void> | undefined;
  /** True once the log was closed. Its file can still be read. */
  #left = false;

  /** For a detached session: the log in memory, and `before`, the log on disk. */
  #detached:
    | { log: DetachedLog; before: OpenLog | undefined; changed?: SessionError }
    | undefined;

  /** @param missed Receives events that other processes appended while the lock was released. */
  constructor(
    { create = withoutLog, open }: Pick<SessionParts, "create" | "open">,
    missed: (events: readonly KnownEvent[]) => void,
  ) {
    this.#create = create;
    this.#missed = missed;
    this.#log = open;
  }

  /** The log; undefined before it is made and after its release. */
  get log(): OpenLog | undefined {
    return this.#log;
  }

  get is_readable(): boolean {
    return this.#log !== undefined || this.#left;
  }

  /** True until the first write begins. A write that waits for the lock has begun. */
  get is_new(): boolean {
    return this.#log === undefined && this.#last === undefined;
  }

  idle(): Promise<void> | undefined {
    return this.#last;
  }

  /** Makes the log, or takes its released lock again; undefined if the log can be written now. */
  open(): Promise<void> | undefined {
    if (this.#opening !== undefined) return this.#opening;
    if (this.#log !== undefined) {
      return this.#opening = this.#log.wake?.()?.then(this.#missed).finally(() => {
        this.#opening = undefined;
      });
    }
    const created = this.#create();
    if (!(created instanceof Promise)) {
      this.#log = created;
      return undefined;
    }
    return this.#opening = created.then((log) => void (this.#log = log)).finally(() => {
      this.#opening = undefined;
    });
  }

  /**
   * Writes at once if the log is open. Otherwise waits, and writes in the order of the calls.
   *
   * @param write Writes the drafts. If the log must be opened first, writes nothing, returns a
   * promise, and is called again later.
   * @param keep Copies the drafts of a write that waits, because the caller may change its objects.
   */
  write<Drafts, Result extends number>(
    drafts: Drafts,
    write: (drafts: Drafts) => Result | Promise<void>,
    keep: (drafts: Drafts) => Drafts,
  ): Result | Promise<Result> {
    if (this.#last === undefined) {
      const written = write(drafts);
      if (typeof written === "number") return written;
      written.catch(() => {/* told to the write that waits */});
    }
    const own = keep(drafts);
    return this.#after(async () => {
      for (;;) {
        const written = write(own);
        if (typeof written === "number") return written;
        await written;
      }
    });
  }

  /** Runs a write after all earlier writes, whether they failed or not. */
  #after<Result>(write: () => Promise<Result>): Promise<Result> {
    const result = this.#last === undefined ? write() : this.#last.then(write);
    const last = result.then(ignore, ignore).then(() => {
      if (this.#last === last) this.#last = undefined;
    });
    this.#last = last;
    return result;
  }

  /**
   * Syncs the log's contents and its directory entry to the disk.
   *
   * @param seq Number of the last event to sync, for the error.
   */
  async sync(seq: number): Promise<void> {
    const log = this.#log;
    if (log === undefined) return;
    try {
      await Promise.all([log.writer.sync(), log.named]);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      throw new SessionError(error.code, error.message, { ...error.data, seq }, error.cause);
    }
  }

  /** Waits for pending writes, then releases lock and descriptors until the next write. */
  async rest(): Promise<void> {
    await this.#last;
    await this.#log?.rest?.();
  }

  /** Takes a released lock again, so that the session stays locked while it is only in memory. */
  async hold(): Promise<void> {
    // If the lock is taken or the session was continued, `attach` throws the reason.
    const missed = await this.#log?.wake?.()?.catch(ignore);
    if (missed !== undefined) this.#missed(missed);
  }

  /** Appends to a log in memory from now on. The log on disk stays locked. */
  async detach(log: DetachedLog): Promise<void> {
    const before = this.#log;
    this.#detached = { log, before };
    this.#log = log;
    if (before === undefined) return;
    this.#left = true;
    await before.named.catch(ignore);
  }

  /**
   * Writes the lines in memory to the log on disk, and appends there again. On failure, the session
   * stays in memory.
   *
   * @throws {SessionError} `locked`; `changed` if another process appended to the log; errors of
   * the disk.
   */
  async attach(): Promise<void> {
    const detached = this.#detached;
    if (detached === undefined) return;
    const { log: { lines, path } } = detached;
    const log = detached.before ?? (lines.length === 0 ? undefined : await this.#create());
    detached.before = log;
    const missed = await log?.wake?.() ?? [];
    if (missed.length > 0) detached.changed = changed(path);
    if (detached.changed !== undefined) throw detached.changed;
    try {
      if (lines.length > 0) log?.writer.write(lines);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      // Lines that are in the log already are not written again.
      lines.splice(0, error.whole);
      throw error.reason;
    }
    this.#log = log;
    this.#detached = undefined;
  }

  /**
   * Closes the log after all syncs, and releases the lock.
   *
   * @param is_unsaved True if no event was acknowledged: then a log that was made here is removed.
   */
  async release(is_unsaved = false): Promise<void> {
    // A subagent's log that is written later, after its parent's, is locked again then.
    await this.#detached?.before?.rest?.().catch(ignore);
    const log = this.#log;
    this.#log = undefined;
    if (log === undefined) return;
    this.#left = true;
    await log.named.catch(() => {/* told to the appends that waited for it */});
    await log.writer.close();
    log.lock.release();
    if (is_unsaved) log.discard?.();
  }
}

function ignore(): void {}
