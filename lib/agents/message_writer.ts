/**
 * Makes messages of what a reader writes, without events in between: the conversation of a session
 * that never compacts is all of it.
 */
import type { Message } from "../event/message.ts";
import type { CompactionAppliedPayload, EventKind, PayloadByKind } from "../event/payload.ts";
import {
  baseForModel,
  builtForModel,
  conversation,
  type ConversationOptions,
  isUsableCompaction,
} from "../projection/conversation.ts";
import { UNSETTLED_OUTPUT } from "../projection/paired_messages.ts";
import {
  addToMessages,
  type SaidEvent,
  startMessages,
  takeLastMessages,
  takeSettledMessages,
} from "../projection/responses.ts";
import { type EventSink, wholePayload } from "./event_writer.ts";

/** What of a conversation is wanted. */
export type MessageChoice = Pick<ConversationOptions, "tools" | "reasoning">;

/** The messages of one session in the making. */
export class MessageWriter implements EventSink {
  readonly unlabelled = true;
  /** Kinds that messages are made of. */
  readonly needs: ReadonlySet<EventKind>;
  readonly #choice: MessageChoice;
  #base: Message[] = [];
  #build = startMessages();
  /** What is said of a call without a result, where no head says it. */
  unanswered = UNSETTLED_OUTPUT;
  #seq = 0;

  /** @param choice What to include. */
  constructor(choice: MessageChoice) {
    this.#choice = choice;
    this.needs = conversation(choice).needs;
  }

  /** Whether events of this kind are wanted. */
  wants(kind: EventKind): boolean {
    return this.needs.has(kind);
  }

  /** Adds what an event would say. */
  emit<Kind extends EventKind>(kind: Kind, payload: PayloadByKind[Kind]): number {
    const seq = ++this.#seq;
    if (this.wants(kind)) this.#add({ seq, kind, payload: wholePayload(payload) } as SaidEvent);
    return seq;
  }

  /** The last seq that was given. */
  get seq(): number {
    return this.#seq;
  }

  /** Compactions that name what they keep are not taken: see {@linkcode EventWriter.seqOf}. */
  seqOf(): undefined {
    return undefined;
  }

  #add(event: SaidEvent): void {
    switch (event.kind) {
      case "session_started":
        this.unanswered = event.payload.unanswered_call ?? this.unanswered;
        break;
      case "compaction_applied":
        if (isUsableCompaction(event.payload)) this.#replace(replacementOf(event.payload));
        break;
      case "conversation_replaced":
        this.#replace(event.payload.messages);
        break;
      default:
        addToMessages(this.#build, event);
    }
  }

  #replace(base: Message[]): void {
    this.#base = base;
    this.#build = startMessages();
  }

  /**
   * Takes the messages that are finished. Where a compaction may still come, they are to be taken at
   * the end alone.
   */
  take(): Message[] {
    return this.#chosen(takeSettledMessages(this.#build));
  }

  /** Takes all that is left. */
  takeLast(): Message[] {
    return this.#chosen(takeLastMessages(this.#build, this.unanswered));
  }

  #chosen(messages: Message[]): Message[] {
    const built = builtForModel(messages, this.#choice);
    if (this.#base.length === 0) return built;
    const choice = { ...this.#choice, unanswered_call: this.unanswered };
    const base = baseForModel(this.#base, choice);
    this.#base = [];
    return [...base, ...built];
  }
}

/** What stands in the place of all before a compaction. */
function replacementOf({ messages, summary = "" }: CompactionAppliedPayload): Message[] {
  return messages ?? [{ role: "user", content: summary }];
}
