/** Moves a session from the disk into memory alone, and back. */
import { isSessionError, type SessionError } from "../event/session_error.ts";
import { detachedLog } from "./detached_log.ts";
import type { LogAccess } from "./log_access.ts";
import type { OpenConversation } from "./open_conversation.ts";
import type { OpenLog } from "./session_parts.ts";

interface Subagents {
  detach(): Promise<void>;
  attach(): Promise<void>;
}

type LogName = Pick<OpenLog, "id" | "path">;

/** Moves a session between disk and memory. Each move waits for the move before. */
export class OffDisk {
  is_off = false;
  readonly #access: LogAccess;
  readonly #conversation: OpenConversation;
  readonly #subagents: Subagents;
  /** State of the parent session, if this session is a subagent and the parent is open. */
  #parent: OffDisk | undefined;
  #is_owed = false;
  /** All subagents of this session, even if they have ended. */
  readonly #children = new Set<OffDisk>();
  #moved: Promise<void> = Promise.resolve();

  constructor(access: LogAccess, conversation: OpenConversation, subagents: Subagents) {
    this.#access = access;
    this.#conversation = conversation;
    this.#subagents = subagents;
  }

  /** True if this subagent ended while in memory alone. Its parent writes it to disk. */
  get is_owed(): boolean {
    return this.#is_owed;
  }

  get is_unwritten(): boolean {
    return this.is_off || [...this.#children].some((one) => one.is_unwritten);
  }

  /** Adds a session as a subagent. If this session is in memory alone, the subagent is, too. */
  adopt(subagent: OffDisk, log?: LogName): void {
    subagent.#parent = this;
    this.#children.add(subagent);
    if (!this.is_off || log === undefined) return;
    subagent.is_off = true;
    subagent.#conversation.keep();
    void subagent.#access.detach(detachedLog(log));
  }

  /** Continues the session and its subagents in memory alone. */
  async leave(log: LogName): Promise<void> {
    await this.#move(async () => {
      await this.#access.idle();
      if (this.is_off) return;
      await this.#access.hold();
      await this.#conversation.detach(this.#access.is_readable ? log.path : undefined);
      this.is_off = true;
      await this.#access.detach(detachedLog(log));
      await this.#subagents.detach();
    });
  }

  /** Writes the session to disk before it ends, or leaves that to a parent that is in memory. */
  async end(sync: () => Promise<void>): Promise<void> {
    this.#is_owed = this.is_off && this.#parent?.is_off === true;
    if (!this.#is_owed) await this.back(sync);
  }

  /**
   * Writes the session to disk before it ends, as `end` does.
   *
   * @returns The error of a failed sync, after which the events are in the log; else undefined.
   */
  async endWritten(sync: () => Promise<void>): Promise<SessionError | undefined> {
    try {
      await this.end(sync);
      return undefined;
    } catch (error) {
      if (isSessionError(error, "sync-failed")) return error;
      throw error;
    }
  }

  /** Moves the session back to its log. Then moves its subagents, even if `sync` fails. */
  async back(sync: () => Promise<void>): Promise<void> {
    await this.#move(async () => {
      await this.#access.idle();
      const was_off = this.is_off;
      if (was_off) {
        await this.#access.attach();
        this.is_off = false;
      }
      try {
        if (was_off) await sync();
      } finally {
        // The events of this session are in its log now, even if the sync failed.
        if (this.is_unwritten) await this.#subagents.attach();
      }
    });
    if (!this.#is_owed) return;
    this.#is_owed = false;
    await this.#access.release();
  }

  #move(change: () => Promise<void>): Promise<void> {
    const moved = this.#moved.then(change);
    this.#moved = moved.catch(() => {/* told to who asked for it */});
    return moved;
  }
}
