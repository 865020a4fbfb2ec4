/**
 * Builds messages directly from a reader's output. Without compactions, the conversation is all of
 * it, so no events are needed.
 */
import type { EventKind, PayloadByKind } from "../../event/payload.ts";
import { conversation } from "../../projection/conversation/conversation.ts";
import { type MessageChoice, MessageStream } from "../../projection/conversation/message_stream.ts";
import type { SaidEvent } from "../../projection/conversation/message_build.ts";
import { type EventSink, wholePayload } from "./event_writer.ts";

export type { MessageChoice };

/** The messages of one session in the making. */
export class MessageWriter extends MessageStream implements EventSink {
  readonly unlabelled = true;
  /** Kinds that messages are made of. */
  readonly needs: ReadonlySet<EventKind>;
  #seq = 0;

  /** @param choice What to include. */
  constructor(choice: MessageChoice) {
    super(choice);
    this.needs = conversation(choice).needs;
  }

  /** True if events of this kind are wanted. */
  wants(kind: EventKind): boolean {
    return this.needs.has(kind);
  }

  /** Adds what an event would say. */
  emit<Kind extends EventKind>(kind: Kind, payload: PayloadByKind[Kind]): number {
    const seq = ++this.#seq;
    if (this.wants(kind)) this.add({ seq, kind, payload: wholePayload(payload) } as SaidEvent);
    return seq;
  }

  /** The last seq that was given. */
  get seq(): number {
    return this.#seq;
  }

  /** Compactions that name what they keep are not taken: see {@linkcode EventWriter.messageFrom}. */
  messageFrom(): undefined {
    return undefined;
  }
}
