/** Compares the index with the present sessions on disk. */
import type { SessionState } from "../../catalogue/session_state.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import type { ReadPlace } from "../../../agents/contract/session_reading.ts";
import type { IndexReader } from "./index_reader.ts";
import { entryKey, FLAGS, hasFlag, type SourceDetail, type SourceFacts } from "./index_source.ts";
import {
  areUnchanged,
  edgeChecksums,
  fileSize,
  isUnchanged,
  stampFile,
  stateNumber,
} from "./source_stamp.ts";

interface KnownPart {
  source: SourceFacts;
  /** Number of the last event that counts; the next part has later ones. @default {no limit} */
  last_seq?: number;
}

/** The place at which an update continues to read a session. */
export interface GrownFrom {
  /** Number of indexed bytes; undefined for none. */
  from: number | undefined;
  /** The place in another agent's session from which to read. @default {its beginning} */
  place?: ReadPlace;
  /** Paths of the session's files when `place` was stored. */
  paths?: readonly string[];
}

export interface KnownSession {
  session: AgentSession;
  /** The valid indexed parts of the session, in order. */
  parts: readonly KnownPart[];
  /** Offset of the first unindexed byte; undefined if all bytes are indexed. */
  from: number | undefined;
  /** The point where an update resumes the session. If absent, it resumes at byte offset `from`. */
  grown?: GrownFrom;
  /** True if an update would change nothing. */
  settled: boolean;
  missing_bytes: number;
}

/** The states of sessions as a list has just seen them, so that files are not inspected twice. */
export type SeenStates = ReadonlyMap<AgentSession, SessionState>;

const UNSEEN: SeenStates = new Map();

export function knownSessions(
  index: IndexReader,
  sessions: readonly AgentSession[],
  seen: SeenStates = UNSEEN,
): KnownSession[] {
  const parts = new Map<number, KnownPart[]>();
  for (const source of index.sources()) {
    if (index.placeOf(source) !== undefined) addPart(index, parts, source);
  }
  return sessions.map((session) =>
    known(index, session, parts.get(entryKey(session)) ?? NO_PARTS, seen.get(session))
  );
}

const NO_PARTS: readonly KnownPart[] = [];

/**
 * Adds a part if it begins where the session's last part ends. A part from the session's beginning
 * replaces all other parts of the session.
 */
function addPart(index: IndexReader, parts: Map<number, KnownPart[]>, source: SourceFacts): void {
  const { key, start } = source;
  if (start === 0) {
    parts.set(key, [{ source }]);
    return;
  }
  const before = parts.get(key);
  const last = before?.at(-1);
  if (last?.source.stop !== start) return;
  const { behind } = hasFlag(source, FLAGS.DETAILED) ? index.detail(source.id) : {};
  if (behind !== undefined) last.last_seq = behind;
  before?.push({ source });
}

function known(
  index: IndexReader,
  session: AgentSession,
  parts: readonly KnownPart[],
  seen: SessionState | undefined,
): KnownSession {
  const { path } = session;
  const last = parts.at(-1)?.source;
  if (last === undefined) return unknownSession(session);
  const passed_over = hasFlag(last, FLAGS.PASSED_OVER);
  const unchanged = isSame(index, last, session, seen);
  if (unchanged && !passed_over) {
    // The last line of a log may have had no newline.
    const rest = hasFlag(last, FLAGS.GROWS) ? last.size - last.stop : 0;
    const from = rest === 0 ? undefined : last.stop;
    return { session, parts, from, settled: true, missing_bytes: rest };
  }
  const bytes = fileSize(path);
  const detail = passed_over ? undefined : index.detail(last.id);
  if (detail !== undefined && hasGrown(path, bytes, last, detail)) {
    const { place, stamps } = detail;
    const grown = { session, settled: false, missing_bytes: bytes - last.stop };
    if (place === undefined) return { ...grown, parts, from: last.stop };
    // Only the reader tells the changes by new records. Until an update, all of the session is
    // scanned.
    const paths = stamps.map((stamp) => stamp.path);
    return { ...grown, parts: NO_PARTS, from: 0, grown: { from: last.stop, place, paths } };
  }
  return { ...unknownSession(session), settled: unchanged };
}

export function unknownSession(session: AgentSession): KnownSession {
  const missing_bytes = fileSize(session.path);
  return { session, parts: NO_PARTS, from: 0, settled: false, missing_bytes };
}

/** @param seen A recently observed state of the session's own file. */
function isSame(
  index: IndexReader,
  source: SourceFacts,
  session: AgentSession,
  seen: SessionState | undefined,
): boolean {
  if (hasFlag(source, FLAGS.DETAILED)) {
    return areUnchanged(session, index.detail(source.id).stamps);
  }
  // Another agent's state may describe a different file of the session.
  const now = (hasFlag(source, FLAGS.GROWS) ? seen : undefined) ?? stampFile(session.path);
  return source.size === now.size && source.state === stateNumber(now);
}

/**
 * True if a file has only grown, and the session's other files are unchanged.
 *
 * @param size The file's present size.
 */
function hasGrown(
  path: string,
  size: number,
  source: SourceFacts,
  { stamps, edges, place }: SourceDetail,
): boolean {
  if (edges === undefined || size < source.size) return false;
  const others = stamps.filter((stamp) => stamp.path !== path);
  if (!others.every((stamp) => isUnchanged(stamp))) return false;
  // Another agent's file of equal size was overwritten.
  if (place !== undefined && size === source.size) return false;
  if (stampFile(path).ino !== stamps[0]?.ino) return false;
  const now = edgeChecksums(path, source.stop);
  return now !== undefined && now[0] === edges[0] && now[1] === edges[1];
}
