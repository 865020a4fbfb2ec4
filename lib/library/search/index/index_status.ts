/** The status of an index. */
import { toSessionError } from "../../../core/log/io_error.ts";
import { exists } from "../../../core/log/own_file.ts";
import { removeSync } from "../../../core/platform/files.ts";
import { isDamage } from "../../catalogue/cache/cache_database.ts";
import {
  beginIndex,
  indexesIn,
  indexPath,
  openIndex,
} from "../../catalogue/cache/search_database.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { IndexReader, UnusableIndex } from "./index_reader.ts";
import { type KnownSession, knownSessions, unknownSession } from "./index_state.ts";
import { isLocked } from "./index_writer.ts";
import { fileSize } from "./source_stamp.ts";

export interface IndexStatus {
  /**
   * The state of the index. `absent`: searches scan all sessions. `damaged`: the index is ignored
   * until it is rebuilt. `behind`: parts of sessions are missing.
   */
  state: "absent" | "damaged" | "current" | "behind";
  /** Absolute path of the index file. */
  path: string;
  bytes: number;
  /** Number of sessions that the index has at least in part. */
  sessions: number;
  /** Number of indexed texts, each of one role in one event. */
  texts: number;
  /** Number of sessions that the index lacks at least in part. */
  behind_sessions: number;
  behind_bytes: number;
  /** Number of sessions, such as damaged sessions, that cannot be indexed now and are scanned. */
  passed_over: number;
  /** True if an update is possible now: the cache folder exists, and no process writes there. */
  may_update: boolean;
}

/**
 * Returns the state of an index for some sessions. Reads the whole index, to find damage.
 *
 * @param cache The cache folder, as `library.cache`. @param sessions The sessions of a library.
 */
export function indexStatus(cache: string, sessions: readonly AgentSession[]): IndexStatus {
  const { state, known } = readIndex(cache, sessions);
  const behind = known.filter(({ settled }) => !settled);
  const behind_bytes = behind.reduce((sum, { missing_bytes }) => sum + missing_bytes, 0);
  const texts = known.flatMap(({ parts }) => parts)
    .reduce((sum, { source }) => sum + source.texts, 0);
  return {
    state: state ?? (behind.length > 0 ? "behind" : "current"),
    path: indexPath(cache),
    bytes: state === undefined ? fileSize(indexPath(cache)) : 0,
    sessions: known.filter(({ parts }) => parts.length > 0).length,
    texts,
    behind_sessions: behind.length,
    behind_bytes,
    passed_over: known.filter(({ settled, from }) => settled && from === 0).length,
    may_update: mayUpdate(cache),
  };
}

function readIndex(
  cache: string,
  sessions: readonly AgentSession[],
): { state?: "absent" | "damaged"; known: readonly KnownSession[] } {
  using database = openIndex(cache);
  try {
    if (database !== undefined) {
      database.exec("BEGIN");
      const index = new IndexReader(database);
      index.verify();
      return { known: knownSessions(index, sessions) };
    }
  } catch (error) {
    if (!(error instanceof UnusableIndex)) throw error;
  }
  const state = fileSize(indexPath(cache)) > 0 ? "damaged" : "absent";
  return { state, known: sessions.map((session) => unknownSession(session)) };
}

function mayUpdate(cache: string): boolean {
  try {
    if (!exists(indexPath(cache), "update index")) return exists(cache, "update index");
    beginIndex(cache)?.[Symbol.dispose]();
    return true;
  } catch (error) {
    // In use, or not writable. A damaged one is made anew.
    return isDamage(error);
  }
}

/**
 * Removes an index. Returns `locked` while another process is writing the index.
 *
 * @param cache The cache folder, as `library.cache`.
 * @throws {SessionError} `permission`, `io`
 */
export function dropIndex(cache: string): "dropped" | "absent" | "locked" {
  const action = "remove index";
  if (!exists(cache, action)) return "absent";
  const path = indexPath(cache);
  try {
    if (exists(path, action)) beginIndex(cache)?.[Symbol.dispose]();
  } catch (error) {
    if (isLocked(error)) return "locked";
    // Damaged: it goes.
  }
  try {
    const found = indexesIn(cache);
    for (const one of found) removeSync(one);
    return found.length > 0 ? "dropped" : "absent";
  } catch (error) {
    throw toSessionError(error, action, path);
  }
}
