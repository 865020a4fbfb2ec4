/**
 * Searches sessions one after the other, as one of several threads.
 */
import { SessionError } from "../../event/session_error.ts";
import type { KeptRead } from "../../library/keep_counts.ts";
import { type Ranked, TopHits } from "../rank.ts";
import { scanSession } from "./scan_session.ts";
import { sessionRef } from "../../source/session_name.ts";
import {
  bestHitOf,
  type SearchedSession,
  type SearchHit,
  type SearchTask,
} from "../search_task.ts";

/** A session to scan, and where to begin. */
export interface ScanItem extends SearchedSession {
  /** Bytes that are to be read, as far as known. */
  bytes: number;
  /** Of a log of ours: where to begin. @default {0} */
  from?: number;
}

/** What was found. */
export interface ScanResult {
  hits: readonly SearchHit[];
  /** How many were found, those that were not kept among them. */
  total: number;
  /** True if sessions were left unread that can have more, none of which are among the first. */
  stopped: boolean;
  /** Bytes of the sessions that were looked through. */
  scanned_bytes: number;
  /** What could not be read. */
  unread: readonly { ref: string; message: string }[];
  /** What was read whole. */
  counted: readonly KeptRead[];
}

/** What a thread does between sessions. */
export interface ScanTurns {
  /** Gives the next item, the newest first; undefined after the last. */
  take(): number | undefined;
  /** Called once no later item can have one of the first hits. */
  onStop?(): void;
  onDone?(bytes: number): void;
  /** The last of as many hits as are wanted, where an index gave them. */
  floor?: Ranked | undefined;
  signal?: AbortSignal | undefined;
}

/** Scans items until no other can have one of the first hits. */
export async function scanItems(
  task: SearchTask,
  items: readonly ScanItem[],
  { take, onStop, onDone, floor, signal }: ScanTurns,
): Promise<ScanResult> {
  const top = new TopHits<SearchHit>(task.sort, task.limit, floor);
  const unread: { ref: string; message: string }[] = [];
  const counted: KeptRead[] = [];
  const onCounted = (read: KeptRead): unknown => counted.push(read);
  let [stopped, scanned_bytes] = [false, 0];
  for (let index = take(); index !== undefined; index = take()) {
    signal?.throwIfAborted();
    const item = items[index] as ScanItem;
    const { from = 0, bytes } = item;
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
    scanned_bytes += bytes;
    onDone?.(bytes);
  }
  return { hits: top.hits, total: top.total, stopped, scanned_bytes, unread, counted };
}
