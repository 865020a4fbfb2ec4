/** The events of a session that has no log yet: its head, and what only describes it. */
import type { NewEvent } from "../event/envelope.ts";
import type { SessionStartedPayload } from "../event/payload.ts";
import { checkedDraft, type HeadDraft, holdIn } from "./checked_arguments.ts";
import type { Appended } from "./session_parts.ts";

/** Holds events until the first that creates the log. */
export class HeldEvents {
  #events: NewEvent[] = [];
  readonly #now: () => Date;

  /** @param header The head of a session that begins. */
  constructor(header: SessionStartedPayload | undefined, now: () => Date) {
    this.#now = now;
    if (header === undefined) return;
    this.#events.push(checkedDraft({ kind: "session_started", payload: header }));
  }

  get length(): number {
    return this.#events.length;
  }

  /** The session's head; undefined once it was written. */
  get started(): SessionStartedPayload | undefined {
    const [head] = this.#events;
    return head?.kind === "session_started" ? head.payload : undefined;
  }

  /** Adds an event. A head changes the one that is held. */
  hold(event: NewEvent): Appended {
    holdIn(this.#events, event, this.#now);
    return { state: "held" };
  }

  /** Returns the events with the numbers that they will have, and which they are. */
  numbered<Line>(from: number, encode: (event: NewEvent, seq: number) => Line): Line[] {
    return this.#events.map((event, index) => encode(event, from + index));
  }

  /** Drops the first events, which are in the log. */
  drop(count: number): void {
    this.#events.splice(0, count);
  }

  /**
   * Holds a head, and appends the events behind it. If those are refused, the head stays unchanged.
   *
   * @param is_written True if the head was written all the same.
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
