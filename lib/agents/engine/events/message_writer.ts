/**
 * Builds a session's messages directly from a reader's output, without events in between. For a
 * session without compactions, the output is the whole conversation.
 */
import type { Message } from "../../../core/event/message.ts";
import type { EventKind, PayloadByKind } from "../../../core/event/payload.ts";
import { conversation } from "../../../core/projection/conversation/conversation.ts";
import type { SaidEvent } from "../../../core/projection/conversation/message_build.ts";
import {
  type MessageChoice,
  MessageStream,
} from "../../../core/projection/conversation/message_stream.ts";
import { UNSETTLED_OUTPUT } from "../../../core/projection/conversation/paired_messages.ts";
import { foldEvents } from "../../../core/projection/projection.ts";
import type { AgentSession } from "../../contract/agent.ts";
import { type EventSink, EventWriter, wholePayload } from "./event_writer.ts";

export type { MessageChoice };

export class MessageWriter extends MessageStream implements EventSink {
  readonly unlabelled = true;
  readonly needs: ReadonlySet<EventKind>;
  #seq = 0;

  constructor(choice: MessageChoice) {
    super(choice);
    this.needs = conversation(choice).needs;
  }

  wants(kind: EventKind): boolean {
    return this.needs.has(kind);
  }

  emit<Kind extends EventKind>(kind: Kind, payload: PayloadByKind[Kind]): number {
    const seq = ++this.#seq;
    if (this.wants(kind)) this.add({ seq, kind, payload: wholePayload(payload) } as SaidEvent);
    return seq;
  }

  get seq(): number {
    return this.#seq;
  }

  /**
   * Returns undefined always, because sessions whose compactions keep earlier messages are read
   * with an {@linkcode EventWriter}.
   */
  messageFrom(): undefined {
    return undefined;
  }
}

/**
 * Returns the messages that `write` emits, with their reasoning, to be stored in a compaction
 * event.
 */
export function foldedMessages(
  session: Pick<AgentSession, "agent" | "id">,
  write: (writer: EventWriter) => void,
): Message[] {
  const writer = new EventWriter(session);
  write(writer);
  const projection = conversation({ reasoning: "include", unanswered_call: UNSETTLED_OUTPUT });
  return foldEvents(projection, writer.take()).messages;
}
