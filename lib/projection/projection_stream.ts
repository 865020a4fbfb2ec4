/**
 * Third stage of the pipeline: batches of events to what a projection makes of them.
 *
 * @module
 */
import type { LogEvent } from "../event/envelope.ts";
import type { ItemProjection, Projection } from "./projection.ts";

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
