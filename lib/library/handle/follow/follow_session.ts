/**
 * Follows a session of any agent: yields its events, then the events that the agent adds. The
 * session is read again whenever its files have changed.
 */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { EventKind } from "../../../core/event/payload.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { pause } from "../../../core/platform/pause.ts";
import type { AgentWatchOptions, SessionReader } from "../../../agents/contract/agent.ts";
import { isSameState, lookAtFollowed, type SeenState } from "../../catalogue/session_state.ts";
import { printEvents } from "./event_print.ts";
import { GivenEvents } from "./given_events.ts";

export interface FollowOptions extends AgentWatchOptions {
  /** Finds the session again if its file has gone, because its agent may have moved it. */
  relocate: () => Promise<SessionReader | undefined>;
}

const PROMPTS: ReadonlySet<EventKind> = new Set(["user_message"]);
const LOOK_MS = 200;
/** Milliseconds without a change after which events that may still grow are yielded. */
const QUIET_MS = 1000;
/** Reading takes at most 1/`SHARE` of the time. */
const SHARE = 4;
/** Number of messages to read from the end at first. It grows until a known event is reached. */
const FIRST_MESSAGES = 8;
const MOST_MESSAGES = 512;
/** Maximum failed reads in a row. A read may fail while the agent writes or replaces a file. */
const MOST_FAILURES = 20;

