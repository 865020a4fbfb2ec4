/**
 * Writes a chat's events to its session and updates the conversation and the transcript. So the
 * model and the user see the state of the log. While writing fails, events wait in memory.
 */
import { counted } from "../../core/event/counted.ts";
import { errorText } from "../../core/event/error_text.ts";
import {
  type Event,
  type KnownEvent,
  type NewEvent,
  type Session,
  SessionError,
  type TranscriptItem,
} from "../../../mod.ts";
import {
  type Conversation,
  conversation,
  type ConversationState,
  decodeEvent,
  encodeEvent,
  parseExact,
  transcript,
} from "../../core/pipeline/mod.ts";
import { unrefTimer } from "../../core/platform/pause.ts";
import type { Notice } from "./chat_options.ts";

/** The projection for the model, with all reasoning. The client selects the reasoning to send. */
const SENT = conversation({ tools: "include", reasoning: "include" });
const SEEN = transcript();

interface RecorderParts {
  /** The session to store events in, undefined in a chat that is not stored. */
  session: Session | undefined;
  state?: ConversationState | undefined;
  now: () => Date;
  retry_ms: number;
  onItem: (item: TranscriptItem) => void;
  onNotice: (notice: Notice) => void;
}

export class Recorder {
  readonly #now: () => Date;
  readonly #onItem: (item: TranscriptItem) => void;
  #saving: Saving;
  readonly #newSaving: (session: Session | undefined) => Saving;
  #sent: ConversationState;
  #seen = SEEN.initial();

  constructor(parts: RecorderParts) {
    const { session, retry_ms, onNotice } = parts;
    this.#now = parts.now;
    this.#onItem = parts.onItem;
    this.#newSaving = (session) => new Saving({ session, retry_ms, onNotice });
    this.#saving = this.#newSaving(session);
    this.#sent = parts.state ?? SENT.initial();
  }

  get saving(): Saving {
    return this.#saving;
  }

