/** Counts a session's messages while a caller reads the whole of it, and caches the counts. */
import type { LogEvent } from "../event/envelope.ts";
import type { EventKind } from "../event/payload.ts";
import { summary } from "../projection/summary.ts";
import type { AgentReadOptions, AgentSession } from "../source/agent.ts";
import type { PlacedEvents, SessionReading } from "../source/session_reading.ts";
import { MAIN_THREAD } from "../source/session_thread.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import { isFresh } from "./catalogue/read_part.ts";
import { filesToRead, keepCounts } from "./keep_counts.ts";

/** Kinds that messages, turns, tokens and models are counted from. */
const COUNTED_KINDS: readonly EventKind[] = [
  "user_message",
  "assistant_message",
  "assistant_interrupted",
];

/** True for a read of the main thread that gives every event to count. */
function readsWhole(
  { needs, thread, in_force, last_messages }: AgentReadOptions,
): boolean {
  if ((thread ?? MAIN_THREAD) !== MAIN_THREAD || in_force === true || last_messages !== undefined) {
    return false;
  }
  return needs === undefined || COUNTED_KINDS.every((kind) => needs.has(kind));
}

/** True if lists lack counts of a session that they know. Of other sessions nothing is cached. */
function lacksCounts(kept: CatalogueOptions, session: AgentSession): boolean {
  const catalogue = new Catalogue(kept);
  try {
    const { summary, read } = catalogue.lastRow(session) ?? {};
    if (summary == null || summary.message_count !== undefined) return false;
    return read?.counts?.message_count === undefined || !isFresh(session, read);
  } finally {
    catalogue.close();
  }
}

/** Passes on events. If they are all of a main thread, lists know their counts in the end. */
export function countedEvents(
  kept: CatalogueOptions,
  session: AgentSession,
  options: AgentReadOptions,
  events: AsyncIterable<readonly LogEvent[]>,
): AsyncIterable<readonly LogEvent[]> {
  if (kept.folder === undefined || !readsWhole(options)) return events;
  return countingBatches(kept, session, events, (batch) => batch);
}

/** Counts as {@linkcode countedEvents} does what is read from the beginning on. */
export function countedReading(
  kept: CatalogueOptions,
  session: AgentSession,
  options: AgentReadOptions,
  reading: SessionReading,
): SessionReading {
  if (kept.folder === undefined || !readsWhole(options)) return reading;
  return {
    from(place, signal): AsyncIterable<PlacedEvents> {
      const batches = reading.from(place, signal);
      if (place !== undefined) return batches;
      return countingBatches(kept, session, batches, ({ events }) => events);
    },
  };
}

async function* countingBatches<Batch>(
  kept: CatalogueOptions,
  session: AgentSession,
  batches: AsyncIterable<Batch>,
  eventsOf: (batch: Batch) => readonly LogEvent[],
): AsyncGenerator<Batch> {
  if (!lacksCounts(kept, session)) return yield* batches;
  const files = await filesToRead(session);
  const projection = summary();
  let state = projection.initial();
  for await (const batch of batches) {
    for (const event of eventsOf(batch)) state = projection.apply(state, event);
    yield batch;
  }
  const { message_count = 0, turn_count = 0, usage = {}, models = [] } = projection.result(state);
  keepCounts(kept, session, files, { message_count, turn_count, usage, models });
}
