/**
 * Records a chat: writes each event to its session and folds it at once. So what the model gets and
 * the user sees cannot differ from the log.
 */
import {
  type Event,
  type KnownEvent,
  type NewEvent,
  type Session,
  SessionError,
  type TranscriptItem,
} from "../../mod.ts";
import {
  type Conversation,
  conversation,
  type ConversationState,
  decodeEvent,
  encodeEvent,
  parseExact,
  transcript,
} from "../pipeline/mod.ts";
import { unrefTimer } from "../platform/timer.ts";

/** The conversation as the model gets it: each shape takes of the reasoning what its provider wants. */
const SENT = conversation({ tools: "include", reasoning: "include" });
const SEEN = transcript();

/** What a recorder is made of. */
interface RecorderParts {
  /** Absent where nothing is kept. */
  session: Session | undefined;
  /** What the log says so far. */
  state?: ConversationState;
  now: () => Date;
  retry_ms: number;
  onItem: (item: TranscriptItem) => void;
  onNotice: (notice: SavingNotice) => void;
}

/** Appends events, and knows what follows from them. */
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
   * Keeps an event. That it cannot be written now is no error: see {@linkcode Saving}.
   *
   * @throws {TypeError} When it is no event.
   * @throws {SessionError} `too-large`
   */
  async append(event: NewEvent): Promise<void> {
    const timed: NewEvent = { ...event, time: event.time ?? this.#now().toISOString() };
    const read = asRead(timed);
    read.seq = await this.#saving.save(timed);
    this.#fold(read);
  }

  /** What the model gets next. */
  conversation(): Conversation {
    return SENT.result(this.#sent);
  }

  /** Goes on in another session, which says the same so far. */
  continueIn(session: Session): void {
    this.#saving = this.#newSaving(session);
  }

  #fold(event: KnownEvent): void {
    // What it replaces is of no use any more: no later compaction of ours names an event from before.
    if (event.kind === "compaction_applied") {
      const { unanswered_call } = this.#sent;
      this.#sent = { ...SENT.initial(), unanswered_call };
    }
    this.#sent = SENT.apply(this.#sent, event);
    this.#seen = SEEN.apply(this.#seen, event);
    for (const item of SEEN.take(this.#seen)) this.#onItem(item);
  }
}

/** An event as a reader of its line gets it: what is shown and sent is what is written. */
function asRead(event: NewEvent): KnownEvent {
  const line = encodeEvent({ ...event, seq: 1 } as Event);
  const read = decodeEvent(parseExact(new TextDecoder().decode(line)), "verified");
  if (read?.form !== "known") {
    throw new TypeError(`Cannot keep ${event.kind}: it does not read back`);
  }
  return read;
}

/** What is told of saving. */
interface SavingNotice {
  code: "saving-failed" | "saving-works" | "not-saved";
  message: string;
}

/** What saving is given. */
interface SavingParts {
  /** Absent where nothing is kept. */
  session: Session | undefined;
  /** Milliseconds between two tries. */
  retry_ms: number;
  onNotice: (notice: SavingNotice) => void;
}

/**
 * Appends to a session one event after the other. An event that cannot be written waits in memory,
 * with all that follow it; every append tries again, and so does a timer.
 */
export class Saving {
  readonly #session: Session | undefined;
  readonly #retryMs: number;
  readonly #onNotice: (notice: SavingNotice) => void;
  readonly #waiting: NewEvent[] = [];
  #seq: number;
  #path: string | undefined;
  /** What failed last: after a failed sync only a sync tells that it works again. */
  #failing: "write" | "sync" | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** One append at a time: those of the timer must not come between. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ session, retry_ms, onNotice }: SavingParts) {
    this.#session = session;
    this.#retryMs = retry_ms;
    this.#onNotice = onNotice;
    // The head of a new session is written by the session itself.
    this.#seq = session?.on_disk ? session.last_seq : 1;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** Path of the log, from the moment on that there is one, and after the end. */
  get path(): string | undefined {
    if (this.#session?.on_disk) this.#path = this.#session.path;
    return this.#path;
  }

  /** Events that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Writes an event, or lets it wait.
   *
   * @returns Its number; of one that waits the number it is likely to get.
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

  /** Tries to write what waits. */
  retry(): Promise<void> {
    return this.#inTurn(() => this.#flush());
  }

  /** Ends the session; says so when something could not be written. */
  close(status: "completed" | "failed"): Promise<void> {
    return this.#inTurn(async () => {
      await this.#flush();
      clearTimeout(this.#timer);
      const lost = this.#waiting.length;
      try {
        // Closed behind a gap, the session would look complete.
        if (lost > 0) await this.#session?.release();
        else if (this.path !== undefined) await this.#session?.finish({ status });
      } catch (error) {
        if (!isPassing(error)) throw error;
        this.#onNotice({ code: "not-saved", message: reasonOf(error) });
      }
      if (lost === 0) return;
      const message = `${lost} events of this session could not be saved and are lost`;
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

  /** As `#write`; what no log can hold is given up and told: who appended it has long gone on. */
  async #writeWaiting(event: NewEvent): Promise<boolean> {
    try {
      return await this.#write(event);
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== "too-large") throw error;
      this.#onNotice({ code: "not-saved", message: reasonOf(error) });
      return true;
    }
  }

  /** Whether the event is in the log, or held by a session that is not on disk yet. */
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
    const message = `${reasonOf(error)}; the chat continues, and tries again`;
    this.#onNotice({ code: "saving-failed", message });
  }

  #works(synced: boolean): void {
    if (this.#failing === undefined || (this.#failing === "sync" && !synced)) return;
    this.#failing = undefined;
    this.#onNotice({ code: "saving-works", message: "The session is being saved again" });
  }

  #tryLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.retry(), this.#retryMs);
    // A chat that has nothing else to do may end.
    unrefTimer(this.#timer);
  }
}

/** Whether the same append may succeed later: what is wrong with the event itself stays wrong. */
function isPassing(error: unknown): boolean {
  if (error instanceof SessionError) return error.code !== "too-large";
  return error instanceof Error && !(error instanceof TypeError);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
