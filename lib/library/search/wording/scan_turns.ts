/** Reads the turns of sessions, and reads messages again to quote them. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { openReader } from "../../machine/registry.ts";
import { nextTurn } from "../../../core/log/next_turn.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { eventsOf } from "../index/candidate_events.ts";
import { scanLog } from "../scan/scan_session.ts";
import type { ScanItem } from "../scan/scan_sources.ts";
import { isAskedFor, type SearchRequest } from "../search_task.ts";
import { searchableTexts, SEARCHED_KINDS } from "../searchable_text.ts";
import { isSaid, type MessagePlace, type TurnTable } from "./turn_table.ts";
import type { QuestionWords } from "./word_match.ts";

/** A filter for messages. Only the words of messages that match the filter count. */
export type SaidFilter = Pick<SearchRequest, "roles" | "since" | "until">;

interface ScanTurnsOptions {
  filter: SaidFilter;
  signal: AbortSignal | undefined;
  onDone(bytes: number): void;
}

/** Adds the matching turns of sessions to `table`. Returns the sessions that could not be read. */
export async function scanTurns(
  items: readonly ScanItem[],
  asked: QuestionWords,
  table: TurnTable,
  { filter, signal, onDone }: ScanTurnsOptions,
): Promise<{ ref: string; message: string }[]> {
  const unread: { ref: string; message: string }[] = [];
  for (const item of items) {
    const places: MessagePlace[] = [];
    table.begin({ searched: item, placeOf: (index) => places[index], is_indexed: false });
    let last = MAIN_THREAD;
    try {
      await readSession(item, { signal }, (event, thread) => {
        for (const { role, pieces } of searchableTexts(event)) {
          if (!isSaid(role)) continue;
          const { words, length } = asked.wordsIn(pieces);
          const time = Date.parse(event.time ?? "");
          const counted = isAskedFor(filter, role, time) ? words : 0;
          const message = { words: counted, length, is_prompt: role === "user" };
          table.add({ ...message, begins_thread: thread !== last }, places.length);
          last = thread;
          const { offset = 0, length: line_length = 0 } = event.position ?? {};
          if (counted === 0) continue;
          places.push({ seq: event.seq, role, thread, time, offset, length: line_length });
        }
      });
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      unread.push({ ref: sessionRef(item.session), message: error.message });
    }
    onDone(item.bytes);
  }
  return unread;
}

type OnEvent = (event: LogEvent, thread: string) => void;

async function readSession(
  { session, from }: Pick<ScanItem, "session" | "from">,
  { signal }: { signal?: AbortSignal | undefined },
  onEvent: OnEvent,
): Promise<void> {
  const reader = await openReader(session);
  const log = reader.log?.path;
  if (log !== undefined) {
    const options = present({ from, signal });
    return await scanLog(log, undefined, (event) => onEvent(event, MAIN_THREAD), options);
  }
  for await (
    const { thread, events } of reader.readThreads(present({ needs: SEARCHED_KINDS, signal }))
  ) {
    for (const event of events) onEvent(event, thread);
    if (signal !== undefined) await nextTurn();
    signal?.throwIfAborted();
  }
}

export interface SaidMessage {
  event: LogEvent;
  pieces: readonly string[];
}

/** Reads a message again. Undefined if the session changed. @param isIt True for its texts. */
export async function readMessage(
  session: AgentSession,
  place: MessagePlace,
  isIt: (pieces: readonly string[]) => boolean,
): Promise<SaidMessage | undefined> {
  const found: SaidMessage[] = [];
  const take = (event: LogEvent): void => {
    for (const { role, pieces } of event.seq === place.seq ? searchableTexts(event) : []) {
      if (role === place.role && isIt(pieces)) found.push({ event, pieces });
    }
  };
  for (const event of await eventsOf(session, place.thread, [place]) ?? []) take(event);
  if (found.length > 0) return found[0];
  try {
    // A damaged line is read with its neighbours.
    const log = (await openReader(session)).log?.path;
    if (log !== undefined) await scanLog(log, undefined, take);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
  }
  return found[0];
}
