/** The progress of reading a file. */
import type { LogEvent } from "../../core/event/envelope.ts";

/** Takes how much of the work is done, of how much. */
export type OnProgress = (done: number, all: number) => void;

/** Hands on events as they are read, and reports how far into their file's bytes they are. */
export async function* reportingProgress(
  batches: AsyncIterable<readonly LogEvent[]>,
  bytes: number,
  onProgress: OnProgress,
): AsyncGenerator<readonly LogEvent[]> {
  for await (const events of batches) {
    // Events of a database have no place in a file.
    const place = events.at(-1)?.position;
    if (place !== undefined) onProgress(place.offset + place.length, bytes);
    yield events;
  }
}
