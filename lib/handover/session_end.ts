/** Reads the end of a session that holds its last turns, without what is before it. */
import type { LogEvent } from "../event/envelope.ts";
import { present } from "../event/present.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import { fileState } from "../session/import/source_state.ts";
import { SPOKEN_KINDS } from "./spoken_messages.ts";

const FIRST_BYTES = 1024 * 1024;
/** The events are held: further back it is as well to read all of it. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Yields the events of longer and longer ends. None where the format gives no way from the end, and
 * where the whole is short.
 */
export async function* sessionEnds(
  handle: SessionHandle,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly LogEvent[]> {
  if (!handle.has_tail || handle.thread !== undefined) return;
  const { bytes } = fileState(handle.path);
  const options = present({ needs: SPOKEN_KINDS, signal });
  for (let most_bytes = FIRST_BYTES; most_bytes <= MOST_BYTES; most_bytes *= 4) {
    if (2 * most_bytes > bytes) return;
    yield await handle.tail(Infinity, { ...options, most_bytes });
  }
}
