/** The progress of reading a file. */
import type { LogEvent } from "../../core/event/envelope.ts";

/** Takes the amount of work that is done, and the total amount. */
export type OnProgress = (done: number, all: number) => void;

/** Yields batches of events unchanged, and reports the file's bytes up to each batch's end. */
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
