/** Opens the log of a session when it is needed, and keeps the order of writes that wait for it. */
import { SessionError } from "../event/session_error.ts";
import { withoutLog } from "./checked_arguments.ts";
import type { OpenLog, SessionParts } from "./session_parts.ts";

/** The log of one session, from its creation to its release. */
export class LogAccess {
  readonly #create: NonNullable<SessionParts["create"]>;
  #log: OpenLog | undefined;
  #opening: Promise<void> | undefined;
  /** The end of the last write that waits. */
  #last: Promise<void> | undefined;
  /** True once a log was closed, which can still be read. */
  #left = false;

  constructor({ create = withoutLog, open }: Pick<SessionParts, "create" | "open">) {
    this.#create = create;
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
    if (this.#log !== undefined) return this.#log.wake?.();
    if (this.#opening !== undefined) return this.#opening;
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

  /** Closes the log, and goes on with another one, which keeps no line. */
  async detach(other: OpenLog): Promise<void> {
    const closing = this.release();
    this.#log = other;
    await closing.catch(() => {/* it is not written any more */});
  }

  /** Closes the log after all syncs, and lets the lock go. */
  async release(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    if (log === undefined) return;
    this.#left = true;
    await log.named.catch(() => {/* told to the appends that waited for it */});
    await log.writer.close();
    log.lock.release();
  }
}

function ignore(): void {}