  /**
   * Appends an event. A failed write throws nothing: see {@linkcode Saving}.
   *
   * @throws {TypeError} For an invalid event.
   * @throws {SessionError} `too-large`
   */
  async append(event: NewEvent): Promise<void> {
    const timed: NewEvent = { ...event, time: event.time ?? this.#now().toISOString() };
    const read = asRead(timed);
    read.seq = await this.#saving.save(timed);
    this.#fold(read);
  }

  conversation(): Conversation {
    return SENT.result(this.#sent);
  }

  /** Stores later events in `session`, which already holds the earlier ones. */
  continueIn(session: Session): void {
    this.#saving = this.#newSaving(session);
  }

  #fold(event: KnownEvent): void {
    // Replaced events are of no use, because later compactions never refer to them.
    if (event.kind === "compaction_applied") {
      const { unanswered_call } = this.#sent;
      this.#sent = { ...SENT.initial(), unanswered_call };
    }
    this.#sent = SENT.apply(this.#sent, event);
    this.#seen = SEEN.apply(this.#seen, event);
    for (const item of SEEN.take(this.#seen)) this.#onItem(item);
  }
}

/** Encodes and decodes an event, so that the chat sees it as a later read of the log does. */
function asRead(event: NewEvent): KnownEvent {
  const line = encodeEvent({ ...event, seq: 1 } as Event);
  const read = decodeEvent(parseExact(new TextDecoder().decode(line)), "verified");
  if (read?.form !== "known") {
    throw new TypeError(
      `Cannot save ${event.kind}: Reprise could not read the event back from the log`,
    );
  }
  return read;
}

interface SavingParts {
  /** The session to store events in, undefined in a chat that is not stored. */
  session: Session | undefined;
  retry_ms: number;
  onNotice: (notice: Notice) => void;
}

/**
 * Appends events to a session in order. An event that cannot be written waits in memory, and so do
 * all later events. Each later append and a timer retry the waiting events.
 */
export class Saving {
  readonly #session: Session | undefined;
  readonly #retryMs: number;
  readonly #onNotice: (notice: Notice) => void;
  readonly #waiting: NewEvent[] = [];
  #seq: number;
  #path: string | undefined;
  /** The current failure's kind, if any. Only a successful sync clears a failed sync. */
  #failing: "write" | "sync" | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last queued operation. The next one waits for it, so that appends do not overlap. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ session, retry_ms, onNotice }: SavingParts) {
    this.#session = session;
    this.#retryMs = retry_ms;
    this.#onNotice = onNotice;
    // The session writes its head itself.
    this.#seq = session?.on_disk ? session.last_seq : 1;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** Returns the log's path, or undefined before the log exists. */
  get path(): string | undefined {
    if (this.#session?.on_disk) this.#path = this.#session.path;
    return this.#path;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Writes an event, or queues it if the write fails.
   *
   * @returns The event's sequence number, or the expected number of a queued event.
   * @throws {SessionError} `too-large`
   */
  save(event: NewEvent): Promise<number> {
    return this.#inTurn(async () => {
      await this.#flush();
      if (this.#waiting.length > 0 || !await this.#write(event)) {
        this.#waiting.push(event);
        this.#seq++;
        this.#tryLater();
      }
      return this.#seq;
    });
  }

  retry(): Promise<void> {
    return this.#inTurn(() => this.#flush());
  }

  /** Finishes and releases the session, and reports events that could not be written. */
  close(status: "completed" | "failed"): Promise<void> {
    return this.#inTurn(async () => {
      await this.#flush();
      clearTimeout(this.#timer);
      const lost = this.#waiting.length;
      try {
        // Closed after a gap, the session would look complete.
        if (lost === 0 && this.path !== undefined) await this.#session?.finish({ status });
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.#onNotice({ code: "not-saved", message: errorText(error) });
      } finally {
        if (lost > 0 || this.path !== undefined) await this.#session?.release();
      }
      if (lost === 0) return;
      const message = lost === 1
        ? "Could not save 1 event of this session. The event is lost"
        : `Could not save ${counted(lost, "event")} of this session. The events are lost`;
      this.#onNotice({ code: "not-saved", message });
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {/* told to who asked */});
    return result;
  }

  async #flush(): Promise<void> {
    for (let event = this.#waiting[0]; event !== undefined; event = this.#waiting[0]) {
      if (!await this.#writeWaiting(event)) return this.#tryLater();
      this.#waiting.shift();
    }
  }

  /**
   * Writes a waiting event. An event too large for a log is dropped and reported, because its
   * append has long returned.
   */
  async #writeWaiting(event: NewEvent): Promise<boolean> {
    try {
      return await this.#write(event);
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== "too-large") throw error;
      this.#onNotice({ code: "not-saved", message: errorText(error) });
      return true;
    }
  }

  /** Returns false if the event must be written again later. */
  async #write(event: NewEvent): Promise<boolean> {
    if (this.#session === undefined) {
      this.#seq++;
      return true;
    }
    try {
      const appended = await this.#session.append(event);
      this.#seq = appended.state === "held" ? this.#seq + 1 : appended.seq;
      if (this.#waiting.length <= 1) this.#works(appended.state === "synced");
      return true;
    } catch (error) {
      if (!isPassing(error)) throw error;
      const written = error instanceof SessionError && error.data.written === true;
      this.#fails(written ? "sync" : "write", error);
      if (!written) return false;
      this.#seq = error.data.seq ?? this.#session.last_seq;
      return true;
    }
  }

  #fails(what: "write" | "sync", error: unknown): void {
    const known = this.#failing !== undefined;
    this.#failing = what;
    if (known) return;
    const message = `${errorText(error)}. The chat continues, and tries to save again`;
    this.#onNotice({ code: "saving-failed", message });
  }

  #works(synced: boolean): void {
    if (this.#failing === undefined || (this.#failing === "sync" && !synced)) return;
    this.#failing = undefined;
    this.#onNotice({ code: "saving-works", message: "Saving works again" });
  }

  #tryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.retry(), this.#retryMs);
    // The timer must not keep a finished program running.
    unrefTimer(this.#timer);
  }
}

/** True if a later append may succeed. Faults of the event itself are permanent. */
function isPassing(error: unknown): boolean {
  if (error instanceof SessionError) return error.code !== "too-large";
  return error instanceof Error && !(error instanceof TypeError);
}
