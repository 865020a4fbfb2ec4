/** Counts what a search or an index reads of whole sessions, so that lists know it without reading. */
import type { LogEvent } from "../event/envelope.ts";
import { PassedPlaces } from "../library/catalogue/kept_places.ts";
import { filesToRead, type KeptRead } from "../library/keep_counts.ts";
import { summary } from "../projection/summary.ts";
import type { AgentSession } from "../source/agent.ts";
import type { ReadPlace } from "../source/session_reading.ts";
import { MAIN_THREAD } from "../source/session_thread.ts";

/** Gets the counts of a session that was read whole. */
export type OnCounted = (read: KeptRead) => void;

/** Events of a thread. */
interface ReadBatch {
  /** @default {the main one} */
  thread?: string;
  events: readonly LogEvent[];
  place?: ReadPlace;
}

/**
 * Passes on all that is read of a session; after the last, gives the counts of its main thread.
 *
 * @param passed Watches the read for damage, and collects the places of its batches.
 */
export async function* countingRead<Batch extends ReadBatch>(
  session: AgentSession,
  batches: AsyncIterable<Batch>,
  onCounted: OnCounted,
  passed = new PassedPlaces(),
): AsyncGenerator<Batch> {
  const files = await filesToRead(session);
  const projection = summary();
  let state = projection.initial();
  for await (const batch of batches) {
    if ((batch.thread ?? MAIN_THREAD) === MAIN_THREAD) {
      for (const event of batch.events) state = projection.apply(state, event);
    }
    if (batch.place !== undefined) passed.take(batch.place);
    yield batch;
  }
  const { message_count = 0, turn_count = 0, usage = {}, models = [] } = projection.result(state);
  const counts = { message_count, turn_count, usage, models };
  onCounted({ session, files: { ...files, places: passed.toKeep(session) }, counts });
}