/**
 * Yields the events of a session, then added events, until the signal aborts.
 *
 * A response may grow part by part in an agent's file. New parts of a yielded response come as
 * another event. The last response waits until the session is quiet or another event follows.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* followSession(
  reader: SessionReader,
  options: FollowOptions,
): AsyncGenerator<LogEvent[]> {
  yield* new FollowedSession(reader, options).events();
}

class FollowedSession {
  readonly #options: FollowOptions;
  readonly #given = new GivenEvents();
  #reader: SessionReader;
  /** The state of the session's files before the last read. Undefined if it is not known. */
  #state: SeenState | undefined;
  /** Milliseconds that the last reading took. */
  #took = 0;
  /** True while events that may still change are held back, until the session stops changing. */
  #holding = false;
  #changed_at = 0;
  #failures = 0;

  constructor(reader: SessionReader, options: FollowOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  async *events(): AsyncGenerator<LogEvent[]> {
    try {
      yield* this.#untilSignal();
    } catch (error) {
      // The signal ended the read.
      if (!this.#options.signal?.aborted) throw error;
    }
  }

  async *#untilSignal(): AsyncGenerator<LogEvent[]> {
    const { signal, onCaughtUp = () => {} } = this.#options;
    this.#state = await this.#look();
    yield* this.#timed(this.#readFirst());
    onCaughtUp();
    while (!signal?.aborted) {
      await pause(Math.max(LOOK_MS, SHARE * this.#took), signal);
      if (signal?.aborted) return;
      const state = await this.#look();
      const changed = state === undefined || this.#state === undefined ||
        !isSameState(state, this.#state);
      if (changed) this.#changed_at = performance.now();
      const quiet = performance.now() - this.#changed_at >= QUIET_MS;
      if (!changed && !(this.#holding && quiet)) continue;
      yield* this.#timed(this.#tryAgain(state, quiet));
    }
  }

  async #look(): Promise<SeenState | undefined> {
    try {
      const files = await this.#reader.files();
      return files && lookAtFollowed(this.#reader.session, files.paths);
    } catch (error) {
      // The file was moved or is being replaced: the next read shows which.
      if (error instanceof SessionError) return undefined;
      throw error;
    }
  }

  async *#timed(batches: AsyncIterable<LogEvent[]>): AsyncGenerator<LogEvent[]> {
    let took = 0;
    let begun = performance.now();
    for await (const events of batches) {
      took += performance.now() - begun;
      if (events.length > 0) yield events;
      begun = performance.now();
    }
    this.#took = took + performance.now() - begun;
  }

  async *#readFirst(): AsyncGenerator<LogEvent[]> {
    const { last_messages, report } = this.#options;
    const with_report = report === undefined ? {} : { report };
    if (last_messages !== undefined) {
      yield this.#given.add(await this.#tail(last_messages, with_report), true);
      return;
    }
    for await (const events of this.#reader.read({ ...this.#reading(), ...with_report })) {
      yield this.#given.add(events, true);
    }
  }

  async *#tryAgain(state: SeenState | undefined, quiet: boolean): AsyncGenerator<LogEvent[]> {
    try {
      yield* this.#readNew(quiet);
      this.#state = state;
      this.#failures = 0;
    } catch (error) {
      if (!(error instanceof SessionError) || ++this.#failures > MOST_FAILURES) throw error;
      const moved = await this.#options.relocate();
      if (moved !== undefined) this.#reader = moved;
    }
  }

  /** Yields new events, read from the end if possible, else from the session's beginning. */
  async *#readNew(quiet: boolean): AsyncGenerator<LogEvent[]> {
    if (!this.#given.empty) {
      for (let messages = FIRST_MESSAGES; messages <= MOST_MESSAGES; messages *= 4) {
        const fresh = await this.#compare(await this.#tail(messages), quiet, false);
        if (fresh === undefined) continue;
        yield fresh;
        return;
      }
    }
    yield* this.#readAll(quiet);
  }

  async *#readAll(quiet: boolean): AsyncGenerator<LogEvent[]> {
    const { skipped } = this.#given;
    let at = 0;
    const end: LogEvent[] = [];
    for await (const events of this.#reader.read(this.#reading())) {
      const from = Math.max(0, skipped - at);
      at += events.length;
      for (let index = from; index < events.length; index++) end.push(events[index] as LogEvent);
    }
    const fresh = await this.#compare(end, quiet, true);
    if (fresh !== undefined) return yield fresh;
    if (!this.#given.empty) await this.#tellChange(this.#given.prompts);
    this.#given.forget();
    for await (const events of this.#reader.read(this.#reading())) {
      yield this.#given.add(events, false);
    }
  }

  async #compare(
    end: readonly LogEvent[],
    quiet: boolean,
    whole: boolean,
  ): Promise<LogEvent[] | undefined> {
    const held = quiet ? 0 : heldEvents(end);
    const compared = this.#given.compare(end, { held, whole });
    if (compared === undefined) return undefined;
    this.#holding = held > 0;
    const { gone, rewritten } = compared;
    if (rewritten) this.#options.onRewritten?.();
    else if (gone.length > 0) await this.#tellChange(gone);
    return compared.fresh;
  }

  /** Reports whether missing prompts are now on another branch, or were rewritten. */
  async #tellChange(gone: readonly string[]): Promise<void> {
    const { signal, onBranch, onRewritten } = this.#options;
    const left = new Set(gone);
    const reading = present({ needs: PROMPTS, signal });
    for await (const { events } of this.#reader.readThreads(reading)) {
      for (const { key } of printEvents(events)) left.delete(key);
    }
    if (gone.length > 0 && left.size === 0) onBranch?.();
    else onRewritten?.();
  }

  #reading(): Pick<AgentWatchOptions, "thread" | "signal"> {
    const { thread, signal } = this.#options;
    return present({ thread, signal });
  }

  async #tail(
    messages: number,
    options: Pick<AgentWatchOptions, "report"> = {},
  ): Promise<readonly LogEvent[]> {
    return await this.#reader.readTail({ ...this.#reading(), ...options, messages });
  }
}

/** Counts the events at the end that may still grow: a response and the calls in it. */
function heldEvents(end: readonly LogEvent[]): number {
  let at = end.length - 1;
  while (at >= 0 && end[at]?.kind === "tool_start") at--;
  const last = end[at];
  return last?.kind === "assistant_message" || last?.integrity === "salvaged" ? end.length - at : 0;
}
