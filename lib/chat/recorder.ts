/**
 * Records a chat: writes each event to its session and folds it at once. So what the model gets and
 * the user sees cannot differ from the log.
 */
import {
  type Conversation,
  conversation,
  type ConversationState,
  decodeEvent,
  encodeEvent,
  parseExact,
  transcript,
} from "../pipeline/mod.ts";
import type { Event, KnownEvent, NewEvent, Session, TranscriptItem } from "../../mod.ts";
import { Saving, type SavingNotice } from "./saving.ts";

/** The conversation as the model gets it: each shape takes of the reasoning what its provider wants. */
export const SENT = conversation({ tools: "include", reasoning: "include" });
const SEEN = transcript();

/** What a recorder is made of. */
export interface RecorderParts {
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
