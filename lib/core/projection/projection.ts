/**
 * The interface of a projection, and its fold over events in memory.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import type { EventKind } from "../event/payload.ts";

/**
 * State derived from events, without a file, clock or random source. `apply` may change the given
 * state, and returns the next one.
 */
export interface Projection<State, Result> {
  /** Kinds whose payload is needed. Of other events the projection gets only `seq` and `kind`. */
  readonly needs: ReadonlySet<EventKind>;
  /** Returns the state before the first event. */
  initial(): State;
  /** Applies an event to a state, which the call may change, and returns the next state. */
  apply(state: State, event: LogEvent): State;
  /** Returns the result of a state. May be called at any time. */
  result(state: State): Result;
}

/** A projection to a list whose first items can be taken before the last event. */
export interface ItemProjection<State, Item> extends Projection<State, Item[]> {
  /** Removes from the state, and returns, the items that no later event can change. */
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
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { foldBatches, readEvents, summary } from "@reprise/reprise/pipeline";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = join(root, "log.jsonl");
 * await writeFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * const shown = summary();
 * const { title } = await foldBatches(shown, readEvents(path, { kinds: shown.needs }));
 * assert.equal(title, "hi");
 * await rm(root, { recursive: true });
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
 * Folds a projection over the events that pass. The items of a growing list, such as the
 * transcript, are yielded one by one. Any other result is yielded at the end.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { ProjectionStream, readEvents, transcript } from "@reprise/reprise/pipeline";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = join(root, "log.jsonl");
 * await writeFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * const shown = transcript();
 * const events = readEvents(path, { kinds: shown.needs });
 * const types: string[] = [];
 * await events.pipeThrough(new ProjectionStream(shown)).pipeTo(
 *   new WritableStream({ write: ({ type }) => void types.push(type) }),
 * );
 * assert.deepEqual(types, ["message"]);
 * await rm(root, { recursive: true });
 * ```
 */
export class ProjectionStream<State, Output> extends TransformStream<readonly LogEvent[], Output> {
  /**
   * Creates a stream stage that folds from the projection's initial state.
   *
   * @param projection The projection, to one result at the end or to items as they come.
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

/** A problem with one event, or with the events of a log as a whole. */
export interface Finding {
  /** The code of the finding. It is stable, so programs may rely on it. */
  code:
    | "orphan-settlement"
    | "unsettled-call"
    | "invalid-compaction"
    | "invalid-branch"
    | "stale-checkpoint"
    | "missing-header";
  /**
   * The number of the event with the problem, or 0 if the whole log has it. An `unsettled-call` has
   * the number of the `assistant_message` event that holds the call.
   */
  seq: number;
  /** A description for people. Its words may change at any time. */
  detail: string;
  /** Id of the call in an `unsettled-call`; absent for other findings. */
  call_id?: string;
  /**
   * True if the log has the start event of an `unsettled-call`, else false. Absent for other
   * findings. A power cut may lose a start event that was not synced. A kill loses none.
   */
  began?: boolean;
}
