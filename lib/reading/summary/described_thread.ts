/** Describes a thread for a list, from the events of its own records. */
import type { LogEvent } from "../../event/envelope.ts";
import { foldBatches } from "../../projection/projection.ts";
import { summary } from "../../projection/summary.ts";
import { present } from "../json_value.ts";
import type { SessionThread } from "../../source/session_thread.ts";

/**
 * Adds the title, the time and the tokens to what is known of a thread. Of the main one a list has the
 * session's row: its last records are enough to tell the time.
 */
export async function describedThread(
  known: SessionThread,
  batches: AsyncIterable<readonly LogEvent[]>,
): Promise<SessionThread> {
  const log = await foldBatches(summary(), batches);
  const { title: given, updated_at = log.updated_at, ...rest } = known;
  const time = updated_at === undefined ? {} : { updated_at };
  if (known.kind === "main") return { ...rest, ...time };
  const title = given ?? (log.title || log.first_user_message);
  return {
    ...rest,
    ...(title ? { title } : {}),
    ...time,
    ...(Object.keys(log.usage ?? {}).length === 0 ? {} : present({ usage: log.usage })),
  };
}
