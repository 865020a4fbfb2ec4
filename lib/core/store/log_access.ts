/** Opens the log of a session when it is needed, and keeps the order of writes that wait for it. */
import type { KnownEvent } from "../event/envelope.ts";
import { SessionError } from "../event/session_error.ts";
import { WriteError } from "../log/log_writer.ts";
import { withoutLog } from "./checked_arguments.ts";
import type { DetachedLog } from "./detached_log.ts";
import { changed } from "./missed_events.ts";
import type { OpenLog, SessionParts } from "./session_parts.ts";

/** The log of one session, from its creation to its release. */
export class LogAccess {
  readonly #create: NonNullable<SessionParts["create"]>;
  readonly #missed: (events: readonly KnownEvent[]) => void;
  #log: OpenLog | undefined;
  #opening: Promise<void> | undefined;
  /** The end of the last write that waits. */
  #last: Promise<void> | undefined;
  /** True once a log was closed, which can still be read. */
  #left = false;

  /** The log in memory while the session is detached, and the one that is not written meanwhile. */
  #detached:
    | { log: DetachedLog; before: OpenLog | undefined; changed?: SessionError }
    | undefined;

  /** @param missed Receives what others appended while the log was at rest. */
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

  /** True if there is a log, or was one. */
  get is_readable(): boolean {
    return this.#log !== undefined || this.#left;
  }

  /** True before the first write, which may wait for the lock. */
  get is_new(): boolean {
    return this.#log === undefined && this.#last === undefined;
  }

  /** Resolves when no write waits; undefined if none does now. */
  idle(): Promise<void> | undefined {
    return this.#last;
  }

  /** Makes or wakes the log; undefined if it can be written now. */
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
   * Writes at once if the log is open, else in the order of the calls.
   *
   * @param write Returns a promise where the log had to be opened first: then nothing was written.
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

  /** Runs a write after those before it, whether they failed or not. */
  #after<Result>(write: () => Promise<Result>): Promise<Result> {
    const result = this.#last === undefined ? write() : this.#last.then(write);
    const last = result.then(ignore, ignore).then(() => {
      if (this.#last === last) this.#last = undefined;
    });
    this.#last = last;
    return result;
  }

  /**
   * Syncs the log and its name.
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

  /** Lets the lock and the descriptors go until the next write, after those that wait. */
  async rest(): Promise<void> {
    await this.#last;
    await this.#log?.rest?.();
  }

  /** Takes the lock of a log at rest again, so that the session can stay locked while it is detached. */
  async hold(): Promise<void> {
    // Where it cannot be locked or was continued, `attach` says so.
    const missed = await this.#log?.wake?.()?.catch(ignore);
    if (missed !== undefined) this.#missed(missed);
  }

  /** Goes on with a log in memory. The log before stays locked, so that no other process goes on. */
  async detach(log: DetachedLog): Promise<void> {
    const before = this.#log;
    this.#detached = { log, before };
    this.#log = log;
    if (before === undefined) return;
    this.#left = true;
    await before.named.catch(ignore);
  }

  /**
   * Writes the lines in memory to the log, and goes on there. On failure, the session stays detached.
   *
   * @throws {SessionError} `locked`; `changed` where others appended to the log; what the disk says.
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
      // Those that are in the log are not written again.
      lines.splice(0, error.whole);
      throw error.reason;
    }
    this.#log = log;
    this.#detached = undefined;
  }

  /**
   * Closes the log after all syncs, and lets the lock go.
   *
   * @param is_unsaved True if no event was acknowledged: then a log that was made here is removed.
   */
  async release(is_unsaved = false): Promise<void> {
    // One that is written later, after its parent, is locked again then.
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
