/** Remembers the last events that were given, and finds what a later reading adds. Pure. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { type EventPrint, gainedContent, isGrown, printEvents } from "./event_print.ts";

/** Maximum number of remembered events; a change before them is not noticed. */
export const REMEMBERED = 1024;

export interface Comparison {
  /** New events, and what known responses gained, in order. */
  fresh: LogEvent[];
  /** Keys of the given prompts that are gone. */
  gone: readonly string[];
  /** True if a prompt that was given says something else now. */
  rewritten: boolean;
}

export interface CompareOptions {
  /** The number of events at the end that are to be given later. */
  held: number;
  /** True where only what may be skipped was left out before the end. */
  whole: boolean;
}

/** The earlier events that a reading repeats. */
interface Past extends Pick<Comparison, "gone" | "rewritten"> {
  /** For each event the given one that it matches; undefined for a new one. */
  before: readonly (EventPrint | undefined)[];
  /** The index in the remembered events at which the reading begins. */
  first: number;
}

/** The given end of a session. Numbers the events that it gives. */
export class GivenEvents {
  /** The number of events that the session had. */
  #count = 0;
  #last: EventPrint[] = [];
  #seq = 0;

  /** The number of events that a reading of all may skip before it compares. */
  get skipped(): number {
    return this.#count - this.#last.length;
  }

  /** True while nothing was given. */
  get empty(): boolean {
    return this.#count === 0;
  }

  /** The keys of the prompts that were given. */
  get prompts(): string[] {
    return keysOfPrompts(this.#last);
  }

  /** Takes events that follow what was given. Numbers them, unless they are of the first reading. */
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

  /** Forgets all but the numbers: what follows is another session, or an older state of it. */
  forget(): void {
    this.#count = 0;
    this.#last = [];
  }

  #number(events: readonly LogEvent[]): LogEvent[] {
    return events.map((event) => ({ ...event, seq: ++this.#seq }));
  }

  /** Matches given events place by place, if nothing came between. */
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

  /** Matches given events by their keys, if a reading has another order or fewer events. */
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

/** Returns what to give of an event: all of a new one, and what a response gained. */
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
