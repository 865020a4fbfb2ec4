/**
 * The interface of a projection, and its fold over events in memory.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import type { EventKind } from "../event/payload.ts";

/**
 * State derived from events. Pure: no file, clock or random source. `apply` may change the state
 * that it was given and returns the state to go on with.
 */
export interface Projection<State, Result> {
  /** Kinds that it needs parsed; of all others it gets `seq` and `kind` alone. */
  readonly needs: ReadonlySet<EventKind>;
  /** Returns the state before the first event. */
  initial(): State;
  /** Returns the state after `event`. */
  apply(state: State, event: LogEvent): State;
  /** Returns the result of a state. May be asked at any time. */
  result(state: State): Result;
}

/** A projection whose result is a list that can be given out as it grows. */
export interface ItemProjection<State, Item> extends Projection<State, Item[]> {
  /** Takes the items out of the state that no later event can change. */
  take(state: State): Item[];
}

/**
 * Folds a projection over events.
 *
 * @param projection What to derive.
 * @param events Events in the order of their log.
 * @returns The projection's result after the last event.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { conversation, decodeEvent, foldEvents } from "@reprise/reprise/pipeline";
 *
 * const event = decodeEvent({ seq: 1, kind: "user_message", payload: { content: "hi" } });
 * const { messages } = foldEvents(conversation(), event === undefined ? [] : [event]);
 * assert.deepEqual(messages, [{ role: "user", content: "hi" }]);
 * ```
 */
export function foldEvents<State, Result>(
  projection: Projection<State, Result>,
  events: Iterable<LogEvent>,
): Result {
  let state = projection.initial();
  for (const event of events) state = projection.apply(state, event);
  return projection.result(state);
}

/**
 * Folds a projection over batches of events as they come.
 *
 * @param projection What to derive.
 * @param batches Batches in the order of their log.
 * @returns The projection's result after the last event.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { foldBatches, readEvents, summary } from "@reprise/reprise/pipeline";
 *
 * const path = await Deno.makeTempFile();
 * await Deno.writeTextFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * const shown = summary();
 * const { title } = await foldBatches(shown, readEvents(path, { kinds: shown.needs }));
 * assert.equal(title, "hi");
 * await Deno.remove(path);
 * ```
 */
export async function foldBatches<State, Result>(
  projection: Projection<State, Result>,
  batches: AsyncIterable<readonly LogEvent[]>,
): Promise<Result> {
  let state = projection.initial();
  for await (const events of batches) {
    for (const event of events) state = projection.apply(state, event);
  }
  return projection.result(state);
}
