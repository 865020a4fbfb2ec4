/** Remembers the last events that were given, and finds what a later reading adds. Pure. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { type EventPrint, gainedContent, isGrown, printEvents } from "./event_print.ts";

/** Maximum number of remembered events. Changes in earlier events are not noticed. */
export const REMEMBERED = 1024;

export interface Comparison {
  /** New events and the additions to known responses, in order. */
  fresh: LogEvent[];
  /** Keys of the prompts that were given, but are missing now. */
  gone: readonly string[];
  /** True if a prompt that was given has another text now. */
  rewritten: boolean;
}

export interface CompareOptions {
  /** Number of events at the end that are held back for now. */
  held: number;
  /** True if the events before `end` that are left out are only those that may be skipped. */
  whole: boolean;
}

/** The match of a new reading with the events that were given before. */
interface Past extends Pick<Comparison, "gone" | "rewritten"> {
  /** The given event that each event of the reading matches; undefined for a new event. */
  before: readonly (EventPrint | undefined)[];
  /** The index among the remembered events that matches the beginning of the reading. */
  first: number;
}

/** The last events of a session that were given. Assigns numbers to the events it gives. */
export class GivenEvents {
  /** Number of events that were given. */
  #count = 0;
  #last: EventPrint[] = [];
  #seq = 0;

  /** Number of given events that are no longer remembered and need not be compared. */
  get skipped(): number {
    return this.#count - this.#last.length;
  }

  /** True until the first event was given. */
  get empty(): boolean {
    return this.#count === 0;
  }

  /** The keys of the prompts that were given. */
  get prompts(): string[] {
    return keysOfPrompts(this.#last);
  }

  /** Adds events after the given ones and returns them. If not `numbered`, they get new numbers. */
  add(events: readonly LogEvent[], numbered: boolean): LogEvent[] {
    for (const print of printEvents(events)) this.#last.push(print);
    this.#count += events.length;
    if (this.#last.length >= 2 * REMEMBERED) this.#last = this.#last.slice(-REMEMBERED);
    if (!numbered) return this.#number(events);
    this.#seq = Math.max(this.#seq, events.at(-1)?.seq ?? 0);
    return [...events];
  }

  /**
   * Compares the end of a session, as it is now, with what was given; takes what is new.
   *
   * @returns Undefined where no event of it was given before.
   */
  compare(end: readonly LogEvent[], { held, whole }: CompareOptions): Comparison | undefined {
    const prints = printEvents(end);
    const known = new Set(this.#last.map(({ key }) => key));
    // The head of a session stands before any part of it.
    const from = end.findIndex(({ kind }, index) =>
      (whole || kind !== "session_started") && known.has(prints[index]?.key ?? "")
    );
    if (from < 0) return undefined;
    const events = end.slice(from);
    const now = prints.slice(from);
    const past = this.#aligned(now) ?? this.#byKey(now);
    const to = Math.max(events.length - held, 0);
    const fresh = events.slice(0, to).flatMap((event, index) =>
      newsOf(event, now[index], past.before[index])
    );
    const rest = past.before.slice(to).filter((print) => print !== undefined);
    this.#remember([...now.slice(0, to), ...rest], past.first);
    const { gone, rewritten } = past;
    return { fresh: this.#number(fresh), gone, rewritten };
  }

  /** Forgets events but keeps the numbering: another session or an older state follows. */
  forget(): void {
    this.#count = 0;
    this.#last = [];
  }

  #number(events: readonly LogEvent[]): LogEvent[] {
    return events.map((event) => ({ ...event, seq: ++this.#seq }));
  }

  /** Matches the given events one by one in order; undefined if events are missing or differ. */
  #aligned(now: readonly EventPrint[]): Past | undefined {
    // From the longest on: events without an id of their own may be the same more than once.
    for (let first = 0; first < this.#last.length; first++) {
      if (this.#last[first]?.key !== now[0]?.key) continue;
      const before = this.#last.slice(first);
      const fits = before.length <= now.length &&
        before.every((print, index) => print.key === now[index]?.key);
      if (fits) return { before, first, gone: [], rewritten: before.some(isRewritten(now)) };
    }
    return undefined;
  }

  /** Matches the given events by key, if the reading has another order or lacks events. */
  #byKey(now: readonly EventPrint[]): Past {
    const first = this.#last.findIndex(({ key }) => key === now[0]?.key);
    const given = this.#last.slice(first);
    const known = new Map(given.map((print) => [print.key, print]));
    const keys = new Set(now.map(({ key }) => key));
    const gone = given.filter(({ key }) => !keys.has(key));
    const before = now.map((print) => {
      const same = known.get(print.key);
      if (same !== undefined) return same;
      // A response without an id of its own, which goes on.
      const at = gone.findIndex((one) => isGrown(one, print));
      return at < 0 ? undefined : gone.splice(at, 1)[0];
    });
    return { before, first, gone: keysOfPrompts(gone), rewritten: false };
  }

  #remember(prints: readonly EventPrint[], first: number): void {
    const kept = this.#last.slice(0, first);
    this.#count += kept.length + prints.length - this.#last.length;
    this.#last = [...kept, ...prints].slice(-2 * REMEMBERED);
  }
}

function keysOfPrompts(prints: readonly EventPrint[]): string[] {
  return prints.filter(({ prompt }) => prompt).map(({ key }) => key);
}

function isRewritten(now: readonly EventPrint[]): (before: EventPrint, index: number) => boolean {
  return ({ prompt, print }, index) => prompt && print !== now[index]?.print;
}

/** Returns what is new of an event: all of a new or changed one, or the additions to a response. */
function newsOf(
  event: LogEvent,
  now: EventPrint | undefined,
  before: EventPrint | undefined,
): LogEvent[] {
  if (before === undefined) return [event];
  // The head of a session is no news.
  if (before.print === now?.print || event.kind === "session_started") return [];
  if (event.form !== "known" || event.kind !== "assistant_message") return [event];
  const gained = gainedContent(before, event);
  if (gained === undefined) return [event];
  if (gained.length === 0) return [];
  return [{ ...event, payload: { ...event.payload, content: [...gained] } }];
}
