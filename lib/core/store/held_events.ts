/** The events of a session without a log: its first event, and events that only describe it. */
import type { NewEvent } from "../event/envelope.ts";
import type { SessionStartedPayload } from "../event/payload.ts";
import { checkedDraft, type HeadDraft, holdIn } from "./checked_arguments.ts";
import type { Appended } from "./session_parts.ts";

export class HeldEvents {
  #events: NewEvent[] = [];
  readonly #now: () => Date;

  /** @param header Payload of the first event; undefined if the session has begun already. */
  constructor(header: SessionStartedPayload | undefined, now: () => Date) {
    this.#now = now;
    if (header === undefined) return;
    this.#events.push(checkedDraft({ kind: "session_started", payload: header }));
  }

  get length(): number {
    return this.#events.length;
  }

  /** Payload of the session's first event; undefined once that event is written. */
  get started(): SessionStartedPayload | undefined {
    const [head] = this.#events;
    return head?.kind === "session_started" ? head.payload : undefined;
  }

  /** Adds an event. A `session_started` is merged into the held `session_started`. */
  hold(event: NewEvent): Appended {
    holdIn(this.#events, event, this.#now);
    return { state: "held" };
  }

  numbered<Line>(from: number, encode: (event: NewEvent, seq: number) => Line): Line[] {
    return this.#events.map((event, index) => encode(event, from + index));
  }

  drop(count: number): void {
    this.#events.splice(0, count);
  }

  /**
   * Merges a `session_started` into the held one, and appends the events that follow. If the append
   * fails, the held event stays unchanged.
   *
   * @param is_written Returns true if the first event was written although the append failed.
   */
  async behindHead(
    head: HeadDraft,
    append: () => Promise<Appended[]>,
    is_written: () => boolean,
  ): Promise<Appended[]> {
    const held = [...this.#events];
    this.hold(head);
    try {
      const appended = await append();
      const [{ state } = { state: "held" as const }] = appended;
      return [state === "held" ? { state } : { seq: 1, state }, ...appended];
    } catch (error) {
      if (!is_written()) this.#events = held;
      throw error;
    }
  }
}
