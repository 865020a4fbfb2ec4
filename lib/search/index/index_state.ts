/** Compares the index with the present sessions on disk. */
import { dirname, join } from "node:path";
import type { SessionState } from "../../library/catalogue/session_state.ts";
import type { AgentSession } from "../../source/agent.ts";
import { sessionRef } from "../../source/session_name.ts";
import type { ReadPlace } from "../../source/session_reading.ts";
import { indexDirectory, readIndexList, type SegmentFile } from "./index_folder.ts";
import { Segment } from "./segment.ts";
import { ENTRY, entryKey, type SegmentEntry } from "./segment_entry.ts";
import { fileSize, type FileStamp, isUnchanged, stampFile } from "./source_stamp.ts";

/** An entry, and the index file that holds it. */
interface KnownPart {
  segment: Segment;
  entry: SegmentEntry;
  /** Texts of later events are void, because the next part has them. @default {no limit} */
  last_seq?: number;
}

/** The place at which an update reads on. */
interface GrownFrom {
  /** Number of indexed bytes. */
  from: number | undefined;
  /** The place in another agent's session. */
  place?: ReadPlace;
  /** The files that were read up to that place. */
  paths?: readonly string[];
}

/** The indexed state of a session. */
export interface KnownSession {
  session: AgentSession;
  /** Usable entries, in the order of the log. */
  parts: readonly KnownPart[];
  /** Offset of the first unindexed byte; undefined if all are indexed. */
  from: number | undefined;
  /** The place at which an update reads on. @default {`from`} */
  grown?: GrownFrom;
  /** True if an update would change nothing. */
  settled: boolean;
  /** Number of bytes for an update to read. */
  missing_bytes: number;
}

interface OpenedSegment {
  segment: Segment;
  stamp: FileStamp;
}

/** Open index files, until they change or the process ends. */
const opened = new Map<string, OpenedSegment>();

/** Opens the files of an index; undefined without one, `"damaged"` if a file changed. */
export function openSegments(cache: string): readonly Segment[] | "damaged" | undefined {
  const directory = indexDirectory(cache);
  const list = readIndexList(directory);
  if (list === undefined) return undefined;
  forgetOthers(directory, new Set(list.segments.map(({ file }) => join(directory, file))));
  const segments = list.segments.map((file) => openSegment(directory, file));
  return segments.every((segment) => segment !== undefined) ? segments : "damaged";
}

function openSegment(directory: string, file: SegmentFile): Segment | undefined {
  const path = join(directory, file.file);
  const known = opened.get(path);
  if (known !== undefined && isUnchanged(known.stamp)) return known.segment;
  const stamp = stampFile(path);
  const segment = Segment.open(directory, file);
  if (segment !== undefined) opened.set(path, { segment, stamp });
  return segment;
}

/** Forgets open files that the list no longer names. Another search may still use them. */
function forgetOthers(directory: string, needed: ReadonlySet<string>): void {
  for (const path of [...opened.keys()]) {
    if (dirname(path) === directory && !needed.has(path)) opened.delete(path);
  }
}

/** Recently observed states of sessions, so that files are not inspected twice. */
export type SeenStates = ReadonlyMap<AgentSession, SessionState>;

const UNSEEN: SeenStates = new Map();

/** Returns the indexed state of each session. */
export function knownSessions(
  segments: readonly Segment[],
  sessions: readonly AgentSession[],
  seen: SeenStates = UNSEEN,
): KnownSession[] {
  const parts = new Map<number, KnownPart[]>();
  for (const segment of segments) {
    for (let index = 0; index < segment.rows.count; index++) {
      addPart(parts, segment.rows.get(index, ENTRY.KEY), { segment, entry: segment.entry(index) });
    }
  }
  return sessions.map((session) => {
    const key = entryKey({ ref: sessionRef(session), path: session.path });
    return known(session, parts.get(key) ?? NO_PARTS, seen.get(session));
  });
}

const NO_PARTS: readonly KnownPart[] = [];

/** Adds a part that continues the last one; a part from the beginning replaces the others. */
function addPart(parts: Map<number, KnownPart[]>, key: number, part: KnownPart): void {
  const { from } = part.entry;
  if (from === 0) {
    parts.set(key, [part]);
    return;
  }
  const before = parts.get(key);
  const last = before?.at(-1);
  if (last?.entry.to !== from) return;
  const { behind } = part.entry;
  if (behind !== undefined) last.last_seq = behind;
  before?.push(part);
}

function known(
  session: AgentSession,
  parts: readonly KnownPart[],
  seen: SessionState | undefined,
): KnownSession {
  const { path } = session;
  const last = parts.at(-1)?.entry;
  // Another agent's state may describe a different file of the session.
  const unchanged = last?.isUnchanged(path, last.grows ? seen : undefined) ?? false;
  if (last !== undefined && unchanged && !last.passed_over) {
    // The last line of a log may have had no newline.
    const rest = last.grows ? last.size - last.to : 0;
    const from = rest === 0 ? undefined : last.to;
    return { session, parts, from, settled: true, missing_bytes: rest };
  }
  const bytes = fileSize(path);
  if (last !== undefined && !last.passed_over && last.hasGrown(path, bytes)) {
    const { to: from, place, paths } = last;
    const grown = { session, settled: false, missing_bytes: bytes - from };
    if (place === undefined) return { ...grown, parts, from };
    // Only the reader tells the changes by new records. Until an update, all of the session is
    // scanned.
    return { ...grown, parts: NO_PARTS, from: 0, grown: { from, place, paths } };
  }
  return { session, parts: NO_PARTS, from: 0, settled: unchanged, missing_bytes: bytes };
}
