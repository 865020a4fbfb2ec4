/** Searches sessions one after the other, as one of several threads. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { KeptRead } from "../../counts/keep_counts.ts";
import { type MarkedText, searchMarked } from "../marked_texts.ts";
import { type Ranked, TopHits } from "../rank.ts";
import { scanSession } from "./scan_session.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import {
  bestHitOf,
  type SearchedSession,
  type SearchHit,
  type SearchTask,
} from "../search_task.ts";

export interface ScanItem extends SearchedSession {
  /** Number of bytes to read, as far as known. */
  bytes: number;
  /** Byte offset in a Reprise log at which the scan starts. @default {0} */
  from?: number;
  /** The texts of the session's marks, which are searched too. @default {none} */
  marked?: readonly MarkedText[];
}

export interface ScanResult {
  hits: readonly SearchHit[];
  /** Number of all hits, including hits that were dropped. */
  total: number;
  /** True if sessions were left unread, because their hits would rank below all kept hits. */
  stopped: boolean;
  scanned: number;
  scanned_bytes: number;
  /** True if the time ended before all sessions were scanned. @default {false} */
  is_late?: boolean;
  /** The sessions that could not be read, with the reasons. */
  unread: readonly { ref: string; message: string }[];
  /** Summary counts of sessions that were read whole, for the catalogue to store. */
  counted: readonly KeptRead[];
}

export const NO_RESULT: ScanResult = {
  ...{ hits: [], total: 0, stopped: false, scanned: 0, scanned_bytes: 0, unread: [], counted: [] },
};

interface ScanTurns {
  /** Returns the index of the next session, the newest first; undefined after the last. */
  take(): number | undefined;
  /** Receives a call once no later session can have one of the `limit` highest ranked hits. */
  onStop?(): void;
  onDone?(bytes: number, until_now: ScanResult): void;
  /** The last hit of a full page from the index; only higher hits are needed. Absent if none. */
  floor?: Ranked | undefined;
  signal?: AbortSignal | undefined;
}

export async function scanItems(
  task: SearchTask,
  items: readonly ScanItem[],
  { take, onStop, onDone, floor, signal }: ScanTurns,
): Promise<ScanResult> {
  const top = new TopHits<SearchHit>(task, floor);
  const unread: { ref: string; message: string }[] = [];
  const counted: KeptRead[] = [];
  const onCounted = (read: KeptRead): unknown => counted.push(read);
  let [stopped, scanned, scanned_bytes] = [false, 0, 0];
  const result = (): ScanResult => ({
    ...{ hits: top.hits, total: top.total, stopped, scanned, scanned_bytes, unread, counted },
  });
  for (let index = take(); index !== undefined; index = take()) {
    signal?.throwIfAborted();
    const item = items[index] as ScanItem;
    const { from = 0, bytes, marked = [] } = item;
    searchMarked(task, item, marked, top);
    if (!task.count_all && top.excludes(bestHitOf(task, item))) {
      stopped = true;
      onStop?.();
      break;
    }
    try {
      const is_read = await scanSession(task, item, top, { from, signal, onCounted });
      stopped ||= !is_read;
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      unread.push({ ref: sessionRef(item.session), message: error.message });
    }
    scanned++;
    scanned_bytes += bytes;
    onDone?.(bytes, result());
  }
  return result();
}
