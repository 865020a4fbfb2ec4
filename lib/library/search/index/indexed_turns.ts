/** Adds the turns that the index knows to a table. */
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import type { ScanItem } from "../scan/scan_sources.ts";
import { isAskedFor, type SearchedEntry } from "../search_task.ts";
import type { SaidFilter } from "../wording/scan_turns.ts";
import { isSaid, type MessagePlace, type TurnTable } from "../wording/turn_table.ts";
import { wordNumber } from "../wording/words.ts";
import { restOf, withCurrentIndex, withIndex } from "./current_index.ts";
import type { IndexReader } from "./index_reader.ts";
import {
  FLAGS,
  hasFlag,
  type SourceFacts,
  SourceTexts,
  sumOfSource,
  TEXT,
} from "./index_source.ts";
import type { KnownSession } from "./index_state.ts";
import { MESSAGE } from "./word_lists.ts";

interface IndexedTurnsOptions {
  /** The words of the question, folded to their base forms. */
  bases: readonly string[];
  filter: SaidFilter;
  table: TurnTable;
  /** References of sessions that differ from the index and are scanned. */
  distrusted: ReadonlySet<string>;
}

/** Returns the sessions to scan, because the index lacks them; undefined without an index. */
export async function indexedTurns(
  cache: string,
  entries: readonly SearchedEntry[],
  { bases, filter, table, distrusted }: IndexedTurnsOptions,
): Promise<ScanItem[] | undefined> {
  const updates = new Map(entries.map(({ session, updated }) => [session, updated]));
  const updatedOf = (session: AgentSession): number => updates.get(session) ?? NaN;
  return await withCurrentIndex(cache, entries, (index, known) => {
    const messages = messagesOf(index, bases);
    for (const one of known) {
      const { session } = one;
      if (distrusted.has(sessionRef(session))) continue;
      const searched = { session, updated: updatedOf(session) };
      for (const part of one.parts) {
        const placeOf = (message: number): MessagePlace | undefined =>
          withIndex(cache, (now) => placeIn(now, part.source, message));
        table.begin({ searched, placeOf, is_indexed: true });
        addPart(index, part, { filter, table, messages });
      }
    }
    return restOf(known, distrusted, updatedOf);
  });
}

interface Messages {
  /** The words of the question that each message has, as bits. */
  words: Int32Array;
  lengths: Uint32Array;
  properties: Uint8Array;
}

function messagesOf(index: IndexReader, bases: readonly string[]): Messages {
  const lengths = new Uint32Array(index.messages);
  const properties = new Uint8Array(index.messages);
  let at = 0;
  index.forEachMessage((length, its) => {
    lengths[at] = length;
    properties[at++] = its;
  });
  return { words: index.messagesWith(bases.map(wordNumber)), lengths, properties };
}

function addPart(
  index: IndexReader,
  { source, last_seq }: KnownSession["parts"][number],
  { filter, table, messages }: { filter: SaidFilter; table: TurnTable; messages: Messages },
): void {
  const first = index.placeOfMessages(source);
  const words = messages.words.subarray(first, first + source.messages);
  const is_filtered = (filter.roles ?? filter.since ?? filter.until) !== undefined;
  // Few questions need more than the lists have.
  const is_needed = last_seq !== undefined || is_filtered && words.some((bits) => bits !== 0);
  const places = is_needed ? saidPlaces(index, source) : undefined;
  for (let at = 0; at < source.messages; at++) {
    const properties = messages.properties[first + at] ?? 0;
    const place = places?.[at];
    // Parts hold the main thread; other threads are indexed as a whole.
    if (last_seq !== undefined && place?.thread === MAIN_THREAD && place.seq > last_seq) continue;
    const is_asked = place === undefined || isAskedFor(filter, place.role, place.time);
    table.add({
      words: is_asked ? words[at] ?? 0 : 0,
      length: messages.lengths[first + at] ?? 0,
      is_prompt: (properties & MESSAGE.PROMPT) !== 0,
      begins_thread: (properties & MESSAGE.BEGINS_THREAD) !== 0,
    }, at);
  }
}

/** Returns undefined if the index has changed `source` since it was read. */
function placeIn(
  index: IndexReader,
  source: SourceFacts,
  message: number,
): MessagePlace | undefined {
  const now = index.source(source.id);
  if (now === undefined || sumOfSource(now) !== sumOfSource(source)) return undefined;
  return saidPlaces(index, source)[message];
}

function saidPlaces(index: IndexReader, source: SourceFacts): MessagePlace[] {
  const texts = new SourceTexts(index.stored(source.id).packed);
  const { threads } = hasFlag(source, FLAGS.DETAILED) ? index.detail(source.id) : {};
  const places: MessagePlace[] = [];
  for (let at = 0; at < texts.count; at++) {
    const role = texts.role(at);
    if (!isSaid(role)) continue;
    places.push({
      ...{ seq: texts.get(at, TEXT.SEQ), role, time: texts.get(at, TEXT.TIME) },
      ...{ offset: texts.get(at, TEXT.OFFSET), length: texts.get(at, TEXT.LENGTH) },
      thread: threads?.[texts.get(at, TEXT.THREAD)] ?? MAIN_THREAD,
    });
  }
  return places;
}
