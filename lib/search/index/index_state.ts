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

/** An entry and the file of the index that it is in. */
export interface KnownPart {
  segment: Segment;
  entry: SegmentEntry;
  /** Texts of later events are void: the next part has them. @default {none are} */
  last_seq?: number;
}

/** Where an update reads on. */
export interface GrownFrom {
  /** Bytes that are known. */
  from: number | undefined;
  /** Of another agent's session: where in it. */
  place?: ReadPlace;
  /** All files that it was read from. */
  paths?: readonly string[];
}

/** What is known of a session. */
export interface KnownSession {
  session: AgentSession;
  /** What can be asked of the index, in the order of the log. */
  parts: readonly KnownPart[];
  /** From here on, nothing is known; undefined where all is. */
  from: number | undefined;
  /** Where an update reads on. @default {at `from`} */
  grown?: GrownFrom;
  /** True if an update would learn nothing more. */
  settled: boolean;
  /** Bytes that an update reads. */
  missing_bytes: number;
}

interface OpenedSegment {
  segment: Segment;
  stamp: FileStamp;
}

/** Open files of the index, as long as the process lives and they are as they were. */
const opened = new Map<string, OpenedSegment>();

/** The files of an index; undefined where there is none, `"damaged"` where one is not as it was written. */
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

/** Forgets open files of a folder that are not needed any more. Another search may still ask them. */
function forgetOthers(directory: string, needed: ReadonlySet<string>): void {
  for (const path of [...opened.keys()]) {
    if (dirname(path) === directory && !needed.has(path)) opened.delete(path);
  }
}

/** How sessions were seen just now, so that no file is looked at twice. */
export type SeenStates = ReadonlyMap<AgentSession, SessionState>;

const UNSEEN: SeenStates = new Map();

/** What the files of an index know of each session. */
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

/** Adds what goes on where the last part ended; what begins anew replaces what was before. */
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
  // Of another agent's session, what was looked at may be another file than its own.
  const unchanged = last?.isUnchanged(path, last.grows ? seen : undefined) ?? false;
  if (last !== undefined && unchanged && !last.passed_over) {
    // The last line of a log may have had no newline.
    const rest = last.grows ? last.size - last.to : 0;
    const from = rest === 0 ? undefined : last.to;
    return { session, parts, from, settled: true, missing_bytes: rest };
  }
  const bytes = Math.max(0, fileSize(path) ?? 0);
  if (last !== undefined && !last.passed_over && last.hasGrown(path, bytes)) {
    const { to: from, place, paths } = last;
    const grown = { session, settled: false, missing_bytes: bytes - from };
    if (place === undefined) return { ...grown, parts, from };
    // Only its reader tells what new records change: until it is read on, all of it is scanned.
    return { ...grown, parts: NO_PARTS, from: 0, grown: { from, place, paths } };
  }
  return { session, parts: NO_PARTS, from: 0, settled: unchanged, missing_bytes: bytes };
}
