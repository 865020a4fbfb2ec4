/** Counts what a search or an index reads of whole sessions, so that lists know it without reading. */
import type { LogEvent } from "../event/envelope.ts";
import { filesToRead, type KeptRead } from "../library/keep_counts.ts";
import { summary } from "../projection/summary.ts";
import type { AgentSession } from "../source/agent.ts";
import { MAIN_THREAD } from "../source/session_thread.ts";

/** Gets the counts of a session that was read whole. */
export type OnCounted = (read: KeptRead) => void;

/** Events of a thread. */
interface ReadBatch {
  /** @default {the main one} */
  thread?: string;
  events: readonly LogEvent[];
}

/** Passes on all that is read of a session; after the last, gives the counts of its main thread. */
export async function* countingRead<Batch extends ReadBatch>(
  session: AgentSession,
  batches: AsyncIterable<Batch>,
  onCounted: OnCounted,
): AsyncGenerator<Batch> {
  const files = await filesToRead(session);
  const projection = summary();
  let state = projection.initial();
  for await (const batch of batches) {
    if ((batch.thread ?? MAIN_THREAD) === MAIN_THREAD) {
      for (const event of batch.events) state = projection.apply(state, event);
    }
    yield batch;
  }
  const { message_count = 0, turn_count = 0, usage = {}, models = [] } = projection.result(state);
  onCounted({ session, files, counts: { message_count, turn_count, usage, models } });
}
