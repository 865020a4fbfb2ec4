/**
 * A session that is being kept: the one handle that appends to its log.
 *
 * @module
 */
import type { Event, NewEvent } from "../event/envelope.ts";
import type { EventKind, SessionClosedPayload, SessionStartedPayload } from "../event/payload.ts";
import { isBoundary, isEventKind, isHeld } from "../event/policy.ts";
import { SessionError } from "../event/session_error.ts";
import { applySummary, type SummaryState } from "../projection/summary.ts";
import type { OpenLog } from "./open_log.ts";
import { asHeld, checkpointAfter, encodeLine } from "./session_line.ts";

/**
 * The moment when `append` resolves: `boundary`, the kinds that end something are synced first;
 * `event`, each event is; `none`, none is.
 */
export type Durability = "boundary" | "event" | "none";

/** The result of an append. */
export type Appended =
  /** On the way to the disk: it survives the end of any process; `synced`, a power cut as well. */
  | { seq: number; state: "written" | "synced" }
  /** Kept in memory until an event comes that creates the session: no acknowledgement. */
  | { state: "held" };

/** What a session is made of. */
export interface SessionParts {
  /** UUID v4; of a new session another one, where this is taken. */
  id: string;
  /** Path of the log, which may not exist yet. */
  path: string;
  /** Says which appends wait for the disk. */
  durability: Durability;
  /** Gives the time of events that carry none. */
  now: () => Date;
  /** Makes the log and takes its lock; only for a session that is not on disk. */
  create?: () => OpenLog;
  /** The log, of a session that is. */
  open?: OpenLog;
  /** First event of a new session. */
  header?: SessionStartedPayload;
  /** What the log says so far. */
  state: SummaryState;
  /** Bytes of the log behind its last checkpoint. @default {0} */
  since_checkpoint?: number;
}

/** Bytes between two checkpoints. */
const CHECKPOINT_BYTES = 256 * 1024;

