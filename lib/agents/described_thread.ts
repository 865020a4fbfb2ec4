/**
 * What a list of threads shows of one, from the events of its own records.
 */
import type { LogEvent } from "../event/envelope.ts";
import { foldBatches } from "../projection/projection.ts";
import { summary } from "../projection/summary.ts";
import type { SessionThread } from "../source/session_thread.ts";

/** Adds the title, the time and the tokens to what is known of a thread. */
export async function describedThread(
  known: SessionThread,
  batches: AsyncIterable<readonly LogEvent[]>,
): Promise<SessionThread> {
  const log = await foldBatches(summary(), batches);
  const { title = log.first_user_message, updated_at = log.updated_at } = known;
  return {
    ...known,
    ...(title === undefined ? {} : { title }),
    ...(updated_at === undefined ? {} : { updated_at }),
    ...(log.usage === undefined || Object.keys(log.usage).length === 0 ? {} : { usage: log.usage }),
  };
}
