/** Finds the event to which the name of a record refers. */
import type { LogEvent } from "../../core/event/envelope.ts";
import { recordName } from "../../core/event/record_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { ThreadEvents } from "../../agents/contract/agent.ts";
import { type RefPlace, SHORTEST_PREFIX } from "../../core/store/ref.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";

const NAMED_CANDIDATES = 5;

export interface RecordHolder {
  readonly ref: string;
  /** The thread to search. If absent, all threads are searched. */
  readonly thread?: string;
  events(): AsyncIterable<readonly LogEvent[]>;
  allEvents(): AsyncIterable<ThreadEvents>;
}

/** Collects the records whose id equals a name or begins with it, each with its first event. */
class FittingRecords<Place> {
  readonly #name: string;
  readonly #shortest: number;
  readonly #found = new Map<string, Place>();

  /** @param shortest Minimum length of `name` to match as a prefix of a record's name. */
  constructor(name: string, shortest: number) {
    this.#name = name;
    this.#shortest = shortest;
  }

  take(events: readonly LogEvent[], placeOf: (event: LogEvent) => Place): void {
    for (const event of events) {
      const name = recordName(event);
      if (name === undefined || !this.#fits(name)) continue;
      if (!this.#found.has(name)) this.#found.set(name, placeOf(event));
    }
  }

  /**
   * The place of the record with the name, else of the only record whose name begins with it.
   *
   * @throws {SessionError} `ambiguous`
   */
  get only(): Place | undefined {
    const names = [...this.#found.keys()];
    if (names.length < 2 || this.#found.has(this.#name)) {
      return this.#found.get(this.#name) ?? this.#found.get(names[0] ?? "");
    }
    const message = `Cannot choose record: "${this.#name}" matches ${names.length} records: ` +
      `${names.slice(0, NAMED_CANDIDATES).join(", ")}; type more of the record's id`;
    throw new SessionError("ambiguous", message, { ref: this.#name, candidates: names });
  }

  #fits(name: string): boolean {
    if (name === this.#name) return true;
    // An offset is named by all of its digits.
    return this.#name.length >= this.#shortest && name.startsWith(this.#name) &&
      !/^\d+$/.test(name);
  }
}

/** Characters of an id that `show` prints. A shorter prefix may be ambiguous in the session. */
const SURE_PREFIX = 8;

export function recordInEnd(events: readonly LogEvent[], name: string): number | undefined {
  const records = new FittingRecords<number>(name, SURE_PREFIX);
  records.take(events, ({ seq }) => seq);
  return records.only;
}

/**
 * Returns the place of a record's event. The place has no thread if it is in the main thread.
 * Searches all threads, unless the handle has a thread.
 *
 * @throws {SessionError} `not-found`, `ambiguous`, or an error of reading the session
 */
export async function findRecord(handle: RecordHolder, name: string): Promise<RefPlace> {
  const records = new FittingRecords<RefPlace>(name, SHORTEST_PREFIX);
  const { thread, ref } = handle;
  if (thread !== undefined) {
    for await (const events of handle.events()) records.take(events, ({ seq }) => ({ seq }));
  } else {
    for await (const { thread, events } of handle.allEvents()) {
      const named = thread === MAIN_THREAD ? {} : { thread };
      records.take(events, ({ seq }) => ({ seq, ...named }));
    }
  }
  const place = records.only;
  if (place !== undefined) return place;
  throw new SessionError("not-found", `Cannot find record "${name}" in session ${ref}`, { ref });
}