/**
 * A session to append to. A new one is on disk with its first real event; until then events that
 * only describe it are held. Made by {@linkcode SessionStore}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openStore } from "@reprise/reprise";
 *
 * const root = await Deno.makeTempDir();
 * const store = openStore({ root });
 * {
 *   await using session = store.create({ cwd: root });
 *   const first = await session.append({ kind: "user_message", payload: { content: "hi" } });
 *   assert.deepEqual(first, { seq: 2, state: "synced" });
 * }
 * assert.equal((await store.last({ cwd: root }))?.status, "completed");
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export class Session implements AsyncDisposable {
  #id: string;
  #path: string;
  readonly #durability: Durability;
  readonly #now: () => Date;
  readonly #create: (() => OpenLog) | undefined;
  #log: OpenLog | undefined;
  #held: NewEvent[] = [];
  #state: SummaryState;
  #sinceCheckpoint: number;
  #degraded = false;
  /** Set from the moment on that the session is closed or released. */
  #ending: Promise<void> | undefined;

  /**
   * For the store alone: use {@linkcode SessionStore.create} or {@linkcode SessionStore.resume}.
   *
   * @param parts What the store puts together.
   */
  constructor(parts: SessionParts) {
    this.#id = parts.id;
    this.#path = parts.path;
    this.#durability = parts.durability;
    this.#now = parts.now;
    this.#create = parts.create;
    this.#log = parts.open;
    this.#state = parts.state;
    this.#sinceCheckpoint = parts.since_checkpoint ?? 0;
    if (parts.header !== undefined) {
      this.#held.push({ kind: "session_started", payload: parts.header });
    }
  }

  /** UUID v4; final once the session is on disk. */
  get id(): string {
    return this.#id;
  }

  /** Path of the log; final once the session is on disk. */
  get path(): string {
    return this.#path;
  }

  /** True if the session has a log. */
  get on_disk(): boolean {
    return this.#log !== undefined;
  }

  /** True if the last append or sync failed. The next append tries again. */
  get degraded(): boolean {
    return this.#degraded;
  }

  /** Sequence number of the last event in the log. */
  get last_seq(): number {
    return this.#state.last_seq ?? 0;
  }

  /**
   * Appends an event. The write has been made when this returns; what it resolves to says how far
   * the event is safe.
   *
   * @param event Kind and payload; `time` is now unless given.
   * @returns The event's number and state.
   * @throws {TypeError} As a rejection, when the payload does not fit the kind.
   * @throws {SessionError} As a rejection: `too-large`, `disk-full`, `permission`, `io`: the event
   * is not kept; `sync-failed`: it is written, though perhaps not on the disk.
   */
  async append(event: NewEvent): Promise<Appended> {
    if (this.#ending !== undefined) {
      throw new TypeError("Cannot append event: the session is closed");
    }
    if (event.kind === "session_started") return this.#describe(event);
    const held = isEventKind(event.kind) && isHeld(event.kind);
    if (this.#log === undefined && held) return this.#hold(event);
    const seq = this.#write(event);
    if (!this.#mustSync(event.kind)) return { seq, state: "written" };
    await this.#syncTo(seq);
    return { seq, state: "synced" };
  }

  /**
   * Resolves when all that was appended is on the disk.
   *
   * @throws {SessionError} `sync-failed`
   */
  async sync(): Promise<void> {
    if (this.#log !== undefined) await this.#syncTo(this.last_seq);
  }

  /**
   * Writes a checkpoint and `session_closed`, syncs, and lets the lock go. A session that never had
   * a real event leaves nothing behind. One that was closed or released stays as it is.
   *
   * @param outcome How it ended.
   * @throws {SessionError} When the last events could not be written; the lock is let go all the same.
   */
  async close(outcome: SessionClosedPayload = { status: "completed" }): Promise<void> {
    await this.#end(async () => {
      if (this.#log === undefined) return;
      this.#leaveCheckpoint();
      this.#write({ kind: "session_closed", payload: outcome });
      await this.sync();
    });
  }

  /**
   * Appends an event about the session as a whole and lets the lock go. A session that was closed
   * is closed again in the same words, for that counts only as the last event.
   */
  async annotate(event: NewEvent): Promise<void> {
    await this.#end(async () => {
      const { closed } = this.#state;
      this.#write(event);
      if (closed !== undefined) this.#write({ kind: "session_closed", payload: closed });
      await this.sync();
    });
  }

  /** Lets the lock go without closing the session, which is then interrupted until resumed. */
  async release(): Promise<void> {
    await this.#end(() => Promise.resolve());
  }

  /** Ends the session, once: what is appended from here on could come behind its last event. */
  #end(write: () => Promise<void>): Promise<void> {
    if (this.#ending !== undefined) {
      return this.#ending.catch(() => {/* told to who ended it */});
    }
    return this.#ending = write().finally(() => this.#letGo());
  }

  async #letGo(): Promise<void> {
    const log = this.#log;
    this.#log = undefined;
    if (log === undefined) return;
    await log.named.catch(() => {/* told to the appends that waited for it */});
    await log.writer.close();
    log.lock.release();
  }

  /** Closes the session as completed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #mustSync(kind: EventKind): boolean {
    if (this.#durability === "boundary") return isBoundary(kind);
    return this.#durability === "event";
  }

  /** The program's own words on how the session began, over what the store knew. */
  #describe(event: NewEvent & { kind: "session_started" }): Appended {
    const [header] = this.#held;
    if (header?.kind !== "session_started") {
      throw new TypeError("Cannot append session_started: the session has begun");
    }
    const own = { session_id: this.#id, cwd: header.payload.cwd };
    const payload = { ...header.payload, ...event.payload, ...own };
    this.#held[0] = asHeld({ ...event, payload });
    return { state: "held" };
  }

  #hold(event: NewEvent): Appended {
    this.#held.push(asHeld(this.#timed(event)));
    return { state: "held" };
  }

  #timed(event: NewEvent): NewEvent {
    return { ...event, time: utcTime(event.time) ?? this.#now().toISOString() };
  }

  #write(event: NewEvent): number {
    const seq = this.last_seq + this.#held.length + 1;
    // Encoded before anything is created or written: an event that does not fit changes nothing.
    const numbered = { ...this.#timed(event), seq } as Event;
    const line = encodeLine(numbered);
    try {
      if (this.#log === undefined) this.#begin();
      for (let held = this.#held[0]; held !== undefined; held = this.#held[0]) {
        const first = { ...this.#timed(held), seq: this.last_seq + 1 } as Event;
        this.#writeLine(first, encodeLine(first));
        this.#held.shift();
      }
      this.#writeLine(numbered, line);
      this.#degraded = false;
    } catch (error) {
      this.#degraded = true;
      throw error;
    }
    if (this.#sinceCheckpoint >= CHECKPOINT_BYTES) this.#leaveCheckpoint();
    return seq;
  }

  #begin(): void {
    const log = this.#create?.();
    if (log === undefined) throw new TypeError("Cannot append event: the session has no log");
    this.#log = log;
    this.#id = log.id;
    this.#path = log.path;
    const [header] = this.#held;
    if (header?.kind === "session_started") header.payload.session_id = log.id;
  }

  #writeLine(event: Event, line: Uint8Array): void {
    this.#log?.writer.write(line);
    this.#sinceCheckpoint += line.length;
    this.#state = applySummary(this.#state, { ...event, form: "known", integrity: "verified" });
  }

  /** A failure here is the next append's to find, not the one's that succeeded. */
  #leaveCheckpoint(): void {
    // Its checksum would vouch for what was altered.
    if (this.#state.altered) return;
    const checkpoint = checkpointAfter(this.#state, this.#now().toISOString());
    try {
      this.#writeLine(checkpoint, encodeLine(checkpoint));
    } catch {
      this.#degraded = true;
    }
    this.#sinceCheckpoint = 0;
  }

  async #syncTo(seq: number): Promise<void> {
    const log = this.#log;
    if (log === undefined) return;
    try {
      await Promise.all([log.writer.sync(), log.named]);
    } catch (error) {
      this.#degraded = true;
      if (!(error instanceof SessionError)) throw error;
      throw new SessionError(error.code, error.message, { ...error.data, seq }, error.cause);
    }
  }
}

/** A time as lists sort it: UTC with milliseconds. What is no time stays, for encoding to refuse. */
function utcTime(time: string | undefined): string | undefined {
  const milliseconds = typeof time === "string" && /^\d{4}-/.test(time) ? Date.parse(time) : NaN;
  return Number.isNaN(milliseconds) ? time : new Date(milliseconds).toISOString();
}
