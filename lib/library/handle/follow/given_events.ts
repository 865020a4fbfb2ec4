/** Remembers the last yielded events, and finds the events that a later read adds. Pure. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { type EventPrint, gainedContent, isGrown, printEvents } from "./event_print.ts";

/** Maximum number of remembered events. Changes in earlier events are not noticed. */
export const REMEMBERED = 1024;

export interface Comparison {
  /** New events and the additions to known responses, in order. */
  fresh: LogEvent[];
  /** Keys of the prompts that were yielded before, but are missing now. */
  gone: readonly string[];
  /** True if a prompt that was yielded before has another text now. */
  rewritten: boolean;
}

export interface CompareOptions {
  /** Number of events at the end that are held back for now. */
  held: number;
  /** True if `end` has all events of the session except {@linkcode GivenEvents.skipped}. */
  whole: boolean;
}

/** Matches between newly read events and the events that were yielded before. */
interface Past extends Pick<Comparison, "gone" | "rewritten"> {
  /** The yielded event for each newly read event, by index. Undefined for an entirely new event. */
  before: readonly (EventPrint | undefined)[];
  /** The index of the remembered event that matches the first newly read event. */
  first: number;
}

/** Record of the last yielded events of a session. New events get consecutive numbers. */
export class GivenEvents {
  #count = 0;
  #last: EventPrint[] = [];
  #seq = 0;

  /** Number of yielded events that are no longer remembered. A later read skips as many. */
  get skipped(): number {
    return this.#count - this.#last.length;
  }

  get empty(): boolean {
    return this.#count === 0;
  }

  get prompts(): string[] {
    return keysOfPrompts(this.#last);
  }

  /** Remembers events and returns them. If not `numbered`, the events get new numbers. */
  add(events: readonly LogEvent[], numbered: boolean): LogEvent[] {
    for (const print of printEvents(events)) this.#last.push(print);
    this.#count += events.length;
    if (this.#last.length >= 2 * REMEMBERED) this.#last = this.#last.slice(-REMEMBERED);
    if (!numbered) return this.#number(events);
    this.#seq = Math.max(this.#seq, events.at(-1)?.seq ?? 0);
    return [...events];
  }

  /**
   * Compares the current end of a session with the remembered events, and remembers the new events.
   *
   * @returns Undefined if no event of the end was yielded before.
   */
  compare(end: readonly LogEvent[], { held, whole }: CompareOptions): Comparison | undefined {
    const prints = printEvents(end);
    const known = new Set(this.#last.map(({ key }) => key));
    // The first event of a session precedes every tail, so it shows no match.
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

  /** Matches remembered events one by one in order. Undefined if events are missing or differ. */
  #aligned(now: readonly EventPrint[]): Past | undefined {
    // The longest match first, because events without an id of their own may repeat.
    for (let first = 0; first < this.#last.length; first++) {
      if (this.#last[first]?.key !== now[0]?.key) continue;
      const before = this.#last.slice(first);
      const fits = before.length <= now.length &&
        before.every((print, index) => print.key === now[index]?.key);
      if (fits) return { before, first, gone: [], rewritten: before.some(isRewritten(now)) };
    }
    return undefined;
  }

  /**
   * Matches the events just read with the remembered ones by key. Needed if some remembered events
   * are missing, or the order changed.
   */
  #byKey(now: readonly EventPrint[]): Past {
    const first = this.#last.findIndex(({ key }) => key === now[0]?.key);
    const given = this.#last.slice(first);
    const known = new Map(given.map((print) => [print.key, print]));
    const keys = new Set(now.map(({ key }) => key));
    const gone = given.filter(({ key }) => !keys.has(key));
    const before = now.map((print) => {
      const same = known.get(print.key);
      if (same !== undefined) return same;
      // A response without an id of its own has grown.
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

/** Returns the event to yield: a new or changed event, or only the additions to a response. */
function newsOf(
  event: LogEvent,
  now: EventPrint | undefined,
  before: EventPrint | undefined,
): LogEvent[] {
  if (before === undefined) return [event];
  // The first event of a session is not reported again.
  if (before.print === now?.print || event.kind === "session_started") return [];
  if (event.form !== "known" || event.kind !== "assistant_message") return [event];
  const gained = gainedContent(before, event);
  if (gained === undefined) return [event];
  if (gained.length === 0) return [];
  return [{ ...event, payload: { ...event.payload, content: [...gained] } }];
}
