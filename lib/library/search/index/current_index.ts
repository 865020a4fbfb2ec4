/** Gives searches the index, and tells which sessions they have to scan because it lacks them. */
import { SessionError } from "../../../core/event/session_error.ts";
import { openIndex } from "../../catalogue/cache/search_database.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import type { ScanItem } from "../scan/scan_sources.ts";
import type { SearchedEntry } from "../search_task.ts";
import { IndexReader, UnusableIndex } from "./index_reader.ts";
import { type KnownSession, knownSessions, type SeenStates } from "./index_state.ts";
import { updateIndex } from "./index_update.ts";
import { fileSize } from "./source_stamp.ts";

/** Maximum number of bytes to index before a search. More bytes are faster to scan. */
const CHEAP_BYTES = 4e6;

/**
 * Runs work with the index, after adding sessions that are cheap to index. Undefined without a
 * usable index.
 */
export async function withCurrentIndex<Result>(
  cache: string,
  entries: readonly SearchedEntry[],
  work: (index: IndexReader, known: readonly KnownSession[]) => Result,
): Promise<Result | undefined> {
  const sessions = entries.map(({ session }) => session);
  let seen: SeenStates = new Map(
    entries.flatMap(({ session, state }) => state ? [[session, state]] : []),
  );
  let missing: readonly AgentSession[] = [];
  const onIndex = (index: IndexReader, is_updated: boolean): Result | undefined => {
    const known = knownSessions(index, sessions, seen);
    missing = is_updated ? [] : missingFew(known);
    return missing.length > 0 ? undefined : work(index, known);
  };
  const result = withIndex(cache, (index) => onIndex(index, false));
  if (missing.length === 0) return result;
  await updateQuietly(cache, missing);
  seen = new Map();
  return withIndex(cache, (index) => onIndex(index, true));
}

/** Runs work with one state of the index; undefined without a usable index. */
export function withIndex<Result>(
  cache: string,
  work: (index: IndexReader) => Result,
): Result | undefined {
  using database = openIndex(cache);
  try {
    database?.exec("BEGIN");
    return database && work(new IndexReader(database));
  } catch (error) {
    if (error instanceof UnusableIndex) return undefined;
    throw error;
  }
}

function missingFew(known: readonly KnownSession[]): AgentSession[] {
  const missing = known.filter(({ settled }) => !settled);
  const bytes = missing.reduce((sum, { missing_bytes }) => sum + missing_bytes, 0);
  return bytes > CHEAP_BYTES ? [] : missing.map(({ session }) => session);
}

/** Updates the index. If the index cannot be written, the sessions are left to be scanned. */
async function updateQuietly(cache: string, sessions: readonly AgentSession[]): Promise<void> {
  try {
    await updateIndex(cache, sessions);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
  }
}

/**
 * Returns sessions that the index lacks, and sessions of which it lacks only the end.
 * @param distrusted References of sessions that differ from the index.
 */
export function restOf(
  known: readonly KnownSession[],
  distrusted: ReadonlySet<string>,
  updatedOf: (session: AgentSession) => number,
): ScanItem[] {
  return known.flatMap(({ session, from, missing_bytes }) => {
    const updated = updatedOf(session);
    if (distrusted.size > 0 && distrusted.has(sessionRef(session))) {
      return [{ session, updated, bytes: fileSize(session.path) }];
    }
    if (from === undefined) return [];
    const bytes = from === 0 ? fileSize(session.path) : missing_bytes;
    return [{ session, updated, bytes, from }];
  });
}
