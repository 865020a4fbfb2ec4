/**
 * Searches sessions one after the other, as one of several threads.
 */
import { SessionError } from "../../event/session_error.ts";
import { TopHits } from "../rank.ts";
import { scanSession } from "./scan_session.ts";
import type { AgentSession } from "../../source/agent.ts";
import { sessionRef } from "../../source/session_name.ts";
import type { SearchHit, SearchTask } from "../search_task.ts";

/** A session to scan, and where to begin. */
export interface ScanItem {
  session: AgentSession;
  /** Bytes that are to be read, as far as known. */
  bytes: number;
  /** Of a log of ours: where to begin. @default {0} */
  from?: number;
}

/** What was found. */
export interface ScanResult {
  hits: readonly SearchHit[];
  /** How many there are, those that were not kept among them. */
  total: number;
  /** What could not be read. */
  unread: readonly { ref: string; message: string }[];
}

/** Scans those items that `take` gives. */
export async function scanItems(
  task: SearchTask,
  items: readonly ScanItem[],
  take: () => number | undefined,
  onDone: (bytes: number) => void = () => {},
  signal?: AbortSignal,
): Promise<ScanResult> {
  const top = new TopHits<SearchHit>(task.sort, task.limit);
  const unread: { ref: string; message: string }[] = [];
  for (let index = take(); index !== undefined; index = take()) {
    signal?.throwIfAborted();
    const { session, bytes, from = 0 } = items[index] as ScanItem;
    try {
      await scanSession(task, session, top, { from, signal });
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      unread.push({ ref: sessionRef(session), message: error.message });
    }
    onDone(bytes);
  }
  return { hits: top.hits, total: top.total, unread };
}
