/** Reads a session from a resume point of an earlier read, instead of from its beginning. */
import type { LogEvent } from "../../core/event/envelope.ts";
import type { Diagnostic } from "../../core/log/diagnostic.ts";
import type { AgentReadOptions, SessionReader } from "../../agents/contract/agent.ts";
import type { ReadPlace, SessionReading } from "../../agents/contract/session_reading.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import { keptPlaces } from "../catalogue/kept_places.ts";

/**
 * Returns the last event's number, read from the last resume point. Undefined without a point.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function lastSeqFromPlace(
  kept: CatalogueOptions,
  reader: SessionReader,
): Promise<number | undefined> {
  const place = keptPlaces(kept, reader.session).at(-1)?.place;
  if (place === undefined) return undefined;
  // All kinds are read, because each event has a number.
  const reading = await reader.openReading({ lasting: true });
  if (reading === undefined || await reading.stands?.(place) === false) return undefined;
  let { seq } = place;
  for await (const { events } of reading.from(place)) seq = events.at(-1)?.seq ?? seq;
  return seq;
}

/**
 * Reads the last messages before `before_seq`, and later events, from a stored resume point. Yields
 * the session's first event, then the events from a prompt on. Undefined if the whole session must
 * be read.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function readFromPlace(
  kept: CatalogueOptions,
  reader: SessionReader,
  options: AgentReadOptions,
): Promise<AsyncIterable<readonly LogEvent[]> | undefined> {
  const { before_seq = 0, last_messages, account, in_force, thread = MAIN_THREAD } = options;
  if (last_messages === undefined || account !== undefined || in_force === true) return undefined;
  if (before_seq === 0 || thread !== MAIN_THREAD) return undefined;
  const places = keptPlaces(kept, reader.session).map(({ place }) => place)
    .filter(({ seq }) => seq < before_seq);
  const counting = places.length === 0 ? undefined : await reader.openReading({ lasting: true });
  for (const place of counting === undefined ? [] : places.toReversed()) {
    if (await counting?.stands?.(place) === false) continue;
    const first_seq = await promptBehind(counting as SessionReading, place, options);
    if (first_seq !== undefined) return eventsFrom(reader, { place, first_seq }, options);
  }
  return undefined;
}

/** Finds the first prompt after a resume point. Undefined if too few messages follow the prompt. */
async function promptBehind(
  reading: SessionReading,
  place: ReadPlace,
  { before_seq = 0, last_messages = 0, signal }: AgentReadOptions,
): Promise<number | undefined> {
  let prompt: number | undefined;
  let said = 0;
  for await (const { events } of reading.from(place, signal)) {
    for (const { seq, kind } of events) {
      if (seq >= before_seq) return undefined;
      if (kind === "user_message") prompt ??= seq;
      const is_said = kind === "user_message" || kind === "assistant_message";
      if (prompt !== undefined && is_said && ++said > last_messages) return prompt;
    }
  }
  return undefined;
}

/**
 * Yields the first event, then the events after a resume point. A compaction refers to earlier
 * events, so the whole session is read from the start if one is found.
 */
async function* eventsFrom(
  reader: SessionReader,
  { place, first_seq }: { place: ReadPlace; first_seq: number },
  options: AgentReadOptions,
): AsyncGenerator<readonly LogEvent[]> {
  const { needs, signal } = options;
  const report = reportingOnce(options);
  for await (const [head, ...others] of reader.read({ needs, signal })) {
    if (head !== undefined) yield [head];
    if (head !== undefined || others.length > 0) break;
  }
  const reading = await reader.openReading({ needs, signal, report, lasting: true });
  let last_seq = first_seq - 1;
  for await (const { events } of reading?.from(place, signal) ?? []) {
    const fresh = events.filter(({ seq }) => seq > last_seq);
    const compaction = fresh.findIndex(({ kind }) => kind === "compaction_applied");
    const told = compaction < 0 ? fresh : fresh.slice(0, compaction);
    if (told.length > 0) yield told;
    last_seq = told.at(-1)?.seq ?? last_seq;
    if (compaction >= 0) return yield* eventsBehind(last_seq, reader.read({ ...options, report }));
  }
}

async function* eventsBehind(
  last_seq: number,
  batches: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<readonly LogEvent[]> {
  for await (const events of batches) {
    const fresh = events.filter(({ seq }) => seq > last_seq);
    if (fresh.length > 0) yield fresh;
  }
}

function reportingOnce({ report }: AgentReadOptions): (diagnostic: Diagnostic) => void {
  const told = new Set<string>();
  return (diagnostic) => {
    const name = JSON.stringify(diagnostic);
    if (!told.has(name)) report?.(diagnostic);
    told.add(name);
  };
}
