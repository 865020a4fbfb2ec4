/** Counts a session's messages while a caller reads the whole of it, and caches the counts. */
import type { LogEvent } from "../../core/event/envelope.ts";
import type { EventKind } from "../../core/event/payload.ts";
import { present } from "../../core/event/present.ts";
import { wholeSummary } from "../../core/projection/active_time.ts";
import type {
  AgentReadOptions,
  AgentSession,
  SessionReader,
  ThreadEvents,
} from "../../agents/contract/agent.ts";
import type { PlacedEvents, SessionReading } from "../../agents/contract/session_reading.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import { isPlaced, keptPlaces, PassedPlaces } from "../catalogue/kept_places.ts";
import type { ItemCut } from "../catalogue/fold_items.ts";
import { filesToRead, keepReads, type KeptRead } from "./keep_counts.ts";

const COUNTED_KINDS: readonly EventKind[] = [
  "user_message",
  "assistant_message",
  "assistant_interrupted",
];

/** True if a read covers the main thread with all events that are counted. */
function readsWhole(
  { needs, thread, in_force, last_messages }: AgentReadOptions,
): boolean {
  if ((thread ?? MAIN_THREAD) !== MAIN_THREAD || in_force === true || last_messages !== undefined) {
    return false;
  }
  return needs === undefined || COUNTED_KINDS.every((kind) => needs.has(kind));
}

function lacksCounts(kept: CatalogueOptions, session: AgentSession): boolean {
  using catalogue = new Catalogue(kept);
  const { summary, read } = catalogue.lastRow(session) ?? {};
  if (summary == null || summary.message_count !== undefined) return false;
  return read?.counts?.message_count === undefined || !isPlaced(kept, session);
}

/** Reads events. A read of all events of the main thread also stores the session's counts. */
export function readCounted(
  kept: CatalogueOptions,
  reader: SessionReader,
  options: AgentReadOptions,
): AsyncIterable<readonly LogEvent[]> {
  if (kept.folder === undefined || !readsWhole(options)) return reader.read(options);
  const passed = new PassedPlaces();
  const events = reader.read(passed.watching(options));
  return countingMissing({ kept, reader, options, passed }, events, (batch) => batch);
}

/** A reading that can begin at places that an earlier reading stored, even in another process. */
export interface ResumedReading extends SessionReading {
  /** Returns the places at which this reading can begin, in order. Earlier reads stored them. */
  cuts(): Promise<readonly ItemCut[]>;
  /** Stores a place for later readings, if this reading began at the session's start. */
  onCut(cut: ItemCut): void;
}

/**
 * Opens a read of a session. A read from the session's start also stores the session's counts, as
 * {@linkcode readCounted} does.
 */
export async function openCounted(
  kept: CatalogueOptions,
  reader: SessionReader,
  options: AgentReadOptions,
): Promise<ResumedReading | undefined> {
  const { session } = reader;
  const passed = new PassedPlaces();
  const is_counted = kept.folder !== undefined && readsWhole(options);
  const lasting = is_counted
    ? await reader.openReading({ ...passed.watching(options), lasting: true })
    : undefined;
  const reading = lasting ?? await reader.openReading(options);
  return reading && {
    ...reading,
    from(place, signal): AsyncIterable<PlacedEvents> {
      const batches = reading.from(place, signal);
      if (!is_counted || place !== undefined) return batches;
      return countingMissing({ kept, reader, options, passed }, batches, ({ events }) => events);
    },
    async cuts(): Promise<readonly ItemCut[]> {
      const cuts: ItemCut[] = [];
      for (const { place, item } of lasting === undefined ? [] : keptPlaces(kept, session)) {
        if (item === undefined || await reading.stands?.(place) === false) continue;
        const { number, ...cut } = item;
        cuts.push({ number, cut: { place, ...cut } });
      }
      return cuts;
    },
    onCut({ number, cut: { place, ...cut } }): void {
      if (lasting === undefined || place === undefined) return;
      passed.take({ place, item: { number, ...cut } });
    },
  };
}

async function* countingMissing<Batch>(
  { kept, reader: { session, log }, options: { needs }, passed }: {
    kept: CatalogueOptions;
    reader: SessionReader;
    options: AgentReadOptions;
    passed: PassedPlaces;
  },
  batches: AsyncIterable<Batch>,
  eventsOf: (batch: Batch) => readonly LogEvent[],
): AsyncGenerator<Batch> {
  if (!lacksCounts(kept, session)) return yield* batches;
  const onCounted: OnCounted = (read) => keepReads(kept, [read]);
  // Unparsed lines of a log have no time.
  const untimed = log !== undefined && needs !== undefined;
  yield* countingRead(session, batches, eventsOf, { onCounted, passed, untimed });
}

export type OnCounted = (read: KeptRead) => void;

/**
 * Yields the batches of a session unchanged. Gives the session's counts after the last batch.
 *
 * @param eventsOf Returns the main thread's events of a batch.
 * @param to The receiver. `onCounted` gets the counts. `passed` gets resume points for later reads.
 * `untimed` is true if calls have no times. Active time is then not counted.
 */
export async function* countingRead<Batch>(
  session: AgentSession,
  batches: AsyncIterable<Batch>,
  eventsOf: (batch: Batch) => readonly LogEvent[],
  to: { onCounted: OnCounted; passed?: PassedPlaces | undefined; untimed?: boolean },
): AsyncGenerator<Batch> {
  const files = filesToRead(session);
  const projection = wholeSummary();
  let state = projection.initial();
  for await (const batch of batches) {
    for (const event of eventsOf(batch)) state = projection.apply(state, event);
    yield batch;
  }
  const { message_count = 0, turn_count = 0, usage = {}, models = [], active_ms } = projection
    .result(state);
  const counts = { message_count, turn_count, usage, models, ...to.untimed ? {} : { active_ms } };
  const read = present({ ...files, places: to.passed?.toKeep(session) });
  to.onCounted({ session, files: read, counts });
}

export function eventsOfMain({ thread, events }: ThreadEvents): readonly LogEvent[] {
  return thread === MAIN_THREAD ? events : [];
}
