/** A session's way from the disk into memory alone, and back. */
import { detachedLog } from "./detached_log.ts";
import type { LogAccess } from "./log_access.ts";
import type { OpenConversation } from "./open_conversation.ts";
import type { OpenLog } from "./session_parts.ts";

/** The open subagents of a session. */
interface Subagents {
  detach(): Promise<void>;
  attach(): Promise<void>;
}

type LogName = Pick<OpenLog, "id" | "path">;

/** Keeps whether a session is in memory alone. Changes come one after the other. */
export class OffDisk {
  /** True if the session goes on in memory alone. */
  is_off = false;
  readonly #access: LogAccess;
  readonly #conversation: OpenConversation;
  readonly #subagents: Subagents;
  /** The state of the session of which this one is a subagent, if that is open. */
  #parent: OffDisk | undefined;
  /** True if a subagent ended in memory: its parent writes it when it goes back itself. */
  #is_owed = false;
  /** The states of subagents that were open here. */
  readonly #children = new Set<OffDisk>();
  /** The last change. */
  #moved: Promise<void> = Promise.resolve();

  constructor(access: LogAccess, conversation: OpenConversation, subagents: Subagents) {
    this.#access = access;
    this.#conversation = conversation;
    this.#subagents = subagents;
  }

  /** True if the session ended, and is not written yet. */
  get is_owed(): boolean {
    return this.#is_owed;
  }

  /** True if something is in memory alone, of this session or of its subagents. */
  get is_unwritten(): boolean {
    return this.is_off || [...this.#children].some((one) => one.is_unwritten);
  }

  /** Makes a session a subagent of this one, and keeps it in memory while this one is. */
  adopt(subagent: OffDisk, log?: LogName): void {
    subagent.#parent = this;
    this.#children.add(subagent);
    if (!this.is_off || log === undefined) return;
    subagent.is_off = true;
    subagent.#conversation.keep();
    void subagent.#access.detach(detachedLog(log));
  }

  /** Keeps all that comes in memory. */
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

  /** Goes back before the session ends, or leaves that to its parent. */
  async end(sync: () => Promise<void>): Promise<void> {
    this.#is_owed = this.is_off && this.#parent?.is_off === true;
    if (!this.#is_owed) await this.back(sync);
  }

  /** Writes what is in memory to the log, goes on there, and then so do the subagents. */
  async back(sync: () => Promise<void>): Promise<void> {
    await this.#move(async () => {
      await this.#access.idle();
      if (this.is_off) {
        await this.#access.attach();
        this.is_off = false;
        await sync();
      }
      if (this.is_unwritten) await this.#subagents.attach();
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
