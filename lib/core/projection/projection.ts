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

function isItemProjection<State, Output>(
  projection: Projection<State, Output> | ItemProjection<State, Output>,
): projection is ItemProjection<State, Output> {
  return "take" in projection;
}

/**
 * Folds a projection over the events that pass. A growing list, such as the transcript, comes item
 * by item. Any other result comes at the end.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ProjectionStream, readEvents, transcript } from "@reprise/reprise/pipeline";
 *
 * const path = await Deno.makeTempFile();
 * await Deno.writeTextFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * const shown = transcript();
 * const events = readEvents(path, { kinds: shown.needs });
 * const types = [];
 * for await (const item of events.pipeThrough(new ProjectionStream(shown))) types.push(item.type);
 * assert.deepEqual(types, ["message"]);
 * await Deno.remove(path);
 * ```
 */
export class ProjectionStream<State, Output> extends TransformStream<readonly LogEvent[], Output> {
  /**
   * Makes a stage that folds from the projection's initial state.
   *
   * @param projection What to derive: one result at the end, or items as they come.
   */
  constructor(projection: ItemProjection<State, Output> | Projection<State, Output>) {
    let state = projection.initial();
    super({
      transform(events, controller): void {
        for (const event of events) state = projection.apply(state, event);
        if (!isItemProjection(projection)) return;
        for (const item of projection.take(state)) controller.enqueue(item);
      },
      flush(controller): void {
        const result = projection.result(state);
        if (!isItemProjection(projection)) controller.enqueue(result as Output);
        else for (const item of result as Output[]) controller.enqueue(item);
      },
    });
  }
}

/** Code of such a finding; a subset of the diagnostic codes. */
export type FindingCode =
  | "orphan-settlement"
  | "unsettled-call"
  | "invalid-compaction"
  | "invalid-branch"
  | "stale-checkpoint"
  | "missing-header";

/** One finding, at the event it is about (`seq` 0: the log as a whole). */
export interface Finding {
  /** Stable: programs may rely on it. */
  code: FindingCode;
  /** Number of the event; 0 where it is about the log as a whole. */
  seq: number;
  /** The finding, for people: its words may change at any time. */
  detail: string;
}
