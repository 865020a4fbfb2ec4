/** Compares the index with the present sessions on disk. */
import { dirname, join } from "node:path";
import { indexDirectory, readIndexList, type SegmentFile } from "./index_folder.ts";
import type { AgentSession } from "../../source/agent.ts";
import { sessionRef } from "../../source/session_name.ts";
import { fileSize } from "../file_size.ts";
import { Segment, type SegmentEntry } from "./segment.ts";
import { edgeChecksums, type FileStamp, isUnchanged, stampFile } from "./source_stamp.ts";

/** An entry and the file of the index that it is in. */
export interface KnownPart {
  segment: Segment;
  entry: SegmentEntry;
}

/** What is known of a session. */
export interface KnownSession {
  session: AgentSession;
  /** What can be asked of the index, in the order of the log. */
  parts: readonly KnownPart[];
  /** From here on, nothing is known; undefined where all is. */
  from: number | undefined;
  /** Whether an update would learn nothing more. */
  settled: boolean;
  /** Bytes of which nothing is known. */
  missing_bytes: number;
}

interface OpenedSegment {
  segment: Segment;
  stamp: FileStamp;
}

/** Open files of the index, as long as the process lives and they are as they were. */
const opened = new Map<string, OpenedSegment>();

/** The files of an index; undefined where there is none, `"damaged"` where one is not as it was written. */
export function openSegments(root: string): readonly Segment[] | "damaged" | undefined {
  const directory = indexDirectory(root);
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

/** What the files of an index know of each session. */
export function knownSessions(
  segments: readonly Segment[],
  sessions: readonly AgentSession[],
): KnownSession[] {
  const parts = new Map<string, KnownPart[]>();
  for (const segment of segments) {
    for (const entry of segment.entries) addPart(parts, { segment, entry });
  }
  return sessions.map((session) => {
    const key = keyOf({ ref: sessionRef(session), path: session.path });
    return known(session, parts.get(key) ?? []);
  });
}

function keyOf({ ref, path }: { ref: string; path: string }): string {
  return `${ref}\n${path}`;
}

/** Adds what goes on where the last part ended; what begins anew replaces what was before. */
function addPart(parts: Map<string, KnownPart[]>, part: KnownPart): void {
  const key = keyOf(part.entry);
  const before = parts.get(key) ?? [];
  if (part.entry.from === 0) parts.set(key, [part]);
  else if (before.at(-1)?.entry.to === part.entry.from) parts.set(key, [...before, part]);
}

function known(session: AgentSession, parts: readonly KnownPart[]): KnownSession {
  const last = parts.at(-1)?.entry;
  const unchanged = last?.stamps.every(isUnchanged) ?? false;
  // Of a log that is as it was, its stamp tells the size: each look at 100,000 of them counts.
  const stamped = unchanged ? last?.stamps.find(({ path }) => path === session.path) : undefined;
  const bytes = Math.max(0, stamped?.size ?? fileSize(session.path) ?? 0);
  const nothing = { session, parts: [], from: 0, settled: unchanged, missing_bytes: bytes };
  if (last === undefined || last.passed_over) return nothing;
  if (unchanged) {
    // The last line of a log may have had no newline.
    const whole = last.edges === undefined || last.to === bytes;
    const rest = whole
      ? { from: undefined, missing_bytes: 0 }
      : { from: last.to, missing_bytes: bytes - last.to };
    return { session, parts, settled: true, ...rest };
  }
  if (!hasGrown(last, bytes)) return nothing;
  return { session, parts, from: last.to, settled: false, missing_bytes: bytes - last.to };
}

/** Whether a log is what it was, with more behind it. */
function hasGrown({ path, stamps, to, edges }: SegmentEntry, size: number): boolean {
  if (edges === undefined || size < (stamps[0]?.size ?? 0)) return false;
  if (stampFile(path).ino !== stamps[0]?.ino) return false;
  const now = edgeChecksums(path, to);
  return now !== undefined && now[0] === edges[0] && now[1] === edges[1];
}
